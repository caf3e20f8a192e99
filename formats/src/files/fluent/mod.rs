//! Format `fluent`: Project Fluent (`.ftl`).
//!
//! - **Keys** are the ids of messages, `message.attribute`, and `-term`. Attributes of terms, which only their own language
//!   has, are not offered.
//! - **Texts** are patterns without their indentation. A value that is one choice by a number is a plural, exact numbers
//!   included; where another category than `other` is the default, it stands for `other`, too. Other choices are not offered, and
//!   stay as they are.
//! - **Rendering** writes a text of several lines below its name, and a plural with the categories of the language, `other` as
//!   the default. What Fluent would take away or read otherwise stands in `{" "}`. Junk and comments stay.

mod editor;
mod expressions;
mod file;
mod merge;
mod pattern;
mod syntax;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use l10n_api_types::FormatId;

use self::editor::FluentEditor;
pub(super) use self::file::FluentFile;
use self::file::{NewMessage, parts_of};
use super::plural::Needed;
use super::spliced::Splices;
use super::{
    EditError, Editor, Entry, Fit, Format, Habits, Layout, LocalizationFile, Merged, ParseError, TranslationLookup,
};

/// Format `fluent`.
pub(super) struct Fluent;

impl FluentFile {
    /// The file's text, and the place of each entry in it.
    pub(super) fn places(&self) -> (&[u8], Vec<Option<usize>>) {
        let place = |slot: &file::PatternSlot| {
            let message = self.messages.get(slot.message)?;
            let attribute = slot.attribute.and_then(|at| message.attributes.get(at));
            Some(attribute.map_or(message.id.start, |attribute| attribute.id.start))
        };
        (self.source.text.as_bytes(), self.slots.iter().map(place).collect())
    }
}

fn file_of(document: &LocalizationFile) -> Option<&FluentFile> {
    match &document.layout {
        Layout::Fluent(file) => Some(file),
        _ => None,
    }
}

fn unreadable(error: &ParseError) -> String {
    format!("the file cannot be read: {error}")
}

impl Format for Fluent {
    fn id(&self) -> FormatId {
        FormatId::Fluent
    }

    fn name(&self) -> &'static str {
        "Fluent"
    }

    fn habits(&self) -> Habits {
        Habits { anywhere: true, ..Habits::PLAIN }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ftl"]
    }

    fn plurals(&self) -> &'static str {
        "selector"
    }

    fn placeholders(&self) -> &'static str {
        "fluent"
    }

    /// Templates of FreeMarker have the same extension, and begin with a tag most often.
    fn fit(&self, bytes: &[u8]) -> Fit {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        if start.starts_with(b"<") { Fit::No } else { Fit::Plain }
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let (file, entries, warnings) = FluentFile::read(bytes)?;
        Ok(LocalizationFile { entries, language: None, warnings, layout: Layout::Fluent(Box::new(file)) })
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        let Some(file) = file_of(skeleton) else { return Vec::new() };
        let needed = Needed::of(language);
        let mut splices = Splices::default();
        let mut gone = HashSet::new();
        for (entry, slot) in skeleton.entries.iter().zip(&file.slots) {
            match translated(&entry.key) {
                Some(content) if content == entry.content => {}
                Some(content) => file.replace(&mut splices, *slot, &pattern::complete(content, &needed)),
                None => {
                    gone.insert(*slot);
                }
            }
        }
        file.remove(&mut splices, &gone, &HashSet::new());
        splices.write(&file.source)
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        let file = file_of(skeleton)?;
        let entries = added.iter().map(|entry| (entry.key.as_str(), &entry.content, entry.description.as_deref()));
        let mut splices = Splices::default();
        merge::extended(&mut splices, file, &NewMessage::all(entries)?)?;
        Some(splices.write(&file.source))
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        let (file, entries, _) = FluentFile::read(own).map_err(|error| unreadable(&error))?;
        // The server wrote the published file. If it is not readable, it is used unchanged.
        let Ok((new, new_entries, _)) = FluentFile::read(published) else {
            return Ok(Merged::published(published));
        };
        Ok(merge::merged((&file, &entries), (&new, &new_entries)))
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        let (_, entries, _) = FluentFile::read(bytes).map_err(|error| unreadable(&error))?;
        Ok(entries.into_iter().map(|entry| entry.key).collect())
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        let (file, entries, _) = FluentFile::read(bytes).map_err(EditError::Unreadable)?;
        Ok(Box::new(FluentEditor::new(file, entries)))
    }

    /// Entries whose keys Fluent cannot have are left out.
    fn render_new(&self, _language: &str, entries: &[Entry]) -> Vec<u8> {
        let mut seen = HashSet::new();
        let writable = entries.iter().filter(|entry| parts_of(&entry.key).is_some() && seen.insert(&entry.key));
        let writable = writable.map(|entry| (entry.key.as_str(), &entry.content, entry.description.as_deref()));
        let messages = NewMessage::all(writable).unwrap_or_default();
        messages.iter().map(|message| message.written("\n")).collect::<String>().into_bytes()
    }
}
