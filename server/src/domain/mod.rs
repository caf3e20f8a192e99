//! The rules: functions over a transaction, a clock and settings. No HTTP, no SQL.

pub mod auth;
mod caller;
pub mod credits;
mod error;
mod error_body;
pub mod languages;
pub mod meta;
pub mod output_formats;
pub mod projects;
pub mod run;

pub use caller::Caller;
pub use error::ServiceError;
