//! A person's review of translations, beside the server. No import and no engine replaces a reviewed translation, and
//! translation memory shares it with the other projects of the workspace.

use std::collections::HashMap;

use l10n_api_types::{Origin, ProjectId, State};
use l10n_formats::SourceHash;
use l10n_formats::locales;
use l10n_formats::text::checks::has_error;

use super::ServiceError;
use super::memory::{LanguagePair, ProjectMemory, TextPair};
use crate::clock::Clock;
use crate::store::keys::{self, KeyState};
use crate::store::projects::{self, Project};
use crate::store::translations::{self, Unreviewed};
use crate::store::{Tx, languages, lock};

/// Most translations that one transaction reviews.
pub(crate) const REVIEW_BATCH: usize = 500;

/// Translations into a language that nobody has reviewed, in the order of their keys' refs, from the one after `after` on;
/// those of one origin, or all; drafts of imported files too. Stale ones, and those that a check holds back, are not among them.
///
/// # Errors
///
/// 400 for a language that the project is not translated into.
pub async fn waiting(
    tx: &mut Tx,
    project: &ProjectId,
    language: &str,
    origin: Option<Origin>,
    after: &str,
    most: usize,
) -> Result<Vec<Unreviewed>, ServiceError> {
    let language = target(tx, project, language).await?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    Ok(translations::unreviewed(tx, project, &language, origin, after, most).await?)
}

/// Marks the translations of these keys as reviewed; returns how many were not before.
///
/// # Errors
///
/// 404 for a key that the project does not have; 400 for a language that it is not translated into, and for a translation
/// that is missing, stale or held back by a check. Nothing is written then.
pub async fn review(
    tx: &mut Tx,
    clock: &dyn Clock,
    project: &ProjectId,
    language: &str,
    names: &[&str],
) -> Result<usize, ServiceError> {
    lock::project(tx, project).await?;
    let project = find(tx, project).await?;
    let language = target(tx, &project.id, language).await?;
    let held = keys::held_by_refs(tx, &project.id, names).await?;
    let held: HashMap<&str, &keys::StoredKey> =
        held.iter().filter(|key| key.state == KeyState::Active).map(|key| (key.name.as_str(), key)).collect();
    let ids: Vec<&str> = held.values().map(|key| key.id.as_str()).collect();
    let rows = translations::by_keys_and_language(tx, &ids, &language).await?;
    let rows: HashMap<&str, &translations::Translation> = rows.iter().map(|row| (row.key_id.as_str(), row)).collect();
    let sources: HashMap<String, keys::KeyToTranslate> =
        keys::sources(tx, &ids).await?.into_iter().map(|source| (source.id.clone(), source)).collect();
    let mut reviewed: HashMap<&str, TextPair<'_>> = HashMap::new();
    for name in names {
        let key = held.get(name).ok_or_else(|| ServiceError::KeyNotFound((*name).to_owned()))?;
        let row = rows.get(key.id.as_str()).copied();
        let row = row.ok_or_else(|| refused(name, &format!("has no translation into {language}")))?;
        if row.stale {
            return Err(refused(name, "has a translation of an earlier text: translate it again first"));
        }
        if has_error(&row.issues.0) {
            return Err(refused(name, "is held back by a check: correct its translation first"));
        }
        if row.state != State::Reviewed {
            let source = sources.get(&key.id).ok_or_else(|| ServiceError::KeyNotFound((*name).to_owned()))?;
            let pair = TextPair { hash: row.source_hash, source: &source.source.0, translation: &row.content.0 };
            reviewed.insert(&row.key_id, pair);
        }
    }
    let now = clock.now();
    let ids: Vec<&str> = reviewed.keys().copied().collect();
    translations::mark_reviewed(tx, &language, &ids, now).await?;
    // Of two keys with one text, either translation may be the one that is remembered.
    let entries: HashMap<SourceHash, TextPair<'_>> = reviewed.values().map(|pair| (pair.hash, *pair)).collect();
    let entries: Vec<TextPair<'_>> = entries.into_values().collect();
    let languages = LanguagePair { source: &project.base_language, target: &language };
    ProjectMemory::of(&project).keep_reviewed(tx, languages, &entries, now).await?;
    Ok(reviewed.len())
}

/// Reviews the next translations that [`waiting`] lists, at most [`REVIEW_BATCH`]; returns how many, and the last one's key,
/// unless there was none.
pub(crate) async fn review_next(
    tx: &mut Tx,
    clock: &dyn Clock,
    project: &ProjectId,
    language: &str,
    origin: Option<Origin>,
    after: &str,
) -> Result<Option<(usize, String)>, ServiceError> {
    // Nothing that is listed changes before it is reviewed.
    lock::project(tx, project).await?;
    let page = waiting(tx, project, language, origin, after, REVIEW_BATCH).await?;
    let names: Vec<&str> = page.iter().map(|row| row.name.as_str()).collect();
    let reviewed = review(tx, clock, project, language, &names).await?;
    Ok(page.into_iter().next_back().map(|last| (reviewed, last.name)))
}

async fn find(tx: &mut Tx, id: &ProjectId) -> Result<Project, ServiceError> {
    projects::find(tx, id).await?.ok_or_else(ServiceError::no_such_project)
}

/// The canonical form of a language that the project is translated into.
async fn target(tx: &mut Tx, project: &ProjectId, language: &str) -> Result<String, ServiceError> {
    let code = locales::canonicalize(language).map_err(|error| ServiceError::InvalidArgument(error.to_string()))?;
    match languages::list(tx, project).await?.into_iter().find(|known| known.code == code) {
        Some(known) if !known.is_base => Ok(code),
        Some(_) => Err(ServiceError::InvalidArgument(format!("`{code}` is the base language"))),
        None => Err(ServiceError::InvalidArgument(format!("the project has no language `{code}`"))),
    }
}

fn refused(name: &str, why: &str) -> ServiceError {
    ServiceError::InvalidArgument(format!("`{name}` {why}"))
}
