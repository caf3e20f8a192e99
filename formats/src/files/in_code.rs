//! Changes of source texts, which a catalogue does not take: the next extraction from the code would undo them.

use std::collections::HashMap;

use l10n_api_types::Content;

use super::{EditError, Edited, Editor, Entry};

/// A catalogue of source texts.
#[derive(Debug)]
pub(super) struct CatalogueEditor {
    bytes: Vec<u8>,
    contents: HashMap<String, Content>,
}

impl CatalogueEditor {
    pub(super) fn new(bytes: &[u8], entries: Vec<Entry>) -> Self {
        let contents = entries.into_iter().map(|entry| (entry.key, entry.content)).collect();
        Self { bytes: bytes.to_vec(), contents }
    }

    /// There, if the catalogue is as it has to be.
    fn there(is_so: bool, key: &str) -> Result<Edited, EditError> {
        if is_so { Ok(Edited::There) } else { Err(EditError::InCode(key.to_owned())) }
    }

    fn says(&self, key: &str, text: &str) -> bool {
        matches!(self.contents.get(key), Some(Content::Text(said)) if said == text)
    }
}

impl Editor for CatalogueEditor {
    fn bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    fn has(&mut self, key: &str) -> bool {
        self.contents.contains_key(key)
    }

    fn set(&mut self, key: &str, _from: &str, to: &str) -> Result<Edited, EditError> {
        Self::there(self.says(key, to), key)
    }

    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        Self::there(!self.contents.contains_key(key), key)
    }

    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        Self::there(self.says(key, text), key)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        Self::there(self.contents.contains_key(to) && !self.contents.contains_key(from), from)
    }
}
