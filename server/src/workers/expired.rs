//! Deletes records whose time is over, and that no setting keeps longer: idempotency keys, counts of days and of request
//! windows, contents of publishes that came to nothing, sessions, links, invitations, counts of failed sign-ins. Revokes keys
//! that have come to their end.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::clock::Timestamp;
use crate::domain::{ServiceError, api_keys, budgets, people, publish, receipts};
use crate::service::Service;
use crate::store::expired;

const EVERY: Duration = Duration::from_secs(60);

/// Rows of a table that one transaction deletes at most, so that others need not wait for long.
const AT_ONCE: i64 = 500;

/// Contents that one transaction deletes at most: each may have megabytes.
const CONTENTS_AT_ONCE: i64 = 20;

/// Retention of a request window, of which one minute counts: an hour, in milliseconds.
const REQUEST_WINDOW_MILLIS: i64 = 60 * 60 * 1_000;

/// Days whose counts are kept beside today's, for people.
const COUNTED_DAYS: i64 = 7;

/// Sweeps until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        if let Err(error) = sweep(&service).await {
            tracing::warn!(?error, "cannot delete records whose time is over; trying again");
        }
    }
}

/// Deletes all of them.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sweep(service: &Service) -> Result<(), ServiceError> {
    while sweep_some(service).await? {}
    while end_keys(service).await? {}
    while sweep_contents(service).await? {}
    while sweep_people(service).await? {}
    Ok(())
}

/// Revokes some keys that have come to their end; returns whether there may be more.
async fn end_keys(service: &Service) -> Result<bool, ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    let has_more = api_keys::end_due(&mut tx, service.clock.now()).await?;
    tx.commit().await?;
    Ok(has_more)
}

/// Deletes some contents of publishes that did not come to their end; returns whether there may be more.
async fn sweep_contents(service: &Service) -> Result<bool, ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    let swept = publish::sweep(&mut tx, service.clock.now(), CONTENTS_AT_ONCE).await?;
    tx.commit().await?;
    Ok(swept >= CONTENTS_AT_ONCE.unsigned_abs())
}

/// Deletes some of what lets people in and is over; returns whether there may be more.
async fn sweep_people(service: &Service) -> Result<bool, ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    let has_more = people::sweep(&mut tx, service.clock.now(), AT_ONCE).await?;
    tx.commit().await?;
    Ok(has_more)
}

/// Deletes a batch of each table; returns whether there may be more.
async fn sweep_some(service: &Service) -> Result<bool, ServiceError> {
    let now = service.clock.now();
    let before = |kept: i64| Timestamp::from_millis(now.as_millis() - kept);
    let mut tx = service.store.begin_background_write().await?;
    let deleted = [
        expired::idempotency_keys(&mut tx, before(receipts::KEY_MILLIS), AT_ONCE).await?,
        expired::daily_counts(&mut tx, budgets::day(now) - COUNTED_DAYS, AT_ONCE).await?,
        expired::request_windows(&mut tx, before(REQUEST_WINDOW_MILLIS), AT_ONCE).await?,
    ];
    tx.commit().await?;
    Ok(deleted.iter().any(|deleted| *deleted >= AT_ONCE.unsigned_abs()))
}
