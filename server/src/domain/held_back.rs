//! Translations that a check holds back: no publish takes them.

use l10n_api_types::{Content, Issue, ProjectId, State};

use super::ServiceError;
use super::pages::{self, PageBudget};
use crate::store::key_pages::{self, KeyFilter, PageKey};
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

/// The part of a page that is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeldBackPage {
    /// The translations, in the order of their keys' refs.
    pub texts: Vec<HeldBack>,
    /// True if more are held back than the page has room for.
    pub has_more: bool,
}

/// The translations into a language that are held back, of the keys whose refs sort after `name`: at most `most`, and those
/// that have room.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn after(
    tx: &mut Tx,
    project: &ProjectId,
    language: &str,
    name: &str,
    most: usize,
    room: &mut PageBudget,
) -> Result<HeldBackPage, ServiceError> {
    let state = Some(State::NeedsReview.as_str());
    let filter = KeyFilter { after: name, language: Some(language), state, ..KeyFilter::default() };
    let mut page = key_pages::page(tx, project, filter, pages::one_more(most)).await?;
    let fitting = page.iter().take(most).take_while(|key: &&PageKey| room.take(key.bytes)).count();
    let has_more = page.len() > fitting;
    page.truncate(fitting);
    let keys = key_pages::keys(tx, &page).await?;
    let ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
    let mut rows = translations::by_keys_and_language(tx, &ids, language).await?;
    let held = keys.into_iter().filter_map(|key| {
        let at = rows.iter().position(|row| row.key_id == key.id)?;
        let row = rows.swap_remove(at);
        Some(HeldBack { key: key.name, source: key.source.0, translation: row.content.0, issues: row.issues.0 })
    });
    Ok(HeldBackPage { texts: held.collect(), has_more })
}
