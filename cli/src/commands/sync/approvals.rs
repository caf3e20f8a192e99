//! Approvals of a sync: each file is a separate run, and an approval counts for one run.

use std::collections::BTreeMap;

use l10n_client::api::operations::{CreateBody, OperationKind};
use l10n_client::api::translations::{OnRemoved, Run};
use l10n_client::api::{LanguageCode, OperationId};
use tokio::time::Instant;

use crate::args::SpendArgs;
use crate::context::Context;
use crate::error::CliError;
use crate::run::{APPROVAL_WAIT, Upload, approved, classes, counted, request, wait_for_decision, whole_credits};
use crate::session::Session;
use crate::source_files::SourceFile;

/// A file and its dry run.
pub(super) type Quote = (SourceFile, Run);

/// Returns true if a sync would change anything. Otherwise it needs no approval and is not sent.
pub(super) fn has_work(run: &Run, on_removed: Option<OnRemoved>) -> bool {
    let found = run.classification;
    let removed = if on_removed == Some(OnRemoved::Archive) { found.removed } else { 0 };
    found.new + found.changed + removed > 0 || run.per_language.iter().any(|price| price.keys > 0)
}

/// The named approval, assigned to the only file that it can be for.
pub(super) fn named(id: &str, files: &[SourceFile]) -> Result<BTreeMap<String, OperationId>, CliError> {
    match files {
        [file] => Ok([(file.path.clone(), id.into())].into()),
        _ => Err(CliError::usage(
            format!("an approval counts for one file, but {} are selected", files.len()),
            "name the file: l10n sync PATH --operation-id ID",
        )),
    }
}

/// Requests approval for all files at once, then waits for each.
pub(super) async fn obtain(
    context: &Context,
    session: &Session,
    args: &SpendArgs,
    quotes: &[Quote],
    settings: &Upload,
) -> Result<BTreeMap<String, OperationId>, CliError> {
    let mut asked = Vec::new();
    for quote in quotes {
        let operation = request(context, session, &ask(args, quote, quotes.len(), settings.languages.clone())).await?;
        asked.push((quote.0.path.clone(), operation.operation_id));
    }
    let deadline = Instant::now() + args.approval.approval_timeout.unwrap_or(APPROVAL_WAIT);
    let mut approvals = BTreeMap::new();
    for (path, id) in asked {
        let left = deadline.saturating_duration_since(Instant::now());
        let decided = wait_for_decision(context, session, &id, Some(left)).await?;
        let again = format!("l10n sync {path} --operation-id {id}");
        approvals.insert(path, approved(decided, Some(again))?);
    }
    Ok(approvals)
}

/// The operation to request for a file. `--max-credits` limits all files together, so it applies to a single one only
/// if that is the only one.
fn ask(args: &SpendArgs, (file, run): &Quote, files: usize, languages: Option<Vec<LanguageCode>>) -> CreateBody {
    let most = args.max_credits.filter(|_| files == 1).unwrap_or(run.estimated_credits);
    let path = &file.path;
    let note = match &args.approval.note {
        Some(note) if files == 1 => note.clone(),
        Some(note) => format!("{note} ({path})"),
        None if run.archived > 0 => {
            format!("sync of {path}: {}, archives {}", classes(run.classification), counted(run.archived, "key"))
        }
        None => format!("sync of {path}: {}", classes(run.classification)),
    };
    CreateBody {
        max_credits: Some(whole_credits(most)),
        // The same number as in the preview: if more keys are removed by then, the person is asked again.
        max_archived_keys: (run.archived > 0).then(|| u32::try_from(run.archived).unwrap_or(u32::MAX)),
        languages,
        note: Some(note),
        ..CreateBody::new(OperationKind::Translation)
    }
}
