//! The text of a file and the encoding in which it lies on disk.

use std::ops::Range;

use crate::files::ParseError;

/// The encoding of a file. A byte order mark stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::files) enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8 { mark: bool },
    /// UTF-16 after a byte order mark.
    Utf16 { big: bool },
    /// ISO 8859-1.
    Latin1,
}

/// The encodings that a format knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::files) enum Charset {
    /// UTF-8, or UTF-16 with a byte order mark.
    Unicode,
    /// As well ISO 8859-1, which is what is no UTF-8.
    UnicodeOrLatin1,
}

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file as text, without its byte order mark.
pub(in crate::files) struct DecodedFile {
    pub(in crate::files) text: String,
    pub(super) encoding: Encoding,
    /// The offsets of line feeds, in a file that has other line ends as well.
    lines: Vec<usize>,
}

impl DecodedFile {
    fn new(text: String, encoding: Encoding) -> Self {
        let has_wide_ends = text.contains('\r');
        let lines = text.match_indices('\n').filter(|_| has_wide_ends).map(|(at, _)| at).collect();
        Self { text, encoding, lines }
    }

    /// Decodes a file.
    pub(in crate::files) fn decode(bytes: &[u8], charset: Charset) -> Result<Self, ParseError> {
        let wide = |rest: &[u8], big| {
            let text = utf16(rest, big).map_err(|at| ParseError::at(bytes, 0, not_utf16(at)))?;
            Ok(Self::new(text, Encoding::Utf16 { big }))
        };
        match bytes {
            [0xff, 0xfe, rest @ ..] => return wide(rest, false),
            [0xfe, 0xff, rest @ ..] => return wide(rest, true),
            _ => {}
        }
        let rest = bytes.strip_prefix(UTF8_MARK);
        match (std::str::from_utf8(rest.unwrap_or(bytes)), charset) {
            (Ok(text), _) => Ok(Self::new(text.to_owned(), Encoding::Utf8 { mark: rest.is_some() })),
            (Err(_), Charset::UnicodeOrLatin1) if rest.is_none() => {
                Ok(Self::new(bytes.iter().copied().map(char::from).collect(), Encoding::Latin1))
            }
            (Err(error), _) => {
                let at = error.valid_up_to() + bytes.len() - rest.unwrap_or(bytes).len();
                Err(ParseError::at(bytes, at, "the file is not valid UTF-8: save it as UTF-8"))
            }
        }
    }

    /// The text between two offsets; empty where they are none of the text's.
    pub(in crate::files) fn get(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The line end of the line in which an offset lies or which ends there, or else the first one of the file.
    pub(in crate::files) fn newline_at(&self, offset: usize) -> &'static str {
        let next = self.lines.partition_point(|end| *end + 1 < offset);
        let end = self.lines.get(next).or_else(|| self.lines.first());
        let is_wide = end.is_some_and(|end| self.text.get(..*end).is_some_and(|line| line.ends_with('\r')));
        if is_wide { "\r\n" } else { "\n" }
    }

    /// Returns true if a blank line, or nothing, stands before an offset.
    pub(super) fn has_blank_before(&self, offset: usize) -> bool {
        let before = self.text.get(..offset).unwrap_or_default();
        let Some(line) = before.strip_suffix('\n') else { return before.is_empty() };
        let line = line.rsplit('\n').next().unwrap_or(line);
        line.trim().is_empty()
    }

    /// The length of the blank line that begins at an offset.
    pub(super) fn blank_after(&self, offset: usize) -> Option<usize> {
        let after = self.text.get(offset..).unwrap_or_default();
        let blank = after.find(|c: char| !matches!(c, ' ' | '\t' | '\r')).unwrap_or(after.len());
        after.get(blank..).is_some_and(|rest| rest.starts_with('\n')).then_some(blank + 1)
    }
}

/// The bytes of a text. Formats write no character that the encoding of their file lacks.
pub(super) fn encode(text: String, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 { mark: false } => text.into_bytes(),
        Encoding::Utf8 { mark: true } => [UTF8_MARK, text.as_bytes()].concat(),
        Encoding::Utf16 { big } => {
            let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
        }
        Encoding::Latin1 => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
    }
}

/// The text of UTF-16, or the number of the unit, from 1, that is not one of it.
fn utf16(bytes: &[u8], big: bool) -> Result<String, usize> {
    let unit = |pair: &[u8; 2]| if big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    for (at, read) in char::decode_utf16(pairs.iter().map(unit)).enumerate() {
        text.push(read.map_err(|_| at + 1)?);
    }
    if rest.is_empty() { Ok(text) } else { Err(pairs.len() + 1) }
}

fn not_utf16(at: usize) -> String {
    format!("the file begins as UTF-16, but its character {at} is none")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decoded_is_encoded_to_the_same_bytes() {
        let files: [(&[u8], Encoding); 5] = [
            ("aé".as_bytes(), Encoding::Utf8 { mark: false }),
            (b"\xef\xbb\xbfa", Encoding::Utf8 { mark: true }),
            (b"\xff\xfea\0\x3d\xd8\0\xde", Encoding::Utf16 { big: false }),
            (b"\xfe\xff\0a", Encoding::Utf16 { big: true }),
            (b"a\xe9", Encoding::Latin1),
        ];
        for (bytes, encoding) in files {
            let source = DecodedFile::decode(bytes, Charset::UnicodeOrLatin1).unwrap();
            assert_eq!(source.encoding, encoding);
            assert_eq!(encode(source.text, encoding), bytes);
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        let said = |bytes: &[u8]| DecodedFile::decode(bytes, Charset::Unicode).map(|_| ()).unwrap_err().to_string();
        assert_eq!(said(b"ab\n\xe9"), "line 2, column 1: the file is not valid UTF-8: save it as UTF-8");
        assert_eq!(said(b"\xff\xfea\0b"), "line 1, column 1: the file begins as UTF-16, but its character 2 is none");
        assert!(said(b"\xff\xfe\0\xd8").contains("character 1"));
    }

    #[test]
    fn new_lines_end_as_the_line_beside_them() {
        let source = DecodedFile::new("a\r\nb\nc".to_owned(), Encoding::Latin1);
        let ends: Vec<_> = [0, 1, 3, 4, 5, 6].map(|at| source.newline_at(at)).into();
        assert_eq!(ends, ["\r\n", "\r\n", "\r\n", "\n", "\n", "\r\n"]);
    }

    #[test]
    fn a_file_that_names_its_encoding_is_read_in_no_other() {
        let latin1 = DecodedFile::decode(b"a=\xff", Charset::UnicodeOrLatin1).unwrap();
        assert_eq!((latin1.text.as_str(), latin1.encoding), ("a=\u{ff}", Encoding::Latin1));
        assert!(DecodedFile::decode(b"a=\xff", Charset::Unicode).is_err());
        let error = DecodedFile::decode(b"\xef\xbb\xbfa=\xff", Charset::UnicodeOrLatin1).err().unwrap();
        assert!(error.message.contains("not valid UTF-8"), "{}", error.message);
    }
}
