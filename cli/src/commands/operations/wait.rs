//! `l10n operations wait`: waits for a person's decision and returns it as the exit status.
//!
//! Calls `operations::read`.

use l10n_client::api::operations::Operation;
use serde::Serialize;
use serde_json::Value;

use super::story;
use crate::args::WaitOperationArgs;
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::run::{approved, conclude, wait_for_decision};
use crate::session::Session;

#[derive(Serialize)]
struct Waited<'a> {
    #[serde(flatten)]
    operation: &'a Operation,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

pub(crate) async fn wait(context: &Context, args: &WaitOperationArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let operation = wait_for_decision(context, &session, &args.id.as_str().into(), args.approval_timeout).await?;
    let verdict = approved(operation.clone(), None).map(drop);
    let error = verdict.as_ref().err().map(CliError::to_json);
    context.printer.json(&Waited { operation: &operation, error });
    story::tell(&context.printer, &operation);
    conclude(context, verdict)
}
