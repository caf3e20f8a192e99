//! LibreTranslate: a server of the operator's own, as a rule.

use async_trait::async_trait;
use http::HeaderMap;
use serde::{Deserialize, Serialize};

use super::caller::{Answer, Caller};
use super::languages::libretranslate;
use super::tags::{Markup, Tagged};
use super::{Results, is_again, limits};
use crate::config::Remote;
use crate::engines::marks::Marked;
use crate::engines::{Batch, EngineError, Limits, Translator};

/// The engine `libretranslate`.
#[derive(Debug)]
pub(crate) struct LibreTranslate {
    name: String,
    remote: Remote,
    caller: Caller,
}

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

impl LibreTranslate {
    /// The engine of this name.
    pub(crate) fn new(name: &str, remote: Remote) -> Self {
        Self { name: name.to_owned(), caller: Caller::new(&remote), remote }
    }

    async fn ask(&self, batch: &Batch, texts: Vec<&str>, format: &str) -> Result<Vec<String>, EngineError> {
        let question = Question {
            q: texts,
            source: libretranslate(&batch.source),
            target: libretranslate(&batch.target),
            format,
            api_key: self.caller.key(),
        };
        let url = format!("{}/translate", self.remote.address);
        let answer = self.caller.post(&url, HeaderMap::new(), &question, usize::MAX).await?;
        if !answer.is_success() {
            return Err(fault(&answer));
        }
        Ok(answer.json::<Translations>()?.texts)
    }
}

fn fault(answer: &Answer) -> EngineError {
    let words = || format!("it answered {}: {}", answer.status, answer.shown);
    match answer.status {
        // Who has no key, or a wrong one, gets the same status as who has asked too much.
        403 if !answer.says("key") => EngineError::QuotaExhausted(words()),
        400 if answer.says("text limit") || answer.says("batch limit") => EngineError::TooLarge(words()),
        _ => answer.fault(),
    }
}

#[async_trait]
impl Translator for LibreTranslate {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, _source: &str, _target: &str) -> bool {
        true
    }

    fn limits(&self) -> Limits {
        limits(&self.remote)
    }

    fn problem(&self) -> Option<String> {
        self.caller.problem()
    }

    async fn translate(&self, batch: &Batch) -> Result<Results, EngineError> {
        if is_again(batch) {
            let marked: Vec<_> = batch.items.iter().map(|item| Marked::new(&item.segments)).collect();
            let texts = marked.iter().map(|marked| marked.text.as_str()).collect();
            let answers = self.ask(batch, texts, "text").await?;
            return super::read(&answers, &marked, Marked::read);
        }
        let tagged: Vec<_> = batch.items.iter().map(|item| Tagged::new(&item.segments, Markup::Unescaped)).collect();
        let texts = tagged.iter().map(|tagged| tagged.text.as_str()).collect();
        let answers = self.ask(batch, texts, "html").await?;
        super::read(&answers, &tagged, Tagged::read)
    }
}
