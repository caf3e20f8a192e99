//! Single changes of the texts of a table.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use super::columns::Shape;
use super::sheet::Sheet;
use super::write::{new_row, put_all, remove};
use crate::files::spliced::Splices;
use crate::files::{EditError, Edited, Editor, refs};

/// A table whose source texts are changed one by one. Keys that are texts stand in the code, and do not change here.
pub(super) struct TableEditor {
    sheet: Sheet,
    units: HashMap<String, usize>,
    /// New texts, by unit.
    said: HashMap<usize, String>,
    /// New names, by unit.
    named: HashMap<usize, String>,
    gone: HashSet<usize>,
    /// Keys that come in, in their order, with their texts.
    added: BTreeMap<usize, (String, String)>,
    numbers: HashMap<String, usize>,
}

impl fmt::Debug for TableEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableEditor").field("texts", &self.units.len()).finish_non_exhaustive()
    }
}

impl TableEditor {
    pub(super) fn new(sheet: Sheet) -> Self {
        let units = sheet.units.iter().enumerate().map(|(at, unit)| (unit.key.clone(), at)).collect();
        let (said, named, gone) = (HashMap::new(), HashMap::new(), HashSet::new());
        Self { sheet, units, said, named, gone, added: BTreeMap::new(), numbers: HashMap::new() }
    }

    fn says(&self, key: &str) -> Option<String> {
        if let Some(number) = self.numbers.get(key) {
            return self.added.get(number).map(|(_, text)| text.clone());
        }
        let at = self.units.get(key)?;
        let text = || Some(self.sheet.asked(self.sheet.units.get(*at)?.row).into_owned());
        self.said.get(at).cloned().or_else(text)
    }

    /// An error where keys are texts of the code.
    fn changes(&self, key: &str) -> Result<(), EditError> {
        let stands_in_code =
            self.sheet.columns.key.is_none() || matches!(self.sheet.columns.shape, Shape::Pairs { .. });
        if stands_in_code { Err(EditError::InCode(key.to_owned())) } else { Ok(()) }
    }
}

impl Editor for TableEditor {
    fn bytes(&self) -> Vec<u8> {
        let Sheet { table, columns, units, .. } = &self.sheet;
        let mut splices = Splices::default();
        for (at, unit) in units.iter().enumerate() {
            if self.gone.contains(&at) {
                remove(&mut splices, table, unit);
                continue;
            }
            if let Some(text) = self.said.get(&at) {
                put_all(&mut splices, table, unit, columns.source(), text);
            }
            if let (Some(name), Some(column)) = (self.named.get(&at), columns.key) {
                put_all(&mut splices, table, unit, column, name);
            }
        }
        for (key, text) in self.added.values() {
            if let Some(row) = new_row(&self.sheet, key, text, None) {
                splices.insert(table.source.text.len(), row);
            }
        }
        splices.write(&table.source)
    }

    fn has(&mut self, key: &str) -> bool {
        self.units.contains_key(key) || self.numbers.contains_key(key)
    }

    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError> {
        match self.says(key) {
            None => return Err(EditError::Unknown(key.to_owned())),
            Some(says) if says == to => return Ok(Edited::There),
            Some(says) if says != from => return Err(EditError::Differs(says)),
            Some(_) => self.changes(key)?,
        }
        if let Some(at) = self.units.get(key) {
            self.said.insert(*at, to.to_owned());
        } else if let Some((_, text)) = self.numbers.get(key).and_then(|number| self.added.get_mut(number)) {
            to.clone_into(text);
        }
        Ok(Edited::Written)
    }

    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        if !self.has(key) {
            return Ok(Edited::There);
        }
        self.changes(key)?;
        if let Some(at) = self.units.remove(key) {
            self.gone.insert(at);
        } else if let Some(number) = self.numbers.remove(key) {
            self.added.remove(&number);
        }
        Ok(Edited::Written)
    }

    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        if let Some(says) = self.says(key) {
            return if says == text { Ok(Edited::There) } else { Err(EditError::Taken(says)) };
        }
        self.changes(key)?;
        if refs::key_of(key, false).is_err() || new_row(&self.sheet, key, text, None).is_none() {
            return Err(EditError::Unwritable(key.to_owned()));
        }
        let number = self.added.last_key_value().map_or(0, |(last, _)| last + 1);
        self.added.insert(number, (key.to_owned(), text.to_owned()));
        self.numbers.insert(key.to_owned(), number);
        Ok(Edited::Written)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        match (self.has(from), self.has(to)) {
            (true, true) => return Err(EditError::BothNames),
            (false, true) => return Ok(Edited::There),
            (false, false) => return Err(EditError::Unknown(from.to_owned())),
            (true, false) => self.changes(from)?,
        }
        if refs::key_of(to, false).is_err() {
            return Err(EditError::Unwritable(to.to_owned()));
        }
        if let Some(at) = self.units.remove(from) {
            self.named.insert(at, to.to_owned());
            self.units.insert(to.to_owned(), at);
        } else if let Some(number) = self.numbers.remove(from) {
            if let Some((key, _)) = self.added.get_mut(&number) {
                to.clone_into(key);
            }
            self.numbers.insert(to.to_owned(), number);
        }
        Ok(Edited::Written)
    }
}
