//! The rules: functions over a transaction, a clock and settings. No HTTP, no SQL.

#[macro_use]
mod macros;

pub mod access;
mod actor;
pub mod api_keys;
pub(crate) mod approval;
pub mod auth;
pub(crate) mod budgets;
mod caller;
pub mod capture;
pub(crate) mod check;
pub mod code_changes;
pub mod content;
pub mod credits;
pub mod deliveries;
pub(crate) mod delivery;
pub mod differences;
mod error;
mod error_body;
pub mod events;
mod findings;
pub(crate) mod glossary;
pub mod held_back;
pub mod jobs;
pub(crate) mod languages;
pub mod ledger;
pub mod lifecycle;
pub(crate) mod long_poll;
pub(crate) mod memory;
pub(crate) mod meta;
pub mod missing;
pub mod operations;
pub(crate) mod output_formats;
pub mod pages;
pub mod people;
pub(crate) mod progress;
mod project_change;
pub mod project_settings;
pub mod projects;
pub mod provision;
pub mod publish;
pub mod receipts;
pub(crate) mod retention;
pub mod review;
pub mod run;
pub mod search;
pub(crate) mod translations;
pub(crate) mod unpublished_changes;
pub(crate) mod versions;
pub mod webhooks;
pub(crate) mod workspaces;

pub use actor::Actor;
pub use caller::Caller;
pub use error::ServiceError;
pub(crate) use project_change::ProjectChange;
