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

/// The server's last sign of life. All clones share it.
#[derive(Debug, Clone)]
pub(super) struct Pulse {
    /// Longest wait for a sign of life.
    timeout: Duration,
    last: Arc<StdMutex<Option<Instant>>>,
    /// One asks, the others wait for the answer.
    asking: Arc<Mutex<Option<Instant>>>,
}

impl Pulse {
    pub(super) fn new(timeout: Duration) -> Self {
        Self { timeout, last: Arc::default(), asking: Arc::default() }
    }

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
        let outcome = loop {
            if let Ok(outcome) = timeout(LOOK_AFTER, &mut turn).await {
                break outcome;
            }
            let options = options();
            tokio::select! {
                // A turn that comes meanwhile is a sign of life, too.
                biased;
                outcome = &mut turn => break outcome,
                there = self.is_there(&options) => if !there {
                    return Err(sqlx::Error::PoolTimedOut);
                },
            }
        };
        if outcome.is_ok() {
            self.beat();
        }
        outcome
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
        let there = match timeout(self.timeout, options.connect()).await {
            Ok(Ok(connection)) => {
                // Whether it is closed in order changes nothing.
                let _ = timeout(self.timeout, connection.close()).await;
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

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use tokio::sync::Notify;

    use super::*;

    /// A server that takes connections and says nothing on them.
    async fn silent() -> (TcpListener, Arc<PgConnectOptions>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, Arc::new(PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port)))
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_is_away_after_the_time_limit() {
        let (_listener, options) = silent().await;
        let never = std::future::pending::<sqlx::Result<()>>();
        let waited = Pulse::new(Duration::from_millis(50)).wait(|| Arc::clone(&options), never).await;
        assert!(matches!(waited, Err(sqlx::Error::PoolTimedOut)), "{waited:?}");
    }

    #[tokio::test]
    async fn a_turn_that_comes_while_the_server_is_asked_is_taken() {
        let (listener, options) = silent().await;
        let asked = Arc::new(Notify::new());
        let turn = async {
            asked.notified().await;
            Ok(7)
        };
        let server = async {
            let connection = listener.accept().await.unwrap();
            asked.notify_one();
            // The sign of life never comes; the turn does.
            connection
        };
        let pulse = Pulse::new(Duration::from_secs(300));
        let (waited, _connection) = tokio::join!(pulse.wait(|| Arc::clone(&options), turn), server);
        assert_eq!(waited.unwrap(), 7);
    }
}
