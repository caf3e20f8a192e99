//! The name of a file format in an answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{FormatId, UnknownName};

/// A file format in an answer. A server that is newer than this crate may name one that the crate does not know: the rest
/// of the answer can be read all the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FormatName {
    /// A format that this version knows.
    Known(FormatId),
    /// A format that this version does not know.
    Other(String),
}

impl FormatName {
    /// The format; `None` for one that this version does not know.
    #[must_use]
    pub const fn known(&self) -> Option<FormatId> {
        match self {
            Self::Known(format) => Some(*format),
            Self::Other(_) => None,
        }
    }

    /// The name on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(format) => format.as_str(),
            Self::Other(name) => name,
        }
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<FormatId> for FormatName {
    fn from(format: FormatId) -> Self {
        Self::Known(format)
    }
}

/// For a request: it can name only what this version knows.
impl TryFrom<FormatName> for FormatId {
    type Error = UnknownName;

    fn try_from(name: FormatName) -> Result<Self, UnknownName> {
        match name {
            FormatName::Known(format) => Ok(format),
            FormatName::Other(name) => name.parse(),
        }
    }
}

impl PartialEq<FormatId> for FormatName {
    fn eq(&self, other: &FormatId) -> bool {
        self.known() == Some(*other)
    }
}

impl Serialize for FormatName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for FormatName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(name.parse().map_or_else(|_| Self::Other(name), Self::Known))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// ENV-12: an answer may name a format of a later version; a request may not.
    #[test]
    fn a_format_of_a_later_version_is_kept_by_its_name() {
        for known in FormatId::ALL {
            let name: FormatName = serde_json::from_value(json!(known)).unwrap();
            assert_eq!((name.known(), json!(name)), (Some(*known), json!(known)));
            assert_eq!(FormatId::try_from(name), Ok(*known));
        }
        let later: FormatName = serde_json::from_value(json!("catkeys")).unwrap();
        assert_eq!((later.known(), later.to_string(), json!(later)), (None, "catkeys".to_owned(), json!("catkeys")));
        assert!(FormatId::try_from(later).is_err());
        assert!(serde_json::from_value::<FormatId>(json!("catkeys")).is_err());
        assert!(serde_json::from_value::<FormatName>(json!(7)).is_err());
    }
}
