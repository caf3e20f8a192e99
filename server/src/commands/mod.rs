//! The subcommands, one file each, and what they share.

pub(crate) mod backup;
pub(crate) mod captured;
pub(crate) mod check;
pub(crate) mod credits;
pub(crate) mod dev;
pub(crate) mod example_config;
pub(crate) mod keys;
pub(crate) mod keys_edit;
pub(crate) mod lifecycle;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod operations;
mod postgres_tools;
mod profile;
pub(crate) mod projects;
pub(crate) mod provision;
pub(crate) mod restore;
pub(crate) mod secrets;
pub(crate) mod serve;
mod shared;
mod stop_signals;
pub(crate) mod translations;

pub(crate) use shared::complain;
