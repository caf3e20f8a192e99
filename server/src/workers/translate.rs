//! Works on translation jobs, one chunk at a time: leases the job whose turn it is, commits a chunk, puts the job down.
//! Workspaces take turns, so that no one waits behind all of another's work.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::TrackingToken;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::domain::ServiceError;
use crate::domain::glossary::OfServices;
use crate::domain::jobs::{self, ChunkFailure, ClaimedChunk, Committed, Lease, NextStep};
use crate::engines::pipeline::{self, Translated, Work};
use crate::engines::{EngineError, Engines, Heeds, WorkHints};
use crate::ids;
use crate::service::Service;
use crate::store::{StoreError, Tx};

/// The intervals and limits of a worker. These are durations of the machine, not of the service's clock.
#[derive(Debug, Clone, Copy)]
pub struct WorkerConfig {
    /// Interval of the search for work without a hint.
    pub poll: Duration,
    /// Interval at which it renews its lease while the engine translates.
    pub heartbeat: Duration,
    /// Number of calls of an engine that does not answer, before the texts of the chunk fail.
    pub attempts: u32,
    /// Pause before it calls such an engine again, or up to half as long again; twice as long each time.
    pub backoff: Duration,
    /// The longest such wait, also when the engine asks for a longer one.
    pub longest_backoff: Duration,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self {
            poll: Duration::from_secs(1),
            heartbeat: Duration::from_secs(15),
            attempts: 5,
            backoff: Duration::from_secs(1),
            longest_backoff: Duration::from_secs(60),
        }
    }
}

type Results = Result<Vec<Result<Translated, pipeline::Failure>>, ChunkFailure>;

/// The result of a worker's turn at a job.
enum Turn {
    /// A chunk is committed, and the job is put down for whoever is next.
    Chunk,
    /// The job has ended.
    Finished,
    /// Another worker has it.
    Lost,
    /// The server is about to end; nothing was committed.
    ShuttingDown,
}

/// Most jobs whose engine was down that a worker remembers.
const MOST_REMEMBERED: usize = 1_000;

/// Gives back the jobs of a server that was killed, before this one's workers start. When that fails, their leases run
/// out by themselves.
pub(crate) async fn release_orphans(service: &Service) {
    let given_back = async {
        let mut tx = service.store.begin_background_write().await?;
        let jobs = jobs::release_orphans(&mut tx).await?;
        tx.commit().await?;
        Ok::<_, ServiceError>(jobs)
    };
    match given_back.await {
        Ok(0) => {}
        Ok(jobs) => tracing::info!(jobs, "goes on with the translation jobs of a server that was killed"),
        Err(error) => {
            tracing::warn!(?error, "the translation jobs of a killed server wait for their leases to run out")
        }
    }
}

/// Largest factor of the polling interval while a worker finds nothing: new work of this process is announced, and
/// processes that share a datastore must not spend their time on polling.
const MOST_IDLE: u32 = 5;

/// Works until `shutdown`; the chunk that it is at is committed before it ends.
pub async fn run(service: Service, config: WorkerConfig, shutdown: CancellationToken) {
    let mut memory = Memory::default();
    let mut poll = config.poll;
    while !shutdown.is_cancelled() {
        match next_chunk(&service, config, &shutdown, &mut memory).await {
            Ok(true) => {
                poll = config.poll;
                continue;
            }
            Ok(false) => {}
            // The lease runs out, and whoever has the job then goes on from the last commit.
            Err(error) => tracing::warn!(?error, "a translation job is left for later"),
        }
        let woken = tokio::time::timeout(poll, service.work_queued.notified());
        let told = shutdown.run_until_cancelled(woken).await.is_some_and(|woken| woken.is_ok());
        poll = if told { config.poll } else { (poll * 2).min(config.poll * MOST_IDLE) };
    }
}

