//! The fault of a file.

/// The fault of a file. Line and column count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GlossaryFileError {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) message: String,
}
