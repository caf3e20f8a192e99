//! LibreTranslate: a server of the operator's own, as a rule.

use async_trait::async_trait;
use http::HeaderMap;
use serde::{Deserialize, Serialize};

use super::answer::ServiceResponse;
use super::client::EngineClient;
use super::languages::libretranslate;
use super::tags::ServiceMarkup;
use super::texts::{TextFormat, TextService, unknown_languages};
use crate::config::SecretText;
use crate::engines::{Batch, EngineError};

/// The service of the kind `libretranslate`.
#[derive(Debug)]
pub(crate) struct LibreTranslate;

#[derive(Serialize)]
struct Question<'a> {
    q: Vec<&'a str>,
    source: &'a str,
    target: &'a str,
    format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key: Option<&'a str>,
}

#[derive(Deserialize)]
struct Translations {
    #[serde(rename = "translatedText")]
    texts: Vec<String>,
}

fn fault(answer: &ServiceResponse, batch: &Batch) -> EngineError {
    match answer.status {
        // A wrong key gets the same status as too many requests, and none that of a bad request.
        403 if !answer.is_barred() && !answer.says("key") => EngineError::QuotaExhausted(answer.words()),
        400 if answer.says("API key") => EngineError::Misconfigured(answer.words()),
        400 if answer.says("is not supported") || answer.says("is not available as a target language") => {
            unknown_languages(batch)
        }
        400 if answer.says("text limit") || answer.says("batch limit") => EngineError::TooLarge(answer.words()),
        _ => answer.fault(),
    }
}

#[async_trait]
impl TextService for LibreTranslate {
    const MARKUP: ServiceMarkup = ServiceMarkup::Unescaped;

    async fn texts(
        &self,
        caller: &EngineClient,
        batch: &Batch,
        texts: Vec<&str>,
        form: TextFormat,
    ) -> Result<Vec<String>, EngineError> {
        let key = caller.key();
        let question = Question {
            q: texts,
            source: libretranslate(&batch.source),
            target: libretranslate(&batch.target),
            format: if form == TextFormat::Markup { "html" } else { "text" },
            api_key: key.as_ref().map(SecretText::expose),
        };
        let answer = caller.post(&caller.url("/translate"), HeaderMap::new(), &question, usize::MAX).await?;
        if !answer.is_success() {
            return Err(fault(&answer, batch));
        }
        Ok(answer.json::<Translations>()?.texts)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The words are those of LibreTranslate's source.
    #[test]
    fn its_words_tell_what_its_status_does_not() {
        let batch = Batch {
            source: "en".to_owned(),
            target: "lo".to_owned(),
            style: None,
            service_glossary: None,
            items: Vec::new(),
        };
        let said = |status: u16, words: &str| {
            let body = json!({ "error": words }).to_string().into_bytes();
            fault(&ServiceResponse::new(status, &HeaderMap::new(), body, None), &batch)
        };
        for (status, words) in [
            (403, "Invalid API key"),
            (400, "Please contact the server operator to get an API key"),
            (400, "Visit https://portal.libretranslate.com to get an API key"),
        ] {
            assert!(matches!(said(status, words), EngineError::Misconfigured(_)), "{words}");
        }
        for words in ["lo is not supported", "Lao (lo) is not available as a target language from English (en)"] {
            let expected = EngineError::UnknownLanguages("it does not speak en and lo".to_owned());
            assert_eq!(said(400, words), expected, "{words}");
        }
        let too_large = said(400, "Invalid request: request (26) exceeds text limit (25)");
        assert!(matches!(too_large, EngineError::TooLarge(_)));
        assert!(matches!(said(400, "Invalid JSON format"), EngineError::BadItem(_)));
        let page = b"<html>Sorry, you have been blocked</html>".to_vec();
        let page = ServiceResponse::new(403, &HeaderMap::new(), page, None);
        assert!(matches!(fault(&page, &batch), EngineError::Barred(_)));
        assert!(matches!(said(403, "Too many request limits violations"), EngineError::QuotaExhausted(_)));
    }
}
