//! A secret of the profile: named by where it is, never written.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize, Serializer};

/// A key. In the profile it is `env:NAME` or `file:PATH`; its text is read when the profile is.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Secret {
    source: String,
    text: String,
}

impl Secret {
    /// A secret that is at hand, for profiles that are made in a program.
    pub fn of(text: impl Into<String>) -> Self {
        Self { source: "of the program".to_owned(), text: text.into() }
    }

    /// The secret that `env:NAME` or `file:PATH` names.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not exist.
    pub fn named(source: &str) -> Result<Self, String> {
        let mut secret = Self::try_from(source.to_owned())?;
        secret.read(Path::new(""))?;
        Ok(secret)
    }

    /// Its text; empty where the profile was not [read](super::Profile::read).
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The name of the variable of the environment that it comes from.
    pub(super) fn variable(source: &str) -> Option<&str> {
        source.strip_prefix("env:")
    }

    /// Reads its text. Paths are relative to `folder`.
    pub(super) fn read(&mut self, folder: &Path) -> Result<(), String> {
        let source = &self.source;
        let text = match source.split_once(':') {
            Some(("env", name)) => std::env::var(name)
                .map_err(|_| format!("the environment has no variable {name} (named by {source})"))?,
            Some(("file", path)) => {
                let path = folder.join(path);
                std::fs::read_to_string(&path)
                    .map_err(|error| format!("cannot read the secret in {}: {error}", path.display()))?
            }
            _ => return Ok(()),
        };
        text.trim().clone_into(&mut self.text);
        if self.text.is_empty() { Err(format!("the secret of {source} is empty")) } else { Ok(()) }
    }
}

impl TryFrom<String> for Secret {
    type Error = &'static str;

    fn try_from(source: String) -> Result<Self, &'static str> {
        match source.split_once(':') {
            Some(("env" | "file", name)) if !name.is_empty() => Ok(Self { source, text: String::new() }),
            _ => Err("write a secret as env:NAME or file:PATH, never the secret itself"),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}
