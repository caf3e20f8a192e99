//! The jobs that a worker has in hand, and the choice of its next chunk: whose turn it is, with an engine that has room.

use std::collections::HashMap;

use l10n_api_types::TrackingToken;

use super::seats::{ChunkOwner, ChunksInFlight, FirstEngine, Place};
use crate::domain::ServiceError;
use crate::domain::jobs::{self, Claimant, Lease, NextChunk};
use crate::service::Service;
use crate::store::jobs::PassedOver;

/// Most jobs without a chunk under way whose engine a worker remembers.
const MOST_REMEMBERED: usize = 1_000;

/// A chunk that a worker has taken, or the chunks of a small job that it has taken together: all of these take one place.
#[derive(Debug, Clone)]
pub(super) struct TakenChunks {
    pub(super) token: TrackingToken,
    owner: ChunkOwner,
    engine: Option<FirstEngine>,
    /// None where the job has no chunk left and is to be ended.
    seqs: Vec<i64>,
}

impl TakenChunks {
    /// Returns how many of these are begun at a time.
    pub(super) fn at_once(&self, ahead: usize) -> usize {
        self.engine.as_ref().map_or(1, |engine| engine.most(ahead))
    }
}

/// The result of a search for the next chunk.
pub(super) enum NextChunks {
    /// Chunks of a job, each with its lease, and their place at the engine that they need.
    Chunks(Vec<Lease>, Box<TakenChunks>, Option<Place>),
    /// A job whose engine has no room, or with nothing to begin, which is passed over from now on; or one that another worker
    /// was faster to lease.
    PassedOver,
    /// Nothing that may be begun now.
    Nothing,
}

/// The result of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChunkEnd {
    /// It is committed; the job goes on.
    Chunk,
    /// The job has ended.
    Finished,
    /// Another worker has the job by now, or the server is about to end: nothing was committed.
    GivenUp,
    /// It failed, and the job rests for a while.
    Failed,
}

/// The jobs that a worker knows.
pub(super) struct JobScheduler {
    claimant: Claimant,
    room: ChunksInFlight,
    known: HashMap<TrackingToken, KnownJob>,
}

struct KnownJob {
    owner: ChunkOwner,
    /// The engine of the chunk that was looked at last.
    engine: Option<FirstEngine>,
    /// Its chunks under way.
    under_way: usize,
    /// True while the worker leases it.
    is_leased: bool,
    /// True if none of its chunks is left to be begun.
    is_begun: bool,
    /// True if it is to rest.
    has_failed: bool,
}

impl JobScheduler {
    pub(super) fn new(claimant: Claimant, ahead: usize) -> Self {
        Self { claimant, room: ChunksInFlight::new(ahead), known: HashMap::new() }
    }

    /// Takes the next chunk, if there is one that may be begun. Where somebody `hurries`, for what was just queued, it does not
    /// wait for a pause between the writes of requests.
    pub(super) async fn next(&mut self, service: &Service, hurries: bool) -> Result<NextChunks, ServiceError> {
        let hurry = async {
            if !hurries {
                service.work_queued.notified().await;
            }
        };
        service.store.pause_before_claim(hurry).await;
        // Nobody who writes waits for the search.
        let mut tx = service.store.begin_brief_read().await?;
        let now = service.clock.now();
        let Some(mut lease) = jobs::next(&mut tx, &self.claimant, &self.passed_over(), now).await? else {
            tx.rollback().await?;
            return Ok(NextChunks::Nothing);
        };
        let (workspace, project) = (lease.job.workspace_id.clone(), lease.job.project_id.clone());
        let (token, owner) = (lease.job.tracking_token.clone(), ChunkOwner { workspace, project });
        let (engine, mut leases) = match &lease.chunk {
            NextChunk::Pending { language, .. } => match jobs::engines(&mut tx, &service.engines, &lease.job).await {
                Ok(engines) => {
                    let of = |language: &str| FirstEngine::of(&engines.of_language(language));
                    let engine = of(language);
                    let others = lease.take_others(|language| of(language) == engine);
                    (Some(engine), others)
                }
                Err(error) => {
                    tx.rollback().await?;
                    self.know(&token, owner).has_failed = true;
                    return Err(error);
                }
            },
            NextChunk::UnderWay | NextChunk::None => (None, Vec::new()),
        };
        tx.rollback().await?;
        let has_place = engine.as_ref().is_none_or(|engine| self.room.has_place(engine, &owner));
        let known = self.know(&token, owner.clone());
        if engine.is_some() {
            known.engine.clone_from(&engine);
        } else {
            known.is_begun = true;
        }
        if !has_place || lease.chunk == NextChunk::UnderWay {
            return Ok(NextChunks::PassedOver);
        }
        if !claim(service, &lease).await? {
            known.is_begun = false;
            return Ok(NextChunks::PassedOver);
        }
        if !std::mem::replace(&mut known.is_leased, true) {
            tracing::debug!(job = %token, owner = %lease.owner, "leased a translation job");
        }
        known.under_way += 1;
        // The search that finds that a small job has nothing left is spared.
        known.is_begun |= lease.is_small() && lease.others.is_empty();
        let place = engine.as_ref().map(|engine| self.room.enter(engine, &owner));
        if lease.is_small() {
            service.store.expect_write();
        }
        leases.insert(0, lease);
        let seqs: Vec<i64> = leases.iter().filter_map(Lease::seq).collect();
        self.claimant.under_way.entry(token.clone()).or_default().extend(&seqs);
        let taken = Box::new(TakenChunks { token, owner, engine, seqs });
        Ok(NextChunks::Chunks(leases, taken, place))
    }

