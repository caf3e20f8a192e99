//! Handles each event once, although it may be delivered again.
//!
//! Delivery is at least once: a retry or resend repeats the event's id, and one event has the same id for all webhooks.
//! So the pair of webhook id and event id tells whether a delivery has been handled (§6, DEL-15).
//!
//! A handler that changes a database does best to write the pair into it, under a unique constraint, in the transaction
//! of the change itself. Where that cannot be, [`once`] surrounds a handler with a [`Deduplicator`]: a delivery counts as
//! handled only when its handler has succeeded, so that a failure is retried and nothing is lost.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use l10n_webhook_verify::dedup::{self, DeliveryKey, InMemory, Once};
//!
//! let seen = InMemory::default();
//! // The event's id from the verified body: the header with it is not signed.
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

/// Remembers which deliveries have been handled.
///
/// A claim is a lease: when its holder dies and reports nothing, the claim has to lapse, or the event would be lost.
pub trait Deduplicator {
    /// What can go wrong with what remembers.
    type Error;

    /// Claims a delivery for the caller, unless it has been handled or someone else holds a claim on it.
    fn claim(&self, key: &DeliveryKey) -> impl Future<Output = Result<Claim, Self::Error>> + Send;

    /// The claimed delivery has been handled: from now on it is a duplicate.
    fn handled(&self, key: &DeliveryKey) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// The claimed delivery could not be handled: the next one is to be tried again.
    fn failed(&self, key: &DeliveryKey) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// Whose a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The caller's: it has not been handled.
    Granted,
    /// It has been handled.
    Duplicate,
    /// Someone is handling it.
    InProgress,
}

/// What became of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Once<T> {
    /// The handler has run, and this is what it gave.
    Handled(T),
    /// It has been handled before; answer 2xx.
    Duplicate,
    /// It is being handled, and might yet fail; answer 409, so that the service comes back to it.
    InProgress,
}

/// Why a delivery has not been handled.
#[derive(Debug, Error)]
pub enum OnceError<D, H> {
    /// What remembers deliveries has failed. When it did so after the handler, the handler will run again.
    #[error("which deliveries have been handled could not be read or written: {0}")]
    Dedup(D),
    /// The handler has failed; answer 5xx, so that the service tries again.
    #[error("the delivery could not be handled: {0}")]
    Handler(H),
}

/// Runs `handle` unless the delivery has been handled, and remembers when it succeeds.
///
/// # Errors
///
/// [`OnceError`], when `handle` fails or what remembers does.
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
                // The handler's failure says more; the claim lapses by itself.
                let _ = seen.failed(key).await;
                Err(OnceError::Handler(error))
            }
        },
    }
}
