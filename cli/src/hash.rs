//! SHA-256 of files, as the API writes it.

use sha2::{Digest as _, Sha256};

/// SHA-256 in lowercase hex.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns true if this is the SHA-256 of the bytes, in hex of either case.
pub(crate) fn is_sha256(hash: &str, bytes: &[u8]) -> bool {
    sha256(bytes).eq_ignore_ascii_case(hash)
}
