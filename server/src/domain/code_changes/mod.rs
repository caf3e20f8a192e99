//! Pending code changes: people's changes on the source side that the code lacks.
//!
//! A key has at most one change of each kind, and the code's side of it stays the same however often people change the
//! key.
//! A rename leaves the code's name to versions until the code has followed, so that no app misses a key meanwhile.
//! `reconcile` holds the input of a run against the pending changes; [`edit`] makes people's changes.

mod change;
pub mod edit;
mod list;
pub(crate) mod reconcile;
mod withdraw;

pub(crate) use change::{KeyEdit, change};
pub(crate) use list::{ShownChange, list, page};
pub(crate) use withdraw::{WithdrawError, find, withdraw};
