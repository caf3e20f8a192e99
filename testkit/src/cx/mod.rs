//! The context of a check: its project, requests, assertions, receiver and time.

mod assert;
mod budget;
mod call;
mod content;
mod endpoint;
mod exchange;
mod hook;
mod job;
mod raw;
mod time;
mod webhook;

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Method;

pub use self::call::Call;
pub use self::endpoint::Endpoint;
pub use self::exchange::{Answer, Exchange, Request};
pub use self::webhook::{Published, Webhook};

use crate::check::{Check, Claim};
use crate::outcome::{NotRun, Stop, Tally};
use crate::profile::{Identity, Profile, Project};
pub use crate::runner::Scratch;
use crate::runner::{Journaled, LaneHold, Shared};

/// One check under way. Clones are the same check.
#[derive(Debug, Clone)]
pub struct Cx(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    check: &'static Check,
    shared: Arc<Shared>,
    lane: LaneHold,
    tally: Mutex<Tally>,
    exchanges: Mutex<Vec<Exchange>>,
    made: Mutex<Vec<Journaled>>,
    endpoints: Mutex<usize>,
}

impl Cx {
    pub(crate) fn new(check: &'static Check, shared: Arc<Shared>, lane: LaneHold) -> Self {
        Self(Arc::new(Inner {
            check,
            shared,
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
        &self.0.shared.profile
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
        let missing = || NotRun::CapabilityMissing(format!("the project {} has no key `{identity}`", project.id));
        project.keys.get(&identity).map(|key| key.expose()).ok_or_else(|| Stop::NotRun(missing()))
    }

    /// Returns true if the profile makes this claim.
    #[must_use]
    pub fn claims(&self, claim: Claim) -> bool {
        self.profile().claims.contains(&claim)
    }

    /// A request of a path under the check's project, with its key `full`.
    pub fn call(&self, method: Method, path: &str) -> Call {
        self.call_on(self.lane(), method, path)
    }

    /// A request of a path under a project, with its key `full`.
    pub fn call_on(&self, project: &Project, method: Method, path: &str) -> Call {
        let call = Call::new(self, method, format!("/projects/{}{path}", project.id)).paced_as(&project.id);
        match project.keys.get(&Identity::Full) {
            Some(key) => call.bearer(key.expose()),
            None => call,
        }
    }

    /// A request of a path under `base_url`, without a key.
    pub fn at(&self, method: Method, path: &str) -> Call {
        Call::new(self, method, path.to_owned())
    }

    /// `GET` under the check's project.
    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    /// `POST` under the check's project.
    pub fn post(&self, path: &str) -> Call {
        self.call(Method::POST, path)
    }

    /// `PATCH` under the check's project.
    pub fn patch(&self, path: &str) -> Call {
        self.call(Method::PATCH, path)
    }

    /// `PUT` under the check's project.
    pub fn put(&self, path: &str) -> Call {
        self.call(Method::PUT, path)
    }

    /// `DELETE` under the check's project.
    pub fn delete(&self, path: &str) -> Call {
        self.call(Method::DELETE, path)
    }

    /// A text that no other run and no other check uses.
    #[must_use]
    pub fn unique(&self) -> String {
        self.0.shared.unique()
    }

    /// The time by the deployment's clock, in milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.0.shared.clock.now()
    }

    pub(crate) fn check(&self) -> &'static Check {
        self.0.check
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0.shared
    }

    pub(crate) fn tally(&self) -> Tally {
        lock(&self.0.tally).clone()
    }

    pub(crate) fn exchanges(&self) -> Vec<Exchange> {
        lock(&self.0.exchanges).clone()
    }

    pub(crate) fn made(&self) -> Vec<Journaled> {
        std::mem::take(&mut *lock(&self.0.made))
    }

    fn lane_hold(&self) -> &LaneHold {
        &self.0.lane
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value, short enough to read.
fn brief(value: &impl Debug) -> String {
    shortened(&format!("{value:?}"))
}

/// A text, short enough to read.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
