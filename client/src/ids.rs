//! Random values: correlation ids and jitter. No other module makes any.

use std::fmt;
use std::sync::Arc;

/// Makes the `x-correlation-id` of a call.
#[derive(Clone)]
pub(crate) struct IdSource(Arc<dyn Fn() -> String + Send + Sync>);

impl IdSource {
    pub(crate) fn new(make: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(crate) fn next(&self) -> String {
        (self.0)()
    }
}

/// 128 random bits in hex behind a prefix that tells a client's own ids from the server's.
impl Default for IdSource {
    fn default() -> Self {
        Self::new(|| format!("cli-{:032x}", rand::random::<u128>()))
    }
}

/// Longest correlation id, in characters.
const LONGEST_ID: usize = 128;

/// The id of the `nth` request of a call whose first id was `first`. It starts with `first`, so that a search for the
/// first id finds it.
pub(crate) fn nth_id(first: &str, nth: u32) -> String {
    let suffix = format!(".{nth}");
    if first.len() + suffix.len() <= LONGEST_ID { first.to_owned() + &suffix } else { IdSource::default().next() }
}

/// 128 random bits in hex.
pub(crate) fn random_idempotency_key() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Returns true for a valid `idempotency-key`: 1 to 255 visible ASCII characters.
pub(crate) fn is_idempotency_key(text: &str) -> bool {
    (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl fmt::Debug for IdSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdSource")
    }
}

/// A share of a pause, from 0 up to but not including 1.
pub(crate) fn jitter() -> f64 {
    rand::random::<f64>()
}

/// Returns true for a valid correlation id of a caller: 1 to 128 of `A-Za-z0-9._-`. A server takes one that begins with a dot
/// as well, but no URL holds `.` or `..`, by which the receipt would be read.
pub(crate) fn is_correlation_id(text: &str) -> bool {
    (1..=LONGEST_ID).contains(&text.len())
        && !text.starts_with('.')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_id_is_one_that_a_server_takes_and_no_two_are_alike() {
        let source = IdSource::default();
        let (one, two) = (source.next(), source.next());
        assert!(is_correlation_id(&one), "{one}");
        assert_ne!(one, two);
        for bad in ["", "a b", "a\nb", "ä", ".", "..", ".a", &"a".repeat(129)] {
            assert!(!is_correlation_id(bad), "{bad:?}");
        }
    }

    #[test]
    fn requests_of_one_call_are_told_apart_by_ids_that_a_server_takes() {
        assert_eq!(nth_id("deploy-1", 2), "deploy-1.2");
        let long = "a".repeat(127);
        assert!(is_correlation_id(&nth_id(&long, 2)) && nth_id(&long, 2) != nth_id(&long, 3));
    }

    #[test]
    fn an_idempotency_key_is_visible_ascii() {
        assert!(is_idempotency_key(&random_idempotency_key()) && is_idempotency_key("a/b:{1}"));
        for bad in ["", "a b", "a\nb", "ä", &"a".repeat(256)] {
            assert!(!is_idempotency_key(bad), "{bad:?}");
        }
    }
}
