//! Holds what is translated against a glossary that has changed: a bounded number of keys at a time, in the background, and after
//! all keys a bounded number of segments of documents.
//!
//! Texts are read and checked outside of the transaction that writes, which then takes only those that are still as they were
//! read: what is written meanwhile was checked by its writer. A translation keeps state and time, since its text stays.

use std::collections::HashMap;

use l10n_api_types::Issue;
use l10n_formats::text::checks::Checker;

use super::between::Lists;
use super::recheck_segments as segments;
use crate::domain::ServiceError;
use crate::domain::findings::with_terms_of;
use crate::domain::pages::PageBudget;
use crate::store::glossary_checks::{self, GlossaryCheck};
use crate::store::keys::{self, KeyToTranslate};
use crate::store::projects::{self, Project};
use crate::store::translations::{self, Translation};
use crate::store::{Store, Tx, key_pages, languages, lock};

/// Translations that are read at a time at most, as far as the number of languages tells, and keys. They are fewer where texts are
/// long.
const MOST_TRANSLATIONS: usize = 2_000;
const MOST_KEYS: usize = 500;

/// Some keys of a project with all that checking their translations takes.
struct RecheckBatch {
    project: Project,
    lists: Lists,
    keys: Vec<KeyToTranslate>,
    translations: Vec<Translation>,
}

/// A translation whose findings differ from those that it has.
struct Changed {
    held: Translation,
    issues: Vec<Issue>,
}

/// The next project after `after` whose glossary has changed, and the place that its check has come to; `None` if there is none.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn next_check(store: &Store, after: &str) -> Result<Option<GlossaryCheck>, ServiceError> {
    let mut tx = store.begin_read().await?;
    let next = glossary_checks::next(&mut tx, after).await?;
    tx.rollback().await?;
    Ok(next)
}

/// Checks the translations of the next keys, or segments, of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if others change the project for too long.
pub(crate) async fn check_some(store: &Store, check: &GlossaryCheck) -> Result<(), ServiceError> {
    let mut tx = store.begin_read().await?;
    if let Some(place) = &check.after_segment {
        let gathered = segments::gather(&mut tx, &check.project_id, place.0.as_ref()).await?;
        tx.rollback().await?;
        return match gathered {
            Some(gathered) => segments::check(store, check, gathered).await,
            None => end(store, check).await,
        };
    }
    let gathered = gather(&mut tx, check).await?;
    tx.rollback().await?;
    let Some((gathered, last)) = gathered else { return end(store, check).await };
    let workspace = gathered.project.workspace_id.clone();
    let changed = tokio::task::spawn_blocking(move || compare(gathered)).await.map_err(ServiceError::internal)?;
    let mut tx = store.begin_yielding_write_in(&workspace, &check.project_id).await?;
    lock::project(&mut tx, &check.project_id).await?;
    if !glossary_checks::advance(&mut tx, check, &last).await? {
        return Ok(tx.rollback().await?);
    }
    write(&mut tx, changed).await?;
    Ok(tx.commit().await?)
}

/// Ends the check of keys, or of segments.
async fn end(store: &Store, check: &GlossaryCheck) -> Result<(), ServiceError> {
    let mut tx = store.begin_background_write().await?;
    glossary_checks::end(&mut tx, check).await?;
    Ok(tx.commit().await?)
}

/// The next keys and the ref of the last of them; `None` if there are no more.
async fn gather(tx: &mut Tx, check: &GlossaryCheck) -> Result<Option<(RecheckBatch, String)>, ServiceError> {
    let Some(project) = projects::find(tx, &check.project_id).await? else { return Ok(None) };
    let languages = languages::list(tx, &project.id).await?.len();
    let most = (MOST_TRANSLATIONS / languages.max(1)).clamp(1, MOST_KEYS);
    let mut active = keys::active_after(tx, &project.id, &check.after_ref, most).await?;
    let ids: Vec<&str> = active.iter().map(|key| key.id.as_str()).collect();
    let sizes: HashMap<String, i64> =
        key_pages::sized(tx, &ids).await?.into_iter().map(|key| (key.id, key.bytes)).collect();
    active.truncate(PageBudget::default().fitting(&active, |key| sizes.get(&key.id).copied().unwrap_or_default()));
    let Some(last) = active.last().map(|key| key.name.clone()) else { return Ok(None) };
    let ids: Vec<&str> = active.iter().map(|key| key.id.as_str()).collect();
    let (keys, translations) = (keys::sources(tx, &ids).await?, translations::by_keys(tx, &ids).await?);
    let lists = Lists::read(tx, &project).await?;
    Ok(Some((RecheckBatch { project, lists, keys, translations }, last)))
}

/// Checks the translations that say what their sources say now: those that are stale are translated anew.
fn compare(gathered: RecheckBatch) -> Vec<Changed> {
    let RecheckBatch { project, lists, keys, translations } = gathered;
    let keys: HashMap<&str, &KeyToTranslate> = keys.iter().map(|key| (key.id.as_str(), key)).collect();
    let mut by_language: HashMap<String, Vec<Translation>> = HashMap::new();
    for translation in translations.into_iter().filter(|translation| !translation.stale) {
        by_language.entry(translation.language.clone()).or_default().push(translation);
    }
    let mut changed = Vec::new();
    for (language, translations) in by_language {
        let glossary = lists.between(&project.base_language, &language);
        let checker = Checker::new(&project.base_language, &language).with_glossary(glossary);
        for held in translations {
            let Some(key) = keys.get(held.key_id.as_str()) else { continue };
            let found = checker.check(&key.source.0, &held.content.0, key.facts());
            if let Some(issues) = with_terms_of(&held.issues.0, found) {
                changed.push(Changed { held, issues });
            }
        }
    }
    changed
}

/// Writes the findings of those translations that are still as they were read.
async fn write(tx: &mut Tx, changed: Vec<Changed>) -> Result<(), ServiceError> {
    let mut by_language: HashMap<&str, Vec<&Changed>> = HashMap::new();
    for one in &changed {
        by_language.entry(&one.held.language).or_default().push(one);
    }
    let mut same = Vec::with_capacity(changed.len());
    for (language, changed) in by_language {
        let ids: Vec<&str> = changed.iter().map(|one| one.held.key_id.as_str()).collect();
        let now = translations::by_keys_and_language(tx, &ids, language).await?;
        let now: HashMap<&str, &Translation> = now.iter().map(|one| (one.key_id.as_str(), one)).collect();
        let is_same = |one: &&Changed| now.get(one.held.key_id.as_str()) == Some(&&one.held);
        let of_language = changed.into_iter().filter(is_same);
        same.extend(of_language.map(|one| (one.held.key_id.as_str(), language, one.issues.as_slice())));
    }
    translations::set_issues(tx, &same).await?;
    Ok(())
}
