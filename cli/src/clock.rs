//! The machine's own clock.

use l10n_client::api::Timestamp;

/// What time it is.
#[expect(clippy::disallowed_methods, reason = "a program on somebody's machine has no other clock")]
pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
}
