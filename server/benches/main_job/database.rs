//! A fresh database on either engine.

use std::fmt;

use anyhow::{Result, bail};
use l10n_server::testing::postgres::{self, TestDatabase};
use tempfile::TempDir;

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

/// An empty database, without a schema.
pub(crate) enum Database {
    Sqlite(TempDir),
    Postgres(TestDatabase),
}

impl Database {
    /// `None` where there is no PostgreSQL, after saying so.
    pub(crate) async fn fresh(engine: Engine) -> Result<Option<Self>> {
        Ok(match engine {
            Engine::Sqlite => Some(Self::Sqlite(tempfile::tempdir()?)),
            Engine::Postgres => postgres::database().await.map(Self::Postgres),
        })
    }

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

/// A second database beside the first.
pub(crate) async fn another(engine: Engine) -> Result<Database> {
    match Database::fresh(engine).await? {
        Some(database) => Ok(database),
        None => bail!("PostgreSQL was there a moment ago"),
    }
}
