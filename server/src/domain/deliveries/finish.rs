//! Writes the outcomes of attempts.

use std::collections::BTreeMap;
use std::sync::Arc;

use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_api_types::webhooks::DisabledReason;

use super::super::ServiceError;
use super::step::{DeliveryCommand, DeliveryEvent, DeliveryRules, DeliveryState, WebhookSnapshot, step};
use super::{Attempt, KEPT_ATTEMPTS};
use crate::clock::Timestamp;
use crate::egress::Excerpt;
use crate::store::deliveries::{self, AttemptResult};
use crate::store::delivery_attempts::{self, DeliveryAttempt};
use crate::store::webhooks::{self, WebhookState};
use crate::store::{StoreError, Tx};

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptOutcome {
    /// Status of the answer, where there was one.
    pub status: Option<u16>,
    /// The reason why it failed; `None` when the answer was 2xx.
    pub failure: Option<AttemptFailure>,
    /// Time at which it began.
    pub began_at: Timestamp,
    /// Time at which it ended.
    pub ended_at: Timestamp,
    /// Its duration in milliseconds, on a clock that nobody sets.
    pub took_ms: i64,
    /// The things that were sent and that came back.
    pub exchange: Exchange,
}

/// The things that an attempt sent and that came back, as far as they are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Lines of the request's head; `None` where nothing was sent.
    pub headers: Option<String>,
    /// The beginning of the answer's body, where there was an answer.
    pub answer: Option<Excerpt>,
}

impl AttemptOutcome {
    /// `delivered`, the kind of failure, or `internal` when the fault is the server's own.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match &self.failure {
            None => "delivered",
            Some(AttemptFailure { kind: Some(kind), .. }) => kind.as_str(),
            Some(AttemptFailure { kind: None, .. }) => "internal",
        }
    }
}

/// The reason why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptFailure {
    /// To branch on; `None` when the fault is the server's own.
    pub kind: Option<DeliveryErrorKind>,
    /// The message for people: the observed fault and advice.
    pub reason: String,
}

/// An attempt that has ended.
#[derive(Debug, Clone)]
pub struct AttemptReport {
    /// The attempt.
    pub attempt: Arc<Attempt>,
    /// Its outcome.
    pub outcome: AttemptOutcome,
}

/// The outcome of writing a batch of reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finished {
    /// All of them are written; these webhooks were disabled by them.
    Written {
        /// Ids of the webhooks.
        disabled: Vec<WebhookId>,
    },
    /// The deliveries at these places of the batch belong to another worker by now, or are gone. The transaction must not
    /// be committed: finish the others in a new one.
    Lost(Vec<usize>),
}

/// Writes the outcomes of attempts in the order in which they ended: deliveries, their webhooks' failures, and the
/// consequences.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn finish(tx: &mut Tx, rules: &DeliveryRules, reports: &[AttemptReport]) -> Result<Finished, ServiceError> {
    let mut states = states(tx, reports).await?;
    let mut changed = BTreeMap::new();
    let mut disabled = Vec::new();
    let mut rows = Vec::with_capacity(reports.len());
    let mut lost = Vec::new();
    for (place, AttemptReport { attempt, outcome }) in reports.iter().enumerate() {
        let Some(standing) = states.get_mut(&attempt.webhook_id) else {
            lost.push(place);
            continue;
        };
        let webhook = WebhookSnapshot { enabled: standing.enabled, failures: standing.consecutive_failures };
        let event = DeliveryEvent::Ended { fence: attempt.fence(), delivered: outcome.failure.is_none() };
        let (DeliveryState { delivery, webhook }, commands) =
            step(rules, DeliveryState { delivery: attempt.delivery, webhook }, event, outcome.ended_at);
        standing.enabled = webhook.enabled;
        standing.consecutive_failures = webhook.failures;
        if commands.contains(&DeliveryCommand::Disable) {
            standing.disabled_reason = Some(DisabledReason::AutoFailures);
            standing.disabled_at = Some(outcome.ended_at);
            disabled.push(attempt.webhook_id.clone());
        }
        if commands.contains(&DeliveryCommand::CountFailures) {
            changed.insert(&attempt.webhook_id, standing.clone());
        }
        rows.push((delivery.written(&attempt.webhook_id, &attempt.delivery_id, attempt.fence()), met(outcome)));
    }
    if !lost.is_empty() {
        return Ok(Finished::Lost(lost));
    }
    let written = deliveries::finish(tx, &rows).await?;
    if written.len() < rows.len() {
        let is_lost = |(place, report): (usize, &AttemptReport)| {
            (!written.contains(&report.attempt.delivery_id)).then_some(place)
        };
        return Ok(Finished::Lost(reports.iter().enumerate().filter_map(is_lost).collect()));
    }
    record(tx, reports).await?;
    for standing in changed.values() {
        webhooks::set_state(tx, standing).await?;
    }
    // After the deliveries of this batch, some of which may have planned a retry before their webhook was disabled.
    for webhook_id in &disabled {
        deliveries::pause(tx, webhook_id).await?;
    }
    Ok(Finished::Written { disabled })
}

