//! Writing texts into tables.

use std::collections::{HashMap, HashSet};

use l10n_api_types::Content;

use super::columns::{ColumnLayout, Columns, is_language};
use super::sheet::{Sheet, SheetEntry};
use super::table::Table;
use crate::files::plural::one_text;
use crate::files::spliced::{Charset, DecodedFile, Splices};
use crate::files::{Entry, Merged, NewKeys, TranslationLookup, refs};
use crate::locales::is_same_tag;

/// Writes a text into a field, or behind the last one of a row that is shorter.
fn put(splices: &mut Splices, table: &Table, row: usize, column: usize, text: &str) {
    let fields = table.fields(row);
    match fields.get(column) {
        Some(_) if table.text(row, column) == text => {}
        Some(field) => {
            let raw = table.raw(*field);
            let quoted = raw.starts_with('"') || (raw.is_empty() && table.is_quoted(row));
            let text = if text.is_empty() && raw.is_empty() { String::new() } else { table.spelled(text, quoted) };
            splices.replace(field.at(), text);
        }
        None if text.is_empty() => {}
        None => append(splices, table, row, column, text),
    }
}

/// Adds fields to a row up to a column, which gets a text.
fn append(splices: &mut Splices, table: &Table, row: usize, column: usize, text: &str) {
    let separators = (column + 1).saturating_sub(table.fields(row).len());
    let mut added: String = std::iter::repeat_n(char::from(table.separator), separators).collect();
    if !text.is_empty() {
        added.push_str(&table.spelled(text, table.is_quoted(row)));
    }
    splices.insert(table.end(row), added);
}

pub(super) fn put_all(splices: &mut Splices, table: &Table, unit: &SheetEntry, column: usize, text: &str) {
    for row in unit.rows() {
        put(splices, table, row, column, text);
    }
}

pub(super) fn remove(splices: &mut Splices, table: &Table, unit: &SheetEntry) {
    for row in unit.rows() {
        splices.replace(table.whole(row), String::new());
    }
}

/// As [`Format::render`](crate::files::Format::render), of a table with these entries.
pub(super) fn rendered(sheet: &Sheet, entries: &[Entry], language: &str, said: &TranslationLookup<'_>) -> Vec<u8> {
    let mut splices = Splices::default();
    let said = |unit: &SheetEntry| said(&unit.key).map(one_text);
    match &sheet.columns.shape {
        ColumnLayout::Plain { text, language: own } => {
            put_or_remove(&mut splices, sheet, *text, &said);
            if own.as_ref().is_some_and(|own| !is_same_tag(own, language)) {
                let name = if is_language(language) { language } else { "text" };
                put(&mut splices, &sheet.table, 0, *text, name);
            }
        }
        ColumnLayout::Pairs { target, .. } => {
            let asked: HashMap<&str, &Content> =
                entries.iter().map(|entry| (entry.key.as_str(), &entry.content)).collect();
            let is_source = |unit: &SheetEntry| {
                let asked = asked.get(unit.key.as_str());
                asked.is_none_or(|asked| said(unit).map(Content::Text).as_ref() == Some(asked))
            };
            // A table that says of each text what its source says is that of the source, and stays.
            if sheet.units.iter().all(is_source) {
                return splices.write(&sheet.table.source);
            }
            if sheet.columns.has_header {
                for unit in sheet.units.iter().filter(|unit| asked.contains_key(unit.key.as_str())) {
                    put_all(&mut splices, &sheet.table, unit, *target, &said(unit).unwrap_or_default());
                }
            } else {
                // Programs show the empty text of a row as it is.
                put_or_remove(&mut splices, sheet, *target, &said);
                keep_first(&mut splices, sheet, *target, &said);
            }
        }
        // A source without the name of a language is that of the language which has no column.
        ColumnLayout::Languages { source, .. }
            if sheet.columns.language().is_none() && sheet.columns.in_language(language).is_none() =>
        {
            put_source(&mut splices, sheet, *source, &said);
        }
        ColumnLayout::Languages { .. } => return with_language(sheet, &sheet.columns, language, &said),
    }
    splices.write(&sheet.table.source)
}

fn put_or_remove(splices: &mut Splices, sheet: &Sheet, column: usize, said: &dyn Fn(&SheetEntry) -> Option<String>) {
    for unit in &sheet.units {
        match said(unit) {
            Some(text) => put_all(splices, &sheet.table, unit, column, &text),
            None => remove(splices, &sheet.table, unit),
        }
    }
}

/// Keeps the first row of a table without names, as what it says of itself, if the one after it would be read otherwise.
fn keep_first(splices: &mut Splices, sheet: &Sheet, target: usize, said: &dyn Fn(&SheetEntry) -> Option<String>) {
    let Some(first) = sheet.units.first().filter(|unit| said(unit).is_none()) else { return };
    let Some(next) = sheet.units.iter().find(|unit| said(unit).is_some()) else { return };
    let row: Vec<_> =
        (0..sheet.table.fields(next.row).len()).map(|column| sheet.table.text(next.row, column)).collect();
    if Columns::of(&row).is_some_and(|columns| !columns.has_header) {
        return;
    }
    let mut line = sheet.table.source.get(&sheet.table.whole(first.row)).to_owned();
    if let Some(field) = sheet.table.fields(first.row).get(target) {
        let (at, start) = (field.at(), sheet.table.start(first.row));
        let text = sheet.table.spelled(&sheet.table.text(first.row, 0), false);
        line.replace_range(at.start - start..at.end - start, &text);
    }
    splices.insert(sheet.table.start(first.row), line);
}

