//! The machine's own clock.

use l10n_client::api::Timestamp;

/// Returns the current time.
#[expect(clippy::disallowed_methods, reason = "a program on a user's machine has no other clock")]
pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
}
