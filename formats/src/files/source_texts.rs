//! The source beside which translations stand in a new file.

use std::fmt;

use super::TranslationLookup;

/// The texts that translations in a new file are made from.
#[derive(Clone, Copy)]
pub struct SourceTexts<'a> {
    /// Their language (BCP 47), where it is known.
    pub language: Option<&'a str>,
    /// The file that they come from.
    pub original: Option<&'a str>,
    /// The text of a key.
    pub texts: &'a TranslationLookup<'a>,
}

impl fmt::Debug for SourceTexts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceTexts")
            .field("language", &self.language)
            .field("original", &self.original)
            .finish_non_exhaustive()
    }
}
