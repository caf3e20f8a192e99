//! `GET /memory`: suggestions for a text.

use l10n_api_types::Origin;
use l10n_api_types::memory::{LONGEST_TEXT, MemoryMatch, MemoryMatches, SuggestQuery};

use super::{LanguagePair, ProjectMemory, Suggestion, SuggestionQuery};
use crate::domain::project_engines::ProjectEngines;
use crate::domain::{Caller, ServiceError, translations};
use crate::engines::EngineRegistry;
use crate::store::{Tx, memory};

/// Most suggestions of an answer.
const MOST: usize = 10;
/// The least percentage that can be asked for.
const LEAST: u32 = 60;

/// Suggestions from the memory that the caller's project uses.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] for a text or a percentage out of bounds, and a language that the project does not have.
pub(crate) async fn matches(
    tx: &mut Tx,
    engines: &EngineRegistry,
    caller: &Caller,
    query: &SuggestQuery,
) -> Result<MemoryMatches, ServiceError> {
    let invalid = |problem: String| Err(ServiceError::InvalidArgument(problem));
    if query.text.is_empty() || query.text.chars().nth(LONGEST_TEXT).is_some() {
        return invalid(format!("`text` must have 1 to {LONGEST_TEXT} characters"));
    }
    let percent = query.percent.unwrap_or(LEAST);
    let Some(percent) = u8::try_from(percent).ok().filter(|percent| (60..=100).contains(percent)) else {
        return invalid(format!("`percent` must be from {LEAST} to 100"));
    };
    let target = translations::language_code(&query.language)?;
    let project = memory::lookup_project(tx, &caller.project, &target).await?;
    let project = project.ok_or_else(ServiceError::no_such_project)?;
    if !project.has_language {
        return Err(translations::not_a_language(&target));
    }
    let languages = LanguagePair { source: &project.base_language, target: &target };
    let wanted = SuggestionQuery { text: &query.text, percent, most: MOST };
    let choice = project.engines.map(|choice| choice.0).unwrap_or_default();
    let engines = ProjectEngines::of(engines, choice).of_language(&target);
    let memory =
        ProjectMemory { project: caller.project.clone(), workspace: project.workspace_id, setting: project.memory };
    let found = memory.similar(tx, languages, &engines, wanted).await?;
    Ok(MemoryMatches { matches: found.into_iter().map(|one| shown(one, caller)).collect() })
}

fn shown(found: Suggestion, caller: &Caller) -> MemoryMatch {
    MemoryMatch {
        source: found.source,
        translation: found.translation,
        percent: found.percent.into(),
        origin: if found.engine.is_some() { Origin::Machine } else { Origin::Human },
        engine: found.engine,
        project: found.is_own.then(|| caller.project.clone()),
        updated_at: found.updated_at,
    }
}
