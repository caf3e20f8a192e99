//! Translation jobs of a check.

use http::Method;
use serde_json::Value;

use super::call::Call;
use super::context::Cx;
use super::wait::{LEAST_TRIES, Wait};
use crate::outcome::Stop;
use crate::profile::Project;

/// So many times the run's patience a job may take: less than a check may take in all.
const JOBS: u32 = 4;

/// A run of translations whose job has ended.
#[derive(Debug, Clone)]
pub struct EndedRun {
    /// The answer to the call that began it.
    pub answer: Value,
    /// The last state of its job; the answer itself where that names no job.
    pub job: Value,
}

impl Cx {
    /// Makes the call `what`, which begins a run in a project, as a positive control, and waits for the end of its job.
    ///
    /// # Errors
    ///
    /// Returns an error if it is refused, and as [`end_of_job`](Self::end_of_job).
    pub async fn run_to_its_end(&self, project: &Project, call: Call, what: &str) -> Result<EndedRun, Stop> {
        let answer = call.send().await?.control(what)?.json()?;
        let job = self.end_of_job(project, &answer).await?;
        Ok(EndedRun { answer, job })
    }

    /// Waits for the job of this answer, as a positive control, and returns its last state; the answer itself if it names
    /// no job. The specification sets no time limit for a job, and a run begins with one in each lane, which may queue
    /// up.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not end within four times the run's time limit.
    pub async fn end_of_job(&self, project: &Project, answer: &Value) -> Result<Value, Stop> {
        let Some(token) = answer["trackingToken"].as_str() else { return Ok(answer.clone()) };
        let poll = async || {
            let polled = self.call_on(project, Method::GET, "/translations").query("trackingToken", token);
            polled.send().await?.control("GET /translations?trackingToken=")?.json()
        };
        let over = |poll: &Value| !matches!(poll["status"].as_str(), Some("queued" | "running"));
        let wait = Wait { time: self.session().limits.patience * JOBS, tries: LEAST_TRIES };
        self.eventually_within(wait, "the job to end", poll, over).await
    }
}
