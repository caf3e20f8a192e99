//! Random bytes.

/// A key for sealing, which lives as long as the process.
pub(crate) fn key() -> [u8; 32] {
    rand::random()
}
