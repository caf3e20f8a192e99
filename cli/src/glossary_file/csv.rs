//! CSV as RFC 4180 has it, with places: commas, double quotes, line ends of any kind, a mark of the byte order at most.

use super::fault::GlossaryFileError;

/// A field, and the place where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) text: String,
    pub(super) line: u64,
    pub(super) column: u64,
}

impl Field {
    /// A fault of this field.
    pub(super) fn fault(&self, message: impl Into<String>) -> GlossaryFileError {
        GlossaryFileError { line: self.line, column: self.column, message: message.into() }
    }
}

/// A line of fields.
pub(super) type Record = Vec<Field>;

/// Reads all lines; those without any text are passed over.
pub(super) fn records(bytes: &[u8]) -> Result<Vec<Record>, GlossaryFileError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default()).into_owned();
        let (line, column) = before.chars().fold((1, 1), after);
        GlossaryFileError { line, column, message: "not valid UTF-8".into() }
    })?;
    let mut reader = Reader { rest: text.strip_prefix('\u{feff}').unwrap_or(text), place: (1, 1) };
    let mut records = Vec::new();
    while !reader.rest.is_empty() {
        let record = reader.record()?;
        if !matches!(record.as_slice(), [only] if only.text.is_empty()) {
            records.push(record);
        }
    }
    Ok(records)
}

/// The place after a character.
fn after((line, column): (u64, u64), c: char) -> (u64, u64) {
    if c == '\n' { (line + 1, 1) } else { (line, column + 1) }
}

struct Reader<'a> {
    rest: &'a str,
    place: (u64, u64),
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        self.place = after(self.place, c);
        Some(c)
    }

    /// Steps over the end of a line, if it is here.
    fn ends_line(&mut self) -> bool {
        if self.rest.starts_with("\r\n") {
            self.next();
        }
        if matches!(self.rest.chars().next(), Some('\n' | '\r')) {
            if self.next() == Some('\r') {
                // A line end of its own, as old spreadsheets write it.
                self.place = (self.place.0 + 1, 1);
            }
            return true;
        }
        self.rest.is_empty()
    }

    fn record(&mut self) -> Result<Record, GlossaryFileError> {
        let mut record = Vec::new();
        loop {
            record.push(self.field()?);
            if self.ends_line() {
                return Ok(record);
            }
            if self.next() != Some(',') {
                let (line, column) = (self.place.0, self.place.1.saturating_sub(1));
                let message = "a comma or the end of the line must follow the quote".into();
                return Err(GlossaryFileError { line, column, message });
            }
        }
    }

    fn field(&mut self) -> Result<Field, GlossaryFileError> {
        let (line, column) = self.place;
        let mut text = String::new();
        if self.rest.starts_with('"') {
            self.next();
            loop {
                match self.next() {
                    None => {
                        return Err(GlossaryFileError {
                            line,
                            column,
                            message: "the quote that begins here has no end".into(),
                        });
                    }
                    Some('"') if self.rest.starts_with('"') => {
                        self.next();
                        text.push('"');
                    }
                    Some('"') => return Ok(Field { text, line, column }),
                    Some(c) => text.push(c),
                }
            }
        }
        while let Some(c) = self.rest.chars().next().filter(|c| !matches!(c, ',' | '\n' | '\r')) {
            if c == '"' {
                let message = "a quote within a field: put the whole field in quotes, and this one twice".into();
                return Err(GlossaryFileError { line: self.place.0, column: self.place.1, message });
            }
            text.push(c);
            self.next();
        }
        Ok(Field { text, line, column })
    }
}

/// A field as a file has it: in quotes where it needs them.
pub(super) fn quoted(text: &str) -> String {
    let needs_quotes = text.contains([',', '"', '\n', '\r']) || text.trim() != text;
    if needs_quotes { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
