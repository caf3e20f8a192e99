//! Pages of active keys in the order of their refs, with filters.
//!
//! A page costs what it holds, wherever it stands and however many keys there are: its bounds are always bound, so that both
//! engines begin at its first key. A filter on translations that few keys pass begins with those translations; one that many
//! pass walks through the keys, since the page is full soon. A search for a text begins with the keys that the index of texts
//! finds; the caller has to know that they are few, and to read whether they have it. Translations into a language that was
//! removed are kept for a while, and count nowhere here but in the bytes.
//!
//! A page tells how long the texts of its keys are and reads none of them: 500 keys may have more text than there is memory. The
//! caller reads those that it has room for.

use l10n_api_types::ProjectId;

use super::keys::Key;
use super::search::Tokens;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

/// Up to so many matches of a filter, a page begins with them.
pub const FEW: i64 = 10_000;

/// Sorts after every `ref`: these have 512 bytes at most, and this has the greatest character 129 times, in 516.
fn after_every_ref() -> String {
    char::MAX.to_string().repeat(129)
}

row! {
    /// A key of a page, without its texts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PageKey {
        /// `str_…`
        pub id: String,
        /// Its `ref`
        pub name: String,
        /// Bytes of its text and of its translations with their issues, or of those into the filter's language, as they are stored
        pub bytes: i64,
    }
}

/// The columns of [`PageKey`], from `keys k` and what `$from` adds to it; `$where` may use `$1` to `$11`. What is `NULL` narrows
/// nothing.
macro_rules! page {
    ($with:literal, $from:literal, $where:literal) => {
        concat!(
            $with,
            "SELECT k.id, k.ref AS name, CAST(octet_length(k.source) + COALESCE((SELECT \
                SUM(octet_length(t.content) + octet_length(t.issues)) FROM translations t \
                WHERE t.key_id = k.id AND (CAST($8 AS TEXT) IS NULL OR t.language = $8)), 0) AS BIGINT) AS bytes FROM ",
            $from,
            " WHERE k.project_id = $1 AND k.state = 'active' AND k.ref >= $2 AND k.ref <> $3 AND k.ref < $4 AND ",
            $where,
            " AND (CAST($7 AS BIGINT) IS NULL OR k.updated_at >= $7 OR EXISTS (SELECT 1 FROM translations t \
                WHERE t.key_id = k.id AND t.updated_at >= $7 AND (CAST($8 AS TEXT) IS NULL OR t.language = $8) \
                AND t.language IN (SELECT l.code FROM languages l WHERE l.project_id = $1))) \
             AND (CAST($9 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM translations t \
                WHERE t.key_id = k.id AND t.state = $9 AND (CAST($8 AS TEXT) IS NULL OR t.language = $8) \
                AND t.language IN (SELECT l.code FROM languages l WHERE l.project_id = $1))) \
             AND (CAST($10 AS BOOLEAN) IS NULL OR CAST($10 AS BOOLEAN) = EXISTS (SELECT 1 FROM translations t \
                WHERE t.key_id = k.id AND t.stale AND (CAST($8 AS TEXT) IS NULL OR t.language = $8) \
                AND t.language IN (SELECT l.code FROM languages l WHERE l.project_id = $1))) \
             AND ($11 = 0 OR (SELECT COUNT(*) FROM translations t \
                WHERE t.key_id = k.id AND (CAST($8 AS TEXT) IS NULL OR t.language = $8) \
                AND t.language IN (SELECT l.code FROM languages l WHERE l.project_id = $1)) < $11) \
             ORDER BY k.ref LIMIT $5"
        )
    };
}

/// A page that begins with these ids of keys. Where PostgreSQL cannot know how few they are, `LATERAL` with `OFFSET 0` makes it
/// look them up one by one. `MATERIALIZED` and `CROSS JOIN` keep each engine from beginning elsewhere. The bound of the marks, which
/// are few, keeps PostgreSQL from reading their table from its beginning.
macro_rules! page_of_found {
    ($found:literal) => {
        page!(
            $found,
            "found CROSS JOIN keys k",
            "k.id = found.key_id AND (CAST($6 AS TEXT) IS NULL OR k.namespace = $6)"
        )
    };
}

