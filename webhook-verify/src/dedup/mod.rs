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
pub use memory::{ClaimToken, DEFAULT_CAPACITY, DEFAULT_LEASE, DEFAULT_TIME_TO_LIVE, InMemory};

/// Remembers the handled deliveries.
///
/// A claim is a lease: if its holder dies and reports nothing, the claim must lapse, or the event would be lost. The holder
/// may be alive all the same, and report a failure after someone else has claimed the delivery. Each claim therefore has a
/// token, and only that token gives the claim back.
///
/// A table of SQL keeps a row for each key, with a token and the time of the claim, here of PostgreSQL:
///
/// ```sql
/// CREATE TABLE deliveries (
///     webhook_id text NOT NULL,
///     event_id text NOT NULL,
///     token uuid NOT NULL,
///     claimed_at timestamptz NOT NULL,
///     handled boolean NOT NULL DEFAULT false,
///     PRIMARY KEY (webhook_id, event_id)
/// );
/// -- claim: granted if it returns the row; otherwise the row says whether the delivery has been handled
/// INSERT INTO deliveries (webhook_id, event_id, token, claimed_at) VALUES ($1, $2, gen_random_uuid(), now())
/// ON CONFLICT (webhook_id, event_id) DO UPDATE SET token = excluded.token, claimed_at = excluded.claimed_at
/// WHERE NOT deliveries.handled AND deliveries.claimed_at < now() - interval '60 seconds'
/// RETURNING token;
/// -- handled
/// INSERT INTO deliveries (webhook_id, event_id, token, claimed_at, handled)
/// VALUES ($1, $2, gen_random_uuid(), now(), true) ON CONFLICT (webhook_id, event_id) DO UPDATE SET handled = true;
/// -- failed
/// DELETE FROM deliveries WHERE webhook_id = $1 AND event_id = $2 AND token = $3 AND NOT handled;
/// ```
pub trait Deduplicator {
    /// The error of the underlying store.
    type Error;

    /// Names one claim. No later claim of the same delivery may have an equal token, even if the store has forgotten the
    /// earlier one: a random value or a counter of the whole store is suitable, a counter in the delivery's row is not.
    type Token: Send;

    /// Claims a delivery for the caller, unless it has been handled or someone else holds a claim on it.
    fn claim(&self, key: &DeliveryKey) -> impl Future<Output = Result<Claim<Self::Token>, Self::Error>> + Send;

    /// Records that the delivery has been handled: from now on it is a duplicate. That is true whoever holds the claim, so it
    /// takes no token.
    fn handled(&self, key: &DeliveryKey) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Gives back the claim of this token, because the delivery could not be handled: the next one is tried again. It changes
    /// nothing if the claim has lapsed and belongs to someone else, or if the delivery has been handled.
    fn failed(&self, key: &DeliveryKey, token: Self::Token) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Gives back the claim of this token, like [`failed`](Self::failed), because its handler was dropped before it had ended.
    /// It is called from a destructor, so it must not block. By default it does nothing: the claim lapses by itself, and the
    /// retries that come before that are answered [`InProgress`](Claim::InProgress).
    fn dropped(&self, key: &DeliveryKey, token: Self::Token) {
        let _ = (key, token);
    }
}

/// The answer to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a delivery that is claimed and never reported is not handled before the claim lapses"]
pub enum Claim<T> {
    /// The caller may handle the delivery. The token gives the claim back.
    Granted(T),
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
/// If the returned future is dropped before `handle` has ended, the delivery is not handled: its claim is given back
/// ([`Deduplicator::dropped`]), and the next attempt runs `handle` from its start, as after a failure. A server such as
/// axum's drops a handler when the service hangs up, which it does after ten seconds. Work that must go on, once begun, takes
/// the claim with it into a task of its own:
///
/// ```
/// # use std::sync::Arc;
/// # use l10n_webhook_verify::dedup::{self, DeliveryKey, InMemory, Once};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (seen, key) = (Arc::new(InMemory::default()), DeliveryKey::new("whk_1", "evt_1")?);
/// # let work = async { Ok::<_, std::io::Error>(()) };
/// let task = tokio::spawn(async move { dedup::once(&*seen, &key, work).await });
/// let outcome = task.await??; // The task goes on if this is dropped.
/// # assert_eq!(outcome, Once::Handled(()));
/// # Ok(())
/// # }
/// ```
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
        Claim::Granted(token) => {
            let mut claimed = Claimed { seen, key, token: Some(token) };
            let ended = handle.await;
            // From here on the claim is reported, not dropped.
            let token = claimed.token.take();
            match ended {
                Ok(value) => {
                    seen.handled(key).await.map_err(OnceError::Dedup)?;
                    Ok(Once::Handled(value))
                }
                Err(error) => {
                    if let Some(token) = token {
                        // The handler's failure is more useful than the store's; the claim lapses by itself.
                        let _ = seen.failed(key, token).await;
                    }
                    Err(OnceError::Handler(error))
                }
            }
        }
    }
}

/// A claim whose handler is running. It is given back if the handler is dropped or panics.
struct Claimed<'a, D: Deduplicator> {
    seen: &'a D,
    key: &'a DeliveryKey,
    /// None once the handler has ended.
    token: Option<D::Token>,
}

impl<D: Deduplicator> Drop for Claimed<'_, D> {
    fn drop(&mut self) {
        if let Some(token) = self.token.take() {
            self.seen.dropped(self.key, token);
        }
    }
}
