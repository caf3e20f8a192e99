//! Google Cloud Translation: version 2 (Basic) with a key, version 3 (Advanced) with an access token.

use async_trait::async_trait;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;

use super::answer::ServiceResponse;
use super::client::EngineClient;
use super::languages::google;
use super::tags::ServiceMarkup;
use super::texts::{TextFormat, TextService, unknown_languages};
use crate::config::GoogleProject;
use crate::engines::{Batch, BatchLimits, EngineError};

/// Version 2 of the service of the kind `google`.
#[derive(Debug)]
pub(crate) struct GoogleBasic;

/// Version 3 of the service of the kind `google`.
#[derive(Debug)]
pub(crate) struct GoogleAdvanced {
    /// The project that is asked.
    pub(crate) project: GoogleProject,
}

#[derive(Serialize)]
struct BasicQuestion<'a> {
    q: Vec<&'a str>,
    source: &'a str,
    target: &'a str,
    format: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AdvancedQuestion<'a> {
    contents: Vec<&'a str>,
    source_language_code: &'a str,
    target_language_code: &'a str,
    mime_type: &'a str,
}

#[derive(Deserialize)]
struct BasicAnswer {
    data: Translations,
}

#[derive(Deserialize)]
struct Translations {
    translations: Vec<Translation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Translation {
    translated_text: String,
}

impl Translations {
    fn texts(self) -> Vec<String> {
        self.translations.into_iter().map(|made| made.translated_text).collect()
    }
}

#[async_trait]
impl TextService for GoogleBasic {
    const MARKUP: ServiceMarkup = ServiceMarkup::GOOGLE;

    /// Google's own recommendation: larger requests are slow.
    const MOST_CHARACTERS: usize = 5_000;

    fn limits(&self, allowed: BatchLimits) -> BatchLimits {
        limits(allowed, 128, Self::MOST_CHARACTERS)
    }

    async fn texts(
        &self,
        caller: &EngineClient,
        batch: &Batch,
        q: Vec<&str>,
        form: TextFormat,
    ) -> Result<Vec<String>, EngineError> {
        let (source, target) = (google(&batch.source), google(&batch.target));
        let format = if form == TextFormat::Markup { "html" } else { "text" };
        let key = caller.key().map(|key| byte_serialize(key.expose().as_bytes()).collect::<String>());
        let url = caller.url(&format!("/language/translate/v2?key={}", key.unwrap_or_default()));
        let question = BasicQuestion { q, source, target, format };
        let answer = caller.post(&url, HeaderMap::new(), &question, usize::MAX).await?;
        if !answer.is_success() {
            return Err(fault(&answer, batch));
        }
        Ok(answer.json::<BasicAnswer>()?.data.texts())
    }
}

#[async_trait]
impl TextService for GoogleAdvanced {
    const MARKUP: ServiceMarkup = ServiceMarkup::GOOGLE;

    const MOST_CHARACTERS: usize = 30_000;

    fn limits(&self, allowed: BatchLimits) -> BatchLimits {
        limits(allowed, 1_024, Self::MOST_CHARACTERS)
    }

    async fn texts(
        &self,
        caller: &EngineClient,
        batch: &Batch,
        contents: Vec<&str>,
        form: TextFormat,
    ) -> Result<Vec<String>, EngineError> {
        let question = AdvancedQuestion {
            contents,
            source_language_code: google(&batch.source),
            target_language_code: google(&batch.target),
            mime_type: if form == TextFormat::Markup { "text/html" } else { "text/plain" },
        };
        let GoogleProject { name, location } = &self.project;
        let url = caller.url(&format!("/v3/projects/{name}/locations/{location}:translateText"));
        let answer = caller.post(&url, caller.with_key(AUTHORIZATION, "Bearer "), &question, usize::MAX).await?;
        if !answer.is_success() {
            return Err(fault(&answer, batch));
        }
        Ok(answer.json::<Translations>()?.texts())
    }
}

/// A fifth of the characters is left for tags.
fn limits(allowed: BatchLimits, texts: usize, characters: usize) -> BatchLimits {
    BatchLimits::of(allowed.max_items.min(texts), allowed.max_characters.min(characters / 5 * 4))
}

fn fault(answer: &ServiceResponse, batch: &Batch) -> EngineError {
    let says = |words: &[&str]| words.iter().any(|word| answer.says(word));
    match answer.status {
        403 if says(&["userRateLimitExceeded", "rateLimitExceeded", "User Rate Limit Exceeded"]) => {
            answer.rate_limited()
        }
        403 if says(&["dailyLimitExceeded", "Daily Limit Exceeded"]) => EngineError::QuotaExhausted(answer.words()),
        400 if says(&["API_KEY_INVALID", "API key not valid"]) => EngineError::Misconfigured(answer.words()),
        400 if says(&["Too many text segments", "Text too long", "codepoints", "payload size"]) => {
            EngineError::TooLarge(answer.words())
        }
        400 if says(&["language pair", "language is invalid"]) => unknown_languages(batch),
        _ => answer.fault(),
    }
}
