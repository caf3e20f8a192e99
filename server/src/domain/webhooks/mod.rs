//! Webhooks: registered, changed, given new secrets (§2, §4).

mod reseal;
mod secret;

pub use reseal::{Resealed, missing_keys, reseal};
