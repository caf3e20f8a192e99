//! Tells a PostgreSQL that is away from one whose connections are all in use: who waits for a connection behind others is
//! served later, and who waits for a server that is gone had better be told at once.

use std::pin::pin;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// Wait for a connection after which the server is asked for a sign of life, and again after as long.
const LOOK_AFTER: Duration = Duration::from_millis(500);
/// A sign of life holds for as long.
const HOLDS_FOR: Duration = Duration::from_secs(1);
/// Longest wait for one.
const TIMEOUT: Duration = Duration::from_millis(1_200);

/// The server's last sign of life. All clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Pulse {
    last: Arc<StdMutex<Option<Instant>>>,
    /// One asks, the others wait for the answer.
    asking: Arc<Mutex<Option<Instant>>>,
}

impl Pulse {
    /// Waits for `turn`, as long as the server is there.
    ///
    /// # Errors
    ///
    /// Those of `turn`; [`sqlx::Error::PoolTimedOut`] when the server is away.
    pub(super) async fn wait<T>(
        &self,
        options: impl Fn() -> Arc<PgConnectOptions>,
        turn: impl Future<Output = sqlx::Result<T>>,
    ) -> sqlx::Result<T> {
        let mut turn = pin!(turn);
        loop {
            match timeout(LOOK_AFTER, &mut turn).await {
                Ok(outcome) => {
                    if outcome.is_ok() {
                        self.beat();
                    }
                    return outcome;
                }
                Err(_) if self.is_there(&options()).await => {}
                Err(_) => return Err(sqlx::Error::PoolTimedOut),
            }
        }
    }

    fn beat(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn has_beaten(&self) -> bool {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last.elapsed() < HOLDS_FOR)
    }

    /// Returns true if the server answers on a separate connection. A server with too many connections answers, too.
    async fn is_there(&self, options: &PgConnectOptions) -> bool {
        let mut away_since = self.asking.lock().await;
        if self.has_beaten() {
            return true;
        }
        if away_since.is_some_and(|since| since.elapsed() < HOLDS_FOR) {
            return false;
        }
        let there = match timeout(TIMEOUT, options.connect()).await {
            Ok(Ok(connection)) => {
                // Whether it is closed in order changes nothing.
                let _ = timeout(TIMEOUT, connection.close()).await;
                true
            }
            Ok(Err(error)) => error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("53300")),
            Err(_) => false,
        };
        if there {
            self.beat();
        }
        *away_since = (!there).then(Instant::now);
        there
    }
}
