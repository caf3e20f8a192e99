//! The state that all checks of a run share: client, clock, budgets, lanes, receivers, journal and secrets.

mod clock;
mod error;
mod faults;
mod fragments;
mod journal;
mod lanes;
mod pacer;
mod scratch;
mod secrets;
mod suite_receiver;
mod wire_log;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(crate) use self::clock::{DeploymentClock, ahead_of, skew, system_now};
pub use self::error::SessionError;
pub(crate) use self::faults::Faults;
pub(crate) use self::journal::{CreatedWebhook, Intent, Journal, OpenEntries, path_of};
pub(crate) use self::lanes::{Demand, LaneHold, Lanes, SLOTS};
pub(crate) use self::pacer::Pacer;
pub use self::scratch::ScratchProject;
pub(crate) use self::scratch::{ScratchPool, ScratchSearch};
pub(crate) use self::secrets::Secrets;
pub use self::suite_receiver::SpareReceiver;
pub(crate) use self::suite_receiver::SuiteReceiver;
pub(crate) use self::wire_log::WireLog;

use crate::names;
use crate::outcome::Stop;
use crate::profile::Profile;
use crate::receiver::DeliveryObserver;
use crate::wire::Http;

/// The limits of what checks may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Time limit for an answer and for other waits.
    pub(crate) patience: Duration,
    /// Nothing is written.
    pub(crate) read_only: bool,
    /// Daily budgets may be used up.
    pub(crate) burn_budgets: bool,
    /// Requests that each project gets in a minute.
    pub(crate) requests_per_minute: usize,
    /// After so many connections in a row that fail, the deployment is given up; 0: never.
    pub(crate) give_up_after: u32,
}

/// The state that all checks of a run share.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) run_id: String,
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
    pub(crate) http: Http,
    pub(crate) pacer: Pacer,
    pub(crate) clock: Arc<DeploymentClock>,
    /// The suite's receiver.
    pub(crate) suite_receiver: Option<Arc<SuiteReceiver>>,
    pub(crate) journal: Journal,
    pub(crate) secrets: Arc<Secrets>,
    /// The record of what went over the wire.
    pub(crate) wire_log: Arc<WireLog>,
    /// The profile's scratch projects.
    pub(crate) scratch: Arc<ScratchPool>,
    uniques: AtomicU64,
    /// Faults of the surroundings, once they were looked for.
    faults: OnceLock<Faults>,
}

impl Session {
    /// Prepares the client and starts the receiver. `journal` is the path of the journal, where it is not the
    /// usual one; `trace` the folder of the trace, where there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if a file of the profile cannot be used, or its receiver cannot listen.
    pub(crate) async fn new(
        profile: Profile,
        limits: Limits,
        journal: Option<&Path>,
        trace: Option<&Path>,
    ) -> Result<Self, SessionError> {
        let http = Http::new(&profile, limits.patience, limits.give_up_after).map_err(SessionError::Setup)?;
        let run_id = names::fresh(10);
        let secrets = Arc::new(Secrets::of(&profile));
        let wire_log = WireLog::new(&run_id, trace, Arc::clone(&secrets))
            .map_err(|error| SessionError::Setup(format!("cannot write the trace: {error}")))?;
        let wire_log = Arc::new(wire_log);
        let (requests, deliveries) = (Arc::clone(&wire_log), Arc::clone(&wire_log));
        let http = http.watched(move |event| requests.sent(event));
        let watch = DeliveryObserver(Arc::new(move |delivery| deliveries.arrived(delivery)));
        let suite_receiver = SuiteReceiver::start_watched(&profile, Some(watch)).await?;
        let clock = Arc::new(DeploymentClock::new(&profile));
        let journal = Journal::begin(&run_id, &profile.base_url, journal);
        let (pacer, uniques) = (Pacer::new(limits.requests_per_minute), AtomicU64::new(0));
        let scratch = Arc::new(ScratchPool::new(profile.scratch.clone(), Arc::clone(&clock)));
        Ok(Self {
            run_id,
            profile,
            limits,
            http,
            pacer,
            clock,
            suite_receiver,
            journal,
            secrets,
            wire_log,
            scratch,
            uniques,
            faults: OnceLock::new(),
        })
    }

    /// Moves the deployment's clock forwards, by whole seconds and not less than `by`.
    pub(crate) async fn advance(&self, by: Duration) -> Result<(), Stop> {
        let moved = self.clock.advance(&self.http, by).await?;
        self.pacer.time_moved(moved);
        Ok(())
    }

    /// The faults of the surroundings that were found.
    pub(crate) fn faults(&self) -> &Faults {
        self.faults.get_or_init(Faults::default)
    }

    /// Notes the faults of the surroundings, before the first check.
    pub(crate) fn found(&self, faults: Faults) {
        // A second time they are looked for by nobody.
        let _ = self.faults.set(faults);
    }

    /// A text that is new at each use, and always of one length, so that what is priced by characters costs the same.
    pub(crate) fn unique(&self) -> String {
        format!("{}-{:05}", self.run_id, self.uniques.fetch_add(1, Ordering::Relaxed))
    }
}
