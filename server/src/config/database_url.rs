//! The URL of the database.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use url::Url;

/// A database URL. Its `Debug` form hides the password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The URL of a SQLite file, which is created when missing.
    #[must_use]
    pub fn sqlite(path: &Path) -> Self {
        Self(format!("sqlite:{}", path.display()))
    }

    /// The URL with its password.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The file of an embedded database.
    #[must_use]
    pub fn sqlite_path(&self) -> Option<PathBuf> {
        let path = self.0.strip_prefix("sqlite:")?.trim_start_matches("//");
        Some(PathBuf::from(path.split_once('?').map_or(path, |(path, _)| path)))
    }
}

impl TryFrom<String> for DatabaseUrl {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let known = ["sqlite:", "postgres://", "postgresql://"];
        if known.iter().any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty())) {
            return Ok(Self(text));
        }
        // The value may contain a password: the message does not repeat it.
        Err("it takes sqlite:PATH or postgres://USER@HOST/DATABASE")
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Url::parse(&self.0) {
            Ok(mut url) if url.password().is_some() => {
                // A URL with a password has a host, so that the password can be replaced.
                let _ = url.set_password(Some("***"));
                f.write_str(url.as_str())
            }
            Ok(url) => f.write_str(url.as_str()),
            Err(_) => f.write_str("(no URL)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_password_is_not_shown() {
        let url = DatabaseUrl("postgres://l10n:hunter2@db.example/l10n".to_owned());
        assert_eq!(format!("{url:?}"), "postgres://l10n:***@db.example/l10n");
    }
}
