//! `get_run`: a run by its token, awaited for a while. Calls `translations::get`.

use std::time::Duration;

use l10n_client::api::{Scope, TrackingToken};
use schemars::JsonSchema;
use serde::Deserialize;

use super::run_view::RunView;
use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::wait;

#[derive(Debug)]
pub(super) enum GetRun {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    tracking_token: String,
    /// Longest wait; 25 if left out
    #[schemars(range(max = 50))]
    wait_seconds: Option<u32>,
}

impl Tool for GetRun {
    const NAME: &'static str = "get_run";
    const TITLE: &'static str = "Show a translation run";
    const DESCRIPTION: &'static str = "State of a run by its tracking_token: progress, credits charged, failures with \
         reasons. Waits up to 50 seconds. Free. Call it until the status is not `running`.";
    const RESULT: &'static [&'static str] = &["status", "failures"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[Scope::Read, Scope::Translate];
    type Input = Input;
    type Output = RunView;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<RunView>, Failure> {
        let seconds = u64::from(input.wait_seconds.unwrap_or(25));
        let longest = Duration::from_secs(seconds);
        if longest > wait::LONGEST_TOOL_WAIT {
            return Err(call.wrong(format!("`wait_seconds` is {seconds}; it must be at most 50")));
        }
        let token = TrackingToken::from(input.tracking_token);
        let job = wait::for_run(call, &call.project().await?, &token, longest).await?;
        Ok(CallOutcome::done(RunView::of_job(job)))
    }

    fn sentence(output: &RunView) -> String {
        output.sentence()
    }
}
