//! A fresh database on either engine, and what its own processes use.

use std::fmt;

use anyhow::Result;
use l10n_server::testing::postgres::{DurableCluster, TestDatabase};
use tempfile::TempDir;

use super::process;

/// The database engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        })
    }
}

/// Makes databases.
pub(crate) enum Databases {
    Sqlite,
    Postgres(DurableCluster),
}

/// An empty database, without a schema.
pub(crate) enum Database {
    Sqlite(TempDir),
    Postgres(TestDatabase),
}

impl Databases {
    pub(crate) fn of(engine: Engine) -> Result<Self> {
        Ok(match engine {
            Engine::Sqlite => Self::Sqlite,
            Engine::Postgres => Self::Postgres(DurableCluster::start()?),
        })
    }

    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Sqlite => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    pub(crate) async fn fresh(&self) -> Result<Database> {
        Ok(match self {
            Self::Sqlite => Database::Sqlite(tempfile::tempdir()?),
            Self::Postgres(cluster) => Database::Postgres(cluster.database().await),
        })
    }

    /// Processor seconds of the database's own processes so far; not a number where it has none.
    pub(crate) fn processor(&self) -> f64 {
        match self {
            Self::Sqlite => f64::NAN,
            Self::Postgres(cluster) => cluster.process().map_or(f64::NAN, process::processor_of_family),
        }
    }
}

impl Database {
    /// As the setting `database_url` has it.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite:{}/bench.sqlite", folder.path().display()),
            Self::Postgres(database) => database.url().to_owned(),
        }
    }

    pub(crate) async fn remove(self) -> Result<()> {
        match self {
            Self::Sqlite(folder) => folder.close()?,
            Self::Postgres(database) => database.remove().await,
        }
        Ok(())
    }
}
