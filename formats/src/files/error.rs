//! The error of a file that cannot be read, and its place.

use crate::position::line_and_column;

/// A file that cannot be read (API: 400 `file_unparseable` with `details: {line, column}`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// The fault and, where that helps, the remedy.
    pub message: String,
    /// From 1; a line ends with LF, CRLF or CR.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

impl ParseError {
    /// An error at a byte offset of `source`, which need not be valid UTF-8 after the offset.
    pub(super) fn at(source: &[u8], offset: usize, message: impl Into<String>) -> Self {
        let (line, column) = line_and_column(source, offset);
        Self { message: message.into(), line, column }
    }
}

/// A name for a message: quoted, and short whatever the file holds.
pub(super) fn shown(name: &str) -> String {
    const LONGEST: usize = 60;
    let short: String = name.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    let more = if name.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("`{short}{more}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_in_messages() {
        assert!(shown(&"k".repeat(1 << 20)).len() < 100);
    }
}
