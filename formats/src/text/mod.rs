//! Texts in any language: their placeholders, messages with choices, and the checks of a translation.

pub mod checks;
pub mod fluent;
#[cfg(feature = "messages")]
pub mod format;
pub mod message;
pub mod parts;
pub mod placeholders;
mod syntax;
#[cfg(test)]
mod worst;

pub use self::syntax::{Brace, Printf, Syntax};
