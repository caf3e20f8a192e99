//! Texts that an import holds back or does not take.

use l10n_client::api::translations::Run;

/// Most of them that an answer lists, in the order of the file (`Run::held`).
pub(crate) const MOST_HELD: usize = 1_000;

/// Returns true if there may be more of them than the answer lists.
pub(crate) fn may_hold_more(run: &Run) -> bool {
    run.held.len() >= MOST_HELD
}
