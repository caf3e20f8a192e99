//! One check under way: its project, what it may use, and the record of what it has seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::claim::Claim;
use crate::outcome::{NotRun, Stop, Tally};
use crate::profile::{Identity, Profile, Project};
use crate::receiver::Delivery;
use crate::session::{CreatedWebhook, LaneHold, Session};
use crate::wire::Exchange;

/// One check under way. Clones are the same check.
#[derive(Debug, Clone)]
pub struct Cx(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    check: &'static str,
    needs: &'static [Claim],
    session: Arc<Session>,
    lane: LaneHold,
    tally: Mutex<Tally>,
    exchanges: Mutex<Vec<Exchange>>,
    made: Mutex<Vec<CreatedWebhook>>,
    endpoints: Mutex<usize>,
}

impl Cx {
    /// The context of the check of this id, which needs these claims.
    pub(crate) fn new(check: &'static str, needs: &'static [Claim], session: Arc<Session>, lane: LaneHold) -> Self {
        Self(Arc::new(Inner {
            check,
            needs,
            session,
            lane,
            tally: Mutex::default(),
            exchanges: Mutex::default(),
            made: Mutex::default(),
            endpoints: Mutex::default(),
        }))
    }

    /// The profile of the deployment.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.0.session.profile
    }

    /// The project that this check has to itself.
    #[must_use]
    pub fn lane(&self) -> &Project {
        self.0.lane.project()
    }

    /// The second project. Other checks write in it, too: look only at your own data.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has none.
    pub fn other(&self) -> Result<&Project, Stop> {
        self.one(self.profile().other.as_ref(), "a project `other`")
    }

    /// A project of the profile that may be left out.
    ///
    /// # Errors
    ///
    /// Returns an error if it is left out.
    pub fn one<'a>(&self, project: Option<&'a Project>, name: &str) -> Result<&'a Project, Stop> {
        project.ok_or_else(|| Stop::NotRun(NotRun::CapabilityMissing(format!("the profile does not have {name}"))))
    }

    /// The text of a key of a project.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has no such key.
    pub fn key_of<'a>(&self, project: &'a Project, identity: Identity) -> Result<&'a str, Stop> {
        if let Some(fault) = self.session().faults().of_key(&project.id, identity) {
            return Err(Stop::NotRun(NotRun::PrerequisiteFailed(fault.to_owned())));
        }
        let missing = || NotRun::CapabilityMissing(format!("the project {} has no key `{identity}`", project.id));
        project.keys.get(&identity).map(|key| key.expose()).ok_or_else(|| Stop::NotRun(missing()))
    }

    /// Returns true if the profile makes this claim.
    #[must_use]
    pub fn claims(&self, claim: Claim) -> bool {
        self.profile().claims.contains(&claim)
    }

    /// A text that no other run and no other check uses.
    #[must_use]
    pub fn unique(&self) -> String {
        self.0.session.unique()
    }

    /// The time by the deployment's clock, in milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.0.session.clock.now()
    }

    /// The id of the check.
    pub(crate) fn check_id(&self) -> &'static str {
        self.0.check
    }

    /// The claims that the check needs.
    pub(crate) fn needs(&self) -> &'static [Claim] {
        self.0.needs
    }

    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.0.session
    }

    /// The tally so far.
    pub(crate) fn tally(&self) -> MutexGuard<'_, Tally> {
        lock(&self.0.tally)
    }

    /// The exchanges so far.
    pub(crate) fn exchanges(&self) -> Vec<Exchange> {
        lock(&self.0.exchanges).clone()
    }

    /// The place of the latest exchange.
    pub(crate) fn last_exchange(&self) -> Option<usize> {
        lock(&self.0.exchanges).len().checked_sub(1)
    }

    /// The deliveries to the endpoints of this check.
    pub(crate) fn deliveries(&self) -> Vec<Delivery> {
        self.0.session.wire_log.deliveries_below(&self.endpoints())
    }

    /// The path of the receiver below which the endpoints of this check are.
    pub(super) fn endpoints(&self) -> String {
        format!("/.l10n-testkit/{}/{}/", self.0.session.run_id, self.0.check)
    }

    /// Adds an exchange to the record, and returns its place there.
    pub(super) fn keep(&self, exchange: Exchange) -> usize {
        self.0.session.secrets.learn(&exchange);
        let mut exchanges = lock(&self.0.exchanges);
        exchanges.push(exchange);
        exchanges.len() - 1
    }

    /// Notes something to remove at the end of the check.
    pub(super) fn remove_later(&self, made: Option<CreatedWebhook>) {
        lock(&self.0.made).extend(made);
    }

    /// Takes the list of things to remove.
    pub(crate) fn made(&self) -> Vec<CreatedWebhook> {
        std::mem::take(&mut *lock(&self.0.made))
    }

    /// A number for the next path of the receiver, counted from 1.
    pub(super) fn next_endpoint(&self) -> usize {
        let mut count = lock(&self.0.endpoints);
        *count += 1;
        *count
    }

    pub(super) fn lane_hold(&self) -> &LaneHold {
        &self.0.lane
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
