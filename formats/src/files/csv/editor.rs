//! Single changes of the texts of a table.

use std::fmt;

use super::columns::ColumnLayout;
use super::sheet::Sheet;
use super::write::{new_row, put_all, remove};
use crate::files::changes::Changes;
use crate::files::spliced::Splices;
use crate::files::{EditError, Edited, Editor, refs};

/// A table whose source texts are changed one by one. Keys that are texts stand in the code, and do not change here.
pub(super) struct TableEditor {
    sheet: Sheet,
    changes: Changes,
}

impl fmt::Debug for TableEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableEditor").field("texts", &self.changes.len()).finish_non_exhaustive()
    }
}

impl TableEditor {
    pub(super) fn new(sheet: Sheet) -> Self {
        let changes = Changes::of(sheet.units.iter().map(|unit| unit.key.as_str()));
        Self { sheet, changes }
    }

    fn says(&self, key: &str) -> Option<String> {
        let Some(at) = self.changes.unit(key) else { return self.changes.text_of_added(key).map(str::to_owned) };
        let text = || Some(self.sheet.asked(self.sheet.units.get(at)?.row).into_owned());
        self.changes.said(at).map(str::to_owned).or_else(text)
    }

    /// An error where keys are texts of the code.
    fn check_is_own(&self, key: &str) -> Result<(), EditError> {
        let stands_in_code =
            self.sheet.columns.key.is_none() || matches!(self.sheet.columns.shape, ColumnLayout::Pairs { .. });
        if stands_in_code { Err(EditError::InCode(key.to_owned())) } else { Ok(()) }
    }
}

impl Editor for TableEditor {
    fn bytes(&self) -> Vec<u8> {
        let Sheet { table, columns, units, .. } = &self.sheet;
        let mut splices = Splices::default();
        for (at, unit) in units.iter().enumerate() {
            if self.changes.is_gone(at) {
                remove(&mut splices, table, unit);
                continue;
            }
            if let Some(text) = self.changes.said(at) {
                put_all(&mut splices, table, unit, columns.source(), text);
            }
            if let (Some(name), Some(column)) = (self.changes.named(at), columns.key) {
                put_all(&mut splices, table, unit, column, name);
            }
        }
        for (key, text) in self.changes.added() {
            if let Some(row) = new_row(&self.sheet, key, text, None) {
                splices.insert(table.source.text.len(), row);
            }
        }
        splices.write(&table.source)
    }

    fn has(&mut self, key: &str) -> bool {
        self.changes.has(key)
    }

    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError> {
        match self.says(key) {
            None => return Err(EditError::Unknown(key.to_owned())),
            Some(says) if says == to => return Ok(Edited::There),
            Some(says) if says != from => return Err(EditError::Differs(says)),
            Some(_) => self.check_is_own(key)?,
        }
        self.changes.set(key, to);
        Ok(Edited::Written)
    }

    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        if !self.has(key) {
            return Ok(Edited::There);
        }
        self.check_is_own(key)?;
        self.changes.remove(key);
        Ok(Edited::Written)
    }

    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        if let Some(says) = self.says(key) {
            return if says == text { Ok(Edited::There) } else { Err(EditError::Taken(says)) };
        }
        self.check_is_own(key)?;
        if refs::key_of(key, false).is_err() || new_row(&self.sheet, key, text, None).is_none() {
            return Err(EditError::Unwritable(key.to_owned()));
        }
        self.changes.add(key, text);
        Ok(Edited::Written)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        match (self.has(from), self.has(to)) {
            (true, true) => return Err(EditError::BothNames),
            (false, true) => return Ok(Edited::There),
            (false, false) => return Err(EditError::Unknown(from.to_owned())),
            (true, false) => self.check_is_own(from)?,
        }
        if refs::key_of(to, false).is_err() {
            return Err(EditError::Unwritable(to.to_owned()));
        }
        self.changes.rename(from, to);
        Ok(Edited::Written)
    }
}
