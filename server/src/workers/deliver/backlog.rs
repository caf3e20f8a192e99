//! Webhooks that have something due, workspace by workspace.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use l10n_api_types::{WebhookId, WorkspaceId};

use crate::store::due::WaitingWebhook;

/// A webhook with those whose slots its attempts take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination {
    pub(super) webhook: WebhookId,
    pub(super) workspace: WorkspaceId,
    pub(super) host: String,
}

impl From<&WaitingWebhook> for Destination {
    fn from(waiting: &WaitingWebhook) -> Self {
        Self {
            webhook: waiting.webhook_id.clone(),
            workspace: waiting.workspace_id.clone(),
            host: waiting.host.clone(),
        }
    }
}

/// Webhooks that have something due.
#[derive(Debug)]
pub(super) struct WebhookBacklog {
    workspaces: BTreeMap<WorkspaceId, WorkspaceBacklog>,
    /// The workspace that was served last; before any was, an id before all others.
    last: WorkspaceId,
}

/// Those of one workspace.
#[derive(Debug)]
pub(super) struct WorkspaceBacklog {
    webhooks: BTreeMap<WebhookId, Arc<Destination>>,
    /// The webhook that was served last, likewise.
    last: WebhookId,
}

impl Default for WebhookBacklog {
    fn default() -> Self {
        Self { workspaces: BTreeMap::new(), last: WorkspaceId::new("") }
    }
}

impl Default for WorkspaceBacklog {
    fn default() -> Self {
        Self { webhooks: BTreeMap::new(), last: WebhookId::new("") }
    }
}

impl WebhookBacklog {
    pub(super) fn insert(&mut self, destination: Arc<Destination>) {
        let workspace = self.workspaces.entry(destination.workspace.clone()).or_default();
        workspace.webhooks.insert(destination.webhook.clone(), destination);
    }

    pub(super) fn remove(&mut self, destination: &Destination) {
        let Some(workspace) = self.workspaces.get_mut(&destination.workspace) else { return };
        workspace.webhooks.remove(&destination.webhook);
        if workspace.webhooks.is_empty() {
            self.workspaces.remove(&destination.workspace);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.workspaces.is_empty()
    }

    /// The workspaces in the order of the next turns: the one that was served last comes last.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = (&WorkspaceId, &WorkspaceBacklog)> {
        in_turn(&self.workspaces, &self.last)
    }

    /// Notes who was served last.
    pub(super) fn served(&mut self, destination: &Destination) {
        self.last.clone_from(&destination.workspace);
        if let Some(workspace) = self.workspaces.get_mut(&destination.workspace) {
            workspace.last.clone_from(&destination.webhook);
        }
    }
}

impl WorkspaceBacklog {
    /// The webhooks, likewise.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = &Arc<Destination>> {
        in_turn(&self.webhooks, &self.last).map(|(_, destination)| destination)
    }
}

fn in_turn<'a, K: Ord, V>(all: &'a BTreeMap<K, V>, last: &'a K) -> impl Iterator<Item = (&'a K, &'a V)> {
    let after = all.range((Bound::Excluded(last), Bound::Unbounded));
    after.chain(all.range((Bound::Unbounded, Bound::Included(last))))
}
