//! The subcommands, one file each, and what they share.

pub mod dev;
pub mod keys;
pub mod migrate;
pub mod openapi;
pub mod provision;
pub mod serve;
mod shared;

pub use shared::complain;
