//! Works on translation jobs: leases the job whose turn it is, translates a chunk of it and commits that. It keeps as many chunks
//! under way as the engines have seats, and some more, of one job or of many. Workspaces take turns, so that no one waits behind
//! all of another's work. The chunks of a small job are taken together, in one turn.

mod chunk;
mod scheduler;
mod seats;
mod together;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use self::chunk::{ChunkParts, READS, UnansweredJobs};
use self::scheduler::{ChunkEnd, JobScheduler, NextChunks, TakenChunks};
use crate::domain::ServiceError;
use crate::domain::jobs::{self, Claimant};
use crate::service::Service;

/// The intervals and limits of a worker. These are durations of the machine, not of the service's clock.
#[derive(Debug, Clone, Copy)]
pub struct WorkerConfig {
    /// Interval of the search for work without a hint.
    pub poll: Duration,
    /// Interval at which it renews its leases while it has chunks under way.
    pub heartbeat: Duration,
    /// Chunks that are begun beyond the seats of an engine, and at most as many as these, so that its next request is ready
    /// once one is free.
    pub ahead: usize,
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
            ahead: 8,
            attempts: 5,
            backoff: Duration::from_secs(1),
            longest_backoff: Duration::from_secs(60),
        }
    }
}

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
        Ok(jobs) => tracing::info!(jobs, "resuming translation jobs after an unclean shutdown"),
        Err(error) => {
            tracing::warn!(
                ?error,
                "cannot resume interrupted translation jobs yet; they resume when their leases expire"
            )
        }
    }
}

/// Largest factor of the polling interval while a worker finds nothing: new work of this process is announced, and
/// processes that share a datastore must not spend their time on polling.
const MOST_IDLE: u32 = 5;

/// Works until `shutdown`; the chunks that engines have by then are committed before it ends.
pub async fn run(service: Service, config: WorkerConfig, shutdown: CancellationToken) {
    let turns = JobScheduler::new(Claimant::new(service.clock.now()), config.ahead);
    let parts = Arc::new(ChunkParts {
        service,
        config,
        shutdown,
        down: UnansweredJobs::default(),
        reads: Semaphore::new(READS),
    });
    Worker { parts, turns, chunks: JoinSet::new(), under_way: HashMap::new(), hurries: false }.run().await;
}

struct Worker {
    parts: Arc<ChunkParts>,
    turns: JobScheduler,
    chunks: JoinSet<Result<ChunkEnd, ServiceError>>,
    under_way: HashMap<Id, TakenChunks>,
    /// True if something was queued, which may be a small job that somebody waits for, until nothing is left to be begun.
    hurries: bool,
}

impl Worker {
    async fn run(mut self) {
        let WorkerConfig { poll: shortest, heartbeat, .. } = self.parts.config;
        let mut heartbeat = tokio::time::interval(heartbeat);
        heartbeat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut poll = shortest;
        loop {
            match self.begin_chunks().await {
                Ok(true) => poll = shortest,
                Ok(false) => {}
                // The leases run out, and whoever has the jobs then goes on from the last commit.
                Err(error) => tracing::warn!(?error, "a translation job is left for later"),
            }
            let Self { parts, turns, chunks, under_way, hurries } = &mut self;
            let ends = parts.shutdown.is_cancelled();
            if ends && chunks.is_empty() {
                return;
            }
            tokio::select! {
                Some(ended) = chunks.join_next_with_id() => end(parts, turns, under_way, ended),
                _ = heartbeat.tick() => {
                    if let Err(error) = turns.renew(&parts.service).await {
                        tracing::warn!(?error, "cannot renew the leases of translation jobs");
                    }
                }
                () = turns.place_freed(), if !ends => {}
                () = parts.service.work_queued.notified(), if !ends => (poll, *hurries) = (shortest, true),
                () = tokio::time::sleep(poll), if !ends => poll = (poll * 2).min(shortest * MOST_IDLE),
                () = parts.shutdown.cancelled(), if !ends => {}
            }
        }
    }

    /// Begins chunks while there are some for which there is room, and puts the other jobs down; `false` where it has begun none.
    async fn begin_chunks(&mut self) -> Result<bool, ServiceError> {
        let Self { parts, turns, chunks, under_way, hurries } = self;
        let mut has_begun = false;
        let found = loop {
            if parts.shutdown.is_cancelled() {
                break Ok(());
            }
            match turns.next(&parts.service, *hurries).await {
                Ok(NextChunks::Chunks(leases, taken, place)) => {
                    has_begun = true;
                    let at_once = taken.at_once(parts.config.ahead);
                    let id = chunks.spawn(together::work(Arc::clone(parts), leases, at_once, place)).id();
                    under_way.insert(id, *taken);
                }
                Ok(NextChunks::PassedOver) => {}
                Ok(NextChunks::Nothing) => {
                    *hurries = false;
                    break Ok(());
                }
                Err(error) => break Err(error),
            }
            // Whoever has ended meanwhile makes room.
            while let Some(ended) = chunks.try_join_next_with_id() {
                end(parts, turns, under_way, ended);
            }
        };
        turns.put_down(&parts.service).await?;
        found.map(|()| has_begun)
    }
}

/// Takes note of the end of a chunk.
fn end(
    parts: &ChunkParts,
    turns: &mut JobScheduler,
    under_way: &mut HashMap<Id, TakenChunks>,
    ended: Result<(Id, Result<ChunkEnd, ServiceError>), JoinError>,
) {
    let (id, result) = match ended {
        Ok((id, result)) => (id, result),
        Err(error) => (error.id(), Err(ServiceError::internal(error.to_string()))),
    };
    let Some(taken) = under_way.remove(&id) else { return };
    let job = &taken.token;
    let ended = match result {
        Ok(ended) => ended,
        Err(error) => {
            tracing::warn!(%job, ?error, "a translation job is left for later");
            ChunkEnd::Failed
        }
    };
    match ended {
        ChunkEnd::Chunk | ChunkEnd::Failed => {}
        ChunkEnd::Finished => {
            parts.down.forget(job);
            tracing::info!(%job, "a translation job has ended");
        }
        ChunkEnd::GivenUp => tracing::info!(%job, "a chunk of a translation job was given up"),
    }
    turns.end(&taken, ended);
}
