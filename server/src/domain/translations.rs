//! `GET /translations`: one key with all its translations, or a page of keys.

use std::collections::HashMap;

use l10n_api_types::translations::{GetQuery, KeyDetail, KeyList};
use l10n_api_types::{LanguageCode, State, Translation};
use l10n_formats::locales;

use super::pages::{self, Cursor, PageBudget};
use super::search::{self, AskedTokens, Query};
use super::{Caller, ServiceError};
use crate::store::key_pages::{self, FEW, KeyFilter, PageKey};
use crate::store::keys::{self, Key, KeyState};
use crate::store::translations::{self, Translation as Row};
use crate::store::{Tx, languages, search as index};

/// Keys that a search reads for one page, at most.
const READ: usize = 2_048;
/// Keys that it looks up at once.
const READ_AT_ONCE: i64 = 256;
/// Bytes of texts that a search reads for one page, but for those of the last keys.
const READ_BYTES: i64 = 16 * 1024 * 1024;

/// The key of that `ref`, also when it is archived or was only captured.
///
/// # Errors
///
/// [`ServiceError::KeyNotFound`].
pub(crate) async fn key(tx: &mut Tx, caller: &Caller, name: &str) -> Result<KeyDetail, ServiceError> {
    let unknown = || ServiceError::KeyNotFound(name.chars().take(512).collect());
    if name.contains('\0') {
        return Err(unknown());
    }
    let found = keys::find(tx, &caller.project, name).await?;
    let key = found.ok_or_else(unknown)?;
    let targets = targets(tx, caller).await?;
    let rows = translations::by_keys(tx, &[&key.id]).await?;
    Ok(detail(key, rows, &targets))
}

/// A page of the active keys.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] for a parameter that cannot be.
pub(crate) async fn list(tx: &mut Tx, caller: &Caller, query: &GetQuery) -> Result<KeyList, ServiceError> {
    let limit = pages::limit(query.limit)?;
    let after = match query.cursor.as_deref().map(Cursor::decode).transpose()? {
        Some(Cursor::After(name)) => name,
        Some(_) => {
            return Err(ServiceError::cursor_of_another_list());
        }
        None => String::new(),
    };
    let language = language(tx, caller, query.language.as_ref()).await?;
    let mut targets = targets(tx, caller).await?;
    targets.retain(|target| language.as_ref().is_none_or(|language| target == language));
    let asked = match &query.query {
        Some(text) => Query::read(&caller.project, text)?,
        None => None,
    };
    let has_nul = |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains('\0'));
    let is_missing = query.state == Some(State::Missing);
    if has_nul(&query.prefix) || has_nul(&query.namespace) || is_missing && targets.is_empty() {
        return Ok(KeyList { keys: Vec::new(), next_cursor: None });
    }
    let prefix = query.prefix.as_deref().unwrap_or_default();
    let prefix_end = after_prefix(prefix);
    let filter = KeyFilter {
        after: &after,
        prefix,
        prefix_end: prefix_end.as_deref(),
        namespace: query.namespace.as_deref(),
        updated_since: query.updated_since,
        language: language.as_deref(),
        state: query.state.filter(|_| !is_missing).map(State::as_str),
        stale: query.stale,
        fewer_than: if is_missing { i64::try_from(targets.len()).unwrap_or(i64::MAX) } else { 0 },
        tokens: None,
    };
    match &asked {
        Some(asked) => found(tx, caller, filter, &targets, asked, limit).await,
        None => page(tx, caller, filter, &targets, limit).await,
    }
}

/// A page of the keys that a filter selects.
async fn page(
    tx: &mut Tx,
    caller: &Caller,
    filter: KeyFilter<'_>,
    targets: &[String],
    limit: usize,
) -> Result<KeyList, ServiceError> {
    let mut page = key_pages::page(tx, &caller.project, filter, pages::one_more(limit)).await?;
    let place = |last: &PageKey| Cursor::After(last.name.clone()).encode();
    let next_cursor = pages::cut_long(&mut page, limit, |key| key.bytes, place);
    let keys = key_pages::keys(tx, &page).await?;
    let mut rows_of = rows_of(tx, &keys, filter.language).await?;
    let keys = keys.into_iter().map(|key| {
        let rows = rows_of.remove(&key.id).unwrap_or_default();
        detail(key, rows, targets)
    });
    Ok(KeyList { keys: keys.collect(), next_cursor })
}

