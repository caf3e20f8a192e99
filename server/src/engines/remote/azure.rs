//! Azure Translator, version 3.0.

use async_trait::async_trait;
use http::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use super::answer::ServiceResponse;
use super::client::EngineClient;
use super::languages::azure;
use super::tags::ServiceMarkup;
use super::texts::{TextFormat, TextService, unknown_languages};
use crate::engines::{Batch, BatchLimits, EngineError};

/// Most texts of a request.
const MOST_TEXTS: usize = 1_000;

/// The header of the key.
const KEY: HeaderName = HeaderName::from_static("ocp-apim-subscription-key");

/// The header of the region that the key is of.
const REGION: HeaderName = HeaderName::from_static("ocp-apim-subscription-region");

/// The service of the kind `azure`.
#[derive(Debug)]
pub(crate) struct Azure {
    /// The region that the key is of, where it is of one.
    pub(crate) region: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Question<'a> {
    text: &'a str,
}

#[derive(Deserialize)]
struct Translations {
    translations: Vec<Translation>,
}

#[derive(Deserialize)]
struct Translation {
    text: String,
}

#[async_trait]
impl TextService for Azure {
    const MARKUP: ServiceMarkup = ServiceMarkup::AZURE;

    const MOST_CHARACTERS: usize = 50_000;

    fn limits(&self, allowed: BatchLimits) -> BatchLimits {
        // A fifth of the characters is left for tags.
        let max_characters = allowed.max_characters.min(Self::MOST_CHARACTERS / 5 * 4);
        BatchLimits { max_items: allowed.max_items.min(MOST_TEXTS), max_characters, ..allowed }
    }

    async fn texts(
        &self,
        caller: &EngineClient,
        batch: &Batch,
        texts: Vec<&str>,
        form: TextFormat,
    ) -> Result<Vec<String>, EngineError> {
        let url = caller.url(&format!(
            "/translate?api-version=3.0&from={}&to={}&textType={}",
            azure(&batch.source),
            azure(&batch.target),
            if form == TextFormat::Markup { "html" } else { "plain" }
        ));
        let mut headers = caller.with_key(KEY, "");
        if let Some(region) = self.region.as_deref().and_then(|region| HeaderValue::from_str(region).ok()) {
            headers.insert(REGION, region);
        }
        let question: Vec<_> = texts.into_iter().map(|text| Question { text }).collect();
        let answer = caller.post(&url, headers, &question, usize::MAX).await?;
        if !answer.is_success() {
            return Err(fault(&answer, batch));
        }
        let first = |made: Translations| made.translations.into_iter().next().map(|made| made.text);
        let texts: Option<Vec<_>> = answer.json::<Vec<Translations>>()?.into_iter().map(first).collect();
        texts.ok_or_else(|| EngineError::Unavailable("its answer has a text without a translation".to_owned()))
    }
}

/// Its errors have codes of six digits, of which the first three are the status.
fn fault(answer: &ServiceResponse, batch: &Batch) -> EngineError {
    let says = |codes: &[&str]| codes.iter().any(|code| answer.says(code));
    match answer.status {
        403 if says(&["403001"]) => EngineError::QuotaExhausted(answer.words()),
        400 if says(&["400050", "400072", "400077"]) => EngineError::TooLarge(answer.words()),
        400 if says(&["400019", "400023", "400035", "400036"]) => unknown_languages(batch),
        _ => answer.fault(),
    }
}
