//! The key of an engine, and the file that it may stand in.

use std::path::{Path, PathBuf};

use secrecy::zeroize::Zeroizing;

use super::SecretText;

/// The key of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineKey {
    /// The key, as it was read at the start.
    pub(crate) text: SecretText,
    /// The file that it stands in, which may get another key while the server runs.
    pub(crate) file: Option<PathBuf>,
    /// The environment variable that it stands in.
    pub(crate) variable: Option<String>,
}

impl EngineKey {
    /// Reads the key that an environment variable has.
    pub(super) fn of_variable(name: &str) -> Result<Self, String> {
        let text = std::env::var(name).map_err(|_| format!("the variable {name} is not set"))?;
        Ok(Self { text: checked(text)?, file: None, variable: Some(name.to_owned()) })
    }

    /// Reads the key that a file has.
    pub(crate) fn of_file(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Ok(Self { text: checked(text)?, file: Some(path.to_owned()), variable: None })
    }
}

/// A key without the blanks around it. It goes into a header, so that it has no control characters.
fn checked(text: String) -> Result<SecretText, String> {
    let text = Zeroizing::new(text);
    let key = text.trim();
    if key.is_empty() || !key.chars().all(|character| character.is_ascii_graphic()) {
        return Err("the key there is empty, or has characters that no key has".to_owned());
    }
    Ok(key.to_owned().into())
}
