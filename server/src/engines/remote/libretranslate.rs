//! LibreTranslate: a server of the operator's own, as a rule.

use async_trait::async_trait;
use http::HeaderMap;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::caller::Caller;
use super::languages::libretranslate;
use super::tags::Markup;
use super::texts::{Form, TextService};
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

fn fault(answer: &Answer) -> EngineError {
    match answer.status {
        // Who has no key, or a wrong one, gets the same status as who has asked too much.
        403 if !answer.says("key") => EngineError::QuotaExhausted(answer.words()),
        400 if answer.says("text limit") || answer.says("batch limit") => EngineError::TooLarge(answer.words()),
        _ => answer.fault(),
    }
}

#[async_trait]
impl TextService for LibreTranslate {
    const MARKUP: Markup = Markup::Unescaped;

    async fn texts(
        &self,
        caller: &Caller,
        batch: &Batch,
        texts: Vec<&str>,
        form: Form,
    ) -> Result<Vec<String>, EngineError> {
        let key = caller.key();
        let question = Question {
            q: texts,
            source: libretranslate(&batch.source),
            target: libretranslate(&batch.target),
            format: if form == Form::Markup { "html" } else { "text" },
            api_key: key.as_ref().map(SecretText::expose),
        };
        let answer = caller.post(&caller.url("/translate"), HeaderMap::new(), &question, usize::MAX).await?;
        if !answer.is_success() {
            return Err(fault(&answer));
        }
        Ok(answer.json::<Translations>()?.texts)
    }
}
