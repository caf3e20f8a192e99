//! Statements for the PostgreSQL server of tests itself, which make and drop the databases of tests.
//!
//! All tests of a process share a few connections for them: each test would otherwise open two of its own, and a new
//! connection takes as much time as many statements. They live on a runtime of their own, since that of a test ends with it.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor as _, PgPool};
use tokio::runtime::{Builder, Runtime};

/// Databases that are made or dropped at once.
const AT_ONCE: u32 = 4;
/// The longest wait for a connection on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a statement.
///
/// # Panics
///
/// Panics if the server refuses it.
pub(super) async fn run(url: &'static str, statement: String) {
    try_run(url, statement).await.expect("the PostgreSQL server for tests makes and drops databases");
}

/// Runs a statement that the server may refuse.
pub(super) async fn try_run(url: &'static str, statement: String) -> Result<(), sqlx::Error> {
    on_pool(url, |pool| async move { pool.execute(AssertSqlSafe(statement)).await.map(drop) }).await
}

/// The version of the server, such as 150004 for 15.4.
pub(super) async fn version(url: &'static str) -> i32 {
    const VERSION: &str = "SELECT current_setting('server_version_num')::int";
    let found = on_pool(url, |pool| async move { sqlx::query_scalar(VERSION).fetch_one(&pool).await });
    found.await.expect("PostgreSQL says its version")
}

/// Returns true if the server has a database of that name.
pub(super) async fn has_database(url: &'static str, name: String) -> bool {
    const FIND: &str = "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)";
    let found = on_pool(url, |pool| async move { sqlx::query_scalar(FIND).bind(name).fetch_one(&pool).await });
    found.await.expect("PostgreSQL lists its databases")
}

/// Runs work on the connections to a server, wherever it is asked for.
async fn on_pool<T, F>(url: &'static str, work: impl FnOnce(PgPool) -> F) -> T
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    static RUNTIME: LazyLock<Runtime> =
        LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime"));
    RUNTIME.spawn(work(pool(url, &RUNTIME))).await.expect("no panic")
}

/// The connections to a server, which is one but for tests that crash a cluster of their own.
fn pool(url: &'static str, runtime: &Runtime) -> PgPool {
    static POOLS: LazyLock<Mutex<HashMap<&'static str, PgPool>>> = LazyLock::new(Mutex::default);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let open = || {
        // It looks after its connections on the runtime that it is made on.
        let _entered = runtime.enter();
        let options = PgPoolOptions::new().max_connections(AT_ONCE).acquire_timeout(PATIENCE);
        options.connect_lazy(url).expect("was parsed before")
    };
    pools.entry(url).or_insert_with(open).clone()
}
