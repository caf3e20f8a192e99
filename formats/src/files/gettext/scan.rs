//! Finds the entries of a catalogue.

use std::ops::Range;

use super::text::columns;
use crate::files::spliced::ScanError;
use crate::text::Syntax;

/// A string of a catalogue: its text, and where it lies from its first quote to its last one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PoString {
    pub(super) text: String,
    pub(super) at: Range<usize>,
}

/// An entry of a catalogue.
#[derive(Debug, Default)]
pub(super) struct PoEntry {
    pub(super) context: Option<PoString>,
    pub(super) id: PoString,
    pub(super) plural: Option<PoString>,
    /// The `msgstr`, or one for each plural form; at least one.
    pub(super) says: Vec<PoString>,
    /// The strings of the `msgstr` with their keywords, without the last line end.
    pub(super) says_at: Range<usize>,
    pub(super) description: Option<String>,
    pub(super) max_length: Option<u32>,
    /// The syntax that a flag names.
    pub(super) syntax: Option<Syntax>,
    pub(super) is_fuzzy: bool,
    /// The marks of a text that is not sure: each place with what it is without them.
    pub(super) doubts: Vec<(Range<usize>, String)>,
    /// The entry with its comments and its last line end.
    pub(super) whole: Range<usize>,
}

/// The result of a scan.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// In the order of the file, without the header.
    pub(super) units: Vec<PoEntry>,
    /// The entry with an empty `msgid`.
    pub(super) header: Option<PoEntry>,
    /// Lines that were wrapped, and the columns of the widest.
    pub(super) wrapped: (usize, usize),
}

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let mut reader = Reader { text, at: 0, open: PartialEntry::default(), found: Scan::default() };
    loop {
        reader.skip_blanks();
        match reader.rest().as_bytes().first() {
            None => break,
            Some(b'#') => reader.comment()?,
            Some(b'"') => reader.string()?,
            Some(_) => reader.keyword()?,
        }
    }
    reader.close()?;
    Ok(reader.found)
}

/// The entry that is being read.
#[derive(Default)]
struct PartialEntry {
    unit: PoEntry,
    start: Option<usize>,
    part: EntryPart,
    /// The bytes of the string that is being read, whose escapes may say parts of a character.
    bytes: Vec<u8>,
    described: Vec<String>,
}

