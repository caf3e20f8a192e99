//! Paths with places for the language and the namespace: templates, which make paths, and patterns, which find them.
//!
//! Both share one grammar: text, and placeholders in braces.

mod grammar;
mod matching;
mod output;
mod pattern;

pub use self::grammar::{PathPiece, Placeholder, Spelling, Unclosed, pieces};
pub use self::output::{Captured, Rendered, Template, TemplateError};
pub use self::pattern::{Captures, Pattern, PatternError, relative};
