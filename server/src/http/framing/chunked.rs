//! Follows a chunked body to its end.

use std::io;

/// Longest line of a chunk's size with its extensions, in bytes.
const LONGEST_SIZE_LINE: usize = 1024;
/// Most bytes of trailers.
const MOST_TRAILER_BYTES: usize = 8 * 1024;

/// A place in a chunked body.
#[derive(Debug)]
pub(super) enum Chunked {
    /// In the line that says a chunk's size.
    Size(Vec<u8>),
    /// So many bytes of a chunk are missing.
    Data(u64),
    /// In the line end after a chunk; whether its carriage return has come.
    DataEnd(bool),
    /// In the trailers: bytes of the current line, the last byte, bytes of all lines.
    Trailers { line: usize, last: u8, all: usize },
}

impl Default for Chunked {
    fn default() -> Self {
        Self::Size(Vec::new())
    }
}

impl Chunked {
    /// Scans `input`; returns the number of bytes that belong to the body, and true if the body ends with them.
    ///
    /// # Errors
    ///
    /// Returns an error if the body violates RFC 9112, section 7.1.
    pub(super) fn take(&mut self, input: &[u8]) -> io::Result<(usize, bool)> {
        let mut place = 0;
        while place < input.len() {
            let byte = input[place];
            match self {
                Self::Size(line) => {
                    place += 1;
                    line.push(byte);
                    if line.len() > LONGEST_SIZE_LINE || (line.contains(&b'\r') && !matches!(byte, b'\r' | b'\n')) {
                        return Err(broken());
                    }
                    if byte == b'\n' {
                        *self = match size(line).ok_or_else(broken)? {
                            0 => Self::Trailers { line: 0, last: 0, all: 0 },
                            size => Self::Data(size),
                        };
                    }
                }
                Self::Data(missing) => {
                    let length = usize::try_from(*missing).unwrap_or(usize::MAX).min(input.len() - place);
                    place += length;
                    *missing -= length as u64;
                    if *missing == 0 {
                        *self = Self::DataEnd(false);
                    }
                }
                Self::DataEnd(returned) => {
                    place += 1;
                    match (*returned, byte) {
                        (false, b'\r') => *self = Self::DataEnd(true),
                        (true, b'\n') => *self = Self::default(),
                        _ => return Err(broken()),
                    }
                }
                Self::Trailers { line, last, all } => {
                    place += 1;
                    *all += 1;
                    if *all > MOST_TRAILER_BYTES || ((byte == b'\n') != (*last == b'\r')) {
                        return Err(broken());
                    }
                    if byte == b'\n' {
                        if *line == 1 {
                            return Ok((place, true));
                        }
                        (*line, *last) = (0, 0);
                    } else {
                        (*line, *last) = (*line + 1, byte);
                    }
                }
            }
        }
        Ok((place, false))
    }
}

/// The size that a line says: hexadecimal digits, perhaps extensions, CR LF.
fn size(line: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b"\r\n")?;
    let digits = line.split(|byte| *byte == b';').next()?;
    if !(1..=16).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The failure of a body that breaks the rules.
pub(super) fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the chunked body is malformed")
}
