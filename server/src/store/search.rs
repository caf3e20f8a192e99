//! The index of texts (`migrations/*/0300_search.sql`): which keys have certain sequences of characters, as tokens that
//! `domain::search` makes. Triggers mark each key whose texts change, in the transaction of the change; the worker takes a
//! mark away when it has written the key's tokens anew. A search takes the keys that the index finds and those that are
//! marked, and reads them.
//!
//! The index is FTS5 on SQLite, of which nothing but lists of tokens is used, and a GIN index of arrays on PostgreSQL.

use l10n_api_types::{Content, ProjectId};

use super::engine::Engine;
use super::row::Json;
use super::{Store, StoreError, Tx};

row! {
    /// A key as the index reads it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct IndexedKey {
        /// `str_…`
        pub id: String,
        /// Its `ref`
        pub name: String,
        /// Its text in the base language
        pub source: Json<Content>,
    }
}

row! {
    /// A translation as the index reads it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TranslatedText {
        /// The key
        pub key_id: String,
        /// Its text
        pub content: Json<Content>,
    }
}

statements! {
    NEXT_PROJECT = "SELECT project_id FROM search_marks WHERE project_id > $1 ORDER BY project_id LIMIT 1";
    MARKED = sqlite "SELECT key_id FROM search_marks WHERE project_id = $1 AND key_id > $2 ORDER BY key_id LIMIT $3",
        postgres "SELECT key_id FROM search_marks WHERE project_id = $1 AND key_id > $2 ORDER BY key_id LIMIT $3 \
        FOR UPDATE SKIP LOCKED";
    SOURCES = values "SELECT id, ref AS name, source FROM keys WHERE id IN (" each "?" then ")";
    TRANSLATIONS = values "SELECT key_id, content FROM translations WHERE key_id IN (" each "?" then ")";
    UNMARK = values "DELETE FROM search_marks WHERE project_id = $1 AND key_id IN (" each "?" then ")";
    ADD = values "INSERT INTO search_keys (key_id) VALUES" each "(?)" then "ON CONFLICT (key_id) DO NOTHING";
    NUMBERS = values "SELECT number, key_id FROM search_keys WHERE key_id IN (" each "?" then ")";
    CLEAR = values "DELETE FROM search_grams WHERE rowid IN (" each "?" then ")";
    INSERT = values "INSERT INTO search_grams (rowid, grams) VALUES" each "(?, ?)" then "";
    FOUND = sqlite "SELECT COUNT(*) FROM (SELECT 1 FROM search_grams WHERE search_grams MATCH ($1 || ' OR ' || $2) LIMIT $3) few",
        postgres "SELECT COUNT(*) FROM (SELECT 1 FROM search_grams g WHERE string_to_array(g.grams, ' ') @> string_to_array($1, ' ') \
        OR string_to_array(g.grams, ' ') @> string_to_array($2, ' ') LIMIT $3) few";
    MARKS = "SELECT COUNT(*) FROM (SELECT 1 FROM search_marks WHERE project_id = $1 ORDER BY key_id LIMIT $2) few";
}

/// The tokens of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens<'a> {
    /// Tokens that a key has to have all of, with blanks between
    pub all: &'a str,
    /// The token of keys whose texts are too long to be indexed
    pub long: &'a str,
}

/// The next project after `after`, in the order of ids, that has marked keys.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn next_project(tx: &mut Tx, after: &str) -> Result<Option<ProjectId>, StoreError> {
    Ok(fetch_optional!(tx, (String,), NEXT_PROJECT, after)?.map(|(id,)| id.into()))
}

/// Some marked keys of a project after the key `after`, `most` at most, in the order of their ids. On PostgreSQL they are locked
/// until the end of the transaction, and those that a writer has at hand are left out.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn marked(
    tx: &mut Tx,
    project_id: &ProjectId,
    after: &str,
    most: i64,
) -> Result<Vec<String>, StoreError> {
    let ids = fetch_all!(tx, (String,), MARKED, project_id.as_str(), after, most)?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// The refs and sources of these keys, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sources(tx: &mut Tx, ids: &[String]) -> Result<Vec<IndexedKey>, StoreError> {
    fetch_values!(tx, IndexedKey, SOURCES, [], ids, |id| [id.as_str()])
}

/// The translations of these keys, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn translations(tx: &mut Tx, ids: &[String]) -> Result<Vec<TranslatedText>, StoreError> {
    fetch_values!(tx, TranslatedText, TRANSLATIONS, [], ids, |id| [id.as_str()])
}

/// Takes the marks of these keys away.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn unmark(tx: &mut Tx, project_id: &ProjectId, ids: &[String]) -> Result<u64, StoreError> {
    execute_values!(tx, UNMARK, [project_id.as_str()], ids, |id| [id.as_str()])
}

/// Frees the rows of marks that were taken away: PostgreSQL keeps them until they are vacuumed, and every search and every
/// batch of the index reads past them. `entirely` frees few rows in the table's index, too, for which all of the index is read,
/// and gives the room of the table back to the system.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn free_marks(store: &Store, entirely: bool) -> Result<(), StoreError> {
    match &store.engine {
        Engine::Sqlite { .. } => Ok(()),
        Engine::Postgres(pools) => Ok(pools.vacuum_marks(entirely).await?),
    }
}

/// Merges what was written last into the index: PostgreSQL holds up to 512 KB of it in a list of its own, and every search reads
/// all of that.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn merge_new_tokens(store: &Store) -> Result<(), StoreError> {
    match &store.engine {
        Engine::Sqlite { .. } => Ok(()),
        Engine::Postgres(pools) => Ok(pools.merge_new_tokens().await?),
    }
}

/// Writes the tokens of keys over those that the index has of them: pairs of the key's id and its tokens.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn write(tx: &mut Tx, keys: &[(String, String)]) -> Result<(), StoreError> {
    execute_values!(tx, ADD, [], keys, |(id, _)| [id.as_str()])?;
    let mut numbers = fetch_values!(tx, (i64, String), NUMBERS, [], keys, |(id, _)| [id.as_str()])?;
    numbers.sort_unstable();
    execute_values!(tx, CLEAR, [], numbers, |(number, _)| [*number])?;
    let tokens_of = |wanted: &str| keys.iter().find(|(id, _)| id == wanted).map_or("", |(_, tokens)| tokens.as_str());
    let rows: Vec<(i64, &str)> = numbers.iter().map(|(number, id)| (*number, tokens_of(id))).collect();
    execute_values!(tx, INSERT, [], rows, |(number, tokens)| [*number, *tokens])?;
    Ok(())
}

/// Returns whether the index finds at most `few` keys, and at most so many of the project are marked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn finds_few(
    tx: &mut Tx,
    project_id: &ProjectId,
    tokens: Tokens<'_>,
    few: i64,
) -> Result<bool, StoreError> {
    let (marks,) = fetch_one!(tx, (i64,), MARKS, project_id.as_str(), few + 1)?;
    if marks > few {
        return Ok(false);
    }
    let (found,) = fetch_one!(tx, (i64,), FOUND, tokens.all, tokens.long, few + 1)?;
    Ok(found <= few)
}
