//! What the calling key may do.

mod read;

pub use read::{Credential, Read};
