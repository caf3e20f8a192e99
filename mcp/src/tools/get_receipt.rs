//! `get_receipt`: the outcome of a write. Calls `requests::read`.

use l10n_client::api::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};

#[derive(Debug)]
pub(super) enum GetReceipt {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    request_id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    kind: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_id: Option<String>,
    created_at: String,
}

impl Tool for GetReceipt {
    const NAME: &'static str = "get_receipt";
    const TITLE: &'static str = "Show the outcome of a write";
    const DESCRIPTION: &'static str =
        "Whether a write landed, by the request_id of its result or error. Free. Kept 7 days.";
    const RESULT: &'static [&'static str] = &["status", "resource_id"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[];
    const OPTIONAL: bool = true;
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        let receipt = call.project().await?.requests().get(input.request_id).await?;
        let (resource_kind, resource_id) = receipt.resource.map(|resource| (resource.kind, resource.id)).unzip();
        Ok(CallOutcome::done(Output {
            kind: receipt.kind,
            status: receipt.status.as_str(),
            error: receipt.error.map(|body| body.error.to_string()),
            resource_kind,
            resource_id,
            created_at: receipt.created_at.to_string(),
        }))
    }

    fn sentence(output: &Output) -> String {
        format!("{}.", output.status)
    }
}