/// Writes one language into a table with a column for each; gets a column if it has none and something to say.
pub(super) fn with_language(
    sheet: &Sheet,
    columns: &Columns,
    language: &str,
    said: &dyn Fn(&SheetEntry) -> Option<String>,
) -> Vec<u8> {
    let mut splices = Splices::default();
    match columns.in_language(language) {
        Some(column) if column == columns.source() => {
            put_source(&mut splices, sheet, column, said);
        }
        Some(column) => {
            for unit in &sheet.units {
                put_all(&mut splices, &sheet.table, unit, column, &said(unit).unwrap_or_default());
            }
        }
        // A source whose column does not say its language is the language in which every text says the same.
        None if columns.language().is_none() && says_the_source(sheet, said) => {}
        None => add_column(&mut splices, sheet, columns, language, said),
    }
    splices.write(&sheet.table.source)
}

/// Writes the texts of the source. Keys that are texts of it stay.
fn put_source(splices: &mut Splices, sheet: &Sheet, column: usize, said: &dyn Fn(&SheetEntry) -> Option<String>) {
    for unit in &sheet.units {
        match said(unit) {
            Some(_) if sheet.names_are_texts() => {}
            Some(text) => put_all(splices, &sheet.table, unit, column, &text),
            // A row without a text in the source is none of the entries.
            None if sheet.table.text(unit.row, column).is_empty() => {}
            None => remove(splices, &sheet.table, unit),
        }
    }
}

fn says_the_source(sheet: &Sheet, said: &dyn Fn(&SheetEntry) -> Option<String>) -> bool {
    let mut asked = sheet.units.iter().map(|unit| (unit, sheet.asked(unit.row))).filter(|(_, text)| !text.is_empty());
    asked.all(|(unit, text)| said(unit).is_some_and(|said| said == text))
}

/// Adds the column of a language, if something is said in it.
fn add_column(
    splices: &mut Splices,
    sheet: &Sheet,
    columns: &Columns,
    language: &str,
    said: &dyn Fn(&SheetEntry) -> Option<String>,
) {
    let table = &sheet.table;
    let texts: HashMap<usize, String> = sheet
        .units
        .iter()
        .filter_map(|unit| Some((unit.row, said(unit)?)))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    if texts.is_empty() {
        return;
    }
    let copies: HashMap<usize, usize> =
        sheet.units.iter().flat_map(|unit| unit.copies.iter().map(|copy| (*copy, unit.row))).collect();
    let column = table.width();
    let names_have_underscores = match &columns.shape {
        ColumnLayout::Languages { languages, .. } => languages.iter().any(|(_, name)| name.contains('_')),
        _ => false,
    };
    let name = if names_have_underscores { language.replace('-', "_") } else { language.to_owned() };
    append(splices, table, 0, column, &name);
    // Every row has a field for it, as tables do; a line that is shorter than its first one stays so.
    for row in 1..table.rows.len() {
        let text = texts.get(copies.get(&row).unwrap_or(&row)).map_or("", String::as_str);
        if !text.is_empty() || table.fields(row).len() == column {
            append(splices, table, row, column, text);
        }
    }
}

/// A new row, with its line end.
struct NewRow<'a> {
    key: &'a str,
    source: Option<&'a str>,
    description: Option<&'a str>,
    /// A column and its text.
    said: Option<(usize, &'a str)>,
}

impl NewRow<'_> {
    /// The row as a table writes it. `None` where the table cannot say the key.
    fn row(&self, sheet: &Sheet, beside: usize) -> Option<String> {
        let (table, columns) = (&sheet.table, &sheet.columns);
        let mut texts: Vec<String> = vec![String::new(); table.fields(0).len().max(2)];
        let mut set = |column: Option<usize>, text: &str| {
            let Some(column) = column else { return };
            if texts.len() <= column {
                texts.resize(column + 1, String::new());
            }
            if let Some(slot) = texts.get_mut(column) {
                text.clone_into(slot);
            }
        };
        let (are_texts, source) = (sheet.names_are_texts(), self.source.unwrap_or_default());
        let own = refs::name_of(self.key, are_texts);
        set(columns.description, self.description.unwrap_or_default());
        if columns.key.is_some() && refs::key_of(&own, are_texts).as_deref() == Ok(self.key) {
            set(columns.key, &own);
            set(Some(columns.source()), source);
        } else {
            let (context, name) = refs::context_and_name(self.key);
            let can_say = are_texts && (context.is_none() || columns.context.is_some());
            if !can_say || refs::key_in(context.as_deref(), &name).as_deref() != Ok(self.key) {
                return None;
            }
            set(Some(columns.source()), &name);
            set(columns.context, context.as_deref().unwrap_or_default());
            if self.source.is_some_and(|source| source != name) {
                // The text is the key: another one has no place but that of the target.
                let ColumnLayout::Pairs { target, .. } = columns.shape else { return None };
                set(Some(target).filter(|_| !columns.has_header), source);
                if columns.has_header {
                    return None;
                }
            }
        }
        if let Some((column, text)) = self.said {
            set(Some(column), text);
        }
        let quoted = table.is_quoted(beside);
        let field = |text: &String| if text.is_empty() { String::new() } else { table.spelled(text, quoted) };
        let fields: Vec<String> = texts.iter().map(field).collect();
        Some(fields.join(&char::from(table.separator).to_string()) + table.source.newline_at(table.end(beside)))
    }
}

