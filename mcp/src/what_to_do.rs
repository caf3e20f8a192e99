//! Advice for each error, in terms of the tools.

use l10n_client::ErrorCode;

pub(crate) const UNREACHABLE: &str =
    "Try again in a minute. If that does not help, tell the person to check the base URL, the network and the service.";

pub(crate) const UNEXPECTED: &str = "Tell the person to check the base URL and the versions of both programs.";

pub(crate) const CANCELED: &str = "Call again if it is still wanted.";

pub(crate) const RERUN: &str =
    "Call the tool again with the whole input: what was finished already is recognized and costs nothing.";

/// Advice about an error of the API.
pub(crate) fn of(code: &ErrorCode, status: u16) -> &'static str {
    match code {
        ErrorCode::InvalidArgument => "Correct the argument that the message names and call again.",
        ErrorCode::FormatAmbiguous => "Call again with `format`.",
        ErrorCode::FormatUnsupported => "Use a file of one of the formats that the message names.",
        ErrorCode::FileUnparseable | ErrorCode::DocumentUnparseable => {
            "Correct the file at the line and column of `details` and call again."
        }
        ErrorCode::Unauthorized => {
            "Tell the person that the API key is wrong, revoked, expired or of another project. Calling again does not help."
        }
        ErrorCode::Forbidden => {
            "Tell the person which scope the key lacks; get_project lists the scopes that it has. Calling again does not help."
        }
        ErrorCode::AuthorizationRequired => {
            "Call the same tool with the arguments that were approved, or without `operation_id` to ask a person anew."
        }
        ErrorCode::InsufficientCredits => {
            "Translate fewer texts or languages, or ask the person to add credits. preview_translation shows prices."
        }
        ErrorCode::SpendCapExceeded => {
            "Ask the person to raise the monthly spending cap, or wait for the next month (UTC)."
        }
        ErrorCode::PlanLimit => "Stay within the limit that `details` names, or ask the person to change the plan.",
        ErrorCode::KeyNotFound => "Look the ref up with find_keys.",
        ErrorCode::VersionNotFound => "List the versions with restore_version without `version_id`.",
        ErrorCode::NotFound => "Check the id: list what the project has first.",
        ErrorCode::NotPublished => "Call publish first, or read the draft with `draft: true`.",
        ErrorCode::NothingToPublish => "Call translate first: the project has no key yet.",
        ErrorCode::VersionLive => "There is nothing to do: that version is live already.",
        ErrorCode::OperationLimit => "Ask the person to decide about what waits already. Then call again.",
        ErrorCode::PayloadTooLarge => "Split the input into several calls.",
        ErrorCode::CaptureQuotaExceeded | ErrorCode::ImportQuotaExceeded | ErrorCode::RunQuotaExceeded => {
            "The daily limit resets at 00:00 UTC. Do the rest after that."
        }
        ErrorCode::RateLimited => {
            "Wait for `retry_after_seconds`, then call again, and make fewer calls. A daily limit resets at 00:00 UTC."
        }
        ErrorCode::Internal => "Tell the person that the service failed unexpectedly, and tell them the request id.",
        ErrorCode::Unavailable => UNREACHABLE,
        _ if status >= 500 => UNREACHABLE,
        _ => "Read the message. If it does not help, tell the person.",
    }
}
