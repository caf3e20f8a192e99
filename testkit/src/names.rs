//! Random names and numbers, and digests.

use std::fmt::Write as _;

use rand::RngExt as _;
use sha2::{Digest as _, Sha256};

/// So many characters of a kind that is easily told apart, by chance.
#[expect(clippy::disallowed_methods, reason = "the suite makes its own names")]
pub(crate) fn fresh(length: usize) -> String {
    let mut random = rand::rng();
    (0..length).map(|_| char::from(b"abcdefghjkmnpqrstuvwxyz23456789"[random.random_range(0..31)])).collect()
}

/// A seed for a shuffled run.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the suite shuffles by itself")]
pub fn seed() -> u64 {
    rand::rng().random_range(0..1_000_000)
}

/// The SHA-256 of these bytes, in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
