//! Texts in any language: their placeholders, ICU messages, and the checks of a translation.

pub mod checks;
pub mod message;
pub mod placeholders;
#[cfg(test)]
mod worst;
