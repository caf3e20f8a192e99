//! A store of a test's own, and the runners behind [`both_engines!`](crate::both_engines).

use std::future::Future;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::postgres::{self, TestDatabase};
use crate::store::{Store, sqlite};

/// A migrated, empty store that no other test sees. Derefs to [`Store`].
#[derive(Debug, Clone)]
pub struct TestStore {
    store: Store,
    url: Arc<str>,
    /// Goes with the last clone.
    _folder: Option<Arc<TempDir>>,
    database: Option<Arc<TestDatabase>>,
}

impl TestStore {
    /// On a SQLite file in a folder that goes with the last clone.
    pub async fn sqlite() -> Self {
        static MIGRATED: OnceCell<Vec<u8>> = OnceCell::const_new();
        let migrated = MIGRATED.get_or_init(migrated_file).await;
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let file = folder.path().join("test.db");
        std::fs::write(&file, migrated).expect("the test's database is written");
        let url = url_of(&file);
        Self { store: connect(&url).await, url: url.into(), _folder: Some(Arc::new(folder)), database: None }
    }

    /// On a SQLite file at this path, which is made.
    pub async fn at_file(path: &Path) -> Self {
        Self::open(url_of(path), None).await
    }

    /// On a PostgreSQL database of its own; `None` when there is no PostgreSQL, which was then said or is a failure (see
    /// [`postgres::database`]). The one who asked ends with [`remove`](Self::remove).
    pub async fn postgres() -> Option<Self> {
        let database = postgres::migrated().await?;
        let (store, url) = (connect(database.url()).await, database.url().into());
        Some(Self { store, url, _folder: None, database: Some(Arc::new(database)) })
    }

    /// On this database, which goes with [`remove`](Self::remove).
    pub async fn at(database: TestDatabase) -> Self {
        Self::open(database.url().to_owned(), Some(Arc::new(database))).await
    }

    /// On this database by another way than its own, such as a pooler.
    pub async fn through(url: String, database: TestDatabase) -> Self {
        Self::open(url, Some(Arc::new(database))).await
    }

    async fn open(url: String, database: Option<Arc<TestDatabase>>) -> Self {
        let store = connect(&url).await;
        store.migrate().await.expect("the test's database is migrated");
        Self { store, url: url.into(), _folder: None, database }
    }

    /// The value of `database_url` for a second store or a server on the same database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns true if several servers may use it at once.
    pub fn is_shared(&self) -> bool {
        self.url().starts_with("postgres")
    }

    /// A plain store on the same connections.
    pub fn store(&self) -> Store {
        self.store.clone()
    }

    /// Closes the connections and drops the database.
    pub async fn remove(self) {
        // A test that failed may have left a connection in use; the database goes nonetheless.
        let _ = tokio::time::timeout(Duration::from_secs(5), self.store.close()).await;
        if let Some(database) = &self.database {
            database.remove().await;
        }
    }
}

impl Deref for TestStore {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

async fn connect(url: &str) -> Store {
    sqlite::skip_syncs();
    Store::connect_sparingly(url).await.expect("the test's database opens")
}

fn url_of(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

/// A SQLite file with the tables of this build and nothing in them. To write it takes far less time than all migrations.
async fn migrated_file() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let file = folder.path().join("template.db");
    TestStore::at_file(&file).await.store.close().await;
    std::fs::read(file).expect("the template is read")
}

/// Runs `test` on SQLite.
pub fn on_sqlite<F>(test: impl FnOnce(TestStore) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    runtime().block_on(async { run(TestStore::sqlite().await, test).await });
}

/// Runs `test` on PostgreSQL, or says that it was skipped.
pub fn on_postgres<F>(test: impl FnOnce(TestStore) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    runtime().block_on(async {
        if let Some(store) = TestStore::postgres().await {
            run(store, test).await;
        }
    });
}

async fn run<F>(store: TestStore, test: impl FnOnce(TestStore) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    // In a task of its own, so that the database goes also when the test panics.
    let outcome = tokio::spawn(test(store.clone())).await;
    store.remove().await;
    if let Err(error) = outcome {
        std::panic::resume_unwind(error.into_panic());
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
