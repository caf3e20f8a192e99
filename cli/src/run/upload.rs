//! Uploads one file. After a 503 the file is read again: the same request is never sent twice (§7 rule 1). If an answer
//! is lost, the program first asks for the receipt, so that finished work is not done again.

use std::collections::BTreeMap;
use std::time::Duration;

use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::{FileUpload, OnRemoved, Run, SyncBody};
use l10n_client::api::{ErrorCode, LanguageCode, OperationId, TrackingToken};
use l10n_client::{Error as ClientError, file_upload};

use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::run::{WriteOutcome, ask_outcome, made};
use crate::session::Session;
use crate::source_files::SourceFile;

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
    /// Approvals, by the path of the file that each is for.
    pub(crate) approvals: BTreeMap<String, OperationId>,
}

/// The outcome of an upload.
#[derive(Debug)]
pub(crate) enum Uploaded {
    /// The server's answer.
    Run(Box<Run>),
    /// It succeeded, but its answer was lost.
    Landed(Box<Receipt>),
}

impl Uploaded {
    pub(crate) fn run(&self) -> Option<&Run> {
        match self {
            Self::Run(run) => Some(run),
            Self::Landed(_) => None,
        }
    }

    pub(crate) fn receipt(&self) -> Option<&Receipt> {
        match self {
            Self::Run(_) => None,
            Self::Landed(receipt) => Some(receipt),
        }
    }

    /// The job to wait for.
    pub(crate) fn job(&self) -> Option<TrackingToken> {
        match self {
            Self::Run(run) => run.tracking_token.clone(),
            Self::Landed(receipt) => made(receipt, "translation").map(TrackingToken::from),
        }
    }
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
            Err(error) if worth_a_rerun && !matches!(error, CliError::Lost { outcome: WriteOutcome::Running, .. }) => {
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

/// Returns true if an error is about one file, so that the others can go on.
pub(crate) fn is_about_the_file(error: &CliError) -> bool {
    match error {
        CliError::Source(_) | CliError::BrokenFile { .. } => true,
        CliError::Api { source: ClientError::Api(answer), .. } => matches!(answer.status, 400 | 413),
        _ => false,
    }
}

fn body(file: &SourceFile, upload: &Upload) -> Result<SyncBody, CliError> {
    let content = file_upload(&file.path, &file.read()?).doing(format!("reading {}", file.path))?;
    Ok(SyncBody {
        file: FileUpload { format: file.format, ..content },
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
    let CliError::Api { source: ClientError::Api(answer), .. } = &error else { return error };
    if answer.code != ErrorCode::FileUnparseable {
        return error;
    }
    let number = |name: &str| answer.details().and_then(|details| details.get(name)?.as_u64());
    CliError::BrokenFile {
        path: file.path.clone(),
        line: number("line").unwrap_or(1),
        column: number("column").unwrap_or(1),
        message: answer.message.clone(),
        code: "file_unparseable",
        correlation_id: Some(answer.correlation_id.clone()),
    }
}
