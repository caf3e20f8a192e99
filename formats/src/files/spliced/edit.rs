//! Single changes of the texts of a file.

use std::collections::{HashMap, HashSet};
use std::fmt;

use l10n_api_types::Content;

use super::additions::{Additions, Item};
use super::grammar::{Grammar, ReplacedValue};
use super::insert::{Index, Insertion, skeleton_of};
use super::splices::Splices;
use super::{Skeleton, Spliced};
use crate::files::{EditError, Edited, Editor, LocalizationFile, refs};

/// The place that holds a key.
#[derive(Debug, Clone, Copy)]
enum Slot {
    /// An entry of the file.
    Place(usize),
    /// One that was added.
    Added(usize),
}

/// An entry that comes into the file.
#[derive(Clone)]
struct Added {
    key: String,
    text: String,
    description: Option<String>,
}

/// A file whose texts are changed one by one.
pub(super) struct SplicedEditor<'g, G> {
    format: &'g Spliced<G>,
    document: LocalizationFile,
    index: Index,
    slots: HashMap<String, Slot>,
    /// New texts, by place.
    said: HashMap<usize, String>,
    /// New names within the group, as the file writes them, by place.
    named: HashMap<usize, String>,
    gone: HashSet<usize>,
    /// Names of entries that are gone but for their name, since others refer to them.
    emptied: HashSet<String>,
    /// `None` for those that went again.
    added: Vec<Option<Added>>,
}

impl<G> fmt::Debug for SplicedEditor<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplicedEditor").field("texts", &self.slots.len()).finish_non_exhaustive()
    }
}

impl<'g, G: Grammar> SplicedEditor<'g, G> {
    pub(super) fn read(format: &'g Spliced<G>, bytes: &[u8]) -> Result<Self, EditError> {
        let document = format.document(bytes).map_err(EditError::Unreadable)?;
        let slots =
            document.entries.iter().enumerate().map(|(at, entry)| (entry.key.clone(), Slot::Place(at))).collect();
        let index = Index::of(skeleton_of(&document).ok_or(EditError::NoObject)?);
        let (said, named) = (HashMap::new(), HashMap::new());
        let (gone, emptied) = (HashSet::new(), HashSet::new());
        Ok(Self { format, document, index, slots, said, named, gone, emptied, added: Vec::new() })
    }

    fn skeleton(&self) -> Result<&Skeleton, EditError> {
        skeleton_of(&self.document).ok_or(EditError::NoObject)
    }

    /// The text of a key; `None` for a plural.
    fn says(&self, slot: Slot) -> Option<&str> {
        match slot {
            Slot::Added(at) => self.added.get(at)?.as_ref().map(|added| added.text.as_str()),
            Slot::Place(at) => match (self.said.get(&at), &self.document.entries.get(at)?.content) {
                (Some(text), _) | (None, Content::Text(text)) => Some(text),
                (None, Content::Plural(_)) => None,
            },
        }
    }

    /// A key that is added, once it is known that it can be written.
    fn added(&mut self, new: Added) -> Result<(), EditError> {
        let skeleton = self.skeleton()?;
        let insertion = Insertion { format: self.format, skeleton, index: &self.index };
        let mut splices = Splices::default();
        let is_written = if skeleton.nest.is_some() {
            let mut additions = Additions::default();
            let added = self.nested(&insertion, &mut additions, &new);
            added.and_then(|_| additions.write(&mut splices, &insertion, true))
        } else {
            self.insert(&insertion, &mut splices, &new)
        };
        is_written.ok_or_else(|| EditError::Unwritable(new.key.clone()))?;
        self.slots.insert(new.key.clone(), Slot::Added(self.added.len()));
        self.added.push(Some(new));
        Ok(())
    }

    fn insert(&self, insertion: &Insertion<'_, G>, splices: &mut Splices, new: &Added) -> Option<()> {
        let name = refs::name_of(&new.key, self.format.0.names_are_texts());
        let group = self.index.group_for(&name)?;
        let content = Content::Text(new.text.clone());
        insertion.add(splices, (group, insertion.end(group)?), (&name, &content, new.description.as_deref()))
    }

    /// Adds an entry where groups lie inside each other; gives the group of the file to which it comes.
    fn nested(&self, insertion: &Insertion<'_, G>, additions: &mut Additions, new: &Added) -> Option<usize> {
        let name = refs::name_of(&new.key, self.format.0.names_are_texts());
        let group = self.index.group_for(&name)?;
        let content = Content::Text(new.text.clone());
        let item = Item::Text(&content, new.description.as_deref());
        let way = self.format.way(&name)?;
        let is_text = self.format.0.names_are_texts();
        if self.emptied.contains(&name) {
            return None;
        }
        let leaves = |name: &str| {
            self.emptied.contains(name) || refs::key_of(name, is_text).is_ok_and(|key| self.slots.contains_key(&key))
        };
        additions.add(insertion, (group, insertion.end(group)?), (&way, item), &leaves)?;
        Some(group)
    }

