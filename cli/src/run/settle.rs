//! The outcome of a command with several items.

use crate::context::Context;
use crate::error::{CliError, Failure};
use crate::exit::ExitStatus;

/// Only a part succeeded.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct PartialFailure(pub(super) String);

impl Failure for PartialFailure {
    fn status(&self) -> ExitStatus {
        ExitStatus::Partial
    }

    fn code(&self) -> &str {
        "partial_failure"
    }

    fn hint(&self) -> Option<String> {
        Some("run it again: finished work is kept and free, failed work was not charged".into())
    }
}

/// Returns success if all items succeeded. A failure beside successes is a partial failure; otherwise the failure
/// itself is returned. `items` is their kind, such as "files".
pub(crate) fn settle<I, T>(
    context: &Context,
    outcomes: Vec<(I, Result<T, CliError>)>,
    wanted: usize,
    items: &str,
) -> Result<(), CliError> {
    let count = outcomes.len();
    let errors = failures(outcomes);
    let done = count - errors.len();
    settle_errors(context, errors, done, wanted, items)
}

/// The errors of the items that failed.
pub(crate) fn failures<I, T>(outcomes: Vec<(I, Result<T, CliError>)>) -> Vec<CliError> {
    outcomes.into_iter().filter_map(|(_, outcome)| outcome.err()).collect()
}

/// Like [`settle`], for the errors and the number of successes.
pub(crate) fn settle_errors(
    context: &Context,
    mut errors: Vec<CliError>,
    done: usize,
    wanted: usize,
    items: &str,
) -> Result<(), CliError> {
    let Some(last) = errors.pop() else { return Ok(()) };
    for error in &errors {
        context.printer.error_text(error);
    }
    if done == 0 {
        return Err(last);
    }
    context.printer.error_text(&last);
    Err(PartialFailure(format!("{done} of {wanted} {items} succeeded, {} failed", wanted - done)).into())
}

/// Returns success if the preview of each item succeeded, otherwise the failure of the last one that failed. A preview keeps
/// nothing, so it cannot succeed in part.
pub(crate) fn settle_previews<I, T>(
    context: &Context,
    outcomes: Vec<(I, Result<T, CliError>)>,
) -> Result<(), CliError> {
    settle_errors(context, failures(outcomes), 0, 0, "")
}

/// Like [`settle_previews`], for the errors of a dry run.
pub(crate) fn settle_dry_run(context: &Context, errors: Vec<CliError>) -> Result<(), CliError> {
    settle_errors(context, errors, 0, 0, "").map_err(|error| error.but("nothing was changed"))
}

/// Prints an error that the JSON result contains already.
pub(crate) fn conclude(context: &Context, verdict: Result<(), CliError>) -> Result<ExitStatus, CliError> {
    match verdict {
        Ok(()) => Ok(ExitStatus::Success),
        Err(error) => {
            context.printer.error_text(&error);
            Ok(error.status())
        }
    }
}
