//! Single changes of the source texts of a catalogue.

use std::collections::{HashMap, HashSet};
use std::fmt;

use l10n_api_types::Content;

use super::catalog::{Catalog, CatalogEntry};
use super::localized::KeyPart;
use super::new_keys::{by_hand, fresh};
use super::write::{MissingPolicy, Writer, keep_strings};
use crate::files::changes::Changes;
use crate::files::{EditError, Edited, Editor, refs};

/// A catalogue whose source texts are changed one by one.
pub(super) struct CatalogEditor {
    catalog: Catalog,
    changes: Changes,
    /// The objects of the file's keys, by name.
    names: HashMap<String, usize>,
    /// Those that have given their names up.
    freed: HashSet<usize>,
}

impl fmt::Debug for CatalogEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatalogEditor").field("texts", &self.changes.len()).finish_non_exhaustive()
    }
}

impl CatalogEditor {
    pub(super) fn new(catalog: Catalog) -> Self {
        let changes = Changes::of(catalog.units.iter().map(|unit| unit.key.as_str()));
        let names = catalog.names().map(|(name, member)| (name.to_owned(), member)).collect();
        Self { catalog, changes, names, freed: HashSet::new() }
    }

    /// The text of a key; an error for a plural.
    fn says(&self, key: &str) -> Result<Option<String>, EditError> {
        let Some(at) = self.changes.unit(key) else { return Ok(self.changes.text_of_added(key).map(str::to_owned)) };
        if let Some(text) = self.changes.said(at) {
            return Ok(Some(text.to_owned()));
        }
        match self.catalog.units.get(at).map(|unit| &unit.asked) {
            Some(Content::Text(text)) => Ok(Some(text.clone())),
            Some(Content::Plural(_)) => Err(EditError::Plural(key.to_owned())),
            None => Ok(None),
        }
    }

    /// An error where a key of the file is not the team's to rename or to take out.
    fn is_own(&self, key: &str) -> Result<(), EditError> {
        let Some(at) = self.changes.unit(key) else { return Ok(()) };
        let unit = |at: usize| self.catalog.units.get(at);
        let Some(own) = unit(at) else { return Ok(()) };
        let is_beside = |other: Option<&CatalogEntry>| other.is_some_and(|other| other.member == own.member);
        if !own.is_manual {
            return Err(EditError::InCode(key.to_owned()));
        }
        // A text is one of several of its key.
        if own.part != KeyPart::Whole || is_beside(unit(at + 1)) {
            return Err(EditError::Unwritable(key.to_owned()));
        }
        Ok(())
    }

    /// Refuses a new key that the catalogue cannot have, or has for something that is not translated.
    fn check_name(&self, key: &str) -> Result<(), EditError> {
        let name = refs::name_of(key, true);
        if name.is_empty() || refs::key_of(&name, true).as_deref() != Ok(key) || self.catalog.strings.is_none() {
            return Err(EditError::Unwritable(key.to_owned()));
        }
        match self.names.get(&name) {
            Some(member) if !self.freed.contains(member) => Err(EditError::SomethingElse { name, key: key.to_owned() }),
            _ => Ok(()),
        }
    }

    /// Notes that a unit has given its name up.
    fn free(&mut self, at: Option<usize>) {
        self.freed.extend(at.and_then(|at| self.catalog.units.get(at)).map(|unit| unit.member));
    }
}

impl Editor for CatalogEditor {
    fn bytes(&self) -> Vec<u8> {
        let Self { catalog, changes, .. } = self;
        let source = catalog.source_language.as_str();
        let mut writer = Writer::new(catalog, source);
        let mut first = 0;
        for units in catalog.members() {
            let ats = first..first + units.len();
            first = ats.end;
            let Some(unit) = units.first() else { continue };
            if changes.is_gone(ats.start) {
                writer.edits.remove(unit.member);
                continue;
            }
            let new: HashMap<&str, Content> = units
                .iter()
                .zip(ats.clone())
                .map(|(unit, at)| {
                    let text = changes.said(at).map(|text| Content::Text(text.to_owned()));
                    (unit.key.as_str(), text.unwrap_or_else(|| unit.asked.clone()))
                })
                .collect();
            let is_said = ats.clone().any(|at| changes.said(at).is_some());
            if let Some(key) = changes.named(ats.start) {
                writer.edits.rename(unit.member, refs::name_of(key, true));
                // The old name was the text.
                if !is_said && catalog.localization(unit.member, source).is_none() {
                    writer.add(unit.member, units, vec![unit.asked.clone()]);
                }
            }
            writer.member(units, &|key| new.get(key).cloned(), MissingPolicy::Keep);
        }
        let members = changes
            .added()
            .filter_map(|(key, text)| fresh(key, &Content::Text(text.to_owned()), by_hand(None), source, None));
        keep_strings(catalog, &mut writer.edits, changes.gone(), members.collect());
        writer.edits.write(&catalog.tree)
    }

    fn has(&mut self, key: &str) -> bool {
        self.changes.has(key)
    }

    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError> {
        match self.says(key)? {
            None => return Err(EditError::Unknown(key.to_owned())),
            Some(says) if says == to => return Ok(Edited::There),
            Some(says) if says != from => return Err(EditError::Differs(says)),
            Some(_) => {}
        }
        self.changes.set(key, to);
        Ok(Edited::Written)
    }

    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        if !self.has(key) {
            return Ok(Edited::There);
        }
        self.is_own(key)?;
        let at = self.changes.remove(key);
        self.free(at);
        Ok(Edited::Written)
    }

    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        if let Some(says) = self.says(key)? {
            return if says == text { Ok(Edited::There) } else { Err(EditError::Taken(says)) };
        }
        self.check_name(key)?;
        self.changes.add(key, text);
        Ok(Edited::Written)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        match (self.has(from), self.has(to)) {
            (true, true) => return Err(EditError::BothNames),
            (false, true) => return Ok(Edited::There),
            (false, false) => return Err(EditError::Unknown(from.to_owned())),
            (true, false) => self.is_own(from)?,
        }
        self.check_name(to)?;
        let at = self.changes.rename(from, to);
        self.free(at);
        Ok(Edited::Written)
    }
}
