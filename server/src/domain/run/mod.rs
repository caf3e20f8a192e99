//! A run: the common part of `POST /translate` and `POST /sync`, real or dry (§4).
//!
//! ```text
//! request ── incoming, file ──> Incoming: the whole input, checked
//! Incoming + what the project holds ── classify ──> each item in one class
//! classes + how translations stand + memory ── work ──> units to translate, each text priced once
//! work ── land ──> keys, free translations, job, chunks and hold, in one transaction
//! work ── answer ──> the `Run` of the API, for real and dry runs alike
//! ```
//!
//! A real run locks the project first, so that two runs of one project follow one another. A dry run reads one state of
//! the datastore in a transaction that cannot write. A large real run is planned so, too, and what it writes is staged ahead
//! in short transactions (`ahead`, `stage`). On SQLite it is moved to its place after the run is live (`moving`). A sync in
//! another language goes the same way (`import`, `import_ahead`, `imported`).

mod ahead;
pub(super) mod answer;
pub(crate) mod classify;
pub(crate) mod file;
mod free;
pub(super) mod gather;
mod import;
mod import_ahead;
mod imported;
pub(crate) mod incoming;
mod land;
mod moving;
mod paths;
pub(crate) mod personal;
pub(super) mod queue;
pub(super) mod runner;
mod stage;
mod sync;
pub(super) mod targets;
mod translate;
pub(crate) mod work;

use std::sync::Arc;

use l10n_api_types::OperationId;
use l10n_api_types::translations::Run;

use self::runner::Runner;
use super::approval::{self, Approval, GatedCall};
use super::glossary::Glossaries;
use super::{ServiceError, credits};
use crate::clock::{Clock, Timestamp};
use crate::config::Settings;
use crate::engines::EngineRegistry;
use crate::signal::Signal;
use crate::store::holds::Hold;
use crate::store::{HeldTurn, Store, Tx};

pub(crate) use moving::{begin_read_whole, finish_moving};
pub(crate) use stage::give_up_orphans;
pub use stage::sweep;
pub(crate) use sync::{SyncRequest, sync};
pub(crate) use translate::translate;

/// The parts of the server that runs use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunParts<'a> {
    /// The datastore: a run of keys consists of several transactions where it is large.
    pub store: &'a Store,
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The settings, which have prices, limits and plans.
    pub settings: &'a Settings,
    /// The engines that translate, from which projects choose.
    pub engines: &'a EngineRegistry,
    /// Tells the translation worker that there is a job.
    pub work_queued: &'a Signal,
    /// The lists of terms of projects.
    pub glossaries: &'a Glossaries,
}

/// Around one run.
struct RunContext<'a> {
    parts: RunParts<'a>,
    runner: Runner<'a>,
    /// One time for everything that the run writes.
    now: Timestamp,
    dry_run: bool,
    operation: Option<&'a OperationId>,
    /// The turn of the project, where the run keeps it over several transactions.
    turn: Option<Arc<HeldTurn>>,
}

impl<'a> RunContext<'a> {
    fn new(
        parts: RunParts<'a>,
        runner: impl Into<Runner<'a>>,
        dry_run: bool,
        operation: Option<&'a OperationId>,
    ) -> Self {
        Self { parts, runner: runner.into(), now: parts.clock.now(), dry_run, operation, turn: None }
    }

    /// Lets the other writes of the project wait until the run has ended.
    async fn hold_turn(&mut self) -> Result<(), ServiceError> {
        if self.turn.is_none() {
            self.turn = Some(Arc::new(self.parts.store.hold_turn(self.runner.project()).await?));
        }
        Ok(())
    }

    /// Begins one of the many transactions of a large run.
    async fn begin_piece(&self) -> Result<Tx, ServiceError> {
        let (store, runner) = (self.parts.store, self.runner);
        Ok(match self.turn {
            Some(_) => store.begin_piece_of(runner.workspace()).await?,
            None => store.begin_piece_in(runner.workspace(), runner.project()).await?,
        })
    }

    /// A transaction that may write, or cannot.
    async fn begin(&self, writes: bool) -> Result<Tx, ServiceError> {
        let (store, runner) = (self.parts.store, self.runner);
        Ok(match writes {
            true if self.turn.is_some() => store.begin_write_of(runner.workspace()).await?,
            true => store.begin_write_in(runner.workspace(), runner.project()).await?,
            false => store.begin_read().await?,
        })
    }

    /// The leave to run into these languages, which a dry run needs none of; after every 400 and 404, before any 402.
    async fn approval<'l>(
        &self,
        tx: &mut Tx,
        languages: impl IntoIterator<Item = &'l str>,
    ) -> Result<Option<Approval<'l>>, ServiceError> {
        if self.dry_run {
            return Ok(None);
        }
        let work = GatedCall::translation(languages);
        match self.runner {
            Runner::Key(caller) => approval::require(tx, caller, self.operation, work, self.now).await.map(Some),
            Runner::Person { agreed, .. } => Ok(Some(Approval::of_person(work, agreed))),
        }
    }
}

/// The hold that a run would place, once it commits.
pub(crate) async fn placed_hold(tx: &mut Tx, run: &Run) -> Result<Option<Hold>, ServiceError> {
    match &run.tracking_token {
        Some(token) => credits::find_hold(tx, token).await.map(Some),
        None => Ok(None),
    }
}

/// Names the hold of a run whose commit failed so that nobody knows whether it was made (§7 rule 2).
#[must_use]
pub(crate) fn name_hold(error: ServiceError, placed: Option<Hold>) -> ServiceError {
    match (error, placed) {
        (ServiceError::Unavailable { source, .. }, Some(hold)) if source.leaves_outcome_unknown() => {
            ServiceError::HoldNotReleased { hold: hold.id.to_string(), credits: hold.remaining, source }
        }
        (error, _) => error,
    }
}
