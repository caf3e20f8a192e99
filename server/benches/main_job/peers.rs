//! The time of plain SQL for the rows that the steps have left, on the same engine with the same settings: a limit that
//! no service on it can beat by much.

use std::str::FromStr as _;
use std::time::Instant;

use anyhow::Result;
use l10n_server::store::Store;
use sqlx::postgres::{PgConnectOptions, PgConnection, Postgres};
use sqlx::sqlite::{Sqlite, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, QueryBuilder};

use super::child::{BUILT, provision};
use super::database::{Engine, another};
use super::journey::LANGUAGES;

/// Seconds of each.
pub(crate) struct Peers {
    /// The project's keys, written into an empty database.
    pub(crate) insert_keys: f64,
    /// Translations and memory of the first three languages, written into an empty database.
    pub(crate) insert_translations: f64,
    /// The keys that a sync reads from the project.
    pub(crate) select_keys: f64,
    /// The rows that a publish reads, and its files written into an empty database.
    pub(crate) publish: f64,
}

type Key = (
    String,
    String,
    Option<String>,
    Option<String>,
    i64,
    String,
    Vec<u8>,
    i64,
    Option<String>,
    Option<i64>,
    Option<String>,
    String,
    i64,
    i64,
);
type Held = (String, String, Option<String>, Vec<u8>, String, i64, i64);
type Translation = (String, String, String, String, Vec<u8>, bool, String, Option<String>, String, i64);
type Memory = (String, String, Vec<u8>, String, String, i64);
type Blob = (Vec<u8>, Vec<u8>);

/// Rows in one statement.
const BATCH: usize = 500;

/// Measures them with the rows of `project`.
pub(crate) async fn measure(engine: Engine, url: &str, project: &str) -> Result<Peers> {
    let database = another(engine).await?;
    let empty = database.url();
    let made = provision(BUILT, &empty, &["peer".to_owned()], &LANGUAGES)?;
    let peers = match (engine, made.first()) {
        (_, None) => anyhow::bail!("provision made nothing"),
        (Engine::Sqlite, Some(made)) => {
            let (mut from, mut to) = (sqlite(url).await?, sqlite(&empty).await?);
            on_sqlite(&mut from, &mut to, project, &made.project_id, &made.workspace_id).await?
        }
        (Engine::Postgres, Some(made)) => {
            let (mut from, mut to) = (PgConnection::connect(url).await?, PgConnection::connect(&empty).await?);
            on_postgres(&mut from, &mut to, project, &made.project_id, &made.workspace_id).await?
        }
    };
    database.remove().await?;
    Ok(peers)
}

/// Lets the planner know what there is, as it does of itself after a while.
pub(crate) async fn analyze(engine: Engine, url: &str) -> Result<()> {
    if engine == Engine::Postgres {
        let mut connection = PgConnectOptions::from_str(url)?.connect().await?;
        sqlx::query("ANALYZE").execute(&mut connection).await?;
        connection.close().await?;
    }
    // Proves that the schema is the server's.
    Store::connect(url).await?.close().await;
    Ok(())
}

/// With the settings of the server's writer.
async fn sqlite(url: &str) -> Result<SqliteConnection> {
    let options = SqliteConnectOptions::from_str(url)?
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .pragma("cache_size", "-8000");
    Ok(options.connect().await?)
}

