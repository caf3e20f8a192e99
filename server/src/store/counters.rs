//! The numbers of keys and translations of a project. Triggers keep the counts in the transactions that write keys and
//! translations (`migrations/*/0114_counters.sql`), so that no writer can forget them and no query counts rows.

use l10n_api_types::{ProjectId, State};

use super::keys::KeyState;
use super::{StoreError, Tx};

row! {
    /// Translations of active keys, of one language and state.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TranslationCount {
        /// BCP 47
        pub language: String,
        /// Their state
        pub state: State,
        /// Their number
        pub number: i64,
        /// The number of them that translate an earlier source
        pub stale: i64,
    }
}

row! {
    /// A count that is not what there is.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CounterMismatch {
        /// The counter: `keys`, `translations` or `stale`
        pub what: String,
        /// The language, for translations
        pub language: Option<String>,
        /// Their state; `active` where the project's own number of keys is meant
        pub state: String,
        /// The excess of the counter over the rows; negative if it is too low
        pub too_many: i64,
    }
}

statements! {
    TRANSLATIONS = "SELECT c.language, c.state, c.number, c.stale FROM translation_counts c \
        JOIN languages l ON l.project_id = c.project_id AND l.code = c.language \
        WHERE c.project_id = $1 AND c.number <> 0 ORDER BY c.language, c.state";
    OF_LANGUAGE = "SELECT CAST(COALESCE(SUM(number), 0) AS BIGINT) FROM translation_counts \
        WHERE project_id = $1 AND language = $2";
    KEYS = "SELECT number FROM key_counts WHERE project_id = $1 AND state = $2";
    WRONG_KEYS = "SELECT 'keys' AS what, CAST(NULL AS TEXT) AS language, difference.state, CAST(SUM(difference.number) AS BIGINT) AS too_many \
        FROM (SELECT state, number FROM key_counts WHERE project_id = $1 \
        UNION ALL SELECT state, -COUNT(*) FROM keys WHERE project_id = $1 AND staged_by IS NULL GROUP BY state) difference \
        GROUP BY difference.state HAVING SUM(difference.number) <> 0 ORDER BY difference.state";
    WRONG_KEY_COUNT = "SELECT 'keys' AS what, CAST(NULL AS TEXT) AS language, 'active' AS state, \
        p.key_count - (SELECT COUNT(*) FROM keys k WHERE k.project_id = $1 AND k.state = 'active') AS too_many \
        FROM projects p WHERE p.id = $1 \
        AND p.key_count <> (SELECT COUNT(*) FROM keys k WHERE k.project_id = $1 AND k.state = 'active') \
        AND NOT EXISTS (SELECT 1 FROM staged_runs r WHERE r.project_id = $1 AND r.is_moving)";
    WRONG_TRANSLATIONS = "SELECT 'translations' AS what, difference.language, difference.state, CAST(SUM(difference.number) AS BIGINT) AS too_many \
        FROM (SELECT language, state, number FROM translation_counts WHERE project_id = $1 \
        UNION ALL SELECT t.language, t.state, -COUNT(*) FROM translations t JOIN keys k ON k.id = t.key_id \
        WHERE t.project_id = $1 AND k.state = 'active' GROUP BY t.language, t.state) difference \
        GROUP BY difference.language, difference.state HAVING SUM(difference.number) <> 0 ORDER BY difference.language, difference.state";
    WRONG_STALE = "SELECT 'stale' AS what, difference.language, difference.state, CAST(SUM(difference.number) AS BIGINT) AS too_many \
        FROM (SELECT language, state, stale AS number FROM translation_counts WHERE project_id = $1 \
        UNION ALL SELECT t.language, t.state, -COUNT(*) FROM translations t JOIN keys k ON k.id = t.key_id \
        WHERE t.project_id = $1 AND t.stale AND k.state = 'active' GROUP BY t.language, t.state) difference \
        GROUP BY difference.language, difference.state HAVING SUM(difference.number) <> 0 ORDER BY difference.language, difference.state";
}

/// Translations of the project's active keys into its languages, by language and state.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn translations(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<TranslationCount>, StoreError> {
    fetch_all!(tx, TranslationCount, TRANSLATIONS, project_id.as_str())
}

/// Translations of the project's active keys into a language, which may be one that was removed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_language(tx: &mut Tx, project_id: &ProjectId, code: &str) -> Result<i64, StoreError> {
    let (number,) = fetch_one!(tx, (i64,), OF_LANGUAGE, project_id.as_str(), code)?;
    Ok(number)
}

/// Keys of a project in this state.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn keys(tx: &mut Tx, project_id: &ProjectId, state: KeyState) -> Result<i64, StoreError> {
    Ok(fetch_optional!(tx, (i64,), KEYS, project_id.as_str(), state.as_str())?.map_or(0, |(number,)| number))
}

/// Counts a project's keys and translations, and says which counts are wrong: none, save after a change of the database
/// past its triggers. It reads all of the project's rows.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn verify(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<CounterMismatch>, StoreError> {
    let mut wrong = Vec::new();
    for statement in [WRONG_KEYS, WRONG_KEY_COUNT, WRONG_TRANSLATIONS, WRONG_STALE] {
        wrong.extend(fetch_all!(tx, CounterMismatch, statement, project_id.as_str())?);
    }
    Ok(wrong)
}
