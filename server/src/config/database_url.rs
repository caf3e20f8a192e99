//! The URL of the database.

use std::fmt;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::Deserialize;
use url::Url;

/// Characters of a path that mean something else in a URL.
const IN_PATHS: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#');

/// A database URL. Its `Debug` form hides the password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The URL of a SQLite file, which is created when missing.
    #[must_use]
    pub fn sqlite(path: &Path) -> Self {
        let path = path.as_os_str().as_encoded_bytes();
        Self(format!("sqlite:{}", percent_encode(path, IN_PATHS)))
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
        let path = path.split_once('?').map_or(path, |(path, _)| path);
        // A path that is not UTF-8 is refused where the database is opened.
        Some(PathBuf::from(percent_decode_str(path).decode_utf8_lossy().into_owned()))
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

    #[test]
    fn a_path_may_have_any_characters() {
        let path = Path::new("/data/a b%20?#é.sqlite");
        let url = DatabaseUrl::sqlite(path);
        assert_eq!(url.sqlite_path().as_deref(), Some(path), "{url:?}");
        let path = |url: &str| DatabaseUrl(url.to_owned()).sqlite_path();
        for url in ["sqlite:data/l10n.sqlite", "sqlite:data/l10n%2Esqlite?mode=rw", "sqlite://data%2Fl10n.sqlite"] {
            assert_eq!(path(url).as_deref(), Some(Path::new("data/l10n.sqlite")), "{url}");
        }
        assert_eq!(path("postgres://db.example/l10n"), None);
    }
}
