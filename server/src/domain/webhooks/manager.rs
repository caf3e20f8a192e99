//! Those who manage webhooks.

use l10n_api_types::{ProjectId, WebhookId, WorkspaceId};

use crate::clock::Timestamp;
use crate::config::Webhooks;
use crate::domain::people::Person;
use crate::domain::people::audit::{self, AuditAction, Record};
use crate::domain::{Actor, Caller, ServiceError};
use crate::store::Tx;

/// Webhooks of a project, enabled or not, with which the API makes no other (§8).
const MOST_BY_API: usize = 5;

/// Somebody who manages the webhooks of a project: a program with an API key, or a person whose role allows it.
#[derive(Debug, Clone)]
pub struct WebhookManager<'a> {
    pub(super) project: &'a ProjectId,
    workspace: &'a WorkspaceId,
    actor: Actor,
    /// Webhooks of the project, whoever made them, with which they make no other (AMB-28).
    pub(super) most: usize,
}

impl<'a> From<&'a Caller> for WebhookManager<'a> {
    fn from(caller: &'a Caller) -> Self {
        let actor = Actor::Key { id: caller.key.clone() };
        Self { project: &caller.project, workspace: &caller.workspace, actor, most: MOST_BY_API }
    }
}

impl<'a> WebhookManager<'a> {
    /// A person in the dashboard, where a project may have as many webhooks as the operator allows.
    pub(crate) fn person(
        person: &Person,
        workspace: &'a WorkspaceId,
        project: &'a ProjectId,
        settings: &Webhooks,
    ) -> Self {
        let most = usize::try_from(settings.most_per_project).unwrap_or(usize::MAX);
        Self { project, workspace, actor: person.actor(), most }
    }

    /// Writes into the audit log what they did.
    pub(super) async fn tell(
        &self,
        tx: &mut Tx,
        now: Timestamp,
        action: AuditAction,
        webhook: &WebhookId,
        detail: Option<&str>,
    ) -> Result<(), ServiceError> {
        let record = Record { project: Some(self.project), action, subject: Some(webhook.as_str()), detail };
        audit::write(tx, self.workspace, &self.actor, now, record).await
    }
}
