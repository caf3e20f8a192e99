//! Languages with their progress.

use l10n_client::api::languages::Language;
use schemars::JsonSchema;
use serde::Serialize;

/// Progress of a language.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LanguageView {
    code: String,
    name: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_base: bool,
    translated: u64,
    reviewed: u64,
    needs_review: u64,
    stale: u64,
    missing: u64,
}

impl From<Language> for LanguageView {
    fn from(language: Language) -> Self {
        Self {
            code: language.code.to_string(),
            name: language.name,
            is_base: language.is_base,
            translated: language.translated,
            reviewed: language.reviewed,
            needs_review: language.needs_review,
            stale: language.stale,
            missing: language.missing,
        }
    }
}

/// Returns true if a text has the form of a BCP 47 code.
pub(crate) fn is_code(text: &str) -> bool {
    (2..=35).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
