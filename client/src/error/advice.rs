//! A sentence of advice for each error.

use l10n_api_types::{EndpointInfo, ErrorCode, Rerun};

use crate::resend::Resend;

pub(super) const RERUN: &str = "run the translate or sync again from your source files; do not send this request again, \
                                its whole input is classified anew (a credit hold that was left behind clears by itself \
                                within about 35 minutes)";

pub(super) const ASK: &str = "ask for its outcome by its correlation id (`outcome_of`) before you do it again";

pub(super) const SAME_KEY: &str = "repeat it with the same idempotency key; nothing is done twice";

/// Returns the advice for an error answer; `None` if the server's own message has to suffice. `is_daily` is true if the
/// answer says when a daily limit resets.
pub(super) fn for_answer(
    endpoint: &EndpointInfo,
    status: u16,
    code: &ErrorCode,
    resend: Resend,
    is_daily: bool,
) -> Option<&'static str> {
    if status >= 500 && endpoint.rerun == Rerun::FromSources && !resend.may_follow(endpoint, status) {
        return Some(RERUN);
    }
    if status >= 500 && resend != Resend::Always {
        return Some(match resend {
            Resend::Keyed => "it may or may not have been carried out: repeat it with the same idempotency key",
            _ => {
                "it may or may not have been carried out: ask for its outcome by its correlation id (`outcome_of`) before \
                 you do it again"
            }
        });
    }
    Some(match code {
        ErrorCode::FormatAmbiguous => "set the format in `file.format`",
        ErrorCode::FormatUnsupported => "use one of the formats that the message names",
        ErrorCode::FileUnparseable => "fix the file at the place that `details` names",
        ErrorCode::Unauthorized => "check that the key is whole, was not revoked and belongs to this project",
        ErrorCode::InsufficientCredits => "add credits to the workspace or translate less; a dry run shows the price",
        ErrorCode::SpendCapExceeded => "raise the workspace's monthly cap or wait for the next month (UTC)",
        ErrorCode::PlanLimit => "stay within the plan or change it; `details` names the limit",
        ErrorCode::Forbidden => "use a key with the scope that the route needs",
        ErrorCode::AuthorizationRequired => {
            "ask with `operations().create`, wait for a person's approval, and repeat the call with its `operation_id`"
        }
        ErrorCode::IdempotencyConflict => {
            "use another idempotency key for other work; if the answer is no longer kept, read the receipt"
        }
        ErrorCode::IdempotencyInProgress => "repeat it with the same idempotency key: the first request has not ended",
        ErrorCode::NotFound => "check the id and the base URL",
        ErrorCode::NotPublished | ErrorCode::NothingToPublish => "sync or translate keys, then publish",
        ErrorCode::VersionNotFound => "list the versions to find its id",
        ErrorCode::VersionLive => "there is nothing to do",
        ErrorCode::WebhookLimit => "delete a webhook first; disabled ones count, too",
        ErrorCode::OperationLimit => "have pending requests decided in the dashboard, or wait until they expire",
        ErrorCode::DeliveryInFlight => "wait for the attempt to end, at most 15 seconds, then resend",
        ErrorCode::PayloadTooLarge => "split the input into several calls",
        ErrorCode::CaptureQuotaExceeded => "capture the rest tomorrow: the limit resets at 00:00 UTC",
        ErrorCode::ImportQuotaExceeded => "push the rest tomorrow: the limit resets at 00:00 UTC",
        ErrorCode::RunQuotaExceeded => "run the rest tomorrow: the limit resets at 00:00 UTC",
        ErrorCode::RateLimited if is_daily => "the daily limit is used up: repeat it after 00:00 UTC",
        ErrorCode::RateLimited => "wait as long as `Retry-After` says",
        ErrorCode::Internal => "an unexpected failure of the service: tell its operators the correlation id",
        _ if matches!(status, 502..=504) => "the service or a proxy in front of it is down: try again later",
        _ => return None,
    })
}
