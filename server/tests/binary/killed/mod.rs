//! Servers that are killed in the middle of their work.
//!
//! `L10N_ROUNDS` says how often the servers of one test are killed, 10 times when it is left out, and `L10N_SEED` when:
//!
//!     L10N_ROUNDS=100 cargo test -p l10n-server --test binary killed::deliveries

mod batches;
mod clocked;
mod deliveries;
mod jobs;
mod leases;
pub(crate) mod publishing;
mod receipts;
pub(crate) mod server;
pub(crate) mod setting;

fn rounds() -> usize {
    std::env::var("L10N_ROUNDS").map_or(10, |rounds| rounds.parse().unwrap())
}
