//! Localization files and documents, the texts in them, and facts about languages.
//!
//! The crate is pure: bytes and texts go in, values and bytes come out. It has no database, no async runtime and no HTTP, so
//! that the server, the command line and the fuzz targets share one implementation.
//!
//! | Module | Contents |
//! |---|---|
//! | [`files`] | localization files: detection, reading, writing without disturbing them |
//! | [`text`] | placeholders, ICU messages, checks of a translation |
//! | [`locales`] | language tags, writing direction, plural rules; names with the feature `names` |
//! | [`template`] | templates and patterns of paths such as `locales/{language}/{namespace}.json` |
//! | `documents` | Markdown, HTML and plain text (feature `documents`) |
//!
//! # Features
//!
//! None is on by default.
//! - `documents` adds the module `documents` with its parsers of Markdown, HTML, YAML and TOML.
//! - `names` adds the English names of languages and the check that a language exists, with the data of CLDR and ISO 639.
//! - `testing` adds `small_stack`, with which tests run parsers on a small stack.

#[cfg(feature = "documents")]
pub mod documents;
pub mod files;
pub mod locales;
mod position;
#[cfg(any(test, feature = "testing"))]
pub mod small_stack;
mod source_hash;
pub mod template;
pub mod text;

pub use self::source_hash::SourceHash;