/// Takes the next job in turn, works on one chunk of it and puts it down again; `false` when there is none.
async fn next_chunk(
    service: &Service,
    config: WorkerConfig,
    shutdown: &CancellationToken,
    memory: &mut Memory,
) -> Result<bool, ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    let Some(lease) = jobs::claim(&mut tx, service.clock.now()).await? else {
        tx.rollback().await?;
        return Ok(false);
    };
    let begun = match jobs::begin(&mut tx, service.jobs(), &lease).await {
        Ok(begun) => begun,
        Err(error) => {
            tx.rollback().await?;
            set_aside(service).await?;
            return Err(error);
        }
    };
    let job = &lease.job.tracking_token;
    if memory.last_job.as_ref() != Some(job) {
        // There may be more for another worker of this process.
        service.work_queued.wake_one_after(&mut tx);
    }
    tx.commit().await?;
    memory.last_job = Some(job.clone());
    tracing::debug!(%job, owner = %lease.owner, "leased a translation job");
    let mut worker = Worker { service, config, lease: &lease, shutdown, engine_was_down: &mut memory.engine_was_down };
    match worker.take_turn(begun).await? {
        Turn::Chunk => {}
        Turn::Finished => {
            memory.engine_was_down.remove(job);
            tracing::info!(%job, "a translation job has ended");
        }
        Turn::Lost => tracing::info!(%job, "another worker has this translation job"),
        Turn::ShuttingDown => {
            let mut tx = service.store.begin_background_write().await?;
            jobs::release(&mut tx, &lease).await?;
            tx.commit().await?;
        }
    }
    Ok(true)
}

/// Leases the job that cannot be begun, and leaves it: it comes up again when the lease has run out, and holds up nobody
/// else's until then.
async fn set_aside(service: &Service) -> Result<(), ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    jobs::claim(&mut tx, service.clock.now()).await?;
    Ok(tx.commit().await?)
}

/// The state that a worker keeps from one chunk to the next.
#[derive(Default)]
struct Memory {
    /// The job that it worked on last.
    last_job: Option<TrackingToken>,
    /// Jobs for whose last chunk the engine did not answer: it is asked once for the next ones, so that a large job does
    /// not wait for each of them anew.
    engine_was_down: HashSet<TrackingToken>,
}

struct Worker<'a> {
    service: &'a Service,
    config: WorkerConfig,
    lease: &'a Lease,
    shutdown: &'a CancellationToken,
    engine_was_down: &'a mut HashSet<TrackingToken>,
}

