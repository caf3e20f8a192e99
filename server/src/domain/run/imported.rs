//! The translations of an import, written to their place and remembered: in its transaction, or piece by piece once a large one is
//! live. Their sources, which may be long, are read a batch after the other.

use std::collections::HashMap;

use l10n_api_types::Content;

use super::RunContext;
use super::gather::BATCH;
use super::import::{ImportResult, ImportedTranslation};
use crate::domain::ServiceError;
use crate::domain::memory::{LanguagePair, ProjectMemory, TextPair};
use crate::domain::pages::{self, PageBudget};
use crate::store::projects::{self, Project};
use crate::store::staged_runs::StagedRun;
use crate::store::{Tx, keys, lock, staged_translations, translations};

/// Translations of one piece, for which every writer waits. They are fewer where texts are long.
const AT_ONCE: i64 = 200;

/// Moves the next translations of an import to their place, and remembers them; `false` when there are no more.
pub(super) async fn move_some(tx: &mut Tx, run: &StagedRun) -> Result<bool, ServiceError> {
    let sizes = staged_translations::sizes_of_imported(tx, &run.tracking_token, AT_ONCE).await?;
    let most = i64::try_from(PageBudget::default().fitting(&sizes, |bytes| *bytes)).unwrap_or(AT_ONCE);
    let moved = staged_translations::write_imported(tx, &run.tracking_token, most).await?;
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

/// Writes the translations to their place, and remembers them. Where a person has reviewed another one, memory keeps that.
pub(super) async fn write(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    project: &Project,
    language: &str,
    outcome: &ImportResult<'_>,
) -> Result<(), ServiceError> {
    let rows = outcome.rows(language);
    if rows.is_empty() {
        return Ok(());
    }
    lock::workspace(tx, &project.workspace_id).await?;
    translations::upsert(tx, &project.id, &rows, cx.now).await?;
    remember(tx, cx, project, language, outcome).await?;
    projects::add_counts(tx, &project.id, 0, i64::try_from(rows.len()).unwrap_or(i64::MAX)).await?;
    Ok(())
}

async fn remember(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    project: &Project,
    language: &str,
    outcome: &ImportResult<'_>,
) -> Result<(), ServiceError> {
    let (memory, languages) =
        (ProjectMemory::of(project), LanguagePair { source: &project.base_language, target: language });
    for remembered in outcome.to_remember().chunks(BATCH) {
        let ids: Vec<&str> = remembered.iter().map(|taken| taken.key_id.as_str()).collect();
        let sizes = keys::sizes(tx, &ids).await?;
        let bytes = |taken: &&ImportedTranslation<'_>| sizes.get(&taken.key_id).copied().unwrap_or_default();
        for remembered in pages::batches(remembered, bytes) {
            let ids: Vec<&str> = remembered.iter().map(|taken| taken.key_id.as_str()).collect();
            let sources = keys::sources(tx, &ids).await?;
            let sources: HashMap<&str, &Content> =
                sources.iter().map(|source| (source.id.as_str(), &source.source.0)).collect();
            let entries = remembered.iter().filter_map(|taken| {
                let source = sources.get(taken.key_id.as_str())?;
                Some(TextPair { hash: taken.source_hash, source, translation: taken.content })
            });
            memory.keep_imported(tx, languages, &entries.collect::<Vec<_>>(), cx.now).await?;
        }
    }
    Ok(())
}
