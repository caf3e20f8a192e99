//! Claims: the features that a profile says its deployment has.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something that a deployment offers and a profile claims. What is claimed must run and pass; what is not claimed is
/// reported as not claimed, and never as passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The seven webhook routes, written to.
    Webhooks,
    /// The deployment reaches the suite's receiver.
    Receiver,
    /// `POST /publish` and restore, written to.
    Publish,
    /// `POST /translate` and `/sync`, written to: they cost credits.
    Translate,
    /// Languages and output formats, written to.
    Write,
    /// The public manifest and bundles.
    Delivery,
    /// A second project, with a key of its own.
    SecondProject,
    /// A key for each single scope.
    ScopedKeys,
    /// A key with the scope `admin`.
    AdminKey,
    /// A second key of the same project with all scopes.
    SecondKey,
    /// A key of an AI agent.
    AgentKey,
    /// A key with the dashboard's members scopes alone.
    MembersKey,
    /// A key that was revoked.
    RevokedKey,
    /// Projects whose request window may be used up.
    Scratch,
    /// Projects in which a day's worth may be done.
    Burn,
    /// The daily budgets of §8 are kept.
    DailyBudgets,
    /// A project whose workspace has no credits.
    NoCredits,
    /// A project whose workspace is at its spending cap.
    AtCap,
    /// A project at a limit of its plan.
    AtPlanLimit,
    /// Two projects in one workspace.
    SharedWorkspace,
    /// The routes of documents (§4, Content).
    Documents,
    /// `POST /capture`.
    Capture,
    /// `GET /pending-code-changes`.
    CodeChanges,
    /// `/operations`.
    Operations,
    /// `GET /requests/{requestId}`.
    Requests,
    /// Content can be published: by `POST /publish`, or by a hook.
    ContentTrigger,
    /// A hook that decides operations as a person would.
    Approvals,
    /// Control over the DNS names of a zone.
    Dns,
    /// A hook that kills and restarts the deployment.
    Restart,
    /// Statements about times of more than three minutes can be checked: the deployment's clock can be moved or is fast, or
    /// the run may wait for hours. The one claim of core that may be left out.
    LongTimes,
    /// HTTP/2 over TLS.
    Http2,
    /// The additions of this project's service to the core rules.
    Additions,
}

impl Claim {
    /// Every claim.
    pub const ALL: &[Self] = &[
        Self::Webhooks,
        Self::Receiver,
        Self::Publish,
        Self::Translate,
        Self::Write,
        Self::Delivery,
        Self::SecondProject,
        Self::ScopedKeys,
        Self::AdminKey,
        Self::SecondKey,
        Self::AgentKey,
        Self::MembersKey,
        Self::RevokedKey,
        Self::Scratch,
        Self::Burn,
        Self::DailyBudgets,
        Self::NoCredits,
        Self::AtCap,
        Self::AtPlanLimit,
        Self::SharedWorkspace,
        Self::Documents,
        Self::Capture,
        Self::CodeChanges,
        Self::Operations,
        Self::Requests,
        Self::ContentTrigger,
        Self::Approvals,
        Self::Dns,
        Self::Restart,
        Self::LongTimes,
        Self::Http2,
        Self::Additions,
    ];
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
