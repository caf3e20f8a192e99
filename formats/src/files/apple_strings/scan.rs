//! Finds the entries of a strings file.

use std::ops::Range;

use super::{ABSENT, BARE, DOUBLE, NO_COMMENT, SINGLE, is_bare_byte};
use crate::files::spliced::{Group, Place, Scan, ScanError, TextValue};

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let mut reader = Reader { text, at: 0, has_escapes: false, has_small_escapes: false };
    let mut found = Scan { groups: vec![Group { prefix: String::new(), end: Some(text.len()) }], ..Scan::default() };
    let mut above = LeadingLines::default();
    loop {
        reader.skip_blanks(&mut above);
        if reader.at == text.len() {
            break;
        }
        if reader.skip_comment(&mut above)? {
            continue;
        }
        let entry = reader.entry()?;
        found.places.push(reader.place(entry, std::mem::take(&mut above)));
    }
    found.escapes = reader.has_escapes && text.is_ascii();
    if reader.has_small_escapes {
        let message = "`\\u` is no escape of strings files; it was read as the character that was meant: write `\\U`";
        found.warnings.push(message.to_owned());
    }
    Ok(found)
}

/// The lines directly above an entry.
#[derive(Default)]
struct LeadingLines {
    /// The beginning of the line, or of the first comment.
    start: Option<usize>,
    comments: Vec<Range<usize>>,
    /// Line ends since the last comment.
    lines: usize,
    /// The comments are lines of `//` at the beginning of the file.
    is_of_file: bool,
}

/// A string: its text, where it lies with its quotes, and how it is written.
struct StringToken {
    text: String,
    at: Range<usize>,
    spelling: u8,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    has_escapes: bool,
    has_small_escapes: bool,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes over blanks; what is above an empty line is above nothing.
    fn skip_blanks(&mut self, above: &mut LeadingLines) {
        while let Some(c) = self.rest().chars().next().filter(|c| is_blank(*c)) {
            let is_line_end = c == '\n' || (c == '\r' && !self.rest().starts_with("\r\n"));
            self.at += c.len_utf8();
            if is_line_end {
                above.lines += 1;
                if above.lines > 1 || above.comments.is_empty() {
                    *above = LeadingLines { start: Some(self.at), ..LeadingLines::default() };
                }
            }
        }
    }

    /// Goes over a comment, if one is here.
    fn skip_comment(&mut self, above: &mut LeadingLines) -> Result<bool, ScanError> {
        let start = self.at;
        let rest = self.rest();
        let (length, is_line) = if rest.starts_with("//") {
            (rest.find(['\n', '\r']).unwrap_or(rest.len()), true)
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let Some(length) = inside.find("*/") else { return Err(ScanError::at(start, "the comment is not closed")) };
            (length + 4, false)
        } else {
            return Ok(false);
        };
        self.at += length;
        above.is_of_file = is_line && (above.is_of_file || (start == 0 && above.comments.is_empty()));
        above.start = above.start.or(Some(start));
        above.comments.push(start..self.at);
        above.lines = 0;
        Ok(true)
    }

    /// Goes over blanks and comments inside an entry.
    fn skip(&mut self) -> Result<(), ScanError> {
        let mut ignored = LeadingLines::default();
        loop {
            self.skip_blanks(&mut ignored);
            if !self.skip_comment(&mut ignored)? {
                return Ok(());
            }
        }
    }

    /// Reads a name and a text up to the semicolon.
    fn entry(&mut self) -> Result<(StringToken, StringToken), ScanError> {
        let name = self.word("a key")?;
        self.skip()?;
        let value = if self.rest().starts_with('=') {
            self.at += 1;
            self.skip()?;
            let value = self.word("a text")?;
            self.skip()?;
            value
        } else {
            StringToken { text: name.text.clone(), at: name.at.end..name.at.end, spelling: ABSENT }
        };
        if !self.rest().starts_with(';') {
            let expected = if value.spelling == ABSENT { "`=` or `;`" } else { "`;`" };
            return Err(ScanError::at(self.at, format!("expected {expected}")));
        }
        self.at += 1;
        Ok((name, value))
    }

    /// The place of an entry that ends here.
    fn place(&mut self, (name, value): (StringToken, StringToken), above: LeadingLines) -> Place {
        let is_its = !above.is_of_file && above.lines <= 1;
        let before = self.text.get(..name.at.start).unwrap_or_default();
        let line = before.trim_end_matches([' ', '\t']);
        let start = match above.start.filter(|_| is_its && !above.comments.is_empty()) {
            Some(start) => start,
            None if line.is_empty() || line.ends_with('\n') => line.len(),
            None => name.at.start,
        };
        self.at += self.rest_of_line();
        let described = above.comments.iter().filter(|_| is_its).filter_map(|range| self.text.get(range.clone()));
        Place {
            name: name.text,
            group: 0,
            name_at: name.at,
            description: description(described),
            whole: start..self.at,
            values: vec![TextValue { text: value.text, at: value.at, spelling: value.spelling, form: None }],
            arg: None,
            list: None,
        }
    }

