//! Runs in results.

use l10n_client::api::translations::{Job, LanguagePrice, Run};
use l10n_client::api::{ErrorBody, Millicredits};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::credits::Credits;

/// Most items and failures in a result.
const MOST: usize = 50;

/// Told where a run has nothing to queue, perhaps because another run translates the same texts.
const NOTHING_QUEUED: &str = "Nothing was queued. If `warnings` name a run that had not ended, call again in a minute: \
     it is free.";

/// The price of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PreviewView {
    new: u64,
    changed: u64,
    unchanged: u64,
    /// Texts of people whose source changed; they stay.
    kept: u64,
    items: Vec<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    items_truncated: bool,
    languages: Vec<Value>,
    credits: Credits,
    balance_credits: Credits,
    balance_after_credits: Credits,
    needs_approval: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_fail: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A run and its translation.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct RunView {
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tracking_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) document_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) new: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unchanged: Option<u64>,
    pub(super) total: u64,
    pub(super) done: u64,
    pub(super) failed: u64,
    pub(super) needs_review: u64,
    pub(super) credits_charged: Option<Credits>,
    pub(super) balance_credits: Option<Credits>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) failures: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<&'static str>,
}

impl PreviewView {
    pub(super) fn of(run: Run) -> Self {
        let item = |item: &l10n_client::api::translations::Item| match &item.previous_text {
            Some(before) => json!({"ref": item.r#ref, "class": item.class.as_str(), "previous_text": before}),
            None => json!({"ref": item.r#ref, "class": item.class.as_str()}),
        };
        Self {
            new: run.classification.new,
            changed: run.classification.changed,
            unchanged: run.classification.unchanged,
            kept: run.kept,
            items_truncated: run.items_truncated || run.items.len() > MOST,
            items: run.items.iter().take(MOST).map(item).collect(),
            languages: run.per_language.iter().map(price).collect(),
            credits: run.estimated_credits.into(),
            balance_credits: run.balance.into(),
            balance_after_credits: Millicredits(run.balance.0.saturating_sub(run.estimated_credits.0)).into(),
            needs_approval: run.requires_operation,
            would_fail: run.would_fail.as_ref().map(refusal),
            warnings: run.warnings,
        }
    }

    pub(super) fn sentence(&self) -> String {
        let credits = serde_json::to_string(&self.credits).unwrap_or_default();
        let person = if self.needs_approval { " A person has to approve it." } else { "" };
        let fails = if self.would_fail.is_some() { " It would be refused: see would_fail." } else { "" };
        format!("{} new, {} changed; at most {credits} credits.{person}{fails}", self.new, self.changed)
    }
}

fn price(price: &LanguagePrice) -> Value {
    json!({
        "language": price.language.as_str(),
        "texts": price.keys,
        "characters": price.characters,
        "from_memory": price.from_memory,
        "credits": Credits::from(price.estimated_credits),
    })
}

fn refusal(body: &ErrorBody) -> Value {
    json!({"error": body.error.as_str(), "message": body.message})
}

impl RunView {
    /// A run, and its job if there is one.
    pub(super) fn of(run: Run, job: Option<Job>) -> Self {
        let is_new = run.classification.new + run.classification.changed > 0;
        let mut view = job.map(Self::of_job).unwrap_or_else(|| Self {
            status: "completed",
            next: (!is_new).then_some(NOTHING_QUEUED),
            credits_charged: Some(run.credits_charged.into()),
            balance_credits: Some(run.balance.into()),
            ..Self::default()
        });
        view.new = Some(run.classification.new);
        view.changed = Some(run.classification.changed);
        view.unchanged = Some(run.classification.unchanged);
        view.warnings = run.warnings;
        view
    }

    pub(super) fn of_job(job: Job) -> Self {
        let failure = |failure: &l10n_client::api::translations::Failure| {
            json!({
                "ref": failure.r#ref,
                "language": failure.language.as_str(),
                "error": failure.error,
                "message": failure.message,
            })
        };
        Self {
            status: if job.has_ended() { job.status.as_str() } else { "running" },
            tracking_token: Some(job.tracking_token.to_string()),
            total: job.progress.total,
            done: job.progress.done,
            failed: job.progress.failed,
            needs_review: job.progress.needs_review,
            credits_charged: Some(job.credits_charged.into()),
            balance_credits: Some(job.balance.into()),
            failures: job.failures.iter().take(MOST).map(failure).collect(),
            next: match job.has_ended() {
                false => Some("It goes on by itself. Call get_run with the tracking_token."),
                true if job.progress.needs_review > 0 => Some("Call check_translations: some texts are held back."),
                true => None,
            },
            ..Self::default()
        }
    }

    pub(super) fn sentence(&self) -> String {
        if self.tracking_token.is_none() {
            return format!("{}: nothing was queued; 0 credits charged.", self.status);
        }
        let charged = self.credits_charged.and_then(|amount| serde_json::to_string(&amount).ok()).unwrap_or_default();
        format!(
            "{}: {} of {} texts, {} failed; {charged} credits charged.",
            self.status, self.done, self.total, self.failed
        )
    }
}
