//! The fingerprint of a source text. It tells a changed key from an unchanged one and finds it in translation memory.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use l10n_api_types::Content;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// SHA-256 of a source content in its canonical JSON form. Two contents with one hash say the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceHash([u8; 32]);

impl SourceHash {
    /// The hash of a content.
    ///
    /// The canonical form is built here rather than taken from a serializer, whose output may change with a release.
    #[must_use]
    pub fn of(content: &Content) -> Self {
        let mut digest = Sha256::new();
        // Lengths stand before the parts, so that no two contents have one form.
        let mut part = |text: &str| {
            digest.update((text.len() as u64).to_be_bytes());
            digest.update(text);
        };
        match content {
            Content::Text(text) => {
                part("text");
                part(text);
            }
            Content::Plural(plural) => {
                part("plural");
                part(&plural.arg);
                for (key, form) in plural.forms.iter() {
                    part(&key.to_string());
                    part(form);
                }
            }
        }
        Self(digest.finalize().into())
    }

    /// The stored form.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        self.0.as_slice()
    }
}

impl From<[u8; 32]> for SourceHash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for SourceHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The form in requests and responses.
impl fmt::Display for SourceHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl Serialize for SourceHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl<'de> Deserialize<'de> for SourceHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let text = String::deserialize(deserializer)?;
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(D::Error::custom)?;
        bytes.try_into().map(Self).map_err(|_| D::Error::custom("a source hash has 32 bytes"))
    }
}

#[cfg(test)]
mod tests {

    use l10n_api_types::{Plural, PluralCategory};

    use super::*;

    fn plural(arg: &str, other: &str) -> Content {
        Content::Plural(Plural { arg: arg.into(), forms: [(PluralCategory::Other, other.into())].into() })
    }

    #[test]
    fn contents_that_differ_anywhere_have_different_hashes() {
        let contents = [
            Content::Text(String::new()),
            Content::Text("a".into()),
            plural("a", ""),
            plural("", "a"),
            plural("n", "a"),
        ];
        let hashes: std::collections::BTreeSet<_> = contents.iter().map(SourceHash::of).collect();
        assert_eq!(hashes.len(), contents.len());
        assert_eq!(SourceHash::of(&plural("n", "a")), SourceHash::of(&plural("n", "a")));
    }

    #[test]
    fn a_hash_is_stable_across_releases_and_travels_as_text() {
        let hash = SourceHash::of(&Content::Text("Save".into()));
        let json = serde_json::to_string(&hash).unwrap();
        insta::assert_snapshot!(json, @r#""5XxEoLDbj1jQSilRs22jSIhxYxnDISYl8cRVQtWO8fQ""#);
        assert_eq!(serde_json::from_str::<SourceHash>(&json).unwrap(), hash);
    }
}
