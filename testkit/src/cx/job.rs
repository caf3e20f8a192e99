//! Translation jobs of a check.

use http::Method;
use serde_json::Value;

use super::context::Cx;
use crate::outcome::Stop;
use crate::profile::Project;

/// So many times the run's patience a job may take: less than a check may take in all.
const JOBS: u32 = 4;

impl Cx {
    /// Waits for the job of this answer, as a positive control, and returns its last poll; [`None`] if the answer names
    /// no job. The specification sets no time limit for a job, and a run begins with one in each lane, which may queue
    /// up.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not end within four times the run's time limit.
    pub async fn end_of_job(&self, project: &Project, answer: &Value) -> Result<Option<Value>, Stop> {
        let Some(token) = answer["trackingToken"].as_str() else { return Ok(None) };
        let poll = async || {
            let polled = self.call_on(project, Method::GET, "/translations").query("trackingToken", token);
            polled.send().await?.control("GET /translations?trackingToken=")?.json()
        };
        let over = |poll: &Value| !matches!(poll["status"].as_str(), Some("queued" | "running"));
        let patience = self.session().limits.patience * JOBS;
        self.eventually_within(patience, "the job to end", poll, over).await.map(Some)
    }
}
