//! A file of Fluent, and where each of its entries lies.

use std::collections::{HashMap, HashSet};

use l10n_api_types::Content;

use super::pattern::{self, PatternPlace, STEP};
use super::syntax::{self, FluentMessage, PatternValue, is_identifier};
use crate::files::error::shown;
use crate::files::spliced::{Charset, DecodedFile, Splices};
use crate::files::{Entry, ParseError, refs};

/// A file, and where each of its entries lies.
pub(in crate::files) struct FluentFile {
    pub source: DecodedFile,
    pub(super) messages: Vec<FluentMessage>,
    /// As many as the document has entries, in the same order.
    pub slots: Vec<PatternSlot>,
    /// Messages by their ids.
    pub by_id: HashMap<String, usize>,
}

/// The pattern of an entry: the value of a message, or one of its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::files) struct PatternSlot {
    pub message: usize,
    pub attribute: Option<usize>,
}

/// The id of a message and the name of its attribute, if the key is one of Fluent.
pub(super) fn parts_of(key: &str) -> Option<(&str, Option<&str>)> {
    let (id, attribute) = match key.split_once('.') {
        Some((id, attribute)) => (id, Some(attribute)),
        None => (key, None),
    };
    let is_term = id.starts_with('-');
    let is_known = is_identifier(id.strip_prefix('-').unwrap_or(id));
    let is_attribute = attribute.is_none_or(|attribute| is_identifier(attribute) && !is_term);
    (is_known && is_attribute && key.len() <= refs::LONGEST_KEY).then_some((id, attribute))
}

impl FluentFile {
    /// Reads a file: itself, its entries, and what people should know about it.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Vec<Entry>, Vec<String>), ParseError> {
        let source = DecodedFile::decode(bytes, Charset::Unicode)?;
        let (messages, junk) = syntax::read(&source.text);
        let mut file = Self { source, messages, slots: Vec::new(), by_id: HashMap::new() };
        let mut entries = Vec::new();
        let mut held = 0;
        for (at, message) in file.messages.iter().enumerate() {
            let id = file.source.get(&message.id).to_owned();
            if let Some(other) = file.by_id.insert(id.clone(), at) {
                let other = file.messages.get(other).map_or(0, |other| other.id.start);
                return Err(file.twice(&id, message.id.start, other));
            }
            let mut names: HashMap<&str, usize> = HashMap::new();
            let attributes = message.attributes.iter().enumerate().filter(|_| !message.is_term);
            let value = message.value.as_ref().map(|part| (id.clone(), None, part, message.id.start));
            let mut parts: Vec<(String, Option<usize>, &PatternValue, usize)> = value.into_iter().collect();
            for (number, attribute) in attributes {
                let name = file.source.get(&attribute.id);
                if let Some(other) = names.insert(name, attribute.id.start) {
                    return Err(file.twice(&format!("{id}.{name}"), attribute.id.start, other));
                }
                parts.push((format!("{id}.{name}"), Some(number), &attribute.part, attribute.id.start));
            }
            for (name, attribute, part, start) in parts {
                let Some(content) = pattern::content_of(&file.source.text, part) else {
                    held += 1;
                    continue;
                };
                file.check(&content, part)?;
                let key = refs::key_of(&name, false).map_err(|problem| {
                    file.error(start, format!("the key of this text, {}, {problem}", shown(&name)))
                })?;
                let description = message.comment.clone().filter(|text| !text.contains('\0'));
                entries.push(Entry { description, ..Entry::new(key, content) });
                file.slots.push(PatternSlot { message: at, attribute });
            }
        }
        let mut warnings = Vec::new();
        if let Some(first) = junk.first() {
            let line = file.error(*first, "").line;
            let count = junk.len();
            warnings.push(format!(
                "cannot be read as Fluent, and stay as they are: {count} parts, the first in line {line}"
            ));
        }
        if held > 0 {
            let message = "left out, since they choose between variants by more than the number of something";
            warnings.push(format!("{message}: {held} texts"));
        }
        Ok((file, entries, warnings))
    }

    fn error(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError::at(self.source.text.as_bytes(), at, message)
    }

    fn twice(&self, name: &str, at: usize, other: usize) -> ParseError {
        let line = self.error(other, "").line;
        let name = shown(name);
        self.error(
            at,
            format!("two texts have the key {name}: this one and the one in line {line}; take one of them out"),
        )
    }

    fn check(&self, content: &Content, part: &PatternValue) -> Result<(), ParseError> {
        let start = part.pattern.at.start;
        let raw = self.source.get(&part.pattern.at);
        if raw.contains('\0') {
            return Err(self.error(start, "the text holds the character NUL"));
        }
        if matches!(content, Content::Text(_)) && raw.bytes().all(|byte| byte == b'\t') {
            return Err(
                self.error(start, "the text is nothing but tabs, which are no blanks here: write `{ \"\" }` for none")
            );
        }
        Ok(())
    }

    /// The newline of new lines at an offset.
    pub(super) fn newline_at(&self, at: usize) -> &'static str {
        self.source.newline_at(at)
    }

    fn part(&self, slot: PatternSlot) -> Option<(&PatternValue, usize)> {
        let message = self.messages.get(slot.message)?;
        match slot.attribute {
            None => Some((message.value.as_ref()?, STEP)),
            Some(at) => message.attributes.get(at).map(|attribute| (&attribute.part, attribute.column + STEP)),
        }
    }

    /// Writes another content in place of one.
    pub(super) fn replace(&self, splices: &mut Splices, slot: PatternSlot, content: &Content) {
        let Some((part, indent)) = self.part(slot) else { return };
        let place = PatternPlace { raw: self.source.get(&part.at), indent, newline: self.newline_at(part.at.start) };
        splices.replace(part.at.clone(), place.written(content));
    }

    /// Takes entries out; messages of which nothing is left go whole, but for those in `stays`.
    pub(super) fn remove(&self, splices: &mut Splices, gone: &HashSet<PatternSlot>, stays: &HashSet<usize>) {
        let mut messages: Vec<usize> = gone.iter().map(|slot| slot.message).collect();
        messages.sort_unstable();
        messages.dedup();
        for at in messages {
            let Some(message) = self.messages.get(at) else { continue };
            let has = |attribute| !gone.contains(&PatternSlot { message: at, attribute });
            let keeps_value = message.value.is_some() && has(None);
            let keeps_attribute = (0..message.attributes.len()).any(|number| has(Some(number)));
            if !(keeps_value || stays.contains(&at) || (keeps_attribute && !message.is_term)) {
                splices.remove_lines(message.whole.clone());
                continue;
            }
            if let Some(value) = message.value.as_ref().filter(|_| !has(None)) {
                splices.replace(value.at.clone(), String::new());
            }
            for (number, attribute) in message.attributes.iter().enumerate() {
                if !has(Some(number)) {
                    splices.replace(attribute.whole.clone(), String::new());
                }
            }
        }
    }

    /// Adds a text to a message of the file: an attribute behind another one, or its value. `None` where it has that.
    pub(super) fn add(
        &self,
        splices: &mut Splices,
        (at, after): (usize, Option<usize>),
        (attribute, content): (Option<&str>, &Content),
    ) -> Option<()> {
        let message = self.messages.get(at)?;
        let newline = self.newline_at(message.id.start);
        let Some(name) = attribute else {
            if message.value.is_some() {
                return None;
            }
            let place = PatternPlace { raw: "", indent: STEP, newline };
            splices.insert(message.equals_end, place.written(content));
            return Some(());
        };
        if message.is_term || message.attributes.iter().any(|one| self.source.get(&one.id) == name) {
            return None;
        }
        let column = message.attributes.first().map_or(STEP, |one| one.column);
        let first = message.attributes.first().map_or(message.whole.end, |one| one.whole.start);
        let offset = after.and_then(|after| message.attributes.get(after)).map_or(first, |one| one.whole.end);
        splices.insert(offset, attribute_line((name, content), column, newline));
        Some(())
    }

    /// The last attribute of a message.
    pub(super) fn last_attribute(&self, message: usize) -> Option<usize> {
        self.messages.get(message)?.attributes.len().checked_sub(1)
    }
}

