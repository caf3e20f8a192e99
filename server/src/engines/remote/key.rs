//! The key of an engine as it is now: its file may get another one while the server runs.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::config::{EngineKey, SecretText};

/// The key of an engine.
#[derive(Debug)]
pub(super) struct ServiceKey {
    now: Mutex<Option<SecretText>>,
    file: Option<PathBuf>,
}

impl ServiceKey {
    /// The key that the configuration has.
    pub(super) fn new(key: Option<&EngineKey>) -> Self {
        let file = key.and_then(|key| key.file.clone());
        Self { now: Mutex::new(key.map(|key| key.text.clone())), file }
    }

    /// The key.
    pub(super) fn now(&self) -> Option<SecretText> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the file, and returns true if there is another key in it. The key stays where the file is gone or has none: it
    /// may just be written, or be meant for the start alone.
    pub(super) async fn renew(&self) -> bool {
        let Some(file) = self.file.clone() else { return false };
        let Ok(Ok(read)) = tokio::task::spawn_blocking(move || EngineKey::of_file(&file)).await else { return false };
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.replace(read.text.clone()) != Some(read.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn another_key_in_the_file_is_taken_and_a_bad_one_is_not() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "one\n").unwrap();
        let key = ServiceKey::new(Some(&EngineKey::of_file(file.path()).unwrap()));
        let now = || key.now().unwrap().expose().to_owned();
        assert!(!key.renew().await);
        std::fs::write(file.path(), "two\n").unwrap();
        assert!(key.renew().await && now() == "two");
        std::fs::write(file.path(), "").unwrap();
        assert!(!key.renew().await && now() == "two");
        drop(file);
        assert!(!key.renew().await && now() == "two");
        assert!(!ServiceKey::new(None).renew().await);
    }
}