/// Writes the attempts themselves. Of a delivery that is sent again and again the oldest ones go.
async fn record(tx: &mut Tx, reports: &[AttemptReport]) -> Result<(), StoreError> {
    let attempts: Vec<_> = reports
        .iter()
        .map(|AttemptReport { attempt, outcome }| {
            (&attempt.webhook_id, attempt.delivery_id.as_str(), kept(attempt, outcome))
        })
        .collect();
    delivery_attempts::insert(tx, &attempts).await?;
    for (webhook_id, delivery_id, attempt) in &attempts {
        if attempt.number > KEPT_ATTEMPTS {
            delivery_attempts::trim(tx, webhook_id, delivery_id, attempt.number - KEPT_ATTEMPTS).await?;
        }
    }
    Ok(())
}

fn kept(attempt: &Attempt, outcome: &AttemptOutcome) -> DeliveryAttempt {
    let met = met(outcome);
    let Exchange { headers, answer } = &outcome.exchange;
    DeliveryAttempt {
        number: attempt.number(),
        resend: attempt.is_resend(),
        began_at: met.began_at,
        duration_ms: met.duration_ms,
        status_code: met.status_code,
        error: met.error.map(str::to_owned),
        error_kind: met.error_kind,
        url: attempt.url.clone(),
        headers: headers.clone(),
        answer: answer.as_ref().map(|answer| answer.bytes.clone()),
        answer_cut: answer.as_ref().is_some_and(|answer| answer.is_cut),
    }
}

/// The present states of the webhooks. A webhook whose state an attempt may change, or depends on, is locked before its
/// deliveries are, as everywhere.
async fn states(tx: &mut Tx, reports: &[AttemptReport]) -> Result<BTreeMap<WebhookId, WebhookState>, StoreError> {
    let mut all: Vec<&WebhookId> = reports.iter().map(|report| &report.attempt.webhook_id).collect();
    all.sort_unstable();
    all.dedup();
    let mut read = BTreeMap::new();
    for standing in webhooks::states(tx, &all).await? {
        read.insert(standing.id.clone(), standing);
    }
    let failed = |id: &&WebhookId| {
        reports.iter().any(|report| report.attempt.webhook_id == **id && report.outcome.failure.is_some())
    };
    let counts = |id: &&WebhookId| read.get(*id).is_some_and(|standing| standing.consecutive_failures > 0);
    let to_lock: Vec<&WebhookId> = all.into_iter().filter(|id| failed(id) || counts(id)).collect();
    for standing in webhooks::lock_states(tx, &to_lock).await? {
        read.insert(standing.id.clone(), standing);
    }
    Ok(read)
}

fn met(outcome: &AttemptOutcome) -> AttemptResult<'_> {
    AttemptResult {
        began_at: outcome.began_at,
        duration_ms: outcome.took_ms,
        status_code: outcome.status.map(i64::from),
        error: outcome.failure.as_ref().map(|failure| failure.reason.as_str()),
        error_kind: outcome.failure.as_ref().and_then(|failure| failure.kind),
    }
}
