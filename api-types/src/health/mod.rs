//! Whether the server is able to serve.

mod read;

pub use read::{Health, Read};