/// The part of an entry that was read last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum EntryPart {
    /// Comments at most.
    #[default]
    Nothing,
    Context,
    Id,
    Plural,
    Says,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    open: PartialEntry,
    found: Scan,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']).len();
    }

    /// The beginning of the line, if nothing but blanks stands before this place.
    fn line_start(&self) -> usize {
        let line = self.text.get(..self.at).unwrap_or_default().trim_end_matches([' ', '\t']);
        if line.is_empty() || line.ends_with('\n') { line.len() } else { self.at }
    }

    /// Reads a comment to the line end.
    fn comment(&mut self) -> Result<(), ScanError> {
        if self.open.part == EntryPart::Says {
            self.close()?;
        }
        let start = self.line_start();
        let rest = self.rest();
        let (line, length) = match rest.split_once('\n') {
            Some((line, _)) => (line, line.len() + 1),
            None => (rest, rest.len()),
        };
        let mark = self.at;
        self.at += length;
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.starts_with("#~") {
            // An entry that the program uses no more, and the comments above it.
            if self.open.part == EntryPart::Nothing {
                self.open = PartialEntry::default();
            }
            return Ok(());
        }
        self.open.start.get_or_insert(start);
        if let Some(said) = line.strip_prefix("#.") {
            self.open.described.push(said.trim().to_owned());
        } else if line.starts_with("#|") {
            self.open.unit.doubts.push((start..self.at, String::new()));
        } else if let Some(flags) = line.strip_prefix("#,") {
            self.flags(flags, mark + 2, start);
        }
        Ok(())
    }

    /// Reads the flags of a line, which begin at `at`.
    fn flags(&mut self, flags: &str, at: usize, line: usize) {
        let is_fuzzy = |flag: &&str| flag.trim() == "fuzzy";
        let unit = &mut self.open.unit;
        for flag in flags.split(',').map(str::trim) {
            if let Some(number) = flag.strip_prefix("max-length:") {
                unit.max_length = number.trim().parse().ok();
            }
            // One that is there says more than one that is not.
            if unit.syntax.is_none_or(|syntax| syntax == Syntax::Plain) {
                unit.syntax = Syntax::of_flag(flag).or(unit.syntax);
            }
        }
        if flags.split(',').any(|flag| is_fuzzy(&flag)) {
            unit.is_fuzzy = true;
            let others: Vec<&str> = flags.split(',').filter(|flag| !is_fuzzy(flag)).collect();
            if others.iter().all(|flag| flag.trim().is_empty()) {
                unit.doubts.push((line..self.at, String::new()));
            } else {
                unit.doubts.push((at..at + flags.len(), others.join(",")));
            }
        }
    }

    /// Reads a keyword, up to its string.
    fn keyword(&mut self) -> Result<(), ScanError> {
        let (start, line) = (self.at, self.line_start());
        let rest = self.rest();
        let word = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_').len();
        let name = rest.get(..word).unwrap_or_default();
        self.at += word;
        let part = match name {
            "msgctxt" => EntryPart::Context,
            "msgid" => EntryPart::Id,
            "msgid_plural" => EntryPart::Plural,
            "msgstr" => EntryPart::Says,
            _ => {
                return Err(ScanError::at(
                    start,
                    "expected `msgctxt`, `msgid`, `msgid_plural`, `msgstr`, a text in quotes or a comment",
                ));
            }
        };
        let before = self.open.part;
        let begins = match part {
            EntryPart::Context => matches!(before, EntryPart::Says | EntryPart::Nothing),
            EntryPart::Id => matches!(before, EntryPart::Says | EntryPart::Nothing | EntryPart::Context),
            EntryPart::Plural => before == EntryPart::Id,
            _ => matches!(before, EntryPart::Id | EntryPart::Plural | EntryPart::Says),
        };
        if !begins {
            return Err(ScanError::at(start, format!("`{name}` cannot stand here: {}", expected(before))));
        }
        if before == EntryPart::Says && part != EntryPart::Says {
            self.close()?;
        }
        if part == EntryPart::Says {
            self.number(start)?;
        }
        self.open.start.get_or_insert(line);
        self.open.part = part;
        self.open.bytes.clear();
        self.skip_blanks();
        if !self.rest().starts_with('"') {
            return Err(ScanError::at(self.at, format!("expected the text of `{name}` in quotes")));
        }
        let said = PoString { text: String::new(), at: self.at..self.at };
        let unit = &mut self.open.unit;
        match part {
            EntryPart::Context => unit.context = Some(said),
            EntryPart::Id => unit.id = said,
            EntryPart::Plural => unit.plural = Some(said),
            EntryPart::Says | EntryPart::Nothing => {
                if unit.says.is_empty() {
                    unit.says_at = start..start;
                }
                unit.says.push(said);
            }
        }
        self.string()
    }

    /// Reads the number of a `msgstr`, which must be the next one.
    fn number(&mut self, start: usize) -> Result<(), ScanError> {
        let next = self.open.unit.says.len();
        let rest = self.rest();
        let after = rest.trim_start_matches([' ', '\t']);
        let number = after.strip_prefix('[').and_then(|inside| inside.split_once(']'));
        let has_plural = self.open.unit.plural.is_some();
        let Some((number, after)) = number.filter(|_| has_plural) else {
            if has_plural {
                return Err(ScanError::at(
                    start,
                    format!("expected `msgstr[{next}]`, since the entry has a `msgid_plural`"),
                ));
            }
            if after.starts_with('[') {
                return Err(ScanError::at(start, "`msgstr[…]` needs a `msgid_plural`"));
            }
            if next > 0 {
                return Err(ScanError::at(start, "the entry has a `msgstr` already"));
            }
            return Ok(());
        };
        if number.trim().parse() != Ok(next) {
            return Err(ScanError::at(start, format!("expected `msgstr[{next}]`")));
        }
        self.at = self.text.len() - after.len();
        Ok(())
    }

    /// Reads a string in quotes, and adds it to the part that is being read.
    fn string(&mut self) -> Result<(), ScanError> {
        let start = self.at;
        let line = self.line_start();
        if self.open.part == EntryPart::Nothing {
            return Err(ScanError::at(start, "expected `msgid` before a text"));
        }
        self.at += 1;
        loop {
            let rest = self.rest();
            let length = rest.find(['"', '\\', '\n']).unwrap_or(rest.len());
            self.open.bytes.extend_from_slice(rest.as_bytes().get(..length).unwrap_or_default());
            self.at += length;
            match rest.as_bytes().get(length) {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                _ => return Err(ScanError::at(start, "the text is not closed in its line: expected `\"`")),
            }
        }
        self.at += 1;
        self.measure(line);
        if self.open.part == EntryPart::Says {
            self.open.unit.says_at.end = self.at;
        }
        let end = self.at;
        let text = String::from_utf8(std::mem::take(&mut self.open.bytes))
            .map_err(|_| ScanError::at(start, "the escapes of this text are not UTF-8: write the characters"))?;
        if let Some(said) = self.said() {
            said.at.end = end;
            said.text.push_str(&text);
        }
        Ok(())
    }

    /// Notes the columns of a line that ends because it was full, not because the text has a line end.
    fn measure(&mut self, line: usize) {
        let Some(piece) = self.text.get(line..self.at) else { return };
        let next = self.rest().trim_start_matches(['\r', '\n', ' ', '\t']);
        let inside = piece.trim_start();
        if inside.starts_with('"') && inside.len() > 2 && next.starts_with('"') && !inside.ends_with("\\n\"") {
            let (count, widest) = self.found.wrapped;
            self.found.wrapped = (count + 1, widest.max(columns(inside)));
        }
    }

    fn said(&mut self) -> Option<&mut PoString> {
        let unit = &mut self.open.unit;
        match self.open.part {
            EntryPart::Context => unit.context.as_mut(),
            EntryPart::Id => Some(&mut unit.id),
            EntryPart::Plural => unit.plural.as_mut(),
            EntryPart::Says => unit.says.last_mut(),
            EntryPart::Nothing => None,
        }
    }

    /// Reads an escape.
    fn escape(&mut self) -> Result<(), ScanError> {
        let start = self.at;
        let after = self.rest().get(1..).unwrap_or_default();
        let byte = after.as_bytes().first().copied().unwrap_or_default();
        let digits = |text: &str, most: usize, radix: u32| {
            text.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count()
        };
        let (value, length) = match byte {
            b'n' => (b'\n', 1),
            b't' => (b'\t', 1),
            b'b' => (8, 1),
            b'r' => (b'\r', 1),
            b'f' => (12, 1),
            b'v' => (11, 1),
            b'a' => (7, 1),
            b'\\' | b'"' => (byte, 1),
            b'0'..=b'7' => {
                let length = digits(after, 3, 8);
                let value = after.get(..length).and_then(|text| u8::from_str_radix(text, 8).ok());
                (value.ok_or_else(|| ScanError::at(start, "an octal escape above `\\377`"))?, length)
            }
            b'x' => {
                let inside = after.get(1..).unwrap_or_default();
                let length = digits(inside, 2, 16);
                let value = inside.get(..length).and_then(|text| u8::from_str_radix(text, 16).ok());
                (value.ok_or_else(|| ScanError::at(start, "`\\x` takes digits from 0 to 9 and a to f"))?, length + 1)
            }
            _ => {
                let message =
                    "there is no such escape: known are \\n \\t \\b \\r \\f \\v \\a \\\\ \\\", octal ones and \\x";
                return Err(ScanError::at(start, message));
            }
        };
        self.open.bytes.push(value);
        self.at += length + 1;
        Ok(())
    }

    /// Ends the entry that is being read.
    fn close(&mut self) -> Result<(), ScanError> {
        if self.open.part == EntryPart::Nothing {
            self.open = PartialEntry::default();
            return Ok(());
        }
        let PartialEntry { mut unit, start, part, described, .. } = std::mem::take(&mut self.open);
        let start = start.unwrap_or(unit.id.at.start);
        if part != EntryPart::Says {
            return Err(ScanError::at(start, format!("the entry ends too early: {}", expected(part))));
        }
        let after = self.text.get(unit.says_at.end..).unwrap_or_default();
        let blank = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
        let ends = after.get(blank..).is_some_and(|rest| rest.starts_with('\n'));
        unit.whole = start..unit.says_at.end + if ends { blank + 1 } else { 0 };
        let described = described.join("\n");
        unit.description = Some(described.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        if unit.context.is_some() || !unit.id.text.is_empty() {
            self.found.units.push(unit);
            return Ok(());
        }
        if self.found.header.is_some() {
            return Err(ScanError::at(unit.id.at.start, "the file has two headers: entries whose `msgid` is empty"));
        }
        if unit.plural.is_some() {
            return Err(ScanError::at(unit.id.at.start, "the header, whose `msgid` is empty, has no `msgid_plural`"));
        }
        self.found.header = Some(unit);
        Ok(())
    }
}

/// The keyword that comes after a part.
fn expected(part: EntryPart) -> &'static str {
    match part {
        EntryPart::Nothing | EntryPart::Says => "expected `msgid`",
        EntryPart::Context => "expected `msgid` after `msgctxt`",
        EntryPart::Id => "expected `msgstr` after `msgid`",
        EntryPart::Plural => "expected `msgstr[0]` after `msgid_plural`",
    }
}
