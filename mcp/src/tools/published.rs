//! Publishes in results.

use l10n_client::api::events::ContentSummary;
use l10n_client::api::publish::{DocumentsPublished, Published};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// Most documents in a result.
const MOST: usize = 50;

/// A version that is live, or documents that were published.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct PublishedView {
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) already_live: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) keys: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) languages: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) files: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) published_at: Option<String>,
    /// Translations that are not in the version, since a check found an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) held_back: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) warnings: Option<u64>,
    /// Changes before the publish, against the version that was live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) documents: Vec<Value>,
}

impl PublishedView {
    pub(super) fn of(published: Published) -> Self {
        Self {
            status: if published.restored { "restored" } else { "published" },
            version_id: Some(published.version_id.to_string()),
            label: Some(published.label),
            keys: Some(published.key_count),
            languages: published.languages.iter().map(|language| language.code.to_string()).collect(),
            files: Some(published.files),
            published_at: Some(published.published_at.to_string()),
            held_back: Some(published.issues.error),
            warnings: Some(published.issues.warning),
            ..Self::default()
        }
    }

    pub(super) fn of_documents(published: DocumentsPublished) -> Self {
        let row = |document: &l10n_client::api::events::PublishedDocument| {
            json!({
                "document_id": document.doc_id.as_str(),
                "external_id": document.external_id,
                "action": document.action.as_str(),
                "version_id": document.version_id.as_str(),
            })
        };
        Self {
            status: if published.restored { "restored" } else { "published" },
            published_at: Some(published.published_at.to_string()),
            summary: Some(counts(published.summary)),
            documents: published.documents.iter().take(MOST).map(row).collect(),
            ..Self::default()
        }
    }

    /// Nothing was done, because no document would have a new version.
    pub(super) fn unmoved(summary: ContentSummary) -> Self {
        Self { status: "live", already_live: true, summary: Some(counts(summary)), ..Self::default() }
    }

    /// Nothing was done, because the version is live.
    pub(super) fn already(version_id: String, label: Option<String>, published_at: Option<String>) -> Self {
        Self {
            status: "live",
            already_live: true,
            version_id: Some(version_id),
            label,
            published_at,
            ..Self::default()
        }
    }

    pub(super) fn sentence(&self) -> String {
        match (&self.version_id, self.already_live) {
            (Some(version), true) => format!("{version} is live already; nothing was done."),
            (Some(version), false) => format!("{}: {version} is live.", self.status),
            (None, true) => "No document has anything new to publish; nothing was done. See summary.".to_owned(),
            (None, false) => format!("{}: see summary.", self.status),
        }
    }
}

fn counts(summary: ContentSummary) -> Value {
    json!({
        "published": summary.docs_published,
        "held_back": summary.docs_held,
        "unchanged": summary.docs_unchanged,
        "skipped": summary.docs_skipped,
        "too_large": summary.docs_too_large,
    })
}
