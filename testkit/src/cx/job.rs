//! Translation jobs of a check.

use http::Method;
use serde_json::Value;

use super::Cx;
use crate::outcome::Stop;
use crate::profile::Project;

/// So many times the run's patience a job may take: less than a check may take in all.
const JOBS: u32 = 4;

impl Cx {
    /// The last poll of the job that this answer speaks of, as a positive control; [`None`] where it speaks of none. The
    /// specification sets no time for a job, and a run begins with one in each lane, which wait for one another.
    ///
    /// # Errors
    ///
    /// Where it does not end within four times the run's patience.
    pub async fn end_of_job(&self, project: &Project, answer: &Value) -> Result<Option<Value>, Stop> {
        let Some(token) = answer["trackingToken"].as_str() else { return Ok(None) };
        let poll = async || {
            let polled = self.call_on(project, Method::GET, "/translations").query("trackingToken", token);
            polled.send().await?.control("GET /translations?trackingToken=")?.json()
        };
        let over = |poll: &Value| !matches!(poll["status"].as_str(), Some("queued" | "running"));
        let patience = self.shared().options.patience() * JOBS;
        self.eventually_within(patience, "the job to end", poll, over).await.map(Some)
    }
}
