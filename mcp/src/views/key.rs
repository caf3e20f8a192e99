//! Keys and translations in results.

use l10n_client::api::translations::KeyDetail;
use l10n_client::api::{Issue, Severity, Translation};
use schemars::JsonSchema;
use serde::Serialize;

use super::plural::PluralText;

/// A key with its translations.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct KeyView {
    pub(crate) r#ref: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plural: Option<PluralText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) archived: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) captured: bool,
    pub(crate) translations: Vec<TranslationView>,
}

/// A translation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct TranslationView {
    pub(crate) language: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plural: Option<PluralText>,
    pub(crate) state: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) stale: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origin: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) issues: Vec<IssueView>,
}

/// A finding of a translation check. `start` and `end` are where it is in the text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct IssueView {
    pub(crate) check: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<u32>,
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
