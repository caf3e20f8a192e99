//! Languages of a project.

mod remove;

use std::collections::HashSet;

use l10n_api_types::languages::{AddLanguages, AddedLanguages, Language, NewLanguage};
use l10n_api_types::{LanguageCode, ProjectId, State};
use l10n_formats::locales;

pub(crate) use self::remove::{KEPT_DAYS, Removal, RemoveError, before_removal, forget, remove, removed};
use super::people::audit;
use super::{ProjectChange, ServiceError, output_formats};
use crate::store::audit_log::AuditAction;
use crate::store::counters::{self, TranslationCount};
use crate::store::languages::{self as rows, Language as Row};
use crate::store::{Tx, lock, projects, workspaces};

/// Most languages of one call.
const MOST: usize = 500;

/// Adds languages; the answer tells new and existing languages apart, so the call may be repeated.
///
/// # Errors
///
/// 400 for a tag that is not BCP 47, a language that neither CLDR nor the IANA registry has, or languages in which two output formats would meet in one path; 402 `plan_limit`.
pub(crate) async fn add(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    request: &AddLanguages,
) -> Result<AddedLanguages, ServiceError> {
    let codes = canonical(request)?;
    let project = change.project;
    lock::project_to_change(tx, project).await?;
    let mut languages = rows::list(tx, project).await?;
    let held: HashSet<String> = languages.iter().map(|language| language.code.clone()).collect();
    let (existing, added): (Vec<_>, Vec<_>) = codes.into_iter().partition(|code| held.contains(code.as_str()));
    if !added.is_empty() {
        for code in &added {
            locales::check_known(code.as_str()).map_err(|error| ServiceError::InvalidArgument(error.to_string()))?;
        }
        check_plan(tx, change, languages.len() + added.len()).await?;
        let next = languages.iter().map(|language| language.position + 1).max().unwrap_or_default();
        let created_at = change.clock.now();
        let new: Vec<_> = (next..)
            .zip(&added)
            .map(|(position, code)| Row { code: code.as_str().to_owned(), is_base: false, position, created_at })
            .collect();
        rows::insert(tx, project, &new).await?;
        languages.extend(new);
        output_formats::check_stored(tx, project, &languages).await?;
        projects::count_change_of_files(tx, project).await?;
        let names: Vec<&str> = added.iter().map(LanguageCode::as_str).collect();
        let (project, action) = (Some(project), AuditAction::LanguagesAdded);
        let record = audit::Record { project, action, subject: None, detail: Some(&names.join(", ")) };
        audit::write(tx, change.workspace, change.by, created_at, record).await?;
    }
    let languages = describe(tx, project, &languages).await?;
    Ok(AddedLanguages { added, existing, languages })
}

/// The reason why a person's language was not added.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AddError {
    /// It is no language, or one that nobody knows.
    #[error("{0}")]
    Code(String),
    /// The project has it.
    #[error("the project has this language already")]
    Existing,
    /// The plan, the output formats, or the datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Adds one language that a person has typed. Returns true if it was removed before and its translations are there again.
///
/// # Errors
///
/// [`AddError`]; `tx` must not be committed then.
pub(crate) async fn add_one(tx: &mut Tx, change: ProjectChange<'_>, tag: &str) -> Result<bool, AddError> {
    let code = locales::canonicalize(tag).map_err(|error| AddError::Code(error.to_string()))?;
    locales::check_known(&code).map_err(|error| AddError::Code(error.to_string()))?;
    lock::project_to_change(tx, change.project).await.map_err(ServiceError::from)?;
    let is_back = removed(tx, change.project).await?.iter().any(|removed| removed.row.code == code);
    let request = AddLanguages { languages: vec![NewLanguage { code: code.as_str().into() }] };
    let added = add(tx, change, &request).await?;
    if added.added.is_empty() { Err(AddError::Existing) } else { Ok(is_back) }
}

/// The languages of a project as the API shows them, the base language first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn list(tx: &mut Tx, project: &ProjectId) -> Result<Vec<Language>, ServiceError> {
    let languages = rows::list(tx, project).await?;
    describe(tx, project, &languages).await
}

/// The codes in canonical form, each once, in the order of the request.
fn canonical(request: &AddLanguages) -> Result<Vec<LanguageCode>, ServiceError> {
    let asked = &request.languages;
    if asked.is_empty() || asked.len() > MOST {
        return Err(ServiceError::InvalidArgument(format!("`languages` must have 1 to {MOST} elements")));
    }
    let mut seen = HashSet::new();
    let mut codes = Vec::new();
    for (index, language) in asked.iter().enumerate() {
        let code = locales::canonicalize(language.code.as_str())
            .map_err(|error| ServiceError::InvalidArgument(format!("`languages[{index}].code`: {error}")))?;
        if seen.insert(code.clone()) {
            codes.push(LanguageCode::new(code));
        }
    }
    Ok(codes)
}

async fn check_plan(tx: &mut Tx, change: ProjectChange<'_>, wanted: usize) -> Result<(), ServiceError> {
    let workspace = workspaces::find(tx, change.workspace).await?;
    let plan = workspace.map(|workspace| change.settings.plan(&workspace.plan)).unwrap_or_default();
    let wanted = wanted as u64;
    match plan.languages {
        Some(limit) if wanted > limit => Err(ServiceError::PlanLimit { feature: "languages", limit, wanted }),
        _ => Ok(()),
    }
}

/// Describes languages of a project.
async fn describe(tx: &mut Tx, project: &ProjectId, rows: &[Row]) -> Result<Vec<Language>, ServiceError> {
    let keys = projects::find(tx, project).await?.map_or(0, |project| project.key_count);
    Ok(described(rows, keys, &counters::translations(tx, project).await?))
}

/// The languages of a project with `keys` keys as the API shows them, with counts of their translations; the base language
/// first.
pub(crate) fn described(rows: &[Row], keys: i64, counts: &[TranslationCount]) -> Vec<Language> {
    let number = |number: i64| u64::try_from(number).unwrap_or_default();
    let describe = |row: &Row| {
        let of = |state: State| {
            let counts = counts.iter().filter(|count| count.language == row.code && count.state == state);
            counts.map(|count| number(count.number)).sum::<u64>()
        };
        let (translated, needs_review, reviewed) = (of(State::Translated), of(State::NeedsReview), of(State::Reviewed));
        let keys = number(keys);
        Language {
            code: row.code.as_str().into(),
            name: locales::name(&row.code),
            is_base: row.is_base,
            direction: locales::direction(&row.code),
            plural_categories: locales::plural_categories(&row.code),
            keys,
            translated,
            needs_review,
            reviewed,
            stale: counts.iter().filter(|count| count.language == row.code).map(|count| number(count.stale)).sum(),
            // The base language is what keys are written in: nothing of it is missing.
            missing: if row.is_base { 0 } else { keys.saturating_sub(translated + needs_review + reviewed) },
        }
    };
    let mut languages: Vec<_> = rows.iter().map(describe).collect();
    languages.sort_by_key(|language| !language.is_base);
    languages
}
