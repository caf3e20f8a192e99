//! A table of separated values, as the places of its fields.

use std::borrow::Cow;
use std::ops::Range;

use crate::files::spliced::{DecodedFile, ScanError};

/// The separators that a table may have; of two that fit alike, the first is taken.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A field: from its first byte, which may be a quote, to its last one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    start: u32,
    end: u32,
}

impl Field {
    pub(super) fn at(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line of fields, or several lines where a field has some.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The index of its first field.
    first: usize,
    /// The index behind its last field.
    end: usize,
    /// One past the line end.
    after: u32,
}

/// The fields of a file in order. Blank lines are none of its rows.
pub(super) struct Table {
    pub(super) source: DecodedFile,
    pub(super) separator: u8,
    fields: Vec<Field>,
    pub(super) rows: Vec<Row>,
}

impl Table {
    /// Reads a table. `fit` says how much sense its first row makes with a separator.
    pub(super) fn read(source: DecodedFile, fit: impl Fn(&[&str]) -> usize) -> Result<Self, ScanError> {
        let mut best: Option<(usize, u8)> = None;
        for separator in SEPARATORS {
            // What cannot be read with one separator may be read with another one.
            let Ok(Some((fields, _, _))) = record(&source.text, 0, separator) else { continue };
            let raw: Vec<&str> = fields.iter().map(|field| source.get(&field.at())).collect();
            let found = fit(&raw);
            if best.is_none_or(|(most, _)| found > most) {
                best = Some((found, separator));
            }
        }
        let separator = best.map_or(b',', |(_, separator)| separator);
        let (mut fields, mut rows) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some((found, _, after)) = record(&source.text, at, separator)? {
            let first = fields.len();
            fields.extend(found);
            rows.push(Row { first, end: fields.len(), after: narrow(after) });
            at = after;
        }
        Ok(Self { source, separator, fields, rows })
    }

    /// The fields of a row.
    pub(super) fn fields(&self, row: usize) -> &[Field] {
        self.rows.get(row).and_then(|row| self.fields.get(row.first..row.end)).unwrap_or_default()
    }

    /// The number of fields of the longest row.
    pub(super) fn width(&self) -> usize {
        self.rows.iter().map(|row| row.end - row.first).max().unwrap_or(0)
    }

    /// A field as it stands in the file.
    pub(super) fn raw(&self, field: Field) -> &str {
        self.source.get(&field.at())
    }

    /// The text of a field; empty where the row has no such one.
    pub(super) fn text(&self, row: usize, column: usize) -> Cow<'_, str> {
        self.fields(row).get(column).map_or(Cow::Borrowed(""), |field| unquoted(self.raw(*field)))
    }

    /// The offset of a row's first field.
    pub(super) fn start(&self, row: usize) -> usize {
        self.fields(row).first().map_or(self.source.text.len(), |field| field.at().start)
    }

    /// The offset behind a row's last field.
    pub(super) fn end(&self, row: usize) -> usize {
        self.fields(row).last().map_or(self.source.text.len(), |field| field.at().end)
    }

    /// A row with its line end.
    pub(super) fn whole(&self, row: usize) -> Range<usize> {
        let after = self.rows.get(row).map_or(0, |row| row.after as usize);
        self.start(row)..after
    }

    /// Returns true if all fields of a row that say something are quoted.
    pub(super) fn is_quoted(&self, row: usize) -> bool {
        let mut raw = self.fields(row).iter().map(|field| self.raw(*field)).filter(|raw| !raw.is_empty()).peekable();
        raw.peek().is_some() && raw.all(|raw| raw.starts_with('"'))
    }

    /// A text as a field: in quotes if it has to be, or shall be.
    pub(super) fn spelled(&self, text: &str, quoted: bool) -> String {
        // Every separator, since one in the first row would make the file look like one of its own.
        let must = text.contains(|c: char| matches!(c, '"' | '\n' | '\r') || SEPARATORS.map(char::from).contains(&c));
        let must = must || text.starts_with('\u{feff}');
        if must || quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    }
}

/// Files are a few megabytes long.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The text of a field.
pub(super) fn unquoted(raw: &str) -> Cow<'_, str> {
    match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) if inside.contains('"') => Cow::Owned(inside.replace("\"\"", "\"")),
        Some(inside) => Cow::Borrowed(inside),
        None => Cow::Borrowed(raw),
    }
}

/// The fields of the first row from an offset on, where it ends, and where the next line begins. `None` at the end.
type Record = Option<(Vec<Field>, usize, usize)>;

