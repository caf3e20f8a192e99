//! Projects whose budgets a check may use up, and using them up.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use http::Method;

use super::answer::CheckedExchange;
use super::call::Call;
use super::context::Cx;
use crate::outcome::{NotRun, Stop};
use crate::profile::{Identity, Project};
use crate::session::{ScratchProject, ScratchSearch};

/// Requests of a burst that are under way at once.
pub(crate) const AT_ONCE: usize = 4;

/// Requests that a check makes at most while an attempt of a delivery is under way, or until its retry.
const OF_AN_ATTEMPT: usize = 20;

/// Most requests that use up a window of 120 (§8), with what its approximation allows.
pub(crate) const MOST: usize = 150;

/// Tries to send the requests of a window within one minute.
const TRIES: usize = 5;

/// By how much the deployment's minutes may begin earlier or later than we know, in milliseconds.
const UNSURE: i64 = 2_000;

/// The number of a minute of the deployment's clock.
fn minute(at: i64) -> i64 {
    at.div_euclid(60_000)
}

impl Cx {
    /// A project of the profile whose request window is fresh and may be used up, for this check alone until it is
    /// dropped. If none is fresh, waits until one has rested for a window by the deployment's clock: give the check
    /// `waits: 61`.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile has none, or waiting for one takes longer than the run allows.
    pub async fn scratch(&self) -> Result<ScratchProject, Stop> {
        if self.profile().scratch.is_empty() {
            return Err(Stop::NotRun(NotRun::CapabilityMissing("the profile has no scratch projects".to_owned())));
        }
        loop {
            match self.session().scratch.look() {
                ScratchSearch::Free(scratch) => return Ok(scratch),
                ScratchSearch::Rests(time) => {
                    self.pass(time + Duration::from_secs(1)).await.map_err(|stop| match stop {
                        Stop::NotRun(_) => {
                            Stop::NotRun(NotRun::Budget("no scratch project has a fresh window yet".to_owned()))
                        }
                        other => other,
                    })?
                }
                ScratchSearch::Taken => self.sleep(Duration::from_millis(250)).await,
            }
        }
    }

    /// Waits until the requests about one attempt of a delivery fit into the minute of the check's project. Otherwise one of
    /// them might wait for the pace of the run until the attempt, or the time until its retry, is over.
    pub async fn before_an_attempt(&self) {
        self.session().pacer.free(&self.lane().id, OF_AN_ATTEMPT).await;
    }

    /// A project of the profile whose daily budgets may be used up. Other checks share the one at the same place, so
    /// divide the budgets among them.
    ///
    /// # Errors
    ///
    /// Returns an error if the run may not use them up, or the profile has none.
    pub fn burn(&self, place: usize) -> Result<&Project, Stop> {
        if !self.session().limits.burn_budgets {
            return Err(Stop::NotRun(NotRun::Budget("the run may not use up daily budgets".to_owned())));
        }
        self.one(self.profile().burn.get(place), "enough projects `burn`")
    }

    /// Sends this many requests, a few at a time, and returns their answers in the order of the requests, without
    /// pacing.
    ///
    /// # Errors
    ///
    /// Returns an error if a request gets no answer.
    pub async fn burst(
        &self,
        count: usize,
        at_once: usize,
        call: impl FnMut(usize) -> Call,
    ) -> Result<Vec<CheckedExchange>, Stop> {
        self.send_all((0..count).map(call).collect(), at_once).await
    }

    async fn send_all(&self, calls: Vec<Call>, at_once: usize) -> Result<Vec<CheckedExchange>, Stop> {
        let sent: Vec<_> = calls.into_iter().map(|call| call.burst().send()).collect();
        let answers: Vec<_> = stream::iter(sent).buffered(at_once).collect().await;
        answers.into_iter().collect()
    }

    /// Sends this many requests of one project, one after the other, and returns their answers; ends with the first
    /// that is refused. It stays within the request window: by moving the clock if possible, else by pacing. If it moves
    /// the clock, it leaves less than a whole window to the checks after it.
    ///
    /// # Errors
    ///
    /// Returns an error if a request gets no answer.
    pub async fn many(&self, count: usize, mut call: impl FnMut(usize) -> Call) -> Result<Vec<CheckedExchange>, Stop> {
        let mut answers = Vec::new();
        for number in 0..count {
            // A 429 is for the caller to judge: the window's are kept away.
            let call = if self.moves_time() {
                if number % 100 == 0 {
                    self.pass(Duration::from_secs(61)).await?;
                }
                call(number).burst()
            } else {
                call(number).counted()
            };
            answers.push(call.send().await?);
            if answers.last().is_some_and(|answer| answer.status >= 400) {
                break;
            }
        }
        Ok(answers)
    }

    /// Like [`burst`](Self::burst) with 150 requests that fit into one minute of the deployment's clock, however it
    /// counts minutes: if they crossed two minutes and were all accepted, they are sent again.
    ///
    /// # Errors
    ///
    /// Returns an error if a request gets no answer.
    pub async fn window_burst(&self, mut call: impl FnMut(usize) -> Call) -> Result<Vec<CheckedExchange>, Stop> {
        let before = self.now();
        let answers = self.burst(MOST, AT_ONCE, &mut call).await?;
        let refused = answers.iter().any(|answer| answer.status == 429);
        if refused || minute(before) == minute(self.now()) {
            return Ok(answers);
        }
        self.burst(MOST, AT_ONCE, call).await
    }

    /// Like [`burst`](Self::burst) with requests of a project whose window is fresh, within one minute of the deployment's
    /// clock: if they cross two minutes, which may be two windows (AMB-6), those of another project are sent. Give the check
    /// `waits: 61`.
    ///
    /// # Errors
    ///
    /// As [`scratch`](Self::scratch), and if the requests of several projects cross two minutes.
    pub async fn minute_burst(
        &self,
        count: usize,
        at_once: usize,
        call: impl Fn(&Project, usize) -> Result<Call, Stop>,
    ) -> Result<Vec<CheckedExchange>, Stop> {
        for _ in 0..TRIES {
            let project = self.scratch().await?;
            let calls = (0..count).map(|number| call(&project, number)).collect::<Result<Vec<_>, _>>()?;
            let before = self.now();
            let answers = self.send_all(calls, at_once).await?;
            let next = (minute(before - UNSURE) + 1) * 60_000;
            if self.now() + UNSURE < next {
                return Ok(answers);
            }
            self.pass_until(next + UNSURE + 1_000).await?;
        }
        Err(Stop::NotRun(NotRun::PrerequisiteFailed(format!("{count} requests within one minute"))))
    }

    /// Uses up the request window of a project by reading its credential, as a positive control: it is answered at
    /// first and refused in the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the window is not used up.
    pub async fn use_up(&self, project: &Project) -> Result<(), Stop> {
        let call = || self.call_on(project, Method::GET, "/credential");
        call().key_of(project, Identity::Full)?.burst().send().await?.control("GET /credential in a fresh window")?;
        let answers = self.window_burst(|_| call()).await?;
        let refused = answers.iter().any(|answer| answer.is_error(429, "rate_limited"));
        self.control(refused, "a project's request window that is used up by 150 requests")
    }
}
