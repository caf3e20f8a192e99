//! One chunk of a job: begun and translated. Its lease is kept by the worker meanwhile.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use l10n_api_types::TrackingToken;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::WorkerConfig;
use crate::domain::ServiceError;
use crate::domain::glossary::ServiceGlossaries;
use crate::domain::jobs::{self, ChunkTranslations, ClaimedChunk, Lease, NextStep};
use crate::engines::pipeline::Work;
use crate::engines::{Asker, EngineError, SupportedHints, WorkHints};
use crate::ids;
use crate::service::Service;

/// The parts that all chunks of a worker share.
pub(super) struct ChunkParts {
    pub(super) service: Service,
    pub(super) config: WorkerConfig,
    pub(super) shutdown: CancellationToken,
    pub(super) down: UnansweredJobs,
    /// The chunks that may read at once what they need, so that requests find connections to read with.
    pub(super) reads: Semaphore,
}

/// Chunks at a time that read what they need.
pub(super) const READS: usize = 2;

/// The outcome of the work on a chunk.
pub(super) enum ChunkResult {
    /// It is to be committed.
    Translated(Box<TranslatedChunk>),
    /// It had none left, and the job has ended.
    Finished,
    /// Another worker has the job by now, or the server is about to end.
    GivenUp,
}

/// A chunk with the results of its texts.
pub(super) struct TranslatedChunk {
    pub(super) lease: Lease,
    pub(super) wanted: ClaimedChunk,
    pub(super) results: ChunkTranslations,
}

/// Translates the chunk of a lease.
pub(super) async fn translate(parts: Arc<ChunkParts>, lease: Lease) -> Result<ChunkResult, ServiceError> {
    let work = ChunkWork { parts: &parts, lease: &lease };
    let wanted = match work.begin().await? {
        NextStep::ClaimedChunk(wanted) => *wanted,
        NextStep::Finished => return Ok(ChunkResult::Finished),
        NextStep::Lost => return Ok(ChunkResult::GivenUp),
    };
    let results = match wanted.refused() {
        Some(failure) => Err(failure.clone()),
        None => {
            let hints = work.hints(&wanted).await?;
            match work.translate(&wanted, hints).await? {
                Some(results) => results,
                None => return Ok(ChunkResult::GivenUp),
            }
        }
    };
    Ok(ChunkResult::Translated(Box::new(TranslatedChunk { lease, wanted, results })))
}

struct ChunkWork<'a> {
    parts: &'a ChunkParts,
    lease: &'a Lease,
}

impl ChunkWork<'_> {
    /// Begins the chunk. Only where that has something to write it waits for those who write.
    async fn begin(&self) -> Result<NextStep, ServiceError> {
        let service = &self.parts.service;
        let reading = self.parts.reads.acquire().await;
        let mut tx = service.store.begin_read().await?;
        let begun = jobs::begin_reading(&mut tx, service.jobs(), self.lease).await?;
        tx.rollback().await?;
        drop(reading);
        if let Some(begun) = begun {
            return Ok(begun);
        }
        let mut tx = service.store.begin_background_write_of(&self.lease.job.workspace_id).await?;
        let begun = jobs::begin(&mut tx, service.jobs(), self.lease).await?;
        match begun {
            NextStep::ClaimedChunk(_) => tx.commit_piece().await?,
            NextStep::Finished => tx.commit().await?,
            NextStep::Lost => tx.rollback().await?,
        }
        Ok(begun)
    }

    /// Asks the engines, patiently; what they translated is kept from one attempt to the next. `None` when the server is about to
    /// end and the engine did not answer.
    async fn translate(
        &self,
        wanted: &ClaimedChunk,
        hints: WorkHints,
    ) -> Result<Option<ChunkTranslations>, ServiceError> {
        let ChunkParts { service, config, shutdown, down, .. } = self.parts;
        let job = &self.lease.job;
        let attempts = if down.has(&job.tracking_token) { 1 } else { config.attempts.max(1) };
        let texts = wanted.texts();
        let kept_glossaries = ServiceGlossaries {
            store: &service.store,
            clock: &*service.clock,
            glossaries: &service.glossaries,
            project: &job.project_id,
            workspace: &job.workspace_id,
            source: &wanted.source_language,
            target: wanted.language(),
        };
        let asker = Asker {
            of: job.workspace_id.as_str().into(),
            longest_pause: config.longest_backoff,
            gives_up: shutdown.clone(),
        };
        let mut work = Work::new(&wanted.source_language, wanted.language(), &texts)
            .with_glossary(Arc::clone(&wanted.glossary))
            .with_kept_glossaries(&kept_glossaries)
            .with_asker(asker)
            .with_attempts(attempts)
            .with_hints(hints);
        let mut pause = config.backoff;
        for attempt in 1..=attempts {
            let Err(error) = work.attempt_all(&wanted.engines).await else {
                down.forget(&job.tracking_token);
                for fault in work.faults() {
                    tracing::warn!(job = %job.tracking_token, fault, "an engine did not take a batch");
                }
                return Ok(Some(Ok(work.finish(None))));
            };
            if shutdown.is_cancelled() {
                return Ok(None);
            }
            tracing::warn!(job = %job.tracking_token, attempt, %error, "the engine did not translate a chunk");
            if attempt == attempts {
                match work.has_engine_down() {
                    true => down.remember(&job.tracking_token),
                    false => down.forget(&job.tracking_token),
                }
                return Ok(Some(Ok(work.finish(Some(&error)))));
            }
            let asked = match error {
                EngineError::RateLimited { retry_after_seconds } => Duration::from_secs(retry_after_seconds),
                _ => Duration::ZERO,
            };
            // Chunks whose engine was down at the same time do not come back at the same time.
            let jittered = pause.mul_f64(1.0 + ids::jitter() / 2.0);
            let wait = tokio::time::sleep(jittered.max(asked).min(config.longest_backoff));
            if shutdown.run_until_cancelled(wait).await.is_none() {
                return Ok(None);
            }
            pause *= 2;
        }
        Ok(None)
    }

    /// Reads the hints that the engines make use of.
    async fn hints(&self, wanted: &ClaimedChunk) -> Result<WorkHints, ServiceError> {
        if wanted.engines.supported_hints() == SupportedHints::Nothing {
            return Ok(WorkHints::default());
        }
        let _reading = self.parts.reads.acquire().await;
        let mut tx = self.parts.service.store.begin_read().await?;
        let hints = jobs::hints(&mut tx, self.lease, wanted).await?;
        tx.rollback().await?;
        Ok(hints)
    }
}

