//! A unit that comes into a file, and the languages of the file.

use crate::files::xml::{Entities, Escapes};

/// A unit that comes into a file.
pub(in crate::files) struct NewUnit<'a> {
    pub key: &'a str,
    /// The text of the source, where it is known.
    pub source: Option<&'a str>,
    /// The file is there, and its other units may stay.
    pub is_there: bool,
    pub is_plural: bool,
    /// The translation; none or empty texts where it has none.
    pub texts: &'a [String],
    pub description: Option<&'a str>,
    /// Names of units are ids of their own, not made of the texts.
    pub by_id: bool,
    pub escapes: Escapes,
}

impl NewUnit<'_> {
    /// A text as XML holds it.
    pub(in crate::files) fn encoded(&self, text: &str) -> String {
        Entities::default().encoded(text, self.escapes)
    }

    /// Returns true if the unit has a translation.
    pub(in crate::files) fn is_translated(&self) -> bool {
        !self.texts.is_empty() && self.texts.iter().all(|text| !text.is_empty())
    }
}

/// The languages of a file, and the name of the one that it was made from, where they are known.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::files) struct UnitLanguages<'a> {
    pub source: Option<&'a str>,
    pub target: Option<&'a str>,
    pub original: Option<&'a str>,
}
