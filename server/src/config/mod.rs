//! Settings of the server.

mod settings;

pub use settings::{Limits, Plan, Pricing, Settings};
