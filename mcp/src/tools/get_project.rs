//! `get_project`: the project, its progress and the rights of the key. Calls `meta::read` and `credential::read`.

use l10n_client::api::Scope;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::views::project::ProjectView;

#[derive(Debug)]
pub(super) enum GetProject {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {}

impl Tool for GetProject {
    const NAME: &'static str = "get_project";
    const TITLE: &'static str = "Show the project";
    const DESCRIPTION: &'static str = "Languages with progress, balance, live version, remaining budgets, what this key \
         may do, and what needs a person. Free. Call it first.";
    const RESULT: &'static [&'static str] = &["languages", "unpublished_changes", "balance_credits", "key"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[];
    type Input = Input;
    type Output = ProjectView;

    async fn run(call: &Call<'_>, _input: Input) -> Result<CallOutcome<ProjectView>, Failure> {
        Ok(CallOutcome::done(ProjectView::read(call.account, call.memory).await?))
    }

    fn sentence(output: &ProjectView) -> String {
        output.sentence()
    }
}
