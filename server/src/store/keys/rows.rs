//! The rows of keys, each with the columns that its readers need.

use l10n_api_types::Content;
use l10n_formats::SourceHash;
use l10n_formats::text::Syntax;
use l10n_formats::text::checks::Facts;

use crate::clock::Timestamp;
use crate::store::row::{Json, Stored};

impl Stored for SourceHash {
    type Raw = Vec<u8>;
    fn from_raw(raw: Vec<u8>) -> Result<Self, String> {
        <[u8; 32]>::from_raw(raw).map(Self::from)
    }
}

impl Stored for Syntax {
    type Raw = String;
    fn from_raw(raw: String) -> Result<Self, String> {
        Self::named(&raw).ok_or_else(|| format!("`{raw}` is no syntax of texts"))
    }
}

text_enum! {
    /// The state of a key.
    pub enum KeyState {
        /// It is in the next version.
        Active = "active",
        /// It left; a sync that brings it back undoes that.
        Archived = "archived",
        /// An app misses it; it waits until a sync brings it or a person accepts it.
        Captured = "captured",
    }
}

row! {
    /// A key as a whole.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Key {
        /// `str_…`
        pub id: String,
        /// Its `ref`
        pub name: String,
        /// The part of the project that it belongs to
        pub namespace: Option<String>,
        /// The file that it was synced from
        pub source_path: Option<String>,
        /// Its place among the keys of its file, or of the project
        pub position: i64,
        /// Its text in the base language
        pub source: Json<Content>,
        /// Hash of `source`
        pub source_hash: SourceHash,
        /// Unicode scalar values of `source`
        pub characters: i64,
        /// A note for translators
        pub description: Option<String>,
        /// Longest translation allowed, in Unicode scalar values
        pub max_length: Option<i64>,
        /// Labels for people
        pub tags: Option<Json<Vec<String>>>,
        /// The syntax of its text, where its file says one
        pub syntax: Option<Syntax>,
        /// Its state
        pub state: KeyState,
        /// The time at which it was added
        pub created_at: Timestamp,
        /// The time of its last change
        pub updated_at: Timestamp,
    }
}

row! {
    /// The part of a key that a run compares with its input: without its text, since most texts have not changed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct StoredKey {
        /// `str_…`
        pub id: String,
        /// Its `ref`
        pub name: String,
        /// The part of the project that it belongs to
        pub namespace: Option<String>,
        /// The file that it was synced from
        pub source_path: Option<String>,
        /// Its place
        pub position: i64,
        /// Hash of its source content
        pub source_hash: SourceHash,
        /// A note for translators
        pub description: Option<String>,
        /// Longest translation allowed
        pub max_length: Option<i64>,
        /// Labels for people
        pub tags: Option<Json<Vec<String>>>,
        /// The syntax of its text, where its file says one
        pub syntax: Option<Syntax>,
        /// Its state
        pub state: KeyState,
        /// The time at which it was added
        pub created_at: Timestamp,
        /// The time of its last change
        pub updated_at: Timestamp,
    }
}

row! {
    /// A key as the translation worker needs it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct KeyToTranslate {
        /// `str_…`
        pub id: String,
        /// Its `ref`
        pub name: String,
        /// Its text in the base language
        pub source: Json<Content>,
        /// Hash of `source`
        pub source_hash: SourceHash,
        /// A note for translators
        pub description: Option<String>,
        /// Longest translation allowed
        pub max_length: Option<i64>,
        /// The syntax of its text, where its file says one
        pub syntax: Option<Syntax>,
        /// Its state
        pub state: KeyState,
    }
}

impl KeyToTranslate {
    /// The facts that checks of its translations need.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let max_length = self.max_length.and_then(|limit| u32::try_from(limit).ok());
        Facts { syntax: self.syntax.unwrap_or_default(), max_length, in_file: None }
    }
}

row! {
    /// A key that is there, without its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ActiveKey {
        /// `str_…`
        pub id: String,
        /// Its `ref`
        pub name: String,
        /// Hash of its source content
        pub source_hash: SourceHash,
    }
}

row! {
    /// A key as a publish lists it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PublishableKey {
        /// `str_…`
        pub id: String,
        /// Its `ref`
        pub name: String,
        /// The part of the project that it belongs to
        pub namespace: Option<String>,
        /// The file that it was synced from
        pub source_path: Option<String>,
        /// Its place among the keys of its file, or of the project
        pub position: i64,
        /// A note for translators
        pub description: Option<String>,
        /// Longest translation allowed, in Unicode scalar values
        pub max_length: Option<i64>,
        /// Its text in the base language
        pub source: Json<Content>,
    }
}