    /// The new name of an entry, as the file writes it, where the entry can stay.
    fn name_in_place(&self, at: usize, to: &str) -> Option<String> {
        let skeleton = self.skeleton().ok()?;
        let place = skeleton.places.get(at)?;
        let name = refs::name_of(to, self.format.0.names_are_texts());
        let rest = name.strip_prefix(skeleton.groups.get(place.group)?.prefix.as_str())?;
        let is_of_tables = skeleton.is_of_tables(place.group);
        let goes_elsewhere = !is_of_tables && self.index.group_for(&name) != Some(place.group);
        let raw = skeleton.source.get(&place.name_at);
        let spelling = place.values.first()?.spelling;
        let written = ReplacedValue { raw, spelling, file: skeleton.style_at(place.name_at.start) };
        let is_taken = skeleton.nest.as_ref().is_some_and(|nest| {
            nest.taken.contains(&name)
                || nest.vacant.contains_key(&name)
                || self.index.group(&format!("{name}.")).is_some()
        });
        if goes_elsewhere || is_taken || skeleton.is_taken(&name) {
            None
        } else {
            self.format.0.spell_name(rest, &written)
        }
    }

    fn is_in_list(&self, at: usize) -> bool {
        self.skeleton().is_ok_and(|skeleton| skeleton.places.get(at).is_some_and(|place| place.list.is_some()))
    }
}

impl<G: Grammar> Editor for SplicedEditor<'_, G> {
    fn bytes(&self) -> Vec<u8> {
        let Ok(skeleton) = self.skeleton() else { return Vec::new() };
        let mut splices = Splices::default();
        for (at, place) in skeleton.places.iter().enumerate() {
            if self.gone.contains(&at) {
                splices.remove_lines(place.whole.clone());
                continue;
            }
            if let Some(name) = self.named.get(&at) {
                splices.replace(place.name_at.clone(), name.clone());
            }
            if let Some(text) = self.said.get(&at) {
                self.format.write(&mut splices, skeleton, place, &Content::Text(text.clone()));
            }
        }
        let insertion = Insertion { format: self.format, skeleton, index: &self.index };
        if let Some(nest) = &skeleton.nest {
            let mut additions = Additions::default();
            let added = self.added.iter().flatten().filter_map(|new| self.nested(&insertion, &mut additions, new));
            let stays: HashSet<usize> = added.collect();
            let places = skeleton.places.iter().enumerate();
            for group in nest.emptied(places.map(|(at, place)| (place.group, self.gone.contains(&at))), &stays) {
                splices.remove_lines(group);
            }
            let _ = additions.write(&mut splices, &insertion, true);
            return splices.write(&skeleton.source);
        }
        for new in self.added.iter().flatten() {
            let _ = self.insert(&insertion, &mut splices, new);
        }
        splices.write(&skeleton.source)
    }

    fn has(&mut self, key: &str) -> bool {
        self.slots.contains_key(key)
    }

    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError> {
        let slot = *self.slots.get(key).ok_or_else(|| EditError::Unknown(key.to_owned()))?;
        match self.says(slot) {
            None => return Err(EditError::Plural(key.to_owned())),
            Some(says) if says == to => return Ok(Edited::There),
            Some(says) if says != from => return Err(EditError::Differs(says.to_owned())),
            Some(_) => {}
        }
        match slot {
            Slot::Place(at) => {
                self.said.insert(at, to.to_owned());
            }
            Slot::Added(at) => {
                if let Some(Some(added)) = self.added.get_mut(at) {
                    added.text = to.to_owned();
                }
            }
        }
        Ok(Edited::Written)
    }

    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        match self.slots.get(key) {
            None => return Ok(Edited::There),
            Some(Slot::Place(at)) if self.is_in_list(*at) => return Err(EditError::InList(key.to_owned())),
            Some(Slot::Place(at)) => {
                let at = *at;
                self.gone.insert(at);
                let place = self.skeleton()?.places.get(at);
                let kept =
                    place.filter(|place| place.whole.start > place.name_at.start).map(|place| place.name.clone());
                self.emptied.extend(kept);
            }
            Some(Slot::Added(at)) => {
                if let Some(added) = self.added.get_mut(*at) {
                    *added = None;
                }
            }
        }
        self.slots.remove(key);
        Ok(Edited::Written)
    }

    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        if let Some(slot) = self.slots.get(key) {
            return match self.says(*slot) {
                Some(says) if says == text => Ok(Edited::There),
                Some(says) => Err(EditError::Taken(says.to_owned())),
                None => Err(EditError::Plural(key.to_owned())),
            };
        }
        self.added(Added { key: key.to_owned(), text: text.to_owned(), description: None })?;
        Ok(Edited::Written)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        let slot = match (self.slots.get(from), self.slots.contains_key(to)) {
            (Some(_), true) => return Err(EditError::BothNames),
            (None, true) => return Ok(Edited::There),
            (None, false) => return Err(EditError::Unknown(from.to_owned())),
            (Some(slot), false) => *slot,
        };
        let place = match slot {
            Slot::Added(_) => None,
            Slot::Place(at) if self.is_in_list(at) => return Err(EditError::InList(from.to_owned())),
            Slot::Place(at) => Some((at, self.name_in_place(at, to))),
        };
        if let Some((at, Some(name))) = place {
            self.named.insert(at, name);
            self.slots.remove(from);
            self.slots.insert(to.to_owned(), slot);
            return Ok(Edited::Written);
        }
        let text = self.says(slot).ok_or_else(|| EditError::Plural(from.to_owned()))?.to_owned();
        let description = place.and_then(|(at, _)| self.document.entries.get(at)?.description.clone());
        self.added(Added { key: to.to_owned(), text, description })?;
        self.remove(from)?;
        Ok(Edited::Written)
    }
}