fn attribute_line((name, content): (&str, &Content), column: usize, newline: &str) -> String {
    let place = PatternPlace { raw: "", indent: column + STEP, newline };
    format!("{}.{name} ={}{newline}", " ".repeat(column), place.written(content))
}

/// A message that comes into a file.
#[derive(Debug, Default)]
pub(super) struct NewMessage<'a> {
    pub id: &'a str,
    pub description: Option<&'a str>,
    pub value: Option<&'a Content>,
    pub attributes: Vec<(&'a str, &'a Content)>,
}

impl<'a> NewMessage<'a> {
    /// Entries by their messages, in the order of these. `None` where one has a key that Fluent cannot have, or that is there.
    pub(super) fn all(entries: impl Iterator<Item = (&'a str, &'a Content, Option<&'a str>)>) -> Option<Vec<Self>> {
        let mut all: Vec<Self> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (key, content, description) in entries {
            let (id, attribute) = parts_of(key)?;
            let place = *places.entry(id).or_insert_with(|| {
                all.push(Self { id, ..Self::default() });
                all.len() - 1
            });
            let message = all.get_mut(place)?;
            message.description = message.description.or(description);
            match attribute {
                None if message.value.is_some() => return None,
                None => message.value = Some(content),
                Some(name) if message.attributes.iter().any(|(one, _)| *one == name) => return None,
                Some(name) => message.attributes.push((name, content)),
            }
        }
        Some(all)
    }

    /// Its lines.
    pub(super) fn written(&self, newline: &str) -> String {
        let mut out = String::new();
        for line in self.description.into_iter().flat_map(str::lines) {
            out.push_str(format!("# {line}").trim_end());
            out.push_str(newline);
        }
        out.push_str(&format!("{} =", self.id));
        if let Some(content) = self.value {
            out.push_str(&PatternPlace { raw: "", indent: STEP, newline }.written(content));
        }
        out.push_str(newline);
        for attribute in &self.attributes {
            out.push_str(&attribute_line(*attribute, STEP, newline));
        }
        out
    }
}