/// Reads a page by one of the statements below. It binds `$1` to `$11`, and the further values from `$12` on.
macro_rules! fetch_page {
    ($tx:expr, $statement:expr, $project_id:expr, $filter:expr, $limit:expr $(, $more:expr)*) => {
        fetch_all!(
            $tx,
            PageKey,
            $statement,
            $project_id.as_str(),
            $filter.after.max($filter.prefix),
            $filter.after,
            $filter.prefix_end.unwrap_or(&after_every_ref()),
            $limit,
            $filter.namespace,
            $filter.updated_since.map(Timestamp::as_millis),
            $filter.language,
            $filter.state,
            $filter.stale,
            $filter.fewer_than
            $(, $more)*
        )
    };
}

statements! {
    PAGE = page!("", "keys k", "(CAST($6 AS TEXT) IS NULL OR k.namespace = $6)");
    // On PostgreSQL the index has the state, so that keys of another one are passed without reading them.
    PAGE_OF_ALL = sqlite page!("", "keys k", "(CAST($6 AS TEXT) IS NULL OR k.namespace = $6)"),
        postgres page!(
            "WITH found AS MATERIALIZED (SELECT a.ref FROM keys a WHERE a.project_id = $1 AND a.state = 'active' \
            AND a.ref >= $2 AND a.ref <> $3 AND a.ref < $4 ORDER BY a.ref LIMIT $5) ",
            "found CROSS JOIN LATERAL (SELECT c.* FROM keys c WHERE c.project_id = $1 AND c.ref = found.ref OFFSET 0) k",
            "(CAST($6 AS TEXT) IS NULL OR k.namespace = $6)"
        );
    PAGE_OF_NAMESPACE = page!("", "keys k", "k.namespace = $6");
    PAGE_BY_STATE = page_of_found!("WITH found AS MATERIALIZED (SELECT DISTINCT t.key_id FROM languages l \
        CROSS JOIN translations t WHERE l.project_id = $1 AND (CAST($8 AS TEXT) IS NULL OR l.code = $8) \
        AND t.project_id = l.project_id AND t.language = l.code AND t.state = $9) ");
    PAGE_BY_STALE = page_of_found!("WITH found AS MATERIALIZED (SELECT DISTINCT t.key_id FROM languages l \
        CROSS JOIN translations t WHERE l.project_id = $1 AND (CAST($8 AS TEXT) IS NULL OR l.code = $8) \
        AND t.project_id = l.project_id AND t.language = l.code AND t.stale) ");
    PAGE_BY_TIME = page_of_found!("WITH found AS MATERIALIZED (SELECT t.key_id FROM translations t \
        WHERE t.project_id = $1 AND t.updated_at >= $7 AND (CAST($8 AS TEXT) IS NULL OR t.language = $8) \
        UNION SELECT c.id AS key_id FROM keys c WHERE c.project_id = $1 AND c.updated_at >= $7) ");
    PAGE_BY_QUERY = sqlite page_of_found!("WITH found AS MATERIALIZED (SELECT s.key_id FROM search_grams \
        CROSS JOIN search_keys s WHERE search_grams MATCH ($12 || ' OR ' || $13) AND s.number = search_grams.rowid \
        UNION SELECT marked.key_id FROM (SELECT key_id FROM search_marks WHERE project_id = $1 ORDER BY key_id LIMIT $14) marked) "),
        postgres page!(
            "WITH found AS MATERIALIZED (SELECT s.key_id FROM search_grams g \
            CROSS JOIN LATERAL (SELECT n.key_id FROM search_keys n WHERE n.number = g.rowid OFFSET 0) s \
            WHERE string_to_array(g.grams, ' ') @> string_to_array($12, ' ') \
            OR string_to_array(g.grams, ' ') @> string_to_array($13, ' ') \
            UNION SELECT marked.key_id FROM (SELECT key_id FROM search_marks WHERE project_id = $1 ORDER BY key_id LIMIT $14) marked) ",
            "found CROSS JOIN LATERAL (SELECT c.* FROM keys c WHERE c.id = found.key_id OFFSET 0) k",
            "(CAST($6 AS TEXT) IS NULL OR k.namespace = $6)"
        );
    SIZED = values "SELECT k.id, k.ref AS name, CAST(octet_length(k.source) + COALESCE((SELECT \
        SUM(octet_length(t.content) + octet_length(t.issues)) FROM translations t WHERE t.key_id = k.id), 0) AS BIGINT) AS bytes \
        FROM keys k WHERE k.id IN (" each "?" then ")";
    SIZED_BY_REFS = values "SELECT k.id, k.ref AS name, CAST(octet_length(k.source) + COALESCE((SELECT \
        SUM(octet_length(t.content) + octet_length(t.issues)) FROM translations t \
        WHERE t.key_id = k.id AND t.language = $2), 0) AS BIGINT) AS bytes \
        FROM keys k WHERE k.project_id = $1 AND k.state = 'active' AND k.ref IN (" each "?" then ")";
    KEYS = values "SELECT id, ref AS name, namespace, source_path, position, source, source_hash, characters, description, \
        max_length, tags, syntax, state, created_at, updated_at FROM keys WHERE id IN (" each "?" then ") ORDER BY ref";
    OF_STATE = "SELECT COUNT(*) FROM (SELECT 1 FROM languages l CROSS JOIN translations t WHERE l.project_id = $1 \
        AND (CAST($2 AS TEXT) IS NULL OR l.code = $2) AND t.project_id = l.project_id AND t.language = l.code \
        AND t.state = $3 LIMIT $4) few";
    STALE = "SELECT COUNT(*) FROM (SELECT 1 FROM languages l CROSS JOIN translations t WHERE l.project_id = $1 \
        AND (CAST($2 AS TEXT) IS NULL OR l.code = $2) AND t.project_id = l.project_id AND t.language = l.code \
        AND t.stale LIMIT $3) few";
    CHANGED = "SELECT COUNT(*) FROM (SELECT 1 FROM translations t WHERE t.project_id = $1 AND t.updated_at >= $2 LIMIT $3) few";
    GAPS = "SELECT CAST($3 * COALESCE((SELECT k.number FROM key_counts k WHERE k.project_id = $1 AND k.state = 'active'), 0) \
        - COALESCE((SELECT SUM(t.number) FROM translation_counts t \
        JOIN languages l ON l.project_id = t.project_id AND l.code = t.language WHERE t.project_id = $1 \
        AND (CAST($2 AS TEXT) IS NULL OR t.language = $2)), 0) AS BIGINT)";
    CHANGED_KEYS = "SELECT COUNT(*) FROM (SELECT 1 FROM keys k WHERE k.project_id = $1 AND k.updated_at >= $2 LIMIT $3) few";
}

