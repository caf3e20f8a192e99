//! Finds the entries of a properties file.

use std::ops::Range;

use super::{AFTER_BLANK, AFTER_SIGN, WITHOUT_SIGN};
use crate::files::spliced::{Group, Place, Scan, ScanError, TextValue, described};

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, has_escapes: false };
    let mut found = Scan { groups: vec![Group { prefix: String::new(), end: Some(text.len()) }], ..Scan::default() };
    // Comments directly above: where they begin, and where each one's text lies.
    let mut comments: Option<(usize, Vec<Range<usize>>)> = None;
    while reader.at < text.len() {
        let line = reader.at;
        reader.skip_blanks();
        match reader.peek() {
            Some(b'\n' | b'\r') => {
                reader.end_line();
                comments = None;
            }
            Some(b'#' | b'!') => {
                let start = reader.at + 1;
                reader.skip_line();
                comments.get_or_insert_with(|| (line, Vec::new())).1.push(start..reader.at);
                reader.end_line();
            }
            Some(_) => {
                // What begins the file is about the file.
                let comments = comments.take().filter(|(start, _)| *start > 0);
                let start = comments.as_ref().map_or(line, |(start, _)| *start);
                let description =
                    comments.and_then(|(_, lines)| described(lines.iter().filter_map(|range| text.get(range.clone()))));
                if let Some(place) = reader.entry(start, description)? {
                    found.places.push(place);
                }
            }
            None => {}
        }
    }
    found.escapes = reader.has_escapes && text.is_ascii();
    Ok(found)
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// A character beyond ASCII is written as an escape.
    has_escapes: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\x0c')) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.peek(), None | Some(b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes over a line end, if one is here.
    fn end_line(&mut self) -> bool {
        match self.peek() {
            Some(b'\r') => self.at += 1 + usize::from(self.bytes.get(self.at + 1) == Some(&b'\n')),
            Some(b'\n') => self.at += 1,
            _ => return false,
        }
        true
    }

    /// Goes over a backslash at the line end and the next line's blanks, if that is here.
    fn join_lines(&mut self) -> bool {
        let before = self.at;
        if self.peek() == Some(b'\\') {
            self.at += 1;
            if self.end_line() {
                self.skip_blanks();
                return true;
            }
        }
        self.at = before;
        false
    }

    /// Reads an entry; `None` where the line holds nothing but a backslash.
    fn entry(&mut self, start: usize, description: Option<String>) -> Result<Option<Place>, ScanError> {
        let name_from = self.at;
        let name = self.characters(&|byte| matches!(byte, b'=' | b':' | b' ' | b'\t' | b'\x0c'))?;
        let name_at = name_from..self.at;
        let mut spelling = WITHOUT_SIGN;
        self.skip_separator(&mut spelling);
        let from = self.at;
        // Blanks at the beginning are none of the value, also behind a backslash at the line end.
        while self.join_lines() {
            self.skip_separator(&mut spelling);
        }
        let text = self.characters(&|_| false)?;
        let at = from..self.at;
        self.end_line();
        if name.is_empty() && spelling == WITHOUT_SIGN {
            return Ok(None);
        }
        let value = TextValue { text, at, spelling, form: None };
        let (whole, values) = (start..self.at, vec![value]);
        Ok(Some(Place { name, group: 0, name_at, description, whole, values, arg: None, list: None }))
    }

    /// Goes over blanks and at most one sign.
    fn skip_separator(&mut self, spelling: &mut u8) {
        let before = self.at;
        self.skip_blanks();
        if *spelling != AFTER_SIGN && matches!(self.peek(), Some(b'=' | b':')) {
            *spelling = AFTER_SIGN;
            self.at += 1;
            self.skip_blanks();
        } else if *spelling == WITHOUT_SIGN && self.at > before {
            *spelling = AFTER_BLANK;
        }
    }

    /// The characters up to the line end or to a bare byte that `ends` them, unescaped.
    fn characters(&mut self, ends: &dyn Fn(u8) -> bool) -> Result<String, ScanError> {
        let mut out = String::new();
        loop {
            let from = self.at;
            while self.peek().is_some_and(|byte| !matches!(byte, b'\\' | b'\n' | b'\r') && !ends(byte)) {
                self.at += 1;
            }
            out.push_str(self.text.get(from..self.at).unwrap_or_default());
            if self.peek() != Some(b'\\') {
                return Ok(out);
            }
            if self.join_lines() {
                continue;
            }
            let escape = self.at;
            self.at += 1;
            let Some(c) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
                return Err(ScanError::at(escape, "the file ends within an escape"));
            };
            self.at += c.len_utf8();
            out.push(match c {
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                'f' => '\u{c}',
                'u' => self.unicode(escape)?,
                c => c,
            });
        }
    }

    /// The character of an escape whose `\u` has been read; of two where it is written as a pair.
    fn unicode(&mut self, escape: usize) -> Result<char, ScanError> {
        let fault = || ScanError::at(escape, "`\\u` takes four digits of a character, from 0 to 9 and a to f");
        let first = self.unit().ok_or_else(fault)?;
        let c = match char::from_u32(u32::from(first)) {
            Some(c) => c,
            None => {
                let follows = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"\\u"));
                self.at += 2;
                let second = if follows { self.unit() } else { None };
                let pair = [first, second.unwrap_or_default()];
                let read = char::decode_utf16(pair).next().and_then(Result::ok);
                read.ok_or_else(|| {
                    ScanError::at(escape, "`\\u` names half of a character, whose other half is missing")
                })?
            }
        };
        self.has_escapes |= !c.is_ascii();
        Ok(c)
    }

    fn unit(&mut self) -> Option<u16> {
        let digits =
            self.text.get(self.at..self.at + 4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        self.at += 4;
        u16::from_str_radix(digits, 16).ok()
    }
}
