//! Deletes data whose time ([`Retention`]) is over, a batch at a time, each in a transaction of its own.

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use l10n_api_types::ProjectId;
use l10n_formats::SourceHash;

use super::{ServiceError, pages};
use crate::clock::Timestamp;
use crate::compute::{MANY, compute};
use crate::config::Retention;
use crate::store::documents::SizedDocument;
use crate::store::memory::USED_MILLIS;
use crate::store::purge::{self, PurgeTarget};
use crate::store::retention::SegmentHashes;
use crate::store::{
    Store, Tx, audit_log, expired, languages, lock, memory_sources, pruning, removed_languages, retention,
};

/// Rows that one transaction deletes at most, so that others need not wait for long.
pub(crate) const PURGE_BATCH: i64 = 200;

/// Jobs that are deleted together. Their chunks are large.
const JOBS: i64 = 50;

/// Texts that are looked for in the documents of their projects at once.
const SEGMENTS: usize = 20_000;

/// Documents whose sizes are looked at together.
const DOCUMENTS: i64 = 100;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Milliseconds for which a text stays that was noted as used, at the least: only then does a push note it anew. A day of them is
/// for pushes that are under way when a sweep begins.
const NOTED: i64 = USED_MILLIS + DAY;

/// Something that is kept for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetainedKind {
    /// Receipts of writes
    Receipts,
    /// Translation jobs that have ended
    Jobs,
    /// Operations that came to nothing
    UnusedOperations,
    /// Operations that were used
    UsedOperations,
    /// Entries of the audit log
    AuditLog,
    /// Captured keys
    CapturedKeys,
    /// Replaced sources of documents
    DocumentSources,
    /// Versions of keys that are not live
    Versions,
    /// Versions of documents that are not live
    DocumentVersions,
    /// Shared translation memory
    Memory,
    /// Translation memory of projects
    ProjectMemory,
    /// Texts of both memories
    MemorySources,
    /// Translations of languages that people removed
    RemovedLanguages,
}

impl RetainedKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 13] = [
        Self::Receipts,
        Self::Jobs,
        Self::UnusedOperations,
        Self::UsedOperations,
        Self::AuditLog,
        Self::CapturedKeys,
        Self::Versions,
        Self::DocumentVersions,
        Self::DocumentSources,
        Self::Memory,
        Self::ProjectMemory,
        Self::MemorySources,
        Self::RemovedLanguages,
    ];

    const fn days(self, settings: &Retention) -> u32 {
        match self {
            Self::Receipts => settings.receipts_days,
            Self::Jobs => settings.jobs_days,
            Self::UnusedOperations => settings.unused_operations_days,
            Self::UsedOperations => settings.used_operations_days,
            Self::AuditLog => settings.audit_log_days,
            Self::CapturedKeys => settings.captured_keys_days,
            Self::DocumentSources => settings.document_sources_days,
            Self::Versions | Self::DocumentVersions => settings.versions_days,
            Self::Memory | Self::ProjectMemory | Self::MemorySources => settings.memory_days,
            Self::RemovedLanguages => super::languages::KEPT_DAYS,
        }
    }
}

/// The time since which rows are kept, for a retention of `days` days; `None` for ever.
fn kept_since(days: u32, now: Timestamp) -> Option<Timestamp> {
    (days > 0).then(|| Timestamp::from_millis(now.as_millis() - i64::from(days) * DAY))
}

/// The projects of a sweep. One of which nothing can be deleted now is left alone, and keeps no other from being swept.
#[derive(Debug, Default)]
pub(crate) struct SweptProjects {
    left_alone: Vec<ProjectId>,
    /// The project that the sweep is at.
    current: Option<ProjectId>,
    first: Option<ServiceError>,
}

impl SweptProjects {
    /// Begins another batch, of no project yet.
    pub(crate) fn begin(&mut self) {
        self.current = None;
    }

    /// Leaves the project alone that the sweep is at.
    ///
    /// # Errors
    ///
    /// Returns the error where it is that of no project.
    pub(crate) fn fail(&mut self, error: ServiceError) -> Result<(), ServiceError> {
        let Some(project) = self.current.take() else { return Err(error) };
        tracing::warn!(%project, ?error, "cannot delete records of a project whose time is over");
        self.left_alone.push(project);
        self.first.get_or_insert(error);
        Ok(())
    }

    /// The end of the sweep.
    ///
    /// # Errors
    ///
    /// Returns the first error.
    pub(crate) fn end(self) -> Result<(), ServiceError> {
        self.first.map_or(Ok(()), Err)
    }
}

