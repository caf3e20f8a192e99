//! Format `csv`: tables of texts, with commas, semicolons, tabs or `|` between their fields, as the first row has them.
//!
//! - **Columns** are found by their names in the first row, whatever their case:
//!   - `key` (or `id`) and `text`, or `key` and one language: a file for each language;
//!   - `source` and `target`, or two columns without names, as Magento has them: source and translation side by side;
//!   - `key` and several languages, as Godot has them, or `source` and languages: all languages in one file. The first one is
//!     the source.
//!
//!   Beside them `context`, `comment` (or `description`) and `maxlength`. Other columns stay as they are.
//! - **Keys** are those of the key column. Where there is none, or a row of `source` and `target` has none, the text of the
//!   source is the key, behind `context␄` where it has one.
//! - **Quotes** stay: a field is quoted if it was or has to be. Nothing comes before `=`, `+`, `-` or `@`.
//! - **Empty fields** of a translation are missing. What has no translation keeps its row where the source stands in it, but in
//!   a table without names, whose programs would show the empty text.
//! - **Rows** without a key stay. Two rows of one key are refused unless they say the same, as in some real files.
//! - There are no plurals.

mod columns;
mod editor;
mod sheet;
mod table;
#[cfg(test)]
mod tests;
mod write;

use l10n_api_types::FormatId;

use self::columns::{ColumnLayout, Columns};
use self::editor::TableEditor;
use self::write::{extended, merged, rendered, rendered_new, with_language};
use super::in_turn::in_turn;
use super::plural::one_text;
use crate::template::{Template, TemplateError};

use super::{
    EditError, Editor, Entry, FileKind, Fit, Format, Layout, LocalizationFile, Merged, NewKeys, ParseError,
    TranslationLookup,
};

pub(super) use self::sheet::Sheet;

/// The message about tables that cannot be merged.
const OTHER_COLUMNS: &str =
    "one of the tables has a column for each language, and the other one does not say its language";

/// Format `csv`.
pub(super) struct Csv;

impl Csv {
    fn document(bytes: &[u8], entries: impl Fn(&Sheet) -> Vec<Entry>) -> Result<LocalizationFile, ParseError> {
        let mut sheet = Sheet::read(bytes)?;
        Ok(LocalizationFile {
            entries: entries(&sheet),
            language: sheet.columns.language().map(str::to_owned),
            warnings: std::mem::take(&mut sheet.warnings),
            layout: Layout::Csv(Box::new(sheet)),
        })
    }
}

fn sheet_of(document: &LocalizationFile) -> Option<&Sheet> {
    match &document.layout {
        Layout::Csv(sheet) => Some(sheet),
        _ => None,
    }
}

fn read(bytes: &[u8]) -> Result<Sheet, String> {
    Sheet::read(bytes).map_err(|error| format!("the file cannot be read: {error}"))
}

impl Format for Csv {
    fn id(&self) -> FormatId {
        FormatId::Csv
    }

    fn name(&self) -> &'static str {
        "CSV"
    }

    fn media_type(&self) -> &'static str {
        "text/csv"
    }

    fn kind_of(&self, document: &LocalizationFile) -> FileKind {
        match sheet_of(document).map(|sheet| &sheet.columns.shape) {
            Some(ColumnLayout::Pairs { .. }) => FileKind::Bilingual,
            Some(ColumnLayout::Languages { .. }) => FileKind::Multilingual,
            Some(ColumnLayout::Plain { .. }) | None => FileKind::Monolingual,
        }
    }

    fn template(&self, path: &str) -> Result<Template, TemplateError> {
        match Template::parse(path) {
            Err(TemplateError::NoLanguage) => Template::parse_for_all_languages(path),
            read => read,
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv", "tsv"]
    }

    fn plurals(&self) -> &'static str {
        "none"
    }

    fn placeholders(&self) -> &'static str {
        "printf"
    }

    fn fit(&self, _bytes: &[u8]) -> Fit {
        Fit::Plain
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        Self::document(bytes, Sheet::asks)
    }

    fn translations(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        Self::document(bytes, |sheet| sheet.says(language))
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        sheet_of(skeleton).map(|sheet| rendered(sheet, &skeleton.entries, language, translated)).unwrap_or_default()
    }

    fn put_language(
        &self,
        file: &LocalizationFile,
        language: &str,
        translated: &TranslationLookup<'_>,
    ) -> Option<Vec<u8>> {
        let Layout::Csv(sheet) = &file.layout else { return None };
        let columns = sheet.columns.for_languages()?;
        Some(with_language(sheet, &columns, language, &|unit| translated(&unit.key).map(one_text)))
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        extended(sheet_of(skeleton)?, added)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        let sheet = read(own)?;
        let Some(new) = Sheet::read(published).ok().filter(|_| !sheet.table.rows.is_empty()) else {
            // The server wrote the published file. If it is not readable, it is used unchanged.
            return Ok(Merged::published(published));
        };
        let languages: Vec<&str> = match (&sheet.columns.shape, &new.columns.shape) {
            (_, ColumnLayout::Languages { languages, .. }) => languages.iter().map(|(_, name)| name.as_str()).collect(),
            (ColumnLayout::Languages { .. }, ColumnLayout::Plain { language: Some(language), .. }) => vec![language],
            (ColumnLayout::Languages { .. }, _) => return Err(OTHER_COLUMNS.to_owned()),
            _ => return Ok(merged((&sheet, &sheet.columns), (&new, &new.columns), "", NewKeys::Come)),
        };
        merged_in((own, &new), &languages, NewKeys::Come)
    }

    fn merge_languages(&self, own: &[u8], published: &[u8], languages: &[&str]) -> Result<Merged, String> {
        match Sheet::read(published) {
            Ok(new) if read(own)?.columns.for_languages().is_some() => {
                merged_in((own, &new), languages, NewKeys::StayOut)
            }
            _ => self.merge(own, published),
        }
    }

    fn languages(&self, document: &LocalizationFile) -> Vec<String> {
        match sheet_of(document).map(|sheet| &sheet.columns) {
            Some(columns @ Columns { shape: ColumnLayout::Languages { languages, .. }, .. }) => {
                let others = languages.iter().filter(|(column, _)| *column != columns.source());
                others.map(|(_, language)| language.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        Ok(read(bytes)?.keys_with_texts())
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        Ok(Box::new(TableEditor::new(Sheet::read(bytes).map_err(EditError::Unreadable)?)))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        let mut out = Vec::new();
        rendered_new(language, &mut entries.iter().cloned(), &mut |line| out.extend_from_slice(line.as_bytes()));
        out
    }
}

/// Merges some languages of a published table into the existing one.
fn merged_in((own, new): (&[u8], &Sheet), languages: &[&str], keys: NewKeys) -> Result<Merged, String> {
    let sheet = read(own)?;
    let (Some(_), Some(from)) = (sheet.columns.for_languages(), new.columns.for_languages()) else {
        return Err(OTHER_COLUMNS.to_owned());
    };
    let units = |sheet: &Sheet| sheet.units.iter().map(|unit| unit.key.clone()).collect();
    in_turn((own, sheet), languages, (read, units), |sheet, language| {
        let columns = sheet.columns.for_languages().ok_or_else(|| OTHER_COLUMNS.to_owned())?;
        Ok(merged((sheet, &columns), (new, &from), language, keys))
    })
}
