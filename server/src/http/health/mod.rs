//! The server's health.

pub(super) mod read;
