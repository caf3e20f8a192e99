//! Single changes of the texts of a file: every other byte stays unchanged.

use std::fmt;

use super::ParseError;

/// The outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// It is in the file now.
    Written,
    /// The file had it.
    There,
}

/// The reason why a change cannot be made. The file stays unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The file is not UTF-8.
    #[error("the file is not UTF-8")]
    NotUtf8,
    /// The file cannot be read as JSON.
    #[error("the file is not JSON: {0}")]
    NotJson(ParseError),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(ParseError),
    /// The file holds something else than an object.
    #[error("the file does not hold an object")]
    NoObject,
    /// There is no text of this key.
    #[error("the file has no text `{0}`")]
    Unknown(String),
    /// Several texts have this key: as one name with a dot, and as names inside each other.
    #[error("the file has `{key}` {times} times")]
    Ambiguous {
        /// The key.
        key: String,
        /// The number of texts that have it.
        times: usize,
    },
    /// The text is neither the expected old one nor the new one.
    #[error("the file says “{0}”, which is neither")]
    Differs(String),
    /// A key to add is there with another text.
    #[error("the file has it, and says “{0}”")]
    Taken(String),
    /// An element of a list cannot be taken out or renamed.
    #[error("`{0}` stands in a list")]
    InList(String),
    /// The key has a text for each of several numbers.
    #[error("`{0}` is a plural: its forms are in several places of the file")]
    Plural(String),
    /// The file is made from the code, where the text stands.
    #[error("`{0}` stands in the code, from which the file is made: change it there")]
    InCode(String),
    /// The format cannot write the key, or the file has no place for it.
    #[error("`{0}` cannot be written into this file")]
    Unwritable(String),
    /// Something that is no text, or no object, has the name.
    #[error("`{name}` of `{key}` is something else there")]
    SomethingElse {
        /// The name.
        name: String,
        /// The key that it is part of.
        key: String,
    },
    /// A key to rename is there under both names.
    #[error("the file has both names")]
    BothNames,
    /// Objects would lie too deep inside each other.
    #[error("`{0}` has too many parts")]
    TooDeep(String),
}

/// A file whose texts are changed one by one. Changes are collected and written together.
pub trait Editor: fmt::Debug {
    /// The file with all changes so far.
    fn bytes(&self) -> Vec<u8>;

    /// Returns true if it has a text of this key, or several.
    fn has(&mut self, key: &str) -> bool;

    /// Lets a key say `to` in place of `from`.
    ///
    /// # Errors
    /// Returns the reason why it cannot.
    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError>;

    /// Takes a key out, with what belongs to it alone.
    ///
    /// # Errors
    /// Returns the reason why it cannot.
    fn remove(&mut self, key: &str) -> Result<Edited, EditError>;

    /// Adds a key where its name leads.
    ///
    /// # Errors
    /// Returns the reason why it cannot.
    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError>;

    /// Gives a key another name, in its place if that is possible.
    ///
    /// # Errors
    /// Returns the reason why it cannot.
    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError>;
}
