//! What the checks find in a translation, and what follows for its state.

use l10n_api_types::{Content, Issue, State};

use crate::text::checks::{Checker, has_error};

/// Checks a translation: an error holds it back for a person's review.
pub(super) fn of(
    checker: &Checker,
    source: &Content,
    translation: &Content,
    max_length: Option<u32>,
) -> (State, Vec<Issue>) {
    let issues = checker.check(source, translation, max_length);
    (if has_error(&issues) { State::NeedsReview } else { State::Translated }, issues)
}
