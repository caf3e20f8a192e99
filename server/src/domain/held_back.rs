//! Translations that a check holds back: no publish takes them.

use l10n_api_types::{Content, Issue, ProjectId, State};

use super::ServiceError;
use crate::store::key_pages::{self, Filter};
use crate::store::{Tx, translations};

/// A translation that is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldBack {
    /// The key's ref.
    pub key: String,
    /// The source.
    pub source: Content,
    /// The translation.
    pub translation: Content,
    /// The reasons.
    pub issues: Vec<Issue>,
}

/// The first translations into a language that are held back, `most` at most, in the order of their keys' refs.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn first(
    tx: &mut Tx,
    project: &ProjectId,
    language: &str,
    most: usize,
) -> Result<Vec<HeldBack>, ServiceError> {
    after(tx, project, language, "", most).await
}

/// Like [`first`], of the keys whose refs sort after `name`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn after(
    tx: &mut Tx,
    project: &ProjectId,
    language: &str,
    name: &str,
    most: usize,
) -> Result<Vec<HeldBack>, ServiceError> {
    let state = Some(State::NeedsReview.as_str());
    let filter = Filter { after: name, language: Some(language), state, ..Filter::default() };
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let keys = key_pages::page(tx, project, filter, most).await?;
    let ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
    let mut rows = translations::by_keys_and_language(tx, &ids, language).await?;
    let held = keys.into_iter().filter_map(|key| {
        let at = rows.iter().position(|row| row.key_id == key.id)?;
        let row = rows.swap_remove(at);
        Some(HeldBack { key: key.name, source: key.source.0, translation: row.content.0, issues: row.issues.0 })
    });
    Ok(held.collect())
}