/// A page of the keys with a text. Keys that only might have it are read, at most [`READ`] of them and about [`READ_BYTES`]: then
/// the page ends, also if it is not full. Where most of the keys may have it, the first ones are read that would fill the page.
async fn found(
    tx: &mut Tx,
    caller: &Caller,
    mut filter: KeyFilter<'_>,
    targets: &[String],
    query: &Query,
    limit: usize,
) -> Result<KeyList, ServiceError> {
    let AskedTokens { rare, rarest } = search::asked_tokens(tx, &caller.project, query).await?;
    // So many keys are read at once anyway.
    for (tokens, few) in [(&rarest, READ_AT_ONCE), (&rare, FEW)] {
        if let Some(tokens) = query.with_tokens(tokens)
            && index::finds_few(tx, &caller.project, tokens, few).await?
        {
            filter.tokens = Some(tokens);
            break;
        }
    }
    let mut at_once = if query.has_tokens() && rare.is_empty() { pages::one_more(limit) } else { READ_AT_ONCE };
    let (mut after, mut found, mut room) = (filter.after.to_owned(), Vec::new(), PageBudget::default());
    let (mut read, mut bytes) = (0, 0);
    while read < READ && bytes < READ_BYTES {
        let mut page = key_pages::page(tx, &caller.project, KeyFilter { after: &after, ..filter }, at_once).await?;
        let is_last = i64::try_from(page.len()).unwrap_or(i64::MAX) < at_once;
        // Of long texts only some are read at once: the others are looked up again.
        let is_cut = pages::cut_long(&mut page, usize::MAX, |key| key.bytes, |_| ()).is_some();
        read += page.len();
        let keys = key_pages::keys(tx, &page).await?;
        let mut rows_of = rows_of(tx, &keys, filter.language).await?;
        for (key, PageKey { bytes: of_key, .. }) in keys.into_iter().zip(page) {
            let mut rows = rows_of.remove(&key.id).unwrap_or_default();
            rows.retain(|row| targets.contains(&row.language));
            let has_it = query.is_in(&key.name)
                || query.is_in_content(&key.source.0)
                || rows.iter().any(|row| query.is_in_content(&row.content.0));
            if has_it && (found.len() == limit || !room.take(of_key)) {
                return Ok(KeyList { keys: found, next_cursor: Some(Cursor::After(after).encode()) });
            }
            after.clone_from(&key.name);
            bytes = of_key.saturating_add(bytes);
            if has_it {
                found.push(detail(key, rows, targets));
            }
        }
        if is_last && !is_cut {
            return Ok(KeyList { keys: found, next_cursor: None });
        }
        at_once = READ_AT_ONCE;
    }
    Ok(KeyList { keys: found, next_cursor: Some(Cursor::After(after).encode()) })
}

/// The translations of these keys, or those into a language, by key.
async fn rows_of(tx: &mut Tx, keys: &[Key], language: Option<&str>) -> Result<HashMap<String, Vec<Row>>, ServiceError> {
    let ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
    let rows = match language {
        Some(language) => translations::by_keys_and_language(tx, &ids, language).await?,
        None => translations::by_keys(tx, &ids).await?,
    };
    let mut rows_of: HashMap<String, Vec<Row>> = HashMap::new();
    for row in rows {
        rows_of.entry(row.key_id.clone()).or_default().push(row);
    }
    Ok(rows_of)
}

async fn targets(tx: &mut Tx, caller: &Caller) -> Result<Vec<String>, ServiceError> {
    let languages = languages::list(tx, &caller.project).await?;
    Ok(languages.into_iter().filter(|language| !language.is_base).map(|language| language.code).collect())
}

/// The language of the project that a parameter names.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] if the project does not have it.
pub(crate) async fn language(
    tx: &mut Tx,
    caller: &Caller,
    asked: Option<&LanguageCode>,
) -> Result<Option<String>, ServiceError> {
    let Some(asked) = asked else { return Ok(None) };
    let code = language_code(asked)?;
    let languages = languages::list(tx, &caller.project).await?;
    let has_language = languages.iter().any(|language| language.code == code);
    if has_language { Ok(Some(code)) } else { Err(not_a_language(&code)) }
}

/// The code of the language that a parameter names, whether the project has it or not.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] if it is not a language tag.
pub(crate) fn language_code(asked: &LanguageCode) -> Result<String, ServiceError> {
    locales::canonicalize(asked.as_str()).map_err(|error| ServiceError::InvalidArgument(format!("`language`: {error}")))
}

/// The refusal of a language that the project does not have.
pub(crate) fn not_a_language(code: &str) -> ServiceError {
    ServiceError::InvalidArgument(format!("`language` `{code}` is not a language of this project"))
}

/// The first text that sorts after every one that starts with `prefix`; `None` when there is none.
fn after_prefix(prefix: &str) -> Option<String> {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        let next = match last {
            char::MAX => None,
            '\u{d7ff}' => Some('\u{e000}'),
            other => char::from_u32(u32::from(other) + 1),
        };
        if let Some(next) = next {
            text.push(next);
            return Some(text);
        }
    }
    None
}

fn detail(key: Key, rows: Vec<Row>, targets: &[String]) -> KeyDetail {
    let mut rows: HashMap<String, Row> = rows.into_iter().map(|row| (row.language.clone(), row)).collect();
    let (text, plural) = key.source.0.into_fields();
    KeyDetail {
        r#ref: key.name,
        text,
        plural,
        description: key.description,
        max_length: key.max_length.and_then(|length| u32::try_from(length).ok()),
        namespace: key.namespace,
        tags: key.tags.map(|tags| tags.0).unwrap_or_default(),
        file: key.source_path,
        archived: key.state == KeyState::Archived,
        captured: key.state == KeyState::Captured,
        translations: targets.iter().map(|language| translation(language, rows.remove(language))).collect(),
        updated_at: key.updated_at,
    }
}

fn translation(language: &str, row: Option<Row>) -> Translation {
    let language = LanguageCode::new(language);
    let Some(row) = row else {
        return Translation {
            language,
            text: None,
            plural: None,
            state: State::Missing,
            stale: false,
            origin: None,
            engine: None,
            issues: Vec::new(),
            updated_at: None,
        };
    };
    let (text, plural) = row.content.0.into_fields();
    Translation {
        language,
        text,
        plural,
        state: row.state,
        stale: row.stale,
        origin: Some(row.origin),
        engine: row.engine,
        issues: row.issues.0,
        updated_at: Some(row.updated_at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_after_a_prefix_sorts_after_everything_that_starts_with_it() {
        assert_eq!(after_prefix("ab").as_deref(), Some("ac"));
        assert_eq!(after_prefix("a\u{d7ff}").as_deref(), Some("a\u{e000}"));
        assert_eq!(after_prefix("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!((after_prefix(""), after_prefix("\u{10ffff}")), (None, None));
        for text in ["ab", "ab\u{10ffff}z", "abz"] {
            assert!(text < after_prefix("ab").unwrap().as_str(), "{text}");
        }
    }
}
