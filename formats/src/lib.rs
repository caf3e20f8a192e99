#![doc = include_str!("../README.md")]

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
