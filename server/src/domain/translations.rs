//! `GET /translations`: one key with all its translations, or a page of keys.

use std::collections::HashMap;

use l10n_api_types::translations::{GetQuery, KeyDetail, KeyList};
use l10n_api_types::{LanguageCode, State, Translation};
use l10n_formats::locales;

use super::pages::{self, Cursor};
use super::{Caller, ServiceError};
use crate::store::key_pages::{self, Filter};
use crate::store::keys::{self, Key, KeyState};
use crate::store::translations::{self, Translation as Row};
use crate::store::{Tx, languages};

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
    let found = keys::find(tx, caller.project.as_str(), name).await?;
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
        Some(Cursor::Before(_) | Cursor::Place { .. }) => {
            return Err(ServiceError::InvalidArgument("`cursor` is of another list".to_owned()));
        }
        None => String::new(),
    };
    let language = language(tx, caller, query.language.as_ref()).await?;
    let mut targets = targets(tx, caller).await?;
    targets.retain(|target| language.as_ref().is_none_or(|language| target == language));
    let has_nul = |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains('\0'));
    let is_missing = query.state == Some(State::Missing);
    if has_nul(&query.prefix) || has_nul(&query.namespace) || is_missing && targets.is_empty() {
        return Ok(KeyList { keys: Vec::new(), next_cursor: None });
    }
    let prefix = query.prefix.as_deref().unwrap_or_default();
    let prefix_end = after_prefix(prefix);
    let filter = Filter {
        after: &after,
        prefix,
        prefix_end: prefix_end.as_deref(),
        namespace: query.namespace.as_deref(),
        updated_since: query.updated_since,
        language: language.as_deref(),
        state: query.state.filter(|_| !is_missing).map(State::as_str),
        stale: query.stale,
        fewer_than: if is_missing { i64::try_from(targets.len()).unwrap_or(i64::MAX) } else { 0 },
    };
    // One more than asked for tells whether there is a next page.
    let asked = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let mut keys = key_pages::page(tx, caller.project.as_str(), filter, asked).await?;
    let has_more = keys.len() > limit;
    keys.truncate(limit);
    let next_cursor = keys.last().filter(|_| has_more).map(|key| Cursor::After(key.name.clone()).encode());
    let ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
    let rows = match language.as_deref() {
        Some(language) => translations::by_keys_and_language(tx, &ids, language).await?,
        None => translations::by_keys(tx, &ids).await?,
    };
    let mut rows_of: HashMap<String, Vec<Row>> = HashMap::new();
    for row in rows {
        rows_of.entry(row.key_id.clone()).or_default().push(row);
    }
    let keys = keys.into_iter().map(|key| {
        let rows = rows_of.remove(&key.id).unwrap_or_default();
        detail(key, rows, &targets)
    });
    Ok(KeyList { keys: keys.collect(), next_cursor })
}

async fn targets(tx: &mut Tx, caller: &Caller) -> Result<Vec<String>, ServiceError> {
    let languages = languages::list(tx, caller.project.as_str()).await?;
    Ok(languages.into_iter().filter(|language| !language.is_base).map(|language| language.code).collect())
}

async fn language(tx: &mut Tx, caller: &Caller, asked: Option<&LanguageCode>) -> Result<Option<String>, ServiceError> {
    let Some(asked) = asked else { return Ok(None) };
    let invalid = |message: String| ServiceError::InvalidArgument(message);
    let code = locales::canonicalize(asked.as_str()).map_err(|error| invalid(format!("`language`: {error}")))?;
    let languages = languages::list(tx, caller.project.as_str()).await?;
    if languages.iter().any(|language| language.code == code) {
        Ok(Some(code))
    } else {
        Err(invalid(format!("`language` `{code}` is not a language of this project")))
    }
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