/// Deletes a batch of one kind; returns whether there may be more.
pub(crate) async fn sweep(
    tx: &mut Tx,
    settings: &Retention,
    kind: RetainedKind,
    now: Timestamp,
    projects: &mut SweptProjects,
) -> Result<bool, ServiceError> {
    let Some(before) = kept_since(kind.days(settings), now) else { return Ok(false) };
    let batch = PURGE_BATCH.unsigned_abs();
    Ok(match kind {
        RetainedKind::Receipts => expired::requests(tx, before, PURGE_BATCH).await? >= batch,
        RetainedKind::Jobs => {
            let jobs = retention::finished_jobs(tx, before, JOBS).await?;
            retention::delete_jobs(tx, &jobs, PURGE_BATCH).await? > 0
        }
        RetainedKind::UnusedOperations => expired::operations(tx, before, PURGE_BATCH).await? >= batch,
        RetainedKind::UsedOperations => retention::used_operations(tx, before, PURGE_BATCH).await? >= batch,
        RetainedKind::AuditLog => audit_log::expired(tx, before, PURGE_BATCH).await? >= batch,
        RetainedKind::CapturedKeys => match retention::with_captured(tx, before, &projects.left_alone).await? {
            Some(project) => {
                projects.current = Some(project.clone());
                if retention::captured(tx, &project, before, PURGE_BATCH).await? == 0 {
                    projects.left_alone.push(project);
                }
                true
            }
            None => false,
        },
        RetainedKind::DocumentSources => retention::document_sources(tx, before, PURGE_BATCH).await? >= batch,
        RetainedKind::Versions => match pruning::oldest(tx, before, &projects.left_alone).await? {
            Some(old) => {
                projects.current = Some(old.project_id.clone());
                // Nobody makes it live meanwhile.
                lock::project(tx, &old.project_id).await?;
                pruning::delete(tx, &old.id, PURGE_BATCH, now).await?;
                true
            }
            None => false,
        },
        RetainedKind::DocumentVersions => match pruning::oldest_of_documents(tx, before, &projects.left_alone).await? {
            Some(old) => {
                projects.current = Some(old.project_id.clone());
                lock::project(tx, &old.project_id).await?;
                pruning::delete_of_document(tx, &old.id, PURGE_BATCH, now).await?;
                true
            }
            None => false,
        },
        RetainedKind::RemovedLanguages => match removed_languages::oldest(tx, before, &projects.left_alone).await? {
            Some(removed) => {
                projects.current = Some(removed.project_id.clone());
                if !super::languages::forget(tx, &removed, PURGE_BATCH).await? {
                    projects.left_alone.push(removed.project_id);
                }
                true
            }
            None => false,
        },
        RetainedKind::Memory => retention::memory(tx, before, PURGE_BATCH).await? >= batch,
        RetainedKind::ProjectMemory => retention::project_memory(tx, before, PURGE_BATCH).await? >= batch,
        RetainedKind::MemorySources => memory_sources::delete_expired(tx, before, PURGE_BATCH).await? >= batch,
    })
}

/// Rests for as long as the batch took that began then, so that others have their turns.
pub(crate) async fn rest(began: Instant) {
    tokio::time::sleep(began.elapsed()).await;
}

/// Texts of one project in one language.
#[derive(Debug, Default)]
struct UnusedTexts {
    unused: HashSet<SourceHash>,
    used: Vec<SourceHash>,
}

/// Deletes texts that no document has any more, with their translations: those of about one batch. Reads the sources of their
/// projects' documents in parts, and writes in short transactions with a rest between them. Returns whether there may be more.
pub(crate) async fn sweep_segments(
    store: &Store,
    settings: &Retention,
    now: Timestamp,
    swept: &mut SweptProjects,
) -> Result<bool, ServiceError> {
    let Some(before) = kept_since(settings.segments_days, now) else { return Ok(false) };
    let before = before.min(now.plus_millis(-NOTED));
    let mut tx = store.begin_read().await?;
    let most = i64::try_from(SEGMENTS).unwrap_or(i64::MAX);
    let candidates = retention::unused_segments(&mut tx, before, &swept.left_alone, most).await?;
    tx.rollback().await?;
    let has_more = candidates.len() >= SEGMENTS;
    let mut projects: BTreeMap<ProjectId, BTreeMap<String, UnusedTexts>> = BTreeMap::new();
    for text in candidates {
        let of_project = projects.entry(text.project_id).or_default();
        of_project.entry(text.language).or_default().unused.insert(text.hash);
    }
    for (project, texts) in projects {
        let settled = settle_project(store, &project, texts, before, now).await;
        swept.current = Some(project);
        settled.or_else(|error| swept.fail(error))?;
    }
    Ok(has_more)
}

