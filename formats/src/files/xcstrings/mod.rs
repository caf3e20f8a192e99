//! Format `xcstrings`: string catalogues of Xcode, which hold all languages.
//!
//! - **Keys** are texts. Where the language of the source has no text of its own, the key is the text.
//! - **Parts.** A key whose text varies by device or width, or has numbers of its own, is several entries. Their keys are those
//!   that Xcode exports: `KEY|==|device.iphone`, `KEY|==|device.iphone.width.20`, `KEY|==|substitutions.count`. They come and go
//!   together. Plurals are plurals, also those of a device. A key that varies in another way, such as a plural whose categories
//!   vary in turn, stays as it is, with a warning.
//! - **States.** `new` is no translation, and `needs_review` and `stale` are drafts; they stay until there is one. What is
//!   written gets the state `translated`.
//! - **Not offered** are keys with `shouldTranslate` false, and those that the code lost (`extractionState` stale).
//! - **Writing** replaces values alone. A language goes to its place in the alphabet; keys are not sorted again. New objects are
//!   written as Xcode does, or as the file is. A language that has one text where the source has several gets all of them anew;
//!   one that has several where the source has one stays as it is.
//! - **Changes of the source** set texts, and add keys that are marked as made by hand (`extractionState` manual). Only such keys
//!   get other names or go: the others stand in the code.

mod catalog;
mod editor;
mod localized;
mod merge;
mod new_keys;
mod nodes;
mod style;
#[cfg(test)]
mod tests;
mod write;

use l10n_api_types::FormatId;

use self::editor::CatalogEditor;
use self::merge::merged;
use self::new_keys::{extended, rendered_new};
use self::write::{MissingPolicy, with_language};
use super::in_turn::in_turn;
use super::json::MEDIA_TYPE;
use super::{
    EditError, Editor, Entry, FileKind, Fit, Format, Habits, Layout, LocalizationFile, Merged, NewKeys, ParseError,
    TranslationLookup,
};
use crate::locales::is_same_tag;

pub(super) use self::catalog::Catalog;

/// Format `xcstrings`.
pub(super) struct Xcstrings;

impl Xcstrings {
    fn document(bytes: &[u8], entries: impl Fn(&Catalog) -> Vec<Entry>) -> Result<LocalizationFile, ParseError> {
        let catalog = Catalog::read(bytes)?;
        let mut warnings = catalog.tree.warnings();
        if catalog.odd > 0 {
            let (odd, keys) = (catalog.odd, if catalog.odd == 1 { "key" } else { "keys" });
            warnings
                .push(format!("{odd} {keys} left as found: the texts vary by more than devices, widths and amounts"));
        }
        Ok(LocalizationFile {
            entries: entries(&catalog),
            language: Some(catalog.source_language.clone()),
            warnings,
            layout: Layout::Xcstrings(Box::new(catalog)),
        })
    }
}

fn catalog_of(document: &LocalizationFile) -> Option<&Catalog> {
    match &document.layout {
        Layout::Xcstrings(catalog) => Some(catalog),
        _ => None,
    }
}

fn read(bytes: &[u8]) -> Result<Catalog, String> {
    Catalog::read(bytes).map_err(|error| format!("the file cannot be read: {error}"))
}

impl Format for Xcstrings {
    fn id(&self) -> FormatId {
        FormatId::Xcstrings
    }

    fn name(&self) -> &'static str {
        "String catalogue (Xcode)"
    }

    fn media_type(&self) -> &'static str {
        MEDIA_TYPE
    }

    fn kind(&self) -> FileKind {
        FileKind::Multilingual
    }

    fn habits(&self) -> Habits {
        Habits::ANYWHERE
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xcstrings"]
    }

    fn plurals(&self) -> &'static str {
        "key"
    }

    fn placeholders(&self) -> &'static str {
        "printf"
    }

    fn fit(&self, _bytes: &[u8]) -> Fit {
        Fit::Plain
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        Self::document(bytes, Catalog::asks)
    }

    fn translations(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        Self::document(bytes, |catalog| catalog.entries_in(language))
    }

    fn imports(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        Self::document(bytes, |catalog| {
            let is_source = is_same_tag(language, &catalog.source_language);
            if is_source { catalog.entries_in(language) } else { catalog.drafts_in(language) }
        })
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        self.put_language(skeleton, language, translated).unwrap_or_default()
    }

    fn put_language(
        &self,
        file: &LocalizationFile,
        language: &str,
        translated: &TranslationLookup<'_>,
    ) -> Option<Vec<u8>> {
        let catalog = catalog_of(file)?;
        Some(with_language(catalog, language, translated, MissingPolicy::Remove).write(&catalog.tree))
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        extended(catalog_of(skeleton)?, added)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        let languages = Catalog::read(published).map(|new| {
            let mut languages = new.languages();
            languages.push(new.source_language);
            languages
        });
        let languages = languages.unwrap_or_default();
        merged_in(own, published, &languages.iter().map(String::as_str).collect::<Vec<_>>(), NewKeys::Come)
    }

    fn merge_languages(&self, own: &[u8], published: &[u8], languages: &[&str]) -> Result<Merged, String> {
        merged_in(own, published, languages, NewKeys::StayOut)
    }

    fn languages(&self, document: &LocalizationFile) -> Vec<String> {
        catalog_of(document).map(Catalog::languages).unwrap_or_default()
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        Ok(read(bytes)?.keys_with_texts())
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        Ok(Box::new(CatalogEditor::new(Catalog::read(bytes).map_err(EditError::Unreadable)?)))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        rendered_new(language, entries)
    }
}

/// Merges some languages of a published catalogue into the existing one.
fn merged_in(own: &[u8], published: &[u8], languages: &[&str], keys: NewKeys) -> Result<Merged, String> {
    let catalog = read(own)?;
    // The server wrote the published file. If it is not readable, it is used unchanged.
    let Ok(new) = Catalog::read(published) else {
        return Ok(Merged::published(published));
    };
    let units = |catalog: &Catalog| catalog.units.iter().map(|unit| unit.key.clone()).collect();
    in_turn((own, catalog), languages, (read, units), |catalog, language| Ok(merged(catalog, &new, language, keys)))
}