/// A selection of active keys for a page. A field that is `None` does not restrict it.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyFilter<'a> {
    /// Keys whose `ref` sorts after this one
    pub after: &'a str,
    /// Keys whose `ref` starts so
    pub prefix: &'a str,
    /// The first text that sorts after every one that starts with `prefix`
    pub prefix_end: Option<&'a str>,
    /// Keys of this namespace
    pub namespace: Option<&'a str>,
    /// Keys that changed at this time or later, or whose translations did
    pub updated_since: Option<Timestamp>,
    /// The only language that conditions about translations consider
    pub language: Option<&'a str>,
    /// Keys with a translation in this state
    pub state: Option<&'a str>,
    /// Keys with a stale translation, or without one
    pub stale: Option<bool>,
    /// Keys with fewer translations than this, which is the most that a key can have; 0 narrows nothing
    pub fewer_than: i64,
    /// Keys with a text: those that the index finds, which should be few, and those that are marked, which must be at most
    /// [`FEW`]. Whether a key has it, is for the caller to read
    pub tokens: Option<Tokens<'a>>,
}

impl KeyFilter<'_> {
    /// Returns true if it takes each active key from its place in the order on.
    fn takes_all(&self) -> bool {
        let Self { namespace, updated_since, state, stale, fewer_than, tokens, .. } = self;
        (namespace, updated_since, state, stale, fewer_than) == (&None, &None, &None, &None, &0) && tokens.is_none()
    }
}

