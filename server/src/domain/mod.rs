//! The rules: functions over a transaction, a clock and settings. No HTTP, no SQL.

pub mod auth;
mod caller;
mod error;
mod error_body;

pub use caller::Caller;
pub use error::ServiceError;
