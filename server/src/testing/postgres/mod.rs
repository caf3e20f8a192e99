//! PostgreSQL for tests: the server that `TEST_POSTGRES_URL` names, or a cluster of the tests' own.
//!
//! The cluster is shared by every test process of this user (`cargo nextest` makes one for each test) and ends by itself
//! three seconds after the last of them. Who uses it holds a shared lock on `users.lock`; a small shell script that
//! runs beside the server asks for the exclusive one. Where `flock` (util-linux) is missing, each process has a cluster of
//! its own that ends with it. A cluster listens on a Unix socket in a folder of its own, so it needs no port. With neither
//! a server nor its programs at hand a test prints SKIPPED, and fails where `L10N_REQUIRE` contains `postgres`. Without Unix
//! sockets the tests have the server that is named alone.

mod admin;
#[cfg(unix)]
mod cluster;
mod template;

use std::fmt::Display;
use std::sync::OnceLock;

use tokio::sync::OnceCell;
use url::Url;

use crate::clock::{Clock as _, SystemClock};
use crate::ids::{IdKind, new_id};

#[cfg(unix)]
pub use cluster::DurableCluster;

/// A database of one test.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
    url: String,
    admin_url: &'static str,
}

impl TestDatabase {
    /// `postgres://…`
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Drops the database, whoever is connected to it.
    pub async fn remove(&self) {
        admin::run(self.admin_url, format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)).await;
    }
}

/// Makes an empty database; `None` when there is no PostgreSQL, after printing SKIPPED.
///
/// # Panics
///
/// Panics if `L10N_REQUIRE` contains `postgres` and there is none.
pub async fn database() -> Option<TestDatabase> {
    Some(database_at(admin_url()?).await)
}

/// Makes a database with the tables of this build and nothing in them; `None` like [`database`].
///
/// # Panics
///
/// Like [`database`].
pub async fn migrated() -> Option<TestDatabase> {
    let admin_url = admin_url()?;
    Some(copy_of(template::migrated(admin_url).await, admin_url).await)
}

/// The database from which others are made and dropped.
fn admin_url() -> Option<&'static str> {
    static SERVER: OnceLock<Result<Server, String>> = OnceLock::new();
    Some(&or_skipped(SERVER.get_or_init(Server::find).as_ref())?.admin_url)
}

/// Returns the found one; `None` after printing SKIPPED.
fn or_skipped<T>(found: Result<T, impl Display>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(reason) if std::env::var("L10N_REQUIRE").is_ok_and(|required| required.contains("postgres")) => {
            panic!("PostgreSQL is required by L10N_REQUIRE: {reason}")
        }
        Err(reason) => {
            println!("SKIPPED: no PostgreSQL: {reason}");
            None
        }
    }
}

async fn database_at(admin_url: &'static str) -> TestDatabase {
    copy_of("template0", admin_url).await
}

async fn copy_of(template: &str, admin_url: &'static str) -> TestDatabase {
    let name = new_id(IdKind::Lease, SystemClock.now()).replace("lse_", "l10n_test_");
    let strategy = strategy(admin_url).await;
    admin::run(admin_url, format!("CREATE DATABASE {name} TEMPLATE {template} ENCODING 'UTF8'{strategy}")).await;
    let mut url = Url::parse(admin_url).expect("was parsed before");
    url.set_path(&name);
    TestDatabase { name, url: url.into(), admin_url }
}

/// Asks PostgreSQL 15 and later to copy files rather than to write each page to its log: a third of the time, which each test
/// spends once. Earlier versions know no other way.
async fn strategy(admin_url: &'static str) -> &'static str {
    static STRATEGY: OnceCell<&str> = OnceCell::const_new();
    let find = async || if admin::version(admin_url).await >= 150_000 { " STRATEGY file_copy" } else { "" };
    STRATEGY.get_or_init(find).await
}

#[derive(Debug)]
struct Server {
    admin_url: String,
    /// Held as long as this process lives; the cluster stays until then.
    #[cfg(unix)]
    _hold: Option<cluster::ClusterLock>,
}

impl Server {
    fn find() -> Result<Self, String> {
        match std::env::var("TEST_POSTGRES_URL") {
            Ok(url) if !url.is_empty() => {
                Url::parse(&url).map_err(|error| format!("TEST_POSTGRES_URL is not a URL: {error}"))?;
                Ok(Self {
                    admin_url: url,
                    #[cfg(unix)]
                    _hold: None,
                })
            }
            #[cfg(unix)]
            _ => cluster::find(),
            #[cfg(not(unix))]
            _ => Err("TEST_POSTGRES_URL is not set".to_owned()),
        }
    }
}
