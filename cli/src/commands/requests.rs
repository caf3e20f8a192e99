//! `l10n requests show`: the outcome of a write.
//!
//! Calls `requests::read`.

use l10n_client::Outcome;
use l10n_client::api::requests::Receipt;
use serde::Serialize;

use crate::args::{RequestsArgs, RequestsCommand};
use crate::context::Context;
use crate::error::{CliError, Doing as _, without_routes};
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::words::time;

#[derive(Serialize)]
struct RequestView<'a> {
    /// `landed`, `not_landed`, `running`, `unknown`.
    outcome: &'a str,
    receipt: Option<&'a Receipt>,
}

pub(crate) async fn requests(context: &Context, args: RequestsArgs) -> Result<ExitStatus, CliError> {
    let RequestsCommand::Show { id } = args.command;
    let session = Session::open(context).await?;
    let outcome = session.project.outcome_of(id.as_str()).await.doing(format!("reading the receipt of {id}"))?;
    let (name, words, receipt, status) = match &outcome {
        Outcome::Landed(receipt) => ("landed", "It succeeded.", Some(receipt), ExitStatus::Success),
        Outcome::NotLanded(receipt) => {
            ("not_landed", "It failed: nothing was written.", Some(receipt), ExitStatus::of_failed(receipt))
        }
        Outcome::Running(receipt) => ("running", "It has not ended yet.", Some(receipt), ExitStatus::Open),
        _ => (
            "unknown",
            "The server has no receipt: the request has not arrived, was refused before it began, or is older than 7 days.",
            None,
            ExitStatus::Open,
        ),
    };
    let printer = &context.printer;
    printer.json(&RequestView { outcome: name, receipt });
    printer.line(words);
    if let Some(receipt) = receipt {
        tell(context, receipt);
    }
    Ok(status)
}

fn tell(context: &Context, receipt: &Receipt) {
    let printer = &context.printer;
    printer.line(format!("Request   {} ({})", receipt.request_id, receipt.kind));
    printer.line(format!("Began     {}", time(receipt.created_at)));
    if let Some(at) = receipt.finished_at {
        let status = receipt.http_status.map(|status| format!(" with HTTP {status}")).unwrap_or_default();
        printer.line(format!("Ended     {}{status}", time(at)));
    }
    if let Some(resource) = &receipt.resource {
        printer.line(format!("Made      {} {}", resource.kind, resource.id));
    }
    if let Some(error) = &receipt.error {
        printer.line(format!("Failed    {} ({})", without_routes(&error.message), error.error));
    }
}
