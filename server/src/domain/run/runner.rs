//! Those who run translations.

use l10n_api_types::{Millicredits, ProjectId, RequestId, WorkspaceId};

use crate::domain::Caller;
use crate::domain::publish::PersonalCall;

/// Somebody who has texts translated.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) enum Runner<'a> {
    /// A program with an API key; an agent's key needs an approval.
    Key(&'a Caller),
    /// A person in the dashboard, whose role allows it, and who has seen the price.
    Person {
        /// The request.
        call: PersonalCall<'a>,
        /// Most that the person has agreed to pay.
        agreed: Millicredits,
    },
}

impl<'a> From<&'a Caller> for Runner<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self::Key(caller)
    }
}

impl<'a> Runner<'a> {
    pub(in crate::domain) fn project(self) -> &'a ProjectId {
        match self {
            Self::Key(caller) => &caller.project,
            Self::Person { call, .. } => call.project,
        }
    }

    pub(in crate::domain) fn workspace(self) -> &'a WorkspaceId {
        match self {
            Self::Key(caller) => &caller.workspace,
            Self::Person { call, .. } => call.workspace,
        }
    }

    pub(in crate::domain) fn request(self) -> &'a RequestId {
        match self {
            Self::Key(caller) => &caller.request,
            Self::Person { call, .. } => call.request,
        }
    }

    /// Returns whether a person has to approve the run before.
    pub(in crate::domain) fn needs_approval(self) -> bool {
        matches!(self, Self::Key(caller) if caller.needs_approval())
    }
}
