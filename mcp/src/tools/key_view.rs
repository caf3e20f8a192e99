//! Keys and translations in results.

use l10n_client::api::translations::KeyDetail;
use l10n_client::api::{Issue, Severity, Translation};
use schemars::JsonSchema;
use serde::Serialize;

use super::plural::PluralText;

/// A key with its translations.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct KeyView {
    pub(super) r#ref: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plural: Option<PluralText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) archived: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) captured: bool,
    pub(super) translations: Vec<TranslationView>,
}

/// A translation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct TranslationView {
    pub(super) language: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plural: Option<PluralText>,
    pub(super) state: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stale: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) issues: Vec<IssueView>,
}

/// A finding of a translation check. `start` and `end` are where it is in the text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct IssueView {
    pub(super) check: &'static str,
    pub(super) severity: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<u32>,
}

impl From<KeyDetail> for KeyView {
    fn from(key: KeyDetail) -> Self {
        Self {
            r#ref: key.r#ref,
            text: key.text,
            plural: key.plural.map(Into::into),
            description: key.description,
            max_length: key.max_length,
            namespace: key.namespace,
            file: key.file,
            tags: key.tags,
            archived: key.archived,
            captured: key.captured,
            translations: key.translations.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Translation> for TranslationView {
    fn from(translation: Translation) -> Self {
        let mut issues: Vec<IssueView> = translation.issues.into_iter().map(Into::into).collect();
        issues.sort_by_key(|issue| issue.severity != Severity::Error.as_str());
        Self {
            language: translation.language.to_string(),
            text: translation.text,
            plural: translation.plural.map(Into::into),
            state: translation.state.as_str(),
            stale: translation.stale,
            origin: translation.origin.map(|origin| origin.as_str()),
            issues,
        }
    }
}

impl From<Issue> for IssueView {
    fn from(issue: Issue) -> Self {
        Self {
            check: issue.check.as_str(),
            severity: issue.severity.as_str(),
            message: issue.message,
            start: issue.start,
            end: issue.end,
        }
    }
}
