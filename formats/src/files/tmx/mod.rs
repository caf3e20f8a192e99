//! TMX 1.4: translation memory as tools exchange it. It holds texts and no keys, so it is no [`Format`](super::Format).
//!
//! A unit has the translations of one text, each in a language. Files are read in UTF-8, or in UTF-16 with a byte order mark.
//! A DOCTYPE is passed over: nothing that it names is read, and no entity is expanded.
//!
//! **Inline tags.** Memory holds plain texts, so a segment becomes one. `bpt`, `ept`, `ph`, `it` and `ut` hold the code of the
//! file that was translated: the code is part of the text again, `<bpt i="1">&lt;b&gt;</bpt>` as `<b>`. One without any code
//! would lose a part of the text, so its translation is refused. `hi` marks a text that is as it was, and `sub` a text inside of
//! code; of both the text stays.
//!
//! **Plurals.** TMX has none. A translation of a plural is written with its form for `other` as the segment, and with its other
//! parts as properties, which other tools leave alone.
//!
//! A translation that cannot be taken is one alone: the others of the file are read.

mod read;
mod segment;
#[cfg(test)]
mod tests;
mod write;

use l10n_api_types::Content;

pub use self::read::{ReadUnit, ReadVariant, read};
pub use self::write::{END, begin, unit};

/// The property with the name of the engine that made a translation. It is left out where a person did.
const ENGINE: &str = "x-l10n-engine";
/// The property with the argument of a plural.
const PLURAL_ARGUMENT: &str = "x-l10n-plural";
/// The beginning of the property with a form of a plural; its category follows.
const PLURAL_FORM: &str = "x-l10n-plural-";

/// A text in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TmxVariant {
    /// The language, as the file has it.
    pub language: String,
    /// The text.
    pub content: Content,
    /// The engine that made it; `None` if the file names none.
    pub engine: Option<String>,
}