/// Most jobs whose engine was down that a worker remembers.
const MOST_REMEMBERED: usize = 1_000;

/// Jobs for whose last chunk an engine gave no answer at all: it is asked once for the next ones, so that a large job does not wait for
/// each of them anew.
#[derive(Debug, Default)]
pub(super) struct UnansweredJobs(Mutex<HashSet<TrackingToken>>);

impl UnansweredJobs {
    fn has(&self, job: &TrackingToken) -> bool {
        self.lock().contains(job)
    }

    fn remember(&self, job: &TrackingToken) {
        let mut down = self.lock();
        if down.len() >= MOST_REMEMBERED {
            down.clear();
        }
        down.insert(job.clone());
    }

    pub(super) fn forget(&self, job: &TrackingToken) {
        self.lock().remove(job);
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<TrackingToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;
    use serde_json::json;

    use super::*;
    use crate::domain::jobs::Claimant;
    use crate::engines::{BatchLimits, Exec};
    use crate::store::jobs::PassedOver;
    use crate::testing::{TestApp, TestStore};

    crate::both_engines!(hints_are_read_by_no_more_chunks_at_once_than_beginnings);

    /// The command is never started: the hints of its kind are what counts.
    fn engine() -> Arc<Exec> {
        Arc::new(Exec {
            name: "own".to_owned(),
            command: Vec::new(),
            timeout: Duration::from_secs(1),
            limits: BatchLimits::of(100, 1_000),
            at_once: 8,
            key_variables: Arc::default(),
        })
    }

    async fn claimed(service: &Service) -> Lease {
        let now = service.clock.now();
        let mut tx = service.store.begin_write().await.unwrap();
        let lease = jobs::next(&mut tx, &Claimant::new(now), &PassedOver::new(), now).await.unwrap().unwrap();
        assert!(jobs::claim(&mut tx, &lease, now).await.unwrap());
        tx.commit().await.unwrap();
        lease
    }

    async fn hints_are_read_by_no_more_chunks_at_once_than_beginnings(store: TestStore) {
        let app = TestApp::idle(&store, |_| {}, engine()).await;
        let keys = json!({"keys": [{"ref": "a", "text": "Save"}]});
        assert_eq!(app.post("/translate").json(&keys).send().await.status, 202);
        let lease = claimed(&app.service).await;
        let parts = ChunkParts {
            service: app.service.clone(),
            config: WorkerConfig::default(),
            shutdown: CancellationToken::new(),
            down: UnansweredJobs::default(),
            reads: Semaphore::new(1),
        };
        let work = ChunkWork { parts: &parts, lease: &lease };
        let NextStep::ClaimedChunk(wanted) = work.begin().await.unwrap() else { panic!("a chunk") };
        let other = parts.reads.acquire().await.unwrap();
        let mut hints = pin!(work.hints(&wanted));
        assert!(hints.as_mut().now_or_never().is_none());
        drop(other);
        assert!(parts.reads.try_acquire().is_err(), "the turn is that of the hints");
        assert_eq!(hints.await.unwrap().contents[0].key.as_deref(), Some("a"));
        assert_eq!(parts.reads.available_permits(), 1);
    }
}