async fn settle_project(
    store: &Store,
    project: &ProjectId,
    mut texts: BTreeMap<String, UnusedTexts>,
    before: Timestamp,
    now: Timestamp,
) -> Result<(), ServiceError> {
    set_used_apart(store, project, &mut texts).await?;
    for (language, texts) in texts {
        settle(store, project, &language, &texts, before, now).await?;
    }
    Ok(())
}

/// Takes from the unused texts those that a source of a document has. Of the sources as many are in memory as have the room of a
/// page.
async fn set_used_apart(
    store: &Store,
    project: &ProjectId,
    texts: &mut BTreeMap<String, UnusedTexts>,
) -> Result<(), ServiceError> {
    let mut after = String::new();
    loop {
        let mut tx = store.begin_read().await?;
        let documents = retention::documents_of(&mut tx, project, &after, DOCUMENTS).await?;
        tx.rollback().await?;
        let Some(last) = documents.last() else { return Ok(()) };
        after.clone_from(&last.id);
        for some in pages::batches(&documents, |document| document.bytes) {
            if let [one] = some {
                set_apart_what_one_has(store, one, texts).await?;
                continue;
            }
            let mut tx = store.begin_read().await?;
            let sources = retention::segments_of(&mut tx, some).await?;
            tx.rollback().await?;
            set_apart(texts, &sources);
        }
    }
}

/// Does the same for one document, source by source: it may have been pushed a thousand times.
async fn set_apart_what_one_has(
    store: &Store,
    document: &SizedDocument,
    texts: &mut BTreeMap<String, UnusedTexts>,
) -> Result<(), ServiceError> {
    let mut after = String::new();
    loop {
        let mut tx = store.begin_read().await?;
        let source = retention::source_after(&mut tx, &document.id, &after).await?;
        tx.rollback().await?;
        let Some(source) = source else { return Ok(()) };
        after.clone_from(&source.id);
        set_apart(texts, &[source]);
    }
}

/// Takes from the unused texts those of some sources.
fn set_apart(texts: &mut BTreeMap<String, UnusedTexts>, sources: &[SegmentHashes]) {
    let held = sources.iter().map(|source| source.segments.0.len()).sum::<usize>();
    compute(held >= MANY, || {
        for hash in sources.iter().flat_map(|source| &source.segments.0) {
            for texts in texts.values_mut() {
                if texts.unused.remove(hash) {
                    texts.used.push(*hash);
                }
            }
        }
    });
}

async fn settle(
    store: &Store,
    project: &ProjectId,
    language: &str,
    texts: &UnusedTexts,
    before: Timestamp,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let batch = usize::try_from(PURGE_BATCH).unwrap_or(usize::MAX);
    for used in texts.used.chunks(batch) {
        let began = Instant::now();
        let mut tx = store.begin_background_write().await?;
        // A push writes them under this lock, too, in an order of its own.
        lock::project(&mut tx, project).await?;
        retention::touch_segments(&mut tx, project, language, used, now).await?;
        tx.commit().await?;
        rest(began).await;
    }
    let unused: Vec<SourceHash> = texts.unused.iter().copied().collect();
    for unused in unused.chunks(batch) {
        let began = Instant::now();
        let mut tx = store.begin_background_write().await?;
        lock::project(&mut tx, project).await?;
        let targets = languages::list(&mut tx, project).await?;
        // Translations into a removed language go with their texts, too.
        let removed = removed_languages::list(&mut tx, project).await?.into_iter().map(|language| language.code);
        let targets: Vec<String> = targets.into_iter().map(|language| language.code).chain(removed).collect();
        // A push in between has noted all of these that it brought as used, since each was last noted more than a week ago: those
        // stay.
        retention::delete_segments(&mut tx, project, language, &targets, before, unused).await?;
        tx.commit().await?;
        rest(began).await;
    }
    Ok(())
}

/// Things that are to be deleted now.
pub(crate) async fn due(tx: &mut Tx, now: Timestamp) -> Result<Vec<PurgeTarget>, ServiceError> {
    Ok(purge::due(tx, now, PURGE_BATCH).await?)
}

/// Begins to delete something: from now on it cannot be restored. Returns false if it is not due any more.
pub(crate) async fn begin_purge(tx: &mut Tx, due: &PurgeTarget, now: Timestamp) -> Result<bool, ServiceError> {
    Ok(purge::begin(tx, due, now).await?)
}

/// Deletes a batch of rows that are due; returns whether there are more.
pub(crate) async fn purge(tx: &mut Tx, due: &PurgeTarget, now: Timestamp) -> Result<bool, ServiceError> {
    Ok(purge::some(tx, due, PURGE_BATCH, now).await?)
}
