//! The rules: functions over a transaction, a clock and settings. No HTTP, no SQL.

pub mod approval;
pub mod auth;
pub mod budgets;
mod caller;
pub mod capture;
pub mod code_changes;
pub mod content;
pub mod credits;
pub mod deliveries;
pub mod delivery;
mod error;
mod error_body;
pub mod events;
mod findings;
pub mod jobs;
pub mod languages;
pub mod lifecycle;
pub mod long_poll;
pub mod memory;
pub mod meta;
pub mod operations;
pub mod output_formats;
pub mod pages;
pub mod projects;
pub mod provision;
pub mod publish;
pub mod receipts;
pub mod retention;
pub mod review;
pub mod run;
pub mod translations;
pub mod versions;
pub mod webhooks;
pub mod workspaces;

pub use caller::Caller;
pub use error::ServiceError;
