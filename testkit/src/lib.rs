//! Conformance suite: checks a deployment against the specification of the localization service's public API.
//!
//! The suite is a table of [checks], each of which covers numbered statements of the specification. A
//! [`Profile`] describes the deployment; [`run`] gives a [`RunRecord`](runner::RunRecord) of it; the one function
//! [`verdict`] says what that means.
//!
//! For tests of other programs there are the [`receiver`], a scripted webhook endpoint, [signed sample events](sample), and
//! fakes of translation services in [`engines`].
//! [`receivers`] judges a receiver of webhooks as the rest judges a deployment.

pub mod campaign;
pub mod check;
pub mod checks;
pub mod claim;
pub mod cx;
mod dns;
pub mod endpoints;
pub mod engines;
mod errors;
pub mod exit;
mod invariants;
pub mod lab;
mod mac;
pub mod mutants;
mod names;
pub mod nulls;
pub mod outcome;
pub mod profile;
pub mod receiver;
pub mod receivers;
pub mod registry;
pub mod report;
pub mod requirement;
pub mod runner;
pub mod sample;
mod session;
mod tls;
mod verdict;
mod wire;

pub use exit::Exit;
pub use profile::Profile;
pub use receiver::Receiver;
pub use runner::{Options, run};
pub use verdict::{Extent, Verdict, verdict};
