#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "sign")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "axum")]
pub mod axum;
#[cfg(feature = "std")]
mod clock;
#[cfg(feature = "dedup")]
pub mod dedup;
mod error;
#[cfg(feature = "events")]
pub mod events;
mod header;
#[cfg(feature = "http")]
mod headers;
mod key;
#[cfg(feature = "sign")]
pub mod sign;
mod verifier;

pub use error::{HeaderError, SecretError, TimeError, VerifyError};
pub use header::{MAX_HEADER_BYTES, MAX_SIGNATURES};
pub use verifier::{DEFAULT_TOLERANCE, MAX_SECRETS, Verified, Verifier};

/// The header with the time and the signatures of a delivery: `t=<unix seconds>,v1=<signature>[,v1=<signature>]`.
pub const SIGNATURE_HEADER: &str = "x-service-signature";

/// The header with the event's id, equal to `id` in the body. The signature covers only the one in the body.
pub const EVENT_ID_HEADER: &str = "x-service-event-id";

/// The header with the webhook's id. The signature does not cover it.
pub const WEBHOOK_ID_HEADER: &str = "x-service-webhook-id";