/// A page of active keys in the order of their refs, without their texts.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(
    tx: &mut Tx,
    project_id: &ProjectId,
    filter: KeyFilter<'_>,
    limit: i64,
) -> Result<Vec<PageKey>, StoreError> {
    page_with(tx, project_id, filter, limit, FEW).await
}

/// Keys of a page with their texts, in the order of the page.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn keys(tx: &mut Tx, page: &[PageKey]) -> Result<Vec<Key>, StoreError> {
    fetch_values!(tx, Key, KEYS, [], page, |key| [key.id.as_str()])
}

/// These keys without their texts, in no order. Their bytes are those of the texts in all languages.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sized(tx: &mut Tx, ids: &[&str]) -> Result<Vec<PageKey>, StoreError> {
    fetch_values!(tx, PageKey, SIZED, [], ids, |id| [*id])
}

/// Those active keys of a project that have one of these refs, without their texts, in no order. Their bytes are those of the
/// source and of the translation into `language`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sized_by_refs(
    tx: &mut Tx,
    project_id: &ProjectId,
    refs: &[&str],
    language: &str,
) -> Result<Vec<PageKey>, StoreError> {
    fetch_values!(tx, PageKey, SIZED_BY_REFS, [project_id.as_str(), language], refs, |name| [*name])
}

/// Like [`page`], with another bound than [`FEW`]. It changes how the page is found, and nothing of what it holds.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page_with(
    tx: &mut Tx,
    project_id: &ProjectId,
    filter: KeyFilter<'_>,
    limit: i64,
    few: i64,
) -> Result<Vec<PageKey>, StoreError> {
    if none_missing(tx, project_id, &filter).await? {
        return Ok(Vec::new());
    }
    if let Some(tokens) = filter.tokens {
        return fetch_page!(tx, PAGE_BY_QUERY, project_id, filter, limit, tokens.all, tokens.long, FEW);
    }
    let statement = if few_of_state(tx, project_id, &filter, few).await? {
        PAGE_BY_STATE
    } else if few_stale(tx, project_id, &filter, few).await? {
        PAGE_BY_STALE
    } else if few_changed(tx, project_id, &filter, few).await? {
        PAGE_BY_TIME
    } else if filter.namespace.is_some() {
        PAGE_OF_NAMESPACE
    } else if filter.takes_all() {
        PAGE_OF_ALL
    } else {
        PAGE
    };
    fetch_page!(tx, statement, project_id, filter, limit)
}

/// Returns true if no key lacks a requested translation: then the keys need not be searched.
async fn none_missing(tx: &mut Tx, project_id: &ProjectId, filter: &KeyFilter<'_>) -> Result<bool, StoreError> {
    if filter.fewer_than == 0 {
        return Ok(false);
    }
    let (gaps,) = fetch_one!(tx, (i64,), GAPS, project_id.as_str(), filter.language, filter.fewer_than)?;
    Ok(gaps <= 0)
}

async fn few_of_state(tx: &mut Tx, project_id: &ProjectId, filter: &KeyFilter<'_>, few: i64) -> Result<bool, StoreError> {
    let Some(state) = filter.state else { return Ok(false) };
    let (number,) = fetch_one!(tx, (i64,), OF_STATE, project_id.as_str(), filter.language, state, few + 1)?;
    Ok(number <= few)
}

async fn few_stale(tx: &mut Tx, project_id: &ProjectId, filter: &KeyFilter<'_>, few: i64) -> Result<bool, StoreError> {
    if filter.stale != Some(true) {
        return Ok(false);
    }
    let (number,) = fetch_one!(tx, (i64,), STALE, project_id.as_str(), filter.language, few + 1)?;
    Ok(number <= few)
}

async fn few_changed(tx: &mut Tx, project_id: &ProjectId, filter: &KeyFilter<'_>, few: i64) -> Result<bool, StoreError> {
    let Some(since) = filter.updated_since.map(Timestamp::as_millis) else { return Ok(false) };
    let (keys,) = fetch_one!(tx, (i64,), CHANGED_KEYS, project_id.as_str(), since, few + 1)?;
    if keys > few {
        return Ok(false);
    }
    let (translations,) = fetch_one!(tx, (i64,), CHANGED, project_id.as_str(), since, few + 1)?;
    Ok(translations <= few)
}
