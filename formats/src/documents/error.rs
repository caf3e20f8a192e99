//! The error of a document that cannot be read.

use crate::position::line_and_column;

/// A document that cannot be read (API: 400, with `details: {line, column}`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct DocumentError {
    /// The fault and, where that helps, the remedy.
    pub message: String,
    /// From 1; a line ends with LF, CRLF or CR.
    pub line: u32,
    /// From 1, in Unicode scalar values.
    pub column: u32,
}

impl DocumentError {
    /// An error at a byte offset of the source.
    pub(super) fn at(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let (line, column) = line_and_column(source.as_bytes(), offset);
        Self { message: message.into(), line, column }
    }
}
