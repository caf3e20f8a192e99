//! Chat models behind the API of OpenAI, whoever offers it.

use std::sync::atomic::{AtomicU8, Ordering};

use async_trait::async_trait;
use http::HeaderName;
use http::header::AUTHORIZATION;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::ServiceResponse;
use super::client::EngineClient;
use super::service::{BatchResults, TranslationService};
use super::{model_answer, prompt};
use crate::config::Model;
use crate::engines::marks::Marked;
use crate::engines::{Batch, EngineError, SupportedHints, UnitError};

/// The service of the kind `openai`.
#[derive(Debug)]
pub(crate) struct OpenAi {
    model: Model,
    /// The strictest form that the service takes, as an index of [`FORMS`]: found out by asking.
    form: AtomicU8,
}

/// The ways to ask for an answer's form, the strictest first.
const FORMS: [ResponseFormat; 3] = [ResponseFormat::Schema, ResponseFormat::Object, ResponseFormat::Free];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResponseFormat {
    Schema,
    Object,
    Free,
}

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    messages: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<ChatChoice>,
}

#[derive(Deserialize)]
struct ChatChoice {
    message: ChatMessage,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct ChatMessage {
    content: Option<String>,
    refusal: Option<String>,
}

impl OpenAi {
    /// The service that offers this model.
    pub(crate) fn new(model: Model) -> Self {
        Self { model, form: AtomicU8::new(0) }
    }

    /// Asks in the strictest form that the service takes.
    async fn complete(&self, caller: &EngineClient, messages: Value) -> Result<ServiceResponse, EngineError> {
        let mut question = Question {
            model: &self.model.name,
            messages,
            temperature: self.model.temperature,
            max_tokens: self.model.max_tokens,
            max_completion_tokens: self.model.max_completion_tokens,
            response_format: None,
        };
        let url = caller.url("/chat/completions");
        loop {
            let at = self.form.load(Ordering::Relaxed);
            let form = FORMS.get(usize::from(at)).copied().unwrap_or(ResponseFormat::Free);
            question.response_format = match form {
                ResponseFormat::Schema => Some(json!({
                    "type": "json_schema",
                    "json_schema": {"name": "translations", "strict": true, "schema": prompt::schema()},
                })),
                ResponseFormat::Object => Some(json!({"type": "json_object"})),
                ResponseFormat::Free => None,
            };
            let own = self.model.key_header.as_deref().and_then(|name| HeaderName::try_from(name).ok());
            let headers = match own {
                Some(name) => caller.with_key(name, ""),
                None => caller.with_key(AUTHORIZATION, "Bearer "),
            };
            let answer = caller.post(&url, headers, &question, usize::MAX).await?;
            if form == ResponseFormat::Free || !refuses_form(&answer) {
                return Ok(answer);
            }
            tracing::info!(url, said = answer.shown, "the service does not take the form of answers");
            // Another batch may have found it out meanwhile.
            let _ = self.form.compare_exchange(at, at + 1, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

fn refuses_form(answer: &ServiceResponse) -> bool {
    let words = ["response_format", "json_schema", "json_object"];
    matches!(answer.status, 400 | 422) && words.iter().any(|word| answer.says(word))
}

fn fault(answer: &ServiceResponse) -> EngineError {
    if answer.status == 429 && answer.says("insufficient_quota") {
        return EngineError::QuotaExhausted("insufficient_quota".to_owned());
    }
    answer.fault()
}

#[async_trait]
impl TranslationService for OpenAi {
    fn supported_hints(&self) -> SupportedHints {
        SupportedHints::All
    }

    async fn ask(&self, caller: &EngineClient, batch: &Batch) -> Result<BatchResults, EngineError> {
        let marked: Vec<_> = batch.items.iter().map(|item| Marked::new(&item.segments)).collect();
        let messages = prompt::messages(batch, &marked, self.model.instructions.as_deref());
        let answer = self.complete(caller, messages).await?;
        if !answer.is_success() {
            return Err(fault(&answer));
        }
        let Some(ChatChoice { message, finish_reason }) = answer.json::<Completion>()?.choices.into_iter().next()
        else {
            return Err(EngineError::Unavailable("its answer has no choice".to_owned()));
        };
        match (finish_reason.as_deref(), message) {
            (Some("length"), _) => Err(EngineError::TooLarge("its answer was cut off".to_owned())),
            (Some("content_filter"), _) => Err(EngineError::BadItem("its filter held the answer back".to_owned())),
            (_, ChatMessage { refusal: Some(refusal), .. }) if !refusal.is_empty() => {
                Err(EngineError::BadItem("the model refused".to_owned()))
            }
            (_, ChatMessage { content: Some(content), .. }) => Ok(model_answer::read(&content, &batch.target, &marked)),
            _ => Ok(vec![Err(UnitError::Unusable("it was empty".to_owned())); marked.len()]),
        }
    }
}
