//! What to do about an error of the API.

use l10n_client::api::{Endpoint as _, ErrorCode, publish, versions, webhooks};
use l10n_client::{ApiError, Error as ClientError};

use super::CliError;
use crate::run::Fate;

pub(super) fn of_api_error(error: &ClientError) -> Option<String> {
    match error {
        ClientError::Api(answer) if answer.resets_at().is_some() => {
            Some("run it again after 00:00 UTC; what is done stays done".to_owned())
        }
        ClientError::Api(answer) if answer.code == ErrorCode::RateLimited => {
            let seconds = answer.retry_after.map_or(60, |wait| wait.as_secs());
            Some(format!("wait {seconds} s and run it again"))
        }
        ClientError::Api(answer) if answer.code == ErrorCode::NotFound && is_about_webhooks(answer.endpoint) => {
            Some("`l10n webhooks list` and `l10n deliveries list` show what there is".to_owned())
        }
        ClientError::Api(answer) if answer.code == ErrorCode::AuthorizationRequired => Some(how_to_ask(answer)),
        error if secret_is_lost(error) => Some(
            "it may have been done all the same, and the secret is lost then: `l10n webhooks list` tells; \
             `l10n webhooks rotate-secret` makes another"
                .to_owned(),
        ),
        ClientError::Api(answer) => {
            of_code(&answer.code).or_else(|| answer.advice().map(str::to_owned)).or_else(|| {
                let foreign = matches!(&answer.code, ErrorCode::Other(code) if code.starts_with("http_"));
                foreign.then(|| "check that the base URL is that of the localization service".to_owned())
            })
        }
        ClientError::Transport(_) => Some("`l10n doctor` looks at each step of the way to the server".into()),
        ClientError::WaitTimeout(_) => Some("run the command again: what is translated already is free".into()),
        ClientError::Redirected(_) | ClientError::Decode(_) => {
            Some("check that the base URL is that of the localization service; `l10n doctor` looks".into())
        }
        _ => None,
    }
}

/// What to do about an approval that is missing or does not count, by what the server says about it.
fn how_to_ask(answer: &ApiError) -> String {
    let detail = |name: &str| answer.details().and_then(|details| details.get(name)?.as_str());
    let id = detail("operationId").unwrap_or("ID");
    match detail("reason") {
        Some("not_approved") if detail("status") == Some("pending") => {
            format!("`l10n operations wait {id}` waits for the decision")
        }
        Some("not_approved") => format!("`l10n operations show {id}` tells why; ask again with --request-approval"),
        Some("kind" | "target" | "version" | "languages") => {
            format!(
                "`l10n operations show {id}` tells what it allows; run it again with --request-approval to ask for this"
            )
        }
        Some("max_credits") => {
            "ask for more: run it again with --request-approval, which asks for the price".to_owned()
        }
        Some("max_archived_keys") => {
            "run it again with --request-approval, which asks for as many keys as the files lack; --on-removed keep archives \
             none"
                .to_owned()
        }
        Some("used" | "expired" | "not_found" | "other_key") => {
            "an approval counts once, for an hour and for the key that asked: run it again with --request-approval"
                .to_owned()
        }
        _ => {
            let (kind, preview) = match answer.endpoint {
                publish::Create::NAME => ("publish", ""),
                versions::Restore::NAME => ("rollback --version VERSION", ""),
                _ => ("translation --max-credits CREDITS", "; --dry-run needs no approval"),
            };
            format!(
                "this is an AI agent's key: run it again with --request-approval, or ask with `l10n operations request \
                 --kind {kind}`, or use a `CI / scripts` key{preview}"
            )
        }
    }
}

/// What to do about a write whose answer was lost.
pub(super) fn of_lost(error: &CliError, fate: &Fate, request: &str) -> Option<String> {
    Some(match fate {
        Fate::NotLanded(receipt) => match receipt.error.as_ref().map(|error| &error.error) {
            None | Some(ErrorCode::Internal | ErrorCode::Unavailable) => "it is safe to run it again".to_owned(),
            Some(code) => of_code(code)?,
        },
        Fate::Running => format!("`l10n requests show {request}` tells when it has ended"),
        Fate::Unknown | Fate::NotAsked => {
            let endpoint = match error {
                CliError::Api { source, .. } => source.endpoint(),
                _ => None,
            };
            let look = match endpoint {
                Some(publish::Create::NAME | versions::Restore::NAME) => "`l10n versions` shows what is live",
                _ => "run it again: what is there already is free",
            };
            format!("`l10n requests show {request}` asks again; {look}")
        }
    })
}

fn is_about_webhooks(endpoint: &str) -> bool {
    endpoint.starts_with("webhooks::") || endpoint.starts_with("deliveries::")
}

/// Whether a secret may have been made that nobody has seen.
fn secret_is_lost(error: &ClientError) -> bool {
    let makes_one = |endpoint| [webhooks::Create::NAME, webhooks::RotateSecret::NAME].contains(&endpoint);
    error.may_have_been_carried_out() && error.endpoint().is_some_and(makes_one)
}

pub(super) fn of_code(code: &ErrorCode) -> Option<String> {
    let hint = match code {
        ErrorCode::Unauthorized => {
            "check L10N_API_KEY: it may be mistyped, revoked, or made for another project than the one named"
        }
        ErrorCode::Forbidden => {
            "use a key with the scope that the message names; `l10n whoami` shows what this one holds"
        }
        ErrorCode::AuthorizationRequired => {
            "this is an AI agent's key: a person must approve it, or use a `CI / scripts` key; --dry-run works with it"
        }
        ErrorCode::InsufficientCredits => "add credits to the workspace, or name fewer --languages",
        ErrorCode::SpendCapExceeded => "raise the workspace's spending cap, or wait for the next month (UTC)",
        ErrorCode::PlanLimit => "change the workspace's plan, or remove what it counts",
        ErrorCode::NotPublished | ErrorCode::NothingToPublish => "run `l10n sync`, then `l10n publish`",
        ErrorCode::WebhookLimit => {
            "`l10n webhooks list` shows them, `l10n webhooks delete` removes one; disabled ones count, too"
        }
        ErrorCode::IdempotencyConflict => {
            "take a key of its own for each piece of work; where only the answer is gone, the work has been done or refused"
        }
        ErrorCode::IdempotencyInProgress => {
            "the first request with this --idempotency-key has not ended: run it again in a while"
        }
        ErrorCode::CaptureQuotaExceeded => {
            "run it again tomorrow: days begin at 00:00 UTC; what is known already is free"
        }
        ErrorCode::ImportQuotaExceeded | ErrorCode::RunQuotaExceeded => {
            "run it again tomorrow: days begin at 00:00 UTC; what is done stays done"
        }
        ErrorCode::VersionConflict => "somebody has pushed it meanwhile: look at the difference, then run it again",
        ErrorCode::ExternalIdExists => "somebody has pushed it meanwhile: run it again",
        ErrorCode::DeliveryInFlight => "wait for the end of the attempt, at most 15 s, and run it again",
        ErrorCode::VersionNotFound => "`l10n versions` lists what there is",
        ErrorCode::FormatAmbiguous => "say `format = \"…\"` in this [[files]] entry of l10n.toml",
        ErrorCode::FileUnparseable => "mend the file at the place that the message names",
        ErrorCode::PayloadTooLarge => "split the file: the server takes 2 MiB at most for each",
        ErrorCode::Internal => "it may or may not have been done: `l10n status` tells; then run it again",
        ErrorCode::Unavailable => "run it again in a while",
        _ => return None,
    };
    Some(hint.to_owned())
}