fn record(text: &str, from: usize, separator: u8) -> Result<Record, ScanError> {
    let bytes = text.as_bytes();
    let mut at = from;
    while matches!(bytes.get(at), Some(b'\n' | b'\r')) {
        at += 1;
    }
    if at >= bytes.len() {
        return Ok(None);
    }
    let mut fields = Vec::new();
    loop {
        let start = at;
        if bytes.get(at) == Some(&b'"') {
            at = closing(bytes, at)?;
            if bytes.get(at).is_some_and(|byte| *byte != separator && !matches!(byte, b'\n' | b'\r')) {
                return Err(ScanError::at(
                    at,
                    "nothing may follow the quote that closes a field; a quote inside it is `\"\"`",
                ));
            }
        } else {
            let rest = bytes.get(at..).unwrap_or_default();
            let length = rest.iter().position(|byte| *byte == separator || matches!(byte, b'\n' | b'\r'));
            at += length.unwrap_or(rest.len());
        }
        fields.push(Field { start: narrow(start), end: narrow(at) });
        match bytes.get(at) {
            Some(byte) if *byte == separator => at += 1,
            _ => break,
        }
    }
    let length = match bytes.get(at..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([_, ..]) => 1,
        _ => 0,
    };
    Ok(Some((fields, at, at + length)))
}

/// The offset behind the quote that closes the field which one opens.
fn closing(bytes: &[u8], open: usize) -> Result<usize, ScanError> {
    let mut at = open + 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == b'"') else {
            return Err(ScanError::at(open, "the quote that opens this field is not closed"));
        };
        at += length + 1;
        if bytes.get(at) != Some(&b'"') {
            return Ok(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::spliced::Charset;

    fn table(text: &str) -> Table {
        let source = DecodedFile::decode(text.as_bytes(), Charset::Unicode).unwrap();
        Table::read(source, |row| row.len()).ok().unwrap()
    }

    fn rows(text: &str) -> Vec<Vec<String>> {
        let table = table(text);
        let row = |row: usize| (0..table.fields(row).len()).map(|at| table.text(row, at).into_owned()).collect();
        (0..table.rows.len()).map(row).collect()
    }

    /// Rows as the judge reads them.
    fn judged(text: &str, separator: u8) -> Vec<Vec<String>> {
        let mut reader = csv_core::ReaderBuilder::new().delimiter(separator).build();
        let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = text.as_bytes();
        loop {
            let mut out = [0; 64];
            let (result, read, written) = reader.read_field(rest, &mut out);
            rest = &rest[read..];
            field.extend_from_slice(&out[..written]);
            match result {
                csv_core::ReadFieldResult::Field { record_end } => {
                    row.push(String::from_utf8(std::mem::take(&mut field)).unwrap());
                    if record_end {
                        rows.push(std::mem::take(&mut row));
                    }
                }
                csv_core::ReadFieldResult::End => return rows,
                _ => {}
            }
        }
    }

    #[test]
    fn fields_are_those_that_another_reader_finds() {
        for text in [
            "a,b\nc,d",
            "a,\"b, \"\"c\"\"\n\nd\"\r\n\r\ne,f\r\n",
            "a,,\n,\n\"\",x\"y\n",
            "a\rb,c\r\r\nd",
            "ä;ö\n\";\";\"\"\"\"\n",
            "\u{feff}key\tde\na\t b \n",
            "",
            "\n\n",
            "a,\"\"\"\"\"\"\n",
        ] {
            let separator = table(text).separator;
            assert_eq!(rows(text), judged(text.trim_start_matches('\u{feff}'), separator), "{text:?}");
        }
    }

    #[test]
    fn what_another_reader_would_guess_is_refused_with_its_place() {
        let fault = |text: &str| {
            let source = DecodedFile::decode(text.as_bytes(), Charset::Unicode).unwrap();
            Table::read(source, |row| row.len()).err().map(|fault| (fault.offset, fault.message)).unwrap()
        };
        assert_eq!(fault("a,b\nc,\"d"), (6, "the quote that opens this field is not closed".to_owned()));
        assert_eq!(fault("a,b\n\"c\" ,d").0, 7);
    }

    proptest::proptest! {
        #[test]
        fn every_table_is_read_as_another_reader_reads_it(
            cells in proptest::collection::vec(("[a, ;\n\"\r]{0,4}", proptest::bool::ANY), 1..12),
            width in 1_usize..4,
        ) {
            let like = table("a,b\n");
            let line = |cells: &[(String, bool)]| {
                cells.iter().map(|(text, quoted)| like.spelled(text, *quoted)).collect::<Vec<_>>().join(",")
            };
            let text: String = cells.chunks(width).map(|cells| line(cells) + "\n").collect();
            let source = DecodedFile::decode(text.as_bytes(), Charset::Unicode).unwrap();
            let is_torn = |raw: &&str| !raw.starts_with('"') && raw.contains('"');
            let fit = |row: &[&str]| if row.iter().any(is_torn) { 0 } else { row.len() };
            let table = Table::read(source, fit).ok().unwrap();
            let row = |row: usize| {
                (0..table.fields(row).len()).map(|at| table.text(row, at).into_owned()).collect::<Vec<_>>()
            };
            let found: Vec<_> = (0..table.rows.len()).map(row).collect();
            proptest::prop_assert_eq!(found, judged(&text, table.separator));
        }
    }
}
