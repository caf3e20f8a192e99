//! The scopes and kind of the calling key.

mod read;

pub use read::{Credential, Read};