impl Worker<'_> {
    async fn take_turn(&mut self, begun: NextStep) -> Result<Turn, ServiceError> {
        let wanted = match begun {
            NextStep::ClaimedChunk(wanted) => wanted,
            NextStep::Finished => return Ok(Turn::Finished),
            NextStep::Lost => return Ok(Turn::Lost),
        };
        let results = match wanted.refused() {
            Some(failure) => Err(failure.clone()),
            None => match self.translate(&wanted).await? {
                Some(results) => results,
                None => return Ok(Turn::ShuttingDown),
            },
        };
        let mut tx = self.begin_write().await?;
        let turn = match jobs::commit(&mut tx, self.service.jobs(), self.lease, &wanted, results).await? {
            Committed::Lost => {
                tx.rollback().await?;
                return Ok(Turn::Lost);
            }
            Committed::Finished => Turn::Finished,
            Committed::Chunk => {
                jobs::release(&mut tx, self.lease).await?;
                Turn::Chunk
            }
        };
        tx.commit().await?;
        Ok(turn)
    }

    fn remember_down(&mut self) {
        if self.engine_was_down.len() >= MOST_REMEMBERED {
            self.engine_was_down.clear();
        }
        self.engine_was_down.insert(self.lease.job.tracking_token.clone());
    }

    /// Asks the engines, patiently; what they translated is kept from one attempt to the next. `None` when the server is about to end and the engine did not answer.
    async fn translate(&mut self, wanted: &ClaimedChunk) -> Result<Option<Results>, ServiceError> {
        let attempts =
            if self.engine_was_down.contains(&self.lease.job.tracking_token) { 1 } else { self.config.attempts.max(1) };
        let texts = wanted.texts();
        let kept_glossaries = OfServices {
            store: &self.service.store,
            clock: &*self.service.clock,
            project: &self.lease.job.project_id,
            workspace: &self.lease.job.workspace_id,
            source: &wanted.source_language,
            target: wanted.language(),
        };
        let mut work = Work::new(&wanted.source_language, wanted.language(), &texts)
            .with_glossary(Arc::clone(&wanted.glossary))
            .with_kept_glossaries(&kept_glossaries)
            .with_hints(self.hints(wanted).await?);
        let mut pause = self.config.backoff;
        for attempt in 1..=attempts {
            let Err(error) = self.ask(&mut work, &wanted.engines).await? else {
                self.engine_was_down.remove(&self.lease.job.tracking_token);
                for fault in work.faults() {
                    tracing::warn!(job = %self.lease.job.tracking_token, fault, "an engine did not take a batch");
                }
                return Ok(Some(Ok(work.finish(None))));
            };
            tracing::warn!(job = %self.lease.job.tracking_token, attempt, %error, "the engine did not translate a chunk");
            if attempt == attempts {
                self.remember_down();
                return Ok(Some(Ok(work.finish(Some(&error)))));
            }
            let asked = match error {
                EngineError::RateLimited { retry_after_seconds } => Duration::from_secs(retry_after_seconds),
                _ => Duration::ZERO,
            };
            // Workers whose engine was down at the same time do not come back at the same time.
            let jittered = pause.mul_f64(1.0 + ids::jitter() / 2.0);
            if !self.wait(jittered.max(asked).min(self.config.longest_backoff)).await? {
                return Ok(None);
            }
            pause *= 2;
        }
        Ok(None)
    }

    /// Reads the hints that the engines make use of.
    async fn hints(&self, wanted: &ClaimedChunk) -> Result<WorkHints, ServiceError> {
        if wanted.engines.heeds() == Heeds::Nothing {
            return Ok(WorkHints::default());
        }
        let mut tx = self.service.store.begin_read().await?;
        let hints = jobs::hints(&mut tx, self.lease, wanted).await?;
        tx.rollback().await?;
        Ok(hints)
    }

    /// Asks the engines once for what is left, and keeps the job meanwhile.
    async fn ask(&self, work: &mut Work<'_>, engines: &Engines) -> Result<Result<(), EngineError>, ServiceError> {
        let answer = work.attempt_all(engines);
        let mut answer = std::pin::pin!(answer);
        loop {
            tokio::select! {
                answer = &mut answer => return Ok(answer),
                () = tokio::time::sleep(self.config.heartbeat) => self.renew().await?,
            }
        }
    }

    /// Waits, and keeps the job meanwhile; `false` when the server is about to end.
    async fn wait(&self, pause: Duration) -> Result<bool, ServiceError> {
        let end = Instant::now() + pause;
        while Instant::now() < end {
            let wait = tokio::time::sleep_until(end.min(Instant::now() + self.config.heartbeat));
            if self.shutdown.run_until_cancelled(wait).await.is_none() {
                return Ok(false);
            }
            self.renew().await?;
        }
        Ok(true)
    }

    async fn begin_write(&self) -> Result<Tx, StoreError> {
        let job = &self.lease.job;
        self.service.store.begin_background_write_in(&job.workspace_id, &job.project_id).await
    }

    async fn renew(&self) -> Result<(), ServiceError> {
        let mut tx = self.service.store.begin_background_write().await?;
        // One that was lost is noticed by the commit.
        jobs::renew(&mut tx, self.lease, self.service.clock.now()).await?;
        Ok(tx.commit().await?)
    }
}
