//! Describes a delivery in sentences.

use l10n_client::api::deliveries::{Delivery, DeliveryStatus};
use l10n_client::api::{Timestamp, WebhookId};

use crate::words::time;

/// Attempts of a delivery before it is given up (§6.6).
pub(crate) const PLANNED_ATTEMPTS: u32 = 6;

/// The facts beside the status that a person needs; empty if the first attempt succeeded.
pub(crate) fn story(webhook: &WebhookId, delivery: &Delivery, now: Timestamp) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(error) = &delivery.last_error {
        sentences.push(format!("Last attempt{}: {}", taken(delivery), full_stop(error)));
    }
    match (delivery.status, delivery.next_attempt_at) {
        (DeliveryStatus::Pending, Some(at)) if delivery.attempts > 0 || at > now => {
            let nth = (delivery.attempts + 1).min(PLANNED_ATTEMPTS);
            sentences.push(format!(
                "Attempt {nth} of {PLANNED_ATTEMPTS} is planned for {} ({}).",
                time(at),
                until(at, now)
            ));
        }
        (DeliveryStatus::Pending, None) => sentences.push(format!(
            "No attempt is planned while the webhook is disabled; `l10n webhooks update {webhook} --enable` resumes."
        )),
        (DeliveryStatus::Failed, None) => sentences.push(format!(
            "No further attempt is planned; `l10n deliveries resend {}` makes one.",
            delivery.delivery_id
        )),
        _ => {}
    }
    sentences
}

/// The time and duration of the last attempt.
fn taken(delivery: &Delivery) -> String {
    match (delivery.last_attempt_at, delivery.last_duration_ms) {
        (Some(at), Some(millis)) => format!(" ({}, {millis} ms)", time(at)),
        (Some(at), None) => format!(" ({})", time(at)),
        _ => String::new(),
    }
}

/// The sentence with a capital and a full stop.
pub(crate) fn full_stop(text: &str) -> String {
    let mut characters = text.trim().chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let rest = characters.as_str();
    let stop = if rest.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{rest}{stop}")
}

/// The time until then, for people.
fn until(at: Timestamp, now: Timestamp) -> String {
    let millis = u64::try_from(at.as_millis().saturating_sub(now.as_millis())).unwrap_or(0);
    let seconds = millis.div_ceil(1_000);
    match seconds {
        0 => "due now".to_owned(),
        1..=119 => format!("in {seconds} s"),
        120..=7_199 => format!("in {} min", seconds.div_ceil(60)),
        _ => format!("in {} h", seconds.div_ceil(3_600)),
    }
}
