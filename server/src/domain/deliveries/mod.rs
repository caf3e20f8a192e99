//! Deliveries, for the delivery worker and the routes. [`step()`] decides; everything else here reads states, lets it
//! decide, and writes its decision in the same transaction.

mod claim;
mod finish;
mod keep;
mod log;
mod pause;
mod resend;
mod rows;
#[cfg(test)]
mod simulation;
pub mod step;
#[cfg(test)]
mod step_tests;

pub use claim::{Attempt, ClaimRequest, claim};
pub(crate) use claim::{Claimed, release, release_orphans};
pub use finish::{AttemptFailure, AttemptOutcome, AttemptReport, Exchange, Finished, finish};
pub(crate) use keep::{KEPT, KEPT_ATTEMPTS};
pub use keep::{prune, sweep_events};
pub use log::log;
pub(crate) use log::{DeliveryDetail, DeliveryFilter, detail, page};
pub use pause::{pause, resume};
pub(crate) use resend::{ResendParts, resend_failed};
pub use resend::{Resender, resend};
pub(crate) use step::DeliveryRules;
pub use step::step;
