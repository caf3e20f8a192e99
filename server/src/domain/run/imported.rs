//! The translations of a large import that is live, moved to their place piece by piece and remembered.

use crate::domain::ServiceError;
use crate::domain::memory::{LanguagePair, ProjectMemory, TextPair};
use crate::store::staged_runs::StagedRun;
use crate::store::{Tx, projects, staged_translations};

/// Translations of one piece, for which every writer waits.
const AT_ONCE: i64 = 200;

/// Moves the next translations of an import to their place, and remembers them; `false` when there are no more.
pub(super) async fn move_some(tx: &mut Tx, run: &StagedRun) -> Result<bool, ServiceError> {
    let moved = staged_translations::write_imported(tx, &run.tracking_token, AT_ONCE).await?;
    let Some(first) = moved.first() else { return Ok(false) };
    let project = projects::find(tx, &run.project_id).await?.ok_or_else(ServiceError::no_such_project)?;
    let pairs = moved.iter().filter(|row| row.is_remembered).map(|row| TextPair {
        hash: row.source_hash,
        source: &row.source.0,
        translation: &row.content.0,
    });
    // All of an import are in one language.
    let languages = LanguagePair { source: &project.base_language, target: &first.language };
    ProjectMemory::of(&project).keep_imported(tx, languages, &pairs.collect::<Vec<_>>(), run.created_at).await?;
    Ok(true)
}