macro_rules! plain_sql {
    ($name:ident, $connection:ty, $engine:ty) => {
        async fn $name(
            from: &mut $connection,
            to: &mut $connection,
            project: &str,
            to_project: &str,
            to_workspace: &str,
        ) -> Result<Peers> {
            let began = Instant::now();
            let held: Vec<Held> = sqlx::query_as(
                "SELECT id, ref, source_path, source_hash, state, created_at, updated_at FROM keys WHERE project_id = $1",
            )
            .bind(project)
            .fetch_all(&mut *from)
            .await?;
            let select_keys = began.elapsed().as_secs_f64();
            drop(held);

            let keys: Vec<Key> = sqlx::query_as(
                "SELECT id, ref, namespace, source_path, position, source, source_hash, characters, description, \
                 max_length, tags, state, created_at, updated_at FROM keys WHERE project_id = $1 ORDER BY position",
            )
            .bind(project)
            .fetch_all(&mut *from)
            .await?;
            let began = Instant::now();
            let mut tx = to.begin().await?;
            for batch in keys.chunks(BATCH) {
                let mut insert: QueryBuilder<$engine> = QueryBuilder::new(
                    "INSERT INTO keys (id, project_id, ref, namespace, source_path, position, source, source_hash, \
                     characters, description, max_length, tags, state, created_at, updated_at) ",
                );
                insert.push_values(batch, |mut row, key| {
                    row.push_bind(&key.0).push_bind(to_project).push_bind(&key.1).push_bind(&key.2).push_bind(&key.3);
                    row.push_bind(key.4).push_bind(&key.5).push_bind(&key.6).push_bind(key.7).push_bind(&key.8);
                    row.push_bind(key.9).push_bind(&key.10).push_bind(&key.11).push_bind(key.12).push_bind(key.13);
                });
                insert.build().execute(&mut *tx).await?;
            }
            tx.commit().await?;
            let insert_keys = began.elapsed().as_secs_f64();

            let mut insert_translations = 0.0;
            for language in LANGUAGES {
                let translations: Vec<Translation> = sqlx::query_as(
                    "SELECT key_id, language, content, state, source_hash, stale, origin, engine, issues, updated_at \
                     FROM translations WHERE project_id = $1 AND language = $2",
                )
                .bind(project)
                .bind(language)
                .fetch_all(&mut *from)
                .await?;
                let memory: Vec<Memory> = sqlx::query_as(
                    "SELECT source_language, target_language, source_hash, engine, content, updated_at FROM memory \
                     WHERE target_language = $1",
                )
                .bind(language)
                .fetch_all(&mut *from)
                .await?;
                let began = Instant::now();
                let mut tx = to.begin().await?;
                for batch in translations.chunks(BATCH) {
                    let mut insert: QueryBuilder<$engine> = QueryBuilder::new(
                        "INSERT INTO translations (key_id, project_id, language, content, state, source_hash, stale, \
                         origin, engine, issues, updated_at) ",
                    );
                    insert.push_values(batch, |mut row, one| {
                        row.push_bind(&one.0).push_bind(to_project).push_bind(&one.1).push_bind(&one.2);
                        row.push_bind(&one.3).push_bind(&one.4).push_bind(one.5).push_bind(&one.6);
                        row.push_bind(&one.7).push_bind(&one.8).push_bind(one.9);
                    });
                    insert.build().execute(&mut *tx).await?;
                }
                for batch in memory.chunks(BATCH) {
                    let mut insert: QueryBuilder<$engine> = QueryBuilder::new(
                        "INSERT INTO memory (workspace_id, source_language, target_language, source_hash, engine, \
                         content, updated_at) ",
                    );
                    insert.push_values(batch, |mut row, one| {
                        row.push_bind(to_workspace).push_bind(&one.0).push_bind(&one.1).push_bind(&one.2);
                        row.push_bind(&one.3).push_bind(&one.4).push_bind(one.5);
                    });
                    insert.build().execute(&mut *tx).await?;
                }
                tx.commit().await?;
                insert_translations += began.elapsed().as_secs_f64();
            }

            let languages: Vec<(String,)> =
                sqlx::query_as("SELECT code FROM languages WHERE project_id = $1 AND NOT is_base")
                    .bind(project)
                    .fetch_all(&mut *from)
                    .await?;
            let began = Instant::now();
            for (language,) in languages {
                let read: Vec<(String, String, String, String)> = sqlx::query_as(
                    "SELECT key_id, content, state, issues FROM translations WHERE project_id = $1 AND language = $2",
                )
                .bind(project)
                .bind(language)
                .fetch_all(&mut *from)
                .await?;
                drop(read);
            }
            let mut publish = began.elapsed().as_secs_f64();
            let blobs: Vec<Blob> = sqlx::query_as("SELECT sha256, content FROM blobs").fetch_all(&mut *from).await?;
            let began = Instant::now();
            let mut tx = to.begin().await?;
            for (sha256, content) in &blobs {
                sqlx::query("INSERT INTO blobs (sha256, content) VALUES ($1, $2)")
                    .bind(sha256)
                    .bind(content)
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await?;
            publish += began.elapsed().as_secs_f64();
            Ok(Peers { insert_keys, insert_translations, select_keys, publish })
        }
    };
}

plain_sql!(on_sqlite, SqliteConnection, Sqlite);
plain_sql!(on_postgres, PgConnection, Postgres);
