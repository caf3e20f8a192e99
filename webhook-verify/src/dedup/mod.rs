//! Handles each event once, although it may be delivered several times.
//!
//! Delivery is at least once: a retry or resend repeats the event's id, and one event has the same id for all webhooks.
//! The pair of webhook id and event id therefore identifies a handled delivery (§6, DEL-15).
//!
//! A handler that changes a database should write the pair into it, under a unique constraint, in the transaction of
//! the change itself. If that is not possible, [`once`] surrounds a handler with a [`Deduplicator`]: a delivery counts
//! as handled only after its handler has succeeded, so that a failure is retried and nothing is lost.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use l10n_webhook_verify::dedup::{self, DeliveryKey, InMemory, Once};
//!
//! let seen = InMemory::default();
//! // The event's id comes from the verified body: the header with it is not signed.
//! let key = DeliveryKey::new("whk_1", "evt_1")?;
//! let first = dedup::once(&seen, &key, async { Ok::<_, std::io::Error>("purged the cache") }).await?;
//! assert_eq!(first, Once::Handled("purged the cache"));
//! let again = dedup::once(&seen, &key, async { Ok::<_, std::io::Error>("purged the cache") }).await?;
//! assert_eq!(again, Once::Duplicate); // to be answered 2xx, too
//! # Ok(())
//! # }
//! ```

mod key;
mod memory;

use core::future::Future;

use thiserror::Error;

pub use key::{DeliveryKey, KeyError, MAX_ID_BYTES};
pub use memory::{DEFAULT_CAPACITY, DEFAULT_LEASE, DEFAULT_TIME_TO_LIVE, InMemory};

/// Remembers the handled deliveries.
///
/// A claim is a lease: if its holder dies and reports nothing, the claim must lapse, or the event would be lost.
pub trait Deduplicator {
    /// The error of the underlying store.
    type Error;

    /// Claims a delivery for the caller, unless it has been handled or someone else holds a claim on it.
    fn claim(&self, key: &DeliveryKey) -> impl Future<Output = Result<Claim, Self::Error>> + Send;

    /// Records that the claimed delivery has been handled: from now on it is a duplicate.
    fn handled(&self, key: &DeliveryKey) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Records that the claimed delivery could not be handled: the next one is tried again.
    fn failed(&self, key: &DeliveryKey) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// The answer to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The caller may handle the delivery.
    Granted,
    /// The delivery has been handled.
    Duplicate,
    /// Another caller is handling it.
    InProgress,
}

/// The outcome of [`once`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Once<T> {
    /// The handler ran; this is its result.
    Handled(T),
    /// The delivery has been handled before; answer 2xx.
    Duplicate,
    /// Another caller is handling it and may still fail; answer 409, so that the service tries again.
    InProgress,
}

/// The reason why a delivery has not been handled.
#[derive(Debug, Error)]
pub enum OnceError<D, H> {
    /// The deduplicator has failed. If it failed after the handler had run, the handler will run again.
    #[error("the record of handled deliveries could not be read or written: {0}")]
    Dedup(D),
    /// The handler has failed; answer 5xx, so that the service tries again.
    #[error("the delivery could not be handled: {0}")]
    Handler(H),
}

/// Runs `handle` unless the delivery has been handled, and records its success.
///
/// # Errors
///
/// [`OnceError`], if `handle` or the deduplicator fails.
pub async fn once<D: Deduplicator, T, E>(
    seen: &D,
    key: &DeliveryKey,
    handle: impl Future<Output = Result<T, E>>,
) -> Result<Once<T>, OnceError<D::Error, E>> {
    match seen.claim(key).await.map_err(OnceError::Dedup)? {
        Claim::Duplicate => Ok(Once::Duplicate),
        Claim::InProgress => Ok(Once::InProgress),
        Claim::Granted => match handle.await {
            Ok(value) => {
                seen.handled(key).await.map_err(OnceError::Dedup)?;
                Ok(Once::Handled(value))
            }
            Err(error) => {
                // The handler's failure is more useful; the claim lapses by itself.
                let _ = seen.failed(key).await;
                Err(OnceError::Handler(error))
            }
        },
    }
}