    /// The length of the rest of the line with its end, if nothing else stands there than a comment on the entry.
    fn rest_of_line(&self) -> usize {
        let rest = self.rest();
        let after = rest.trim_start_matches([' ', '\t']);
        let after = match after.strip_prefix("/*").and_then(|inside| inside.split_once("*/")) {
            Some((comment, after)) if !comment.contains('\n') => after.trim_start_matches([' ', '\t']),
            _ if after.starts_with("//") => after.trim_start_matches(|c| c != '\n' && c != '\r'),
            _ => after,
        };
        let ends = ["\r\n", "\n", "\r"].into_iter().find_map(|end| after.strip_prefix(end));
        match ends.or_else(|| Some(after).filter(|after| after.is_empty())) {
            Some(next) => rest.len() - next.len(),
            None => 0,
        }
    }

    fn word(&mut self, expected: &str) -> Result<StringToken, ScanError> {
        let start = self.at;
        let quote = self.rest().chars().next();
        let (text, spelling) = match quote {
            Some(quote @ ('"' | '\'')) => {
                self.at += 1;
                (self.characters(quote)?, if quote == '"' { DOUBLE } else { SINGLE })
            }
            _ => {
                let bare = self.rest().bytes().take_while(|byte| is_bare_byte(*byte)).count();
                if bare == 0 {
                    return Err(ScanError::at(start, format!("expected {expected} in quotes")));
                }
                self.at += bare;
                (self.text.get(start..self.at).unwrap_or_default().to_owned(), BARE)
            }
        };
        Ok(StringToken { text, at: start..self.at, spelling })
    }

    /// The characters up to the closing quote, unescaped.
    fn characters(&mut self, quote: char) -> Result<String, ScanError> {
        let start = self.at - 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let Some(length) = rest.find([quote, '\\']) else {
                return Err(ScanError::at(start, format!("the {quote} is not closed")));
            };
            out.push_str(rest.get(..length).unwrap_or_default());
            let is_end = rest.get(length..).is_some_and(|rest| rest.starts_with(quote));
            self.at += length + 1;
            if is_end {
                return Ok(out);
            }
            out.push(self.escape()?);
        }
    }

    /// The character of an escape whose backslash has been read.
    fn escape(&mut self) -> Result<char, ScanError> {
        let start = self.at - 1;
        let Some(c) = self.rest().chars().next() else {
            return Err(ScanError::at(start, "the file ends within an escape"));
        };
        self.at += c.len_utf8();
        Ok(match c {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'U' => self.unicode(start)?,
            'u' if self.digits(16, 4).is_some_and(|(_, length)| length == 4) => {
                self.has_small_escapes = true;
                self.unicode(start)?
            }
            '0'..='7' => {
                self.at -= 1;
                let (code, length) = self.digits(8, 3).unwrap_or_default();
                self.at += length;
                // Above ASCII it is a character of NeXTSTEP's own set.
                let c = u8::try_from(code).ok().filter(u8::is_ascii).map(char::from);
                c.ok_or_else(|| ScanError::at(start, "an octal escape above `\\177`: write the character"))?
            }
            c => c,
        })
    }

    /// The character of `\U` and up to four digits; of two where it is written as a pair.
    fn unicode(&mut self, start: usize) -> Result<char, ScanError> {
        let unit = |reader: &mut Self| {
            let (code, length) = reader.digits(16, 4)?;
            reader.at += length;
            Some(code)
        };
        let first = unit(self).ok_or_else(|| ScanError::at(start, "`\\U` takes digits from 0 to 9 and a to f"))?;
        let c = match char::from_u32(u32::from(first)) {
            Some(c) => c,
            None => {
                let follows = self.rest().starts_with("\\U") || self.rest().starts_with("\\u");
                self.at += if follows { 2 } else { 0 };
                let second = if follows { unit(self) } else { None };
                let read = char::decode_utf16([first, second.unwrap_or_default()]).next().and_then(Result::ok);
                read.ok_or_else(|| {
                    ScanError::at(start, "`\\U` names half of a character, whose other half is missing")
                })?
            }
        };
        self.has_escapes |= !c.is_ascii();
        Ok(c)
    }

    /// The number at this place and how long it is; at most `most` digits.
    fn digits(&self, radix: u32, most: usize) -> Option<(u16, usize)> {
        let length = self.rest().bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count();
        let digits = self.rest().get(..length).filter(|digits| !digits.is_empty())?;
        Some((u16::from_str_radix(digits, radix).ok()?, length))
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{2028}' | '\u{2029}')
}

/// The text of comments, without their marks.
fn description<'t>(comments: impl Iterator<Item = &'t str>) -> Option<String> {
    let inside = comments.map(|comment| match comment.strip_prefix("//") {
        Some(line) => line,
        None => comment.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")).unwrap_or(comment),
    });
    let lines: Vec<&str> = inside.flat_map(str::lines).map(|line| line.trim().trim_start_matches('*').trim()).collect();
    let text = lines.join("\n");
    let text = text.trim();
    (!text.is_empty() && text != NO_COMMENT).then(|| text.to_owned())
}
