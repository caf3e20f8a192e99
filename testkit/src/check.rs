//! Checks: the entries of the suite's tables.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cx::Cx;
use crate::outcome::Judged;
use crate::requirement::{Level, requirement};

/// One check of a deployment.
#[derive(Debug)]
pub struct Check {
    /// Stable for ever. Where it checks one statement alone, the id of that.
    pub id: &'static str,
    /// The statements that it checks, all of one level.
    pub covers: &'static [&'static str],
    /// Claims that a deployment must make for the check to run.
    pub needs: &'static [Claim],
    /// Webhooks that it holds at once.
    pub slots: u8,
    /// Publishes and restores that it spends.
    pub publishes: u8,
    /// Waiting time by the deployment's clock, in addition to the answers' time.
    pub waits: Duration,
    /// Runs it.
    pub run: Run,
}

/// The function behind a check.
#[derive(Clone, Copy)]
pub struct Run(pub fn(Cx) -> Running);

/// A check under way.
pub type Running = Pin<Box<dyn Future<Output = Judged> + Send>>;

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fn")
    }
}

impl Check {
    /// The level of its statements.
    #[must_use]
    pub fn level(&self) -> Level {
        self.covers.first().and_then(|id| requirement(id)).map_or(Level::Core, |requirement| requirement.level)
    }
}

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
        Self::Http2,
        Self::Additions,
    ];
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Makes an entry of a table of checks: `check! { id: "WH-PA-2", covers: ["WH-PA-2"], needs: [Webhooks], slots: 1, run:
/// f }`. `slots`, `publishes` and `waits` (seconds) default to 0, `covers` to the id itself.
#[macro_export]
macro_rules! check {
    (
        id: $id:literal, $(covers: [$($covered:literal),+ $(,)?],)?
        needs: [$($need:ident),* $(,)?], $(slots: $slots:literal,)? $(publishes: $publishes:literal,)?
        $(waits: $waits:literal,)? run: $run:path $(,)?
    ) => {
        $crate::check::Check {
            id: $id,
            covers: $crate::check!(@covers $id $(, $($covered),+)?),
            needs: &[$($crate::check::Claim::$need),*],
            slots: 0 $(+ $slots)?,
            publishes: 0 $(+ $publishes)?,
            waits: ::std::time::Duration::from_secs(0 $(+ $waits)?),
            run: $crate::check::Run(|cx| Box::pin($run(cx))),
        }
    };
    (@covers $id:literal) => { &[$id] };
    (@covers $id:literal, $($covered:literal),+) => { &[$($covered),+] };
}
