//! For proving the conformance suite, and for nothing else: a clock that can be moved from outside, and rules with other
//! numbers than the specification's. Behind the feature `lab`, which no release has.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use tokio::net::TcpListener;

use crate::clock::{Clock, SystemClock, Timestamp};
use crate::config::Settings;
use crate::deliveries_due::DeliveriesDue;
use crate::domain::deliveries::DeliveryRules;

/// Rules that deviate from the specification's. A rule that is left out is the specification's.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    waits_millis: Option<Vec<i64>>,
    failures_to_disable: Option<i64>,
    open_millis: Option<u64>,
    answer_millis: Option<u64>,
    attempts_at_once: Option<u32>,
}

impl Rules {
    /// The rules of deliveries.
    #[must_use]
    pub fn delivery(&self, specified: DeliveryRules) -> DeliveryRules {
        DeliveryRules {
            waits_millis: self.waits_millis.clone().map_or(specified.waits_millis, Into::into),
            failures_to_disable: self.failures_to_disable.unwrap_or(specified.failures_to_disable),
        }
    }

    /// The settings with the name server of the lab, and with the timeouts of endpoints and the number of
    /// attempts at once that these rules state.
    #[must_use]
    pub fn applied(&self, mut settings: Settings) -> Settings {
        let egress = &mut settings.webhooks.egress;
        egress.name_server = name_server().or(egress.name_server);
        egress.timeouts.open = self.open_millis.map_or(egress.timeouts.open, Duration::from_millis);
        egress.timeouts.answer = self.answer_millis.map_or(egress.timeouts.answer, Duration::from_millis);
        settings.webhooks.slots = self.attempts_at_once.unwrap_or(settings.webhooks.slots);
        settings
    }
}

/// The rules of this process: `L10N_LAB_RULES` has them as JSON.
///
/// # Panics
///
/// Panics when the variable holds something else.
#[must_use]
#[expect(clippy::panic, reason = "a lab whose rules cannot be read proves nothing")]
pub fn rules() -> Rules {
    let Ok(text) = std::env::var("L10N_LAB_RULES") else { return Rules::default() };
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("L10N_LAB_RULES: {error}"))
}

/// The clock of the machine, ahead by an offset that can be set. Clones are the same clock.
#[derive(Debug, Clone, Default)]
pub struct MovableClock {
    ahead: Arc<AtomicI64>,
    /// The file that stores the offset, so that a killed server restarts with the same time.
    kept: Option<Arc<Path>>,
    /// Is told of each move.
    deliveries_due: Arc<OnceLock<Arc<DeliveriesDue>>>,
}

impl Clock for MovableClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(SystemClock.now().as_millis() + self.ahead.load(Ordering::SeqCst))
    }
}

/// The name server that is asked in place of the machine's: `L10N_LAB_NAME_SERVER` names its address.
#[must_use]
pub fn name_server() -> Option<SocketAddr> {
    std::env::var("L10N_LAB_NAME_SERVER").ok()?.parse().ok()
}

#[derive(serde::Deserialize)]
struct Advance {
    seconds: u32,
}

impl MovableClock {
    /// A clock with the offset that an earlier clock wrote to this file; without an offset if there is no file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file contains something else.
    pub fn kept_in(file: &Path) -> std::io::Result<Self> {
        let ahead = match std::fs::read_to_string(file) {
            Ok(text) => text.parse().map_err(std::io::Error::other)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(Self { ahead: Arc::new(AtomicI64::new(ahead)), kept: Some(file.into()), ..Self::default() })
    }

    /// Wakes the delivery worker of a service at each move. It sleeps until the next delivery is due by the machine's clock,
    /// and would see only at its next poll that the time has come.
    pub fn wakes(&self, deliveries_due: &Arc<DeliveriesDue>) {
        // A process has one service.
        let _ = self.deliveries_due.set(Arc::clone(deliveries_due));
    }

    fn advance(&self, seconds: u32) -> std::io::Result<()> {
        let by = i64::from(seconds) * 1000;
        let ahead = self.ahead.fetch_add(by, Ordering::SeqCst) + by;
        if let Some(deliveries_due) = self.deliveries_due.get() {
            deliveries_due.notify_one();
        }
        self.kept.as_ref().map_or(Ok(()), |file| std::fs::write(file, ahead.to_string()))
    }

    /// Listens for `POST` with `{"seconds": n}` until the process ends. Returns where.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not available.
    pub async fn listen(&self, address: SocketAddr) -> std::io::Result<SocketAddr> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let router = Router::new().route("/advance", post(advance)).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(address)
    }
}

async fn advance(State(clock): State<MovableClock>, body: Bytes) -> StatusCode {
    let Ok(Advance { seconds }) = serde_json::from_slice(&body) else { return StatusCode::BAD_REQUEST };
    if clock.advance(seconds).is_ok() { StatusCode::NO_CONTENT } else { StatusCode::INTERNAL_SERVER_ERROR }
}

/// The clock of this process. It listens where `L10N_LAB_CLOCK` says, and is kept in the file that `L10N_LAB_CLOCK_KEPT` names;
/// without the first it is that of the machine, since nobody can move it.
///
/// # Errors
///
/// Returns an error if the variable is not an address, the address is not available, or the file is not a clock's.
pub async fn clock() -> std::io::Result<MovableClock> {
    let Ok(address) = std::env::var("L10N_LAB_CLOCK") else { return Ok(MovableClock::default()) };
    let clock = match std::env::var_os("L10N_LAB_CLOCK_KEPT") {
        Some(file) => MovableClock::kept_in(Path::new(&file))?,
        None => MovableClock::default(),
    };
    let address = clock.listen(address.parse().map_err(std::io::Error::other)?).await?;
    tracing::info!(url = format!("http://{address}/advance"), "lab clock");
    Ok(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_move_of_the_clock_wakes_the_delivery_worker() {
        let (clock, deliveries_due) = (MovableClock::default(), Arc::new(DeliveriesDue::default()));
        clock.wakes(&deliveries_due);
        assert!(deliveries_due.take().is_empty());
        let before = clock.now();
        clock.advance(60).unwrap();
        deliveries_due.notified().await;
        assert!(clock.now().as_millis() - before.as_millis() >= 60_000 && deliveries_due.take().everywhere);
    }
}
