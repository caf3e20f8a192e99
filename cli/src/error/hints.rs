//! Advice about errors of the API.

use l10n_client::api::operations::OperationKind;
use l10n_client::api::{Addressed, ErrorCode};
use l10n_client::{ApiError, ConfigError, Error as ClientError};

pub(super) fn of_api_error(error: &ClientError) -> Option<String> {
    match error {
        ClientError::Api(answer) if answer.resets_at().is_some() => {
            Some("run it again after 00:00 UTC; finished work is kept".to_owned())
        }
        ClientError::Api(answer) if answer.code == ErrorCode::RateLimited => {
            let seconds = answer.retry_after.map_or(60, |wait| wait.as_secs());
            Some(format!("wait {seconds} s and run it again"))
        }
        ClientError::Api(answer) if answer.code == ErrorCode::NotFound && names_a_webhook(answer) => {
            Some("list the ids with `l10n webhooks list` and `l10n deliveries list`".to_owned())
        }
        ClientError::Api(answer) if answer.code == ErrorCode::AuthorizationRequired => Some(how_to_ask(answer)),
        error if secret_is_lost(error) => Some(
            "it may have been done all the same, and the secret is lost then: check `l10n webhooks list`; \
             `l10n webhooks rotate-secret` makes another"
                .to_owned(),
        ),
        ClientError::Api(answer) => {
            of_code(&answer.code).or_else(|| answer.advice().map(str::to_owned)).or_else(|| {
                let foreign = matches!(&answer.code, ErrorCode::Other(code) if code.starts_with("http_"));
                foreign.then(|| "check that the base URL is the localization service's".to_owned())
            })
        }
        ClientError::Config(ConfigError::ApiKey { .. } | ConfigError::NoApiKey { .. }) => Some(
            "copy the whole key: it is shown once, when it is created; a lost one is replaced in the dashboard".into(),
        ),
        ClientError::Integrity(_) => Some("run it again: it downloads the file anew".into()),
        ClientError::Transport(_) => Some("`l10n doctor` checks each step of the connection".into()),
        ClientError::WaitTimeout(_) => Some("run the command again: finished translations are free".into()),
        ClientError::Redirected(_) | ClientError::Decode(_) => {
            Some("check that the base URL is the localization service's, for example with `l10n doctor`".into())
        }
        _ => None,
    }
}

/// Advice about an approval that is missing or does not count, based on the server's details.
fn how_to_ask(answer: &ApiError) -> String {
    let detail = |name: &str| answer.details().and_then(|details| details.get(name)?.as_str());
    let id = detail("operationId").unwrap_or("ID");
    match detail("reason") {
        Some("not_approved") if detail("status") == Some("pending") => {
            format!("`l10n operations wait {id}` waits for the decision")
        }
        Some("not_approved") => format!("see the reason with `l10n operations show {id}`; ask again with --request-approval"),
        Some("kind" | "target" | "version" | "languages" | "left_out") => {
            format!(
                "see its limits with `l10n operations show {id}`; to ask for this, run it again with --request-approval"
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
            let kind = match answer.endpoint.approval {
                Some(OperationKind::Publish) => "publish",
                Some(OperationKind::Rollback) => "rollback --version VERSION",
                _ => "translation --max-credits CREDITS",
            };
            let preview = if answer.endpoint.has_preview() { "; --dry-run needs no approval" } else { "" };
            format!(
                "this is an AI agent's key: run it again with --request-approval, or ask with `l10n operations request \
                 --kind {kind}`, or use a `CI / scripts` key{preview}"
            )
        }
    }
}

/// Returns true if the call named a webhook, or a delivery of one, by its id.
fn names_a_webhook(answer: &ApiError) -> bool {
    matches!(answer.endpoint.addresses(), Some(Addressed::Webhook | Addressed::Delivery))
}

/// Returns true if a secret may have been made that no one has seen.
fn secret_is_lost(error: &ClientError) -> bool {
    error.may_have_been_carried_out() && error.endpoint().is_some_and(|endpoint| endpoint.makes_secret)
}

/// Advice about an error code of the API.
pub(crate) fn of_code(code: &ErrorCode) -> Option<String> {
    let hint = match code {
        ErrorCode::Unauthorized => {
            "check L10N_API_KEY: it may be mistyped, revoked, or it may belong to another project"
        }
        ErrorCode::Forbidden => {
            "use a key with the scope that the message names; `l10n whoami` lists this key's scopes"
        }
        ErrorCode::AuthorizationRequired => {
            "this is an AI agent's key: a person must approve it, or use a `CI / scripts` key; --dry-run works with it"
        }
        ErrorCode::InsufficientCredits => "add credits to the workspace, or name fewer --languages",
        ErrorCode::SpendCapExceeded => "raise the workspace's spending cap, or wait for the next month (UTC)",
        ErrorCode::PlanLimit => "change the workspace's plan, or remove some of the counted items",
        ErrorCode::NotPublished | ErrorCode::NothingToPublish => "run `l10n sync`, then `l10n publish`",
        ErrorCode::WebhookLimit => {
            "`l10n webhooks list` shows them, `l10n webhooks delete` removes one; disabled ones count, too"
        }
        ErrorCode::OperationLimit => "have pending requests decided in the dashboard, or wait until they expire",
        ErrorCode::IdempotencyConflict => {
            "use a separate key for each piece of work; if only the answer is gone, the work has been done or refused"
        }
        ErrorCode::IdempotencyInProgress => {
            "the first request with this --idempotency-key has not ended: run it again later"
        }
        ErrorCode::CaptureQuotaExceeded => {
            "run it again after 00:00 UTC, when the limit resets; known keys do not count"
        }
        ErrorCode::ImportQuotaExceeded | ErrorCode::RunQuotaExceeded => {
            "run it again after 00:00 UTC, when the limit resets; finished work is kept"
        }
        ErrorCode::VersionConflict => {
            "someone has pushed another version meanwhile: compare them, then push the version that should win"
        }
        ErrorCode::ExternalIdExists => "someone has pushed it meanwhile: run it again",
        ErrorCode::DeliveryInFlight => "wait for the end of the attempt, at most 15 s, and run it again",
        ErrorCode::VersionNotFound => "`l10n versions` lists the versions",
        ErrorCode::FormatAmbiguous => "set `format = \"…\"` in this [[files]] entry of l10n.toml",
        ErrorCode::FormatUnsupported => "use one of the formats that the message names",
        ErrorCode::FileUnparseable => "fix the file at the place that the message names",
        ErrorCode::PayloadTooLarge => "split the file: the message names the limit",
        ErrorCode::Internal => "it may or may not have been done: check `l10n status`, then run it again",
        ErrorCode::Unavailable => "run it again later",
        _ => return None,
    };
    Some(hint.to_owned())
}
