//! Checks: the entries of the suite's tables.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

pub use crate::claim::Claim;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::requirement::{Level, requirement};
use crate::session::Demand;

/// A check that waits longer by the deployment's clock is about long times.
pub(crate) const LONG: Duration = Duration::from_secs(180);

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
    /// True if it holds deliveries up on purpose, for seconds.
    pub stalls: bool,
    /// Runs it.
    pub run: CheckFn,
}

/// The function behind a check.
#[derive(Clone, Copy)]
pub struct CheckFn(pub fn(Cx) -> RunningCheck);

/// A check under way.
pub type RunningCheck = Pin<Box<dyn Future<Output = CheckResult> + Send>>;

impl fmt::Debug for CheckFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fn")
    }
}

impl Check {
    /// The webhooks and publishes that it takes of its lane.
    pub(crate) fn demand(&self) -> Demand {
        Demand { slots: usize::from(self.slots), publishes: u32::from(self.publishes) }
    }

    /// The claims that it needs: those of its entry, and `long-times` where it waits for long.
    pub fn claims(&self) -> impl Iterator<Item = Claim> {
        let long = (self.waits > LONG).then_some(Claim::LongTimes);
        self.needs.iter().copied().chain(long)
    }

    /// The level of its statements.
    #[must_use]
    pub fn level(&self) -> Level {
        self.covers.first().and_then(|id| requirement(id)).map_or(Level::Core, |requirement| requirement.level)
    }
}

/// Makes an entry of a table of checks: `check! { id: "WH-PA-2", covers: ["WH-PA-2"], needs: [Webhooks], slots: 1, run:
/// f }`. `slots`, `publishes` and `waits` (seconds) default to 0, `stalls` to false, `covers` to the id itself.
#[macro_export]
macro_rules! check {
    (
        id: $id:literal, $(covers: [$($covered:literal),+ $(,)?],)?
        needs: [$($need:ident),* $(,)?], $(slots: $slots:literal,)? $(publishes: $publishes:literal,)?
        $(waits: $waits:literal,)? $(stalls: $stalls:literal,)? run: $run:path $(,)?
    ) => {
        $crate::check::Check {
            id: $id,
            covers: $crate::check!(@covers $id $(, $($covered),+)?),
            needs: &[$($crate::check::Claim::$need),*],
            slots: 0 $(+ $slots)?,
            publishes: 0 $(+ $publishes)?,
            waits: ::std::time::Duration::from_secs(0 $(+ $waits)?),
            stalls: false $(|| $stalls)?,
            run: $crate::check::CheckFn(|cx| Box::pin($run(cx))),
        }
    };
    (@covers $id:literal) => { &[$id] };
    (@covers $id:literal, $($covered:literal),+) => { &[$($covered),+] };
}
