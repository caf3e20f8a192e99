//! Uploading one file. After a 503 the file is read again: the request is never sent twice (§7 rule 1).

use std::time::Duration;

use l10n_client::api::translations::{FileUpload, OnRemoved, Run, SyncBody};
use l10n_client::api::{ErrorCode, LanguageCode};
use l10n_client::{Error as ClientError, file_upload};

use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::session::Session;
use crate::source_files::SourceFile;

/// How often a file is read again, unless `--retries` says otherwise.
const RERUNS: u32 = 3;
/// A server that asks for more patience is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// What to make of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Upload {
    pub(crate) dry_run: bool,
    /// The language of the file; the base language when left out.
    pub(crate) language: Option<LanguageCode>,
    /// Target languages; all when left out.
    pub(crate) languages: Option<Vec<LanguageCode>>,
    pub(crate) on_removed: Option<OnRemoved>,
}

/// Uploads a file, reading it at each attempt.
pub(crate) async fn upload(
    context: &Context,
    session: &Session,
    file: &SourceFile,
    upload: &Upload,
) -> Result<Run, CliError> {
    let reruns = context.global.retries.unwrap_or(RERUNS);
    let mut attempt = 0;
    loop {
        let body = body(file, upload)?;
        let translations = session.project.translations();
        let answer =
            if upload.dry_run { translations.sync_dry_run(&body).await } else { translations.sync(&body).await };
        match answer {
            Err(error) if attempt < reruns && is_worth_a_rerun(&error) => {
                attempt += 1;
                let wait = error.retry_after().unwrap_or(Duration::from_secs(1 << attempt.min(5))).min(LONGEST_WAIT);
                let error = CliError::Api { doing: format!("syncing {}", file.path), source: error };
                context.printer.warn(format!(
                    "{error}; reading {} again and starting over in {} s ({attempt} of {reruns})",
                    file.path,
                    wait.as_secs()
                ));
                tokio::time::sleep(wait).await;
            }
            other => return other.doing(format!("syncing {}", file.path)).map_err(|error| placed(error, file)),
        }
    }
}

/// Whether an error is the fault of one file, so that the others can go on.
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
        operation_id: None,
    })
}

fn is_worth_a_rerun(error: &ClientError) -> bool {
    error.must_rerun_from_source() && error.status().is_none_or(|status| matches!(status, 502..=504))
}

/// Puts the place that the server names into the message: `locales/en.json:3:7: …`, as editors understand it.
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
        correlation_id: answer.correlation_id.clone(),
    }
}