    /// Waits until a chunk has given its place at an engine back before its end.
    pub(super) async fn place_freed(&self) {
        self.room.freed().await;
    }

    /// Takes note of the end of a chunk.
    pub(super) fn end(&mut self, chunk: &TakenChunks, ended: ChunkEnd) {
        let TakenChunks { token, owner, seqs, .. } = chunk;
        if let Some(under_way) = self.claimant.under_way.get_mut(token) {
            under_way.retain(|seq| !seqs.contains(seq));
        }
        let known = self.know(token, owner.clone());
        known.under_way = known.under_way.saturating_sub(1);
        match ended {
            ChunkEnd::Chunk => {}
            ChunkEnd::Finished => known.is_leased = false,
            ChunkEnd::GivenUp => known.is_begun = false,
            ChunkEnd::Failed => known.has_failed = true,
        }
        if known.under_way == 0 {
            self.claimant.under_way.remove(token);
            if ended == ChunkEnd::Finished {
                self.known.remove(token);
            }
        }
    }

    /// Gives back the jobs that have no chunk under way; one that has failed rests first.
    pub(super) async fn put_down(&mut self, service: &Service) -> Result<(), ServiceError> {
        let ended =
            self.known.iter().filter(|(_, known)| known.under_way == 0 && (known.is_leased || known.has_failed));
        let ended: Vec<(TrackingToken, bool)> = ended.map(|(token, known)| (token.clone(), known.has_failed)).collect();
        if !ended.is_empty() {
            let mut tx = service.store.begin_background_write().await?;
            for (token, has_failed) in &ended {
                match has_failed {
                    true => jobs::set_aside(&mut tx, &self.claimant.owner, token, service.clock.now()).await?,
                    false => jobs::release(&mut tx, &self.claimant.owner, token).await?,
                }
            }
            tx.commit().await?;
        }
        for (token, has_failed) in &ended {
            match self.known.get_mut(token) {
                Some(known) if !has_failed => (known.is_leased, known.is_begun) = (false, false),
                _ => drop(self.known.remove(token)),
            }
        }
        if self.known.len() > MOST_REMEMBERED {
            self.known.retain(|_, known| known.under_way > 0);
        }
        Ok(())
    }

    /// Keeps the jobs for longer. One that was lost is noticed by the commits of its chunks.
    pub(super) async fn renew(&mut self, service: &Service) -> Result<(), ServiceError> {
        let leased: Vec<TrackingToken> =
            self.known.iter().filter(|(_, known)| known.is_leased).map(|(token, _)| token.clone()).collect();
        if leased.is_empty() {
            return Ok(());
        }
        let mut tx = service.store.begin_background_write().await?;
        for token in &leased {
            jobs::renew(&mut tx, &self.claimant.owner, token, service.clock.now()).await?;
        }
        Ok(tx.commit_piece().await?)
    }

    /// The jobs of which nothing may be begun now.
    fn passed_over(&self) -> PassedOver {
        let mut passed = PassedOver::new();
        for (token, known) in &self.known {
            let has_place = known.engine.as_ref().is_none_or(|engine| self.room.has_place(engine, &known.owner));
            if known.is_begun || known.has_failed || !has_place {
                passed.entry(known.owner.workspace.clone()).or_default().insert(token.clone());
            }
        }
        passed
    }

    fn know(&mut self, token: &TrackingToken, owner: ChunkOwner) -> &mut KnownJob {
        let unknown =
            KnownJob { owner, engine: None, under_way: 0, is_leased: false, is_begun: false, has_failed: false };
        self.known.entry(token.clone()).or_insert(unknown)
    }
}

/// Leases the job of a lease that was found; `false` if another worker was faster.
async fn claim(service: &Service, lease: &Lease) -> Result<bool, ServiceError> {
    let mut tx = service.store.begin_claim().await?;
    let is_ours = jobs::claim(&mut tx, lease, service.clock.now()).await?;
    // A lease that is lost with the machine is no loss.
    if is_ours {
        tx.commit_piece().await?
    } else {
        tx.rollback().await?
    }
    Ok(is_ours)
}