/// As [`Format::extend`](crate::files::Format::extend).
pub(super) fn extended(sheet: &Sheet, added: &[Entry]) -> Option<Vec<u8>> {
    let mut splices = Splices::default();
    for entry in added {
        let text = one_text(entry.content.clone());
        splices.insert(sheet.table.source.text.len(), new_row(sheet, &entry.key, &text, entry.description.as_deref())?);
    }
    Some(splices.write(&sheet.table.source))
}

/// A row with a text of the source.
pub(super) fn new_row(sheet: &Sheet, key: &str, text: &str, description: Option<&str>) -> Option<String> {
    let last = sheet.table.rows.len().saturating_sub(1);
    NewRow { key, source: Some(text), description, said: None }.row(sheet, last)
}

/// As [`Format::render_new`](crate::files::Format::render_new).
pub(super) fn rendered_new(language: &str, entries: &mut dyn Iterator<Item = Entry>, out: &mut dyn FnMut(&str)) {
    let blank = DecodedFile::decode(b"", Charset::Unicode).ok();
    let Some(table) = blank.and_then(|source| Table::read(source, |row| row.len()).ok()) else { return };
    let name = if is_language(language) { language } else { "text" };
    out(&format!("key,{name}\n"));
    let mut seen = HashSet::new();
    for entry in entries {
        if seen.insert(entry.key.clone()) {
            let (key, text) = (table.spelled(&entry.key, false), table.spelled(&one_text(entry.content), false));
            out(&format!("{key},{text}\n"));
        }
    }
}

/// Merges the texts in a language into those of the existing table, and adds the rows that it lacks. Of a table with one language
/// these are its texts.
pub(super) fn merged(
    (own, columns): (&Sheet, &Columns),
    (new, from): (&Sheet, &Columns),
    language: &str,
    keys: NewKeys,
) -> Merged {
    let mut splices = Splices::default();
    let places: HashMap<&str, &SheetEntry> = own.units.iter().map(|unit| (unit.key.as_str(), unit)).collect();
    let mut said: HashMap<&str, String> = HashMap::new();
    let is_plain = matches!(from.shape, ColumnLayout::Plain { .. });
    if let Some(column) = from.in_language(language) {
        let texts = new.units.iter().map(|unit| (unit.key.as_str(), new.table.text(unit.row, column)));
        said.extend(texts.filter(|(_, text)| is_plain || !text.is_empty()).map(|(key, text)| (key, text.into_owned())));
    }
    let column = columns.in_language(language);
    match column {
        Some(column) => {
            for unit in &own.units {
                if let Some(text) = said.get(unit.key.as_str()) {
                    put_all(&mut splices, &own.table, unit, column, text);
                }
            }
        }
        None => add_column(&mut splices, own, columns, language, &|unit| said.get(unit.key.as_str()).cloned()),
    }
    let column = column.unwrap_or_else(|| own.table.width());
    let mut last = None;
    for unit in new.units.iter().filter(|_| keys == NewKeys::Come) {
        if let Some(there) = places.get(unit.key.as_str()) {
            last = Some(there.row);
            continue;
        }
        let Some(text) = said.get(unit.key.as_str()) else { continue };
        let beside = last.unwrap_or(usize::from(own.columns.has_header).saturating_sub(1));
        let at = match last {
            Some(row) => own.table.whole(row).end,
            None if own.columns.has_header => own.table.whole(0).end,
            None => 0,
        };
        let asked = new.asked(unit.row);
        let describes = own.columns.description.is_some();
        let description = new.columns.description.map(|column| new.table.text(unit.row, column)).filter(|_| describes);
        let takes_source = !matches!(columns.shape, ColumnLayout::Plain { .. }) && columns.has_header;
        let row = NewRow {
            key: &unit.key,
            source: takes_source.then_some(asked.as_ref()),
            description: description.as_deref(),
            said: Some((column, text)),
        };
        if let Some(row) = row.row(own, beside) {
            splices.insert(at, row);
        }
    }
    let kept = |unit: &&SheetEntry| {
        let has = columns.in_language(language).is_some_and(|column| {
            matches!(columns.shape, ColumnLayout::Plain { .. }) || !own.table.text(unit.row, column).is_empty()
        });
        has && !said.contains_key(unit.key.as_str())
    };
    let kept = own.units.iter().filter(kept).map(|unit| unit.key.clone()).collect();
    Merged::keeping(kept, splices.write(&own.table.source))
}
