//! Texts in any language: their placeholders, ICU messages, and the checks of a translation.

pub mod checks;
#[cfg(feature = "messages")]
pub mod format;
pub mod message;
pub mod placeholders;
mod syntax;
#[cfg(test)]
mod worst;

pub use self::syntax::{Brace, Printf, Syntax};
