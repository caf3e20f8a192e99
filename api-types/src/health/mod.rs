//! The server's health.

mod read;

pub use read::{Health, Read};
