//! A secret of the profile: named by where it is, never written.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// A key. In the profile it is `env:NAME` or `file:PATH`, and its text is read when the profile is.
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

    /// Its text.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }
}

impl TryFrom<String> for Secret {
    type Error = String;

    fn try_from(source: String) -> Result<Self, String> {
        let text =
            match source.split_once(':') {
                Some(("env", name)) => std::env::var(name)
                    .map_err(|_| format!("the environment has no variable {name} (as {source} says)"))?,
                Some(("file", path)) => std::fs::read_to_string(path)
                    .map_err(|error| format!("cannot read the secret in {path}: {error}"))?,
                _ => return Err("a secret is written as env:NAME or file:PATH, never as itself".to_owned()),
            };
        let text = text.trim().to_owned();
        if text.is_empty() {
            return Err(format!("the secret of {source} is empty"));
        }
        Ok(Self { source, text })
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
