//! A table of texts, and the rows of its entries.

use std::borrow::Cow;
use std::collections::HashMap;

use l10n_api_types::Content;

use super::columns::{ColumnLayout, Columns};
use super::table::Table;
use crate::files::error::shown;
use crate::files::spliced::{Charset, DecodedFile};
use crate::files::{Entry, ParseError, refs};

/// The most sentences about rows that stand twice.
const MOST_WARNINGS: usize = 20;

/// The message about a table of something else.
const NO_COLUMNS: &str = "nothing in the first row says which column holds texts: name the columns `key` and `text`, `key` and \
                          languages such as `en` and `de`, or `source` and `target`";

/// A table and the rows of its entries.
pub(in crate::files) struct Sheet {
    pub(super) table: Table,
    pub(super) columns: Columns,
    pub(super) units: Vec<SheetEntry>,
    pub(super) warnings: Vec<String>,
}

/// An entry of a table.
#[derive(Debug)]
pub(super) struct SheetEntry {
    pub(super) key: String,
    pub(super) row: usize,
    /// Further rows that say the same.
    pub(super) copies: Vec<usize>,
}

impl SheetEntry {
    /// The rows that say it.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        [self.row].into_iter().chain(self.copies.iter().copied())
    }
}

impl Sheet {
    /// Reads a file.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let source = DecodedFile::decode(bytes, Charset::Unicode)?;
        let text = source.text.clone();
        let error = |offset: usize, message: String| ParseError::at(text.as_bytes(), offset, message);
        let table = Table::read(source, Columns::fit).map_err(|fault| error(fault.offset, fault.message))?;
        let first: Vec<Cow<'_, str>> = (0..table.fields(0).len()).map(|column| table.text(0, column)).collect();
        let columns = if table.rows.is_empty() { Some(Columns::PAIR) } else { Columns::of(&first) };
        drop(first);
        let columns = columns.ok_or_else(|| error(0, NO_COLUMNS.to_owned()))?;
        if let Some(at) = text.find('\0') {
            return Err(error(at, "the text holds the character NUL".to_owned()));
        }
        let mut sheet = Self { table, columns, units: Vec::new(), warnings: Vec::new() };
        let mut known: HashMap<String, usize> = HashMap::with_capacity(sheet.table.rows.len());
        for row in usize::from(sheet.columns.has_header)..sheet.table.rows.len() {
            let at = sheet.table.start(row);
            let Some(key) = sheet.key(row) else { continue };
            let key = key.map_err(|problem| error(at, format!("the key of this row {problem}")))?;
            let Some(other) = known.get(&key).copied() else {
                known.insert(key.clone(), sheet.units.len());
                sheet.units.push(SheetEntry { key, row, copies: Vec::new() });
                continue;
            };
            let Some(unit) = sheet.units.get(other) else { continue };
            let line = |row: usize| error(sheet.table.start(row), String::new()).line;
            if !sheet.says_the_same(unit.row, row) {
                let message = format!(
                    "two rows have the key {}: this one and the one in line {}; take one of them out",
                    shown(&key),
                    line(unit.row)
                );
                return Err(error(at, message));
            }
            if sheet.warnings.len() < MOST_WARNINGS {
                let lines = format!("{} and {}", line(unit.row), line(row));
                let warning = format!("the key {} is there twice with the same text, in lines {lines}", shown(&key));
                sheet.warnings.push(warning);
            }
            if let Some(unit) = sheet.units.get_mut(other) {
                unit.copies.push(row);
            }
        }
        Ok(sheet)
    }

    /// The file's text, and the place of each unit in it.
    pub(in crate::files) fn places(&self) -> (&[u8], Vec<Option<usize>>) {
        let units = self.units.iter().map(|unit| Some(self.table.start(unit.row)));
        (self.table.source.text.as_bytes(), units.collect())
    }

    /// Returns true if keys are, or may be, texts.
    pub(super) fn names_are_texts(&self) -> bool {
        self.columns.key.is_none() || matches!(self.columns.shape, ColumnLayout::Pairs { .. })
    }

    /// The key of a row; `None` for a row that has none, such as a title.
    fn key(&self, row: usize) -> Option<Result<String, &'static str>> {
        let cell =
            |column: Option<usize>| column.map(|column| self.table.text(row, column)).filter(|text| !text.is_empty());
        if let Some(name) = cell(self.columns.key) {
            return Some(refs::key_of(&name, self.names_are_texts()));
        }
        if !self.names_are_texts() {
            return None;
        }
        let source = cell(Some(self.columns.source()))?;
        Some(refs::key_in(cell(self.columns.context).as_deref(), &source))
    }

    fn says_the_same(&self, one: usize, other: usize) -> bool {
        let width = self.table.fields(one).len().max(self.table.fields(other).len());
        let is_text = |column: usize| {
            let Columns { key, context, description, max_length, .. } = &self.columns;
            ![key, context, description, max_length].iter().any(|of| **of == Some(column))
        };
        (0..width)
            .filter(|column| is_text(*column))
            .all(|column| self.table.text(one, column) == self.table.text(other, column))
    }

    /// The text of the source that is translated, of a row.
    pub(super) fn asked(&self, row: usize) -> Cow<'_, str> {
        // Such tables word their own language anew, too.
        if let (ColumnLayout::Pairs { source, target }, false) = (&self.columns.shape, self.columns.has_header) {
            let said = self.table.text(row, *target);
            return if said.is_empty() { self.table.text(row, *source) } else { said };
        }
        self.table.text(row, self.columns.source())
    }

    /// Entries with the texts of the source. An empty one is none, but in a table with one text for each key.
    pub(super) fn asks(&self) -> Vec<Entry> {
        let is_plain = matches!(self.columns.shape, ColumnLayout::Plain { .. });
        let units = self.units.iter().map(|unit| (unit, self.asked(unit.row)));
        units.filter(|(_, text)| is_plain || !text.is_empty()).map(|(unit, text)| self.entry(unit, &text)).collect()
    }

    /// Entries with the texts in a language.
    pub(super) fn says(&self, language: &str) -> Vec<Entry> {
        let Some(column) = self.columns.in_language(language) else { return Vec::new() };
        let is_plain = matches!(self.columns.shape, ColumnLayout::Plain { .. });
        let units = self.units.iter().map(|unit| (unit, self.table.text(unit.row, column)));
        units.filter(|(_, text)| is_plain || !text.is_empty()).map(|(unit, text)| self.entry(unit, &text)).collect()
    }

    /// The keys of texts, or of translations where the source stands beside them.
    pub(super) fn keys_with_texts(&self) -> Vec<String> {
        let columns: Vec<usize> = match &self.columns.shape {
            ColumnLayout::Plain { .. } => return self.units.iter().map(|unit| unit.key.clone()).collect(),
            ColumnLayout::Pairs { target, .. } => vec![*target],
            ColumnLayout::Languages { source, languages } => {
                languages.iter().map(|(column, _)| *column).filter(|column| column != source).collect()
            }
        };
        let says = |unit: &&SheetEntry| columns.iter().any(|column| !self.table.text(unit.row, *column).is_empty());
        self.units.iter().filter(says).map(|unit| unit.key.clone()).collect()
    }

    fn entry(&self, unit: &SheetEntry, text: &str) -> Entry {
        let cell = |column: Option<usize>| column.map(|column| self.table.text(unit.row, column));
        // Where the text is the key, the context is a part of it.
        let context = self.columns.context.filter(|_| cell(self.columns.key).is_some_and(|key| !key.is_empty()));
        let notes = [context, self.columns.description].map(cell).into_iter().flatten();
        let notes: Vec<_> = notes.filter(|text| !text.trim().is_empty()).collect();
        Entry {
            description: (!notes.is_empty()).then(|| notes.join("\n")),
            max_length: cell(self.columns.max_length).and_then(|text| text.trim().parse().ok()),
            ..Entry::new(unit.key.clone(), Content::Text(text.to_owned()))
        }
    }
}
