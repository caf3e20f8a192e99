//! Those who publish and restore.

use l10n_api_types::{DailyBudget, OperationId, ProjectId, RequestId, WorkspaceId};

use super::allow::allow;
use crate::clock::Timestamp;
use crate::config::Limits;
use crate::domain::approval::GatedCall;
use crate::domain::people::Person;
use crate::domain::{Actor, Caller, ServiceError};
use crate::store::Tx;

/// Somebody who publishes or restores.
#[derive(Debug, Clone, Copy)]
pub enum Publisher<'a> {
    /// A program with an API key. It counts against the day's budget, and an agent's key needs an approval.
    Key(&'a Caller),
    /// A person in the dashboard, whose role allows it. That counts against no budget (§8).
    Person(PersonalCall<'a>),
}

/// A person's request in the dashboard.
#[derive(Debug, Clone, Copy)]
pub struct PersonalCall<'a> {
    /// The person.
    pub person: &'a Person,
    /// The workspace, of which the person is a member.
    pub workspace: &'a WorkspaceId,
    /// The project.
    pub project: &'a ProjectId,
    /// The name of the request.
    pub request: &'a RequestId,
}

impl<'a> From<&'a Caller> for Publisher<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self::Key(caller)
    }
}

impl<'a> From<PersonalCall<'a>> for Publisher<'a> {
    fn from(call: PersonalCall<'a>) -> Self {
        Self::Person(call)
    }
}

impl<'a> Publisher<'a> {
    pub(super) fn project(self) -> &'a ProjectId {
        match self {
            Self::Key(caller) => &caller.project,
            Self::Person(call) => call.project,
        }
    }

    pub(super) fn workspace(self) -> &'a WorkspaceId {
        match self {
            Self::Key(caller) => &caller.workspace,
            Self::Person(call) => call.workspace,
        }
    }

    pub(super) fn request(self) -> &'a RequestId {
        match self {
            Self::Key(caller) => &caller.request,
            Self::Person(call) => call.request,
        }
    }

    pub(super) fn actor(self) -> Actor {
        match self {
            Self::Key(caller) => Actor::Key { id: caller.key.clone() },
            Self::Person(call) => call.person.actor(),
        }
    }

    /// The person's address, which the version keeps.
    pub(super) fn person(self) -> Option<&'a str> {
        match self {
            Self::Key(_) => None,
            Self::Person(call) => Some(&call.person.email),
        }
    }

    /// Allows a publish or a restore. A person's role was looked at before.
    pub(super) async fn allow(
        self,
        tx: &mut Tx,
        limits: &Limits,
        work: (GatedCall<'_>, Option<&OperationId>),
        budget: DailyBudget,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        match self {
            Self::Key(caller) => allow(tx, limits, caller, work, budget, now).await,
            Self::Person(_) => Ok(()),
        }
    }
}
