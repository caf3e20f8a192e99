//! Single changes of the texts of a file.

use std::collections::{HashMap, HashSet};
use std::fmt;

use l10n_api_types::Content;

use super::file::{FluentFile, NewMessage, PatternSlot, parts_of};
use super::merge::extended;
use crate::files::spliced::Splices;
use crate::files::{EditError, Edited, Editor, Entry};

/// The place that holds a key.
#[derive(Debug, Clone, Copy)]
enum KeySlot {
    /// The entry of the file at this index.
    File(usize),
    /// One that was added.
    Added(usize),
}

/// A file whose texts are changed one by one.
pub(super) struct FluentEditor {
    file: FluentFile,
    entries: Vec<Entry>,
    bearers: HashMap<String, KeySlot>,
    /// New texts by the index of their entries.
    said: HashMap<usize, Content>,
    /// New names, of a message or an attribute.
    named: HashMap<PatternSlot, String>,
    /// The new ids of messages.
    ids: HashSet<String>,
    /// Messages with an attribute that has a new name.
    renamed: HashSet<usize>,
    gone: HashSet<PatternSlot>,
    /// The ids of messages to which texts were added.
    coming: HashSet<String>,
    /// `None` for those that went again.
    added: Vec<Option<(String, Content)>>,
}

impl fmt::Debug for FluentEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FluentEditor").field("texts", &self.bearers.len()).finish_non_exhaustive()
    }
}

impl FluentEditor {
    pub(super) fn new(file: FluentFile, entries: Vec<Entry>) -> Self {
        let bearers = entries.iter().enumerate().map(|(at, entry)| (entry.key.clone(), KeySlot::File(at))).collect();
        let (said, named, gone, added) = (HashMap::new(), HashMap::new(), HashSet::new(), Vec::new());
        let (ids, renamed) = (HashSet::new(), HashSet::new());
        Self { file, entries, bearers, said, named, ids, renamed, gone, coming: HashSet::new(), added }
    }

    fn content(&self, bearer: KeySlot) -> Option<&Content> {
        match bearer {
            KeySlot::File(at) => self.said.get(&at).or_else(|| Some(&self.entries.get(at)?.content)),
            KeySlot::Added(at) => self.added.get(at)?.as_ref().map(|(_, content)| content),
        }
    }

    fn text(&self, key: &str, bearer: KeySlot) -> Result<&str, EditError> {
        match self.content(bearer) {
            Some(Content::Text(text)) => Ok(text),
            Some(Content::Plural(_)) => Err(EditError::Plural(key.to_owned())),
            None => Err(EditError::Unknown(key.to_owned())),
        }
    }

    /// Returns true if a message has a name that the file does not show yet.
    fn is_renamed(&self, id: &str) -> bool {
        let slot = self.file.by_id.get(id).map(|message| PatternSlot { message: *message, attribute: None });
        self.ids.contains(id) || slot.is_some_and(|slot| self.named.contains_key(&slot))
    }

    /// Adds a key, once it is known that it can be written.
    fn bear(&mut self, key: &str, content: Content) -> Result<(), EditError> {
        let unwritable = || EditError::Unwritable(key.to_owned());
        let (id, attribute) = parts_of(key).ok_or_else(unwritable)?;
        if self.is_renamed(id) {
            return Err(unwritable());
        }
        if let Some(message) = self.file.by_id.get(id).and_then(|at| self.file.messages.get(*at)) {
            let has = match attribute {
                None => message.value.is_some(),
                Some(name) => {
                    message.is_term || message.attributes.iter().any(|one| self.file.source.get(&one.id) == name)
                }
            };
            if has || self.file.by_id.get(id).is_some_and(|message| self.renamed.contains(message)) {
                return Err(unwritable());
            }
        }
        self.coming.insert(id.to_owned());
        self.bearers.insert(key.to_owned(), KeySlot::Added(self.added.len()));
        self.added.push(Some((key.to_owned(), content)));
        Ok(())
    }

