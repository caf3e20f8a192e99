//! The rules: functions over a transaction, a clock and settings. No HTTP, no SQL.

mod caller;
mod error;

pub use caller::Caller;
pub use error::ServiceError;
