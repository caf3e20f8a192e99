//! Uploads one file. After a 503 the file is read again: the same request is never sent twice (§7 rule 1). If an answer
//! is lost, the program first asks for the receipt, so that finished work is not done again.

use std::collections::BTreeMap;
use std::time::Duration;

use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::{FileUpload, OnRemoved, Run, SyncBody};
use l10n_client::api::{ErrorCode, FormatId, LanguageCode, OperationId};
use l10n_client::{Error as ClientError, file_upload};
use serde::Serialize;
use serde_json::Value;

use super::uploaded::Uploaded;
use super::write_outcome::{ask_outcome, is_running};
use crate::context::Context;
use crate::error::{BrokenFile, CliError, Doing as _};
use crate::progress::Progress;
use crate::session::Session;
use crate::source_files::{SourceError, SourceFile};

/// Default number of times that a file is read again.
const RERUNS: u32 = 3;
/// Longest pause that the program makes when the server asks for one.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The options of an upload.
#[derive(Debug, Clone, Default)]
pub(crate) struct Upload {
    pub(crate) dry_run: bool,
    /// The language of the file; the base language when left out.
    pub(crate) language: Option<LanguageCode>,
    /// Target languages; all when left out.
    pub(crate) languages: Option<Vec<LanguageCode>>,
    pub(crate) on_removed: Option<OnRemoved>,
    pub(crate) retranslate: bool,
    /// Some texts of the file as JSON, to upload in its stead.
    pub(crate) part: Option<String>,
    /// Approvals, by the path of the file that each is for.
    pub(crate) approvals: BTreeMap<String, OperationId>,
}

/// Uploads a file, reading it at each attempt.
pub(crate) async fn upload(
    context: &Context,
    session: &Session,
    file: &SourceFile,
    upload: &Upload,
) -> Result<Uploaded, CliError> {
    let doing = format!("syncing {}", file.path);
    let reruns = context.global.retries.unwrap_or(RERUNS);
    let mut attempt = 0;
    loop {
        let body = body(file, upload)?;
        let translations = session.project.translations();
        let answer =
            if upload.dry_run { translations.sync_dry_run(&body).await } else { translations.sync(&body).await };
        let failure = match answer {
            Ok(run) => return Ok(Uploaded::Run(Box::new(run))),
            Err(failure) => failure,
        };
        let worth_a_rerun = attempt < reruns && is_worth_a_rerun(&failure);
        let wait = failure.retry_after().unwrap_or(Duration::from_secs(2 << attempt.min(4))).min(LONGEST_WAIT);
        match ask_outcome(context, session, &doing, failure).await {
            Ok(receipt) => return Ok(Uploaded::Landed(Box::new(receipt))),
            Err(error) if worth_a_rerun && !is_running(&error) => {
                attempt += 1;
                context.printer.warn(format!(
                    "{error}; reading {} again and starting over in {} s ({attempt} of {reruns})",
                    file.path,
                    wait.as_secs()
                ));
                tokio::time::sleep(wait).await;
            }
            Err(error) => return Err(placed(error, file)),
        }
    }
}

/// A file and its outcome.
pub(crate) type FileOutcome = (SourceFile, Result<Uploaded, CliError>);

/// Uploads files one after the other. An error in a file itself does not stop the others; any other error does.
pub(crate) async fn upload_all(
    context: &Context,
    session: &Session,
    files: &[SourceFile],
    settings: &Upload,
) -> Vec<FileOutcome> {
    let bar = Progress::new(&context.printer, "Uploading", files.len() as u64);
    let mut outcomes = Vec::new();
    for file in files {
        bar.say(format!("Uploading {}", file.path));
        let outcome = upload(context, session, file, settings).await;
        bar.step();
        let goes_on = outcome.as_ref().err().is_none_or(is_about_the_file);
        outcomes.push((file.clone(), outcome));
        if !goes_on {
            break;
        }
    }
    outcomes
}

/// The outcome for a file: a run, the receipt of one whose answer was lost, or an error.
#[derive(Serialize)]
pub(crate) struct FileResult {
    pub(crate) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Run>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) receipt: Option<Receipt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Value>,
}

impl FileResult {
    pub(crate) fn of((file, outcome): &FileOutcome) -> Self {
        Self {
            path: file.path.clone(),
            run: outcome.as_ref().ok().and_then(Uploaded::run).cloned(),
            receipt: outcome.as_ref().ok().and_then(Uploaded::receipt).cloned(),
            error: outcome.as_ref().err().map(CliError::to_json),
        }
    }
}

/// Returns true if an error is about one file, so that the others can go on.
pub(crate) fn is_about_the_file(error: &CliError) -> bool {
    error.is::<SourceError>()
        || error.is::<BrokenFile>()
        || error.answer().is_some_and(|answer| matches!(answer.status, 400 | 413))
}

fn body(file: &SourceFile, upload: &Upload) -> Result<SyncBody, CliError> {
    let (bytes, format) = match &upload.part {
        Some(part) => (part.clone().into_bytes(), Some(FormatId::Json)),
        None => (file.read()?, file.format),
    };
    let content = file_upload(&file.path, &bytes).doing(format!("reading {}", file.path))?;
    Ok(SyncBody {
        file: FileUpload { format, ..content },
        language: upload.language.clone(),
        languages: upload.languages.clone(),
        on_removed: upload.on_removed,
        retranslate: upload.retranslate.then_some(true),
        operation_id: upload.approvals.get(&file.path).filter(|_| !upload.dry_run).cloned(),
    })
}

fn is_worth_a_rerun(error: &ClientError) -> bool {
    error.must_rerun_from_source() && error.status().is_none_or(|status| matches!(status, 502..=504))
}

/// Puts the server's line and column into the message: `locales/en.json:3:7: …`, as editors understand it.
fn placed(error: CliError, file: &SourceFile) -> CliError {
    let Some(answer) = error.answer().filter(|answer| answer.code == ErrorCode::FileUnparseable) else { return error };
    let number = |name: &str| answer.details().and_then(|details| details.get(name)?.as_u64());
    BrokenFile {
        path: file.path.clone(),
        line: number("line").unwrap_or(1),
        column: number("column").unwrap_or(1),
        message: answer.message.clone(),
        code: "file_unparseable",
        correlation_id: Some(answer.correlation_id.clone()),
    }
    .into()
}