    /// The new name of an entry in its place, where it can stay there.
    fn name_in_place(&self, slot: PatternSlot, to: &str) -> Option<String> {
        let message = self.file.messages.get(slot.message)?;
        let (id, attribute) = parts_of(to)?;
        match (slot.attribute, attribute) {
            (None, None) => {
                let is_alone = message.attributes.is_empty() && id.starts_with('-') == message.is_term;
                let is_taken = self.file.by_id.contains_key(id) || self.is_renamed(id);
                let comes = self.coming.contains(id);
                (is_alone && !is_taken && !comes).then(|| id.to_owned())
            }
            (Some(_), Some(name)) if self.file.source.get(&message.id) == id => {
                let has = message.attributes.iter().any(|one| self.file.source.get(&one.id) == name);
                (!has).then(|| name.to_owned())
            }
            _ => None,
        }
    }
}

impl Editor for FluentEditor {
    fn bytes(&self) -> Vec<u8> {
        let mut splices = Splices::default();
        let added = self.added.iter().flatten().map(|(key, content)| (key.as_str(), content, None));
        let added = NewMessage::all(added).unwrap_or_default();
        let stays: HashSet<usize> = added.iter().filter_map(|new| self.file.by_id.get(new.id).copied()).collect();
        self.file.remove(&mut splices, &self.gone, &stays);
        for (slot, name) in &self.named {
            let Some(message) = self.file.messages.get(slot.message).filter(|_| !self.gone.contains(slot)) else {
                continue;
            };
            let id = slot.attribute.and_then(|at| message.attributes.get(at)).map_or(&message.id, |one| &one.id);
            splices.replace(id.clone(), name.clone());
        }
        for (at, content) in &self.said {
            if let Some(slot) = self.file.slots.get(*at).filter(|slot| !self.gone.contains(*slot)) {
                self.file.replace(&mut splices, *slot, content);
            }
        }
        let _ = extended(&mut splices, &self.file, &added);
        splices.write(&self.file.source)
    }

    fn has(&mut self, key: &str) -> bool {
        self.bearers.contains_key(key)
    }

    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError> {
        let bearer = *self.bearers.get(key).ok_or_else(|| EditError::Unknown(key.to_owned()))?;
        match self.text(key, bearer)? {
            says if says == to => return Ok(Edited::There),
            says if says != from => return Err(EditError::Differs(says.to_owned())),
            _ => {}
        }
        let content = Content::Text(to.to_owned());
        match bearer {
            KeySlot::File(at) => {
                self.said.insert(at, content);
            }
            KeySlot::Added(at) => {
                if let Some(Some(added)) = self.added.get_mut(at) {
                    added.1 = content;
                }
            }
        }
        Ok(Edited::Written)
    }

    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        match self.bearers.remove(key) {
            None => return Ok(Edited::There),
            Some(KeySlot::File(at)) => self.gone.extend(self.file.slots.get(at).copied()),
            Some(KeySlot::Added(at)) => {
                if let Some(added) = self.added.get_mut(at) {
                    *added = None;
                }
            }
        }
        Ok(Edited::Written)
    }

    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        if let Some(bearer) = self.bearers.get(key).copied() {
            return match self.text(key, bearer)? {
                says if says == text => Ok(Edited::There),
                says => Err(EditError::Taken(says.to_owned())),
            };
        }
        self.bear(key, Content::Text(text.to_owned()))?;
        Ok(Edited::Written)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        let bearer = match (self.bearers.get(from), self.bearers.contains_key(to)) {
            (Some(_), true) => return Err(EditError::BothNames),
            (None, true) => return Ok(Edited::There),
            (None, false) => return Err(EditError::Unknown(from.to_owned())),
            (Some(bearer), false) => *bearer,
        };
        let slot = match bearer {
            KeySlot::File(at) => self.file.slots.get(at).copied(),
            KeySlot::Added(_) => None,
        };
        if let Some((slot, name)) = slot.and_then(|slot| Some((slot, self.name_in_place(slot, to)?))) {
            match slot.attribute {
                None => self.ids.insert(name.clone()),
                Some(_) => self.renamed.insert(slot.message),
            };
            self.named.insert(slot, name);
            self.bearers.remove(from);
            self.bearers.insert(to.to_owned(), bearer);
            return Ok(Edited::Written);
        }
        let content = self.content(bearer).cloned().ok_or_else(|| EditError::Unknown(from.to_owned()))?;
        self.bear(to, content)?;
        self.remove(from)?;
        Ok(Edited::Written)
    }
}
