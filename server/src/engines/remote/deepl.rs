//! DeepL.

use async_trait::async_trait;
use http::header::AUTHORIZATION;
use serde::{Deserialize, Serialize};

use super::caller::Caller;
use super::languages::{deepl_source, deepl_target};
use super::tags::{Markup, Tagged};
use super::{Results, is_again, limits, shared_description};
use crate::config::{Formality, Remote};
use crate::engines::marks::Marked;
use crate::engines::{Batch, EngineError, Limits, Translator};

/// Most texts of a request.
const MOST_TEXTS: usize = 50;

/// Most bytes of a request.
const MOST_BYTES: usize = 131_072;

/// The engine `deepl`.
#[derive(Debug)]
pub(crate) struct DeepL {
    name: String,
    remote: Remote,
    formality: Option<Formality>,
    caller: Caller,
}

#[derive(Serialize)]
struct Question<'a> {
    text: Vec<&'a str>,
    source_lang: String,
    target_lang: String,
    preserve_formatting: bool,
    split_sentences: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formality: Option<Formality>,
    #[serde(flatten)]
    tags: Option<Tags<'a>>,
}

/// The treatment of tags, where there are any.
#[derive(Serialize)]
struct Tags<'a> {
    tag_handling: &'a str,
    tag_handling_version: &'a str,
    ignore_tags: [&'a str; 1],
}

#[derive(Deserialize)]
struct Translations {
    translations: Vec<Translation>,
}

#[derive(Deserialize)]
struct Translation {
    text: String,
}

impl DeepL {
    /// The engine of this name.
    pub(crate) fn new(name: &str, remote: Remote, formality: Option<Formality>) -> Self {
        Self { name: name.to_owned(), caller: Caller::new(&remote), remote, formality }
    }

    async fn ask(&self, batch: &Batch, text: Vec<&str>, tags: Option<Tags<'_>>) -> Result<Vec<String>, EngineError> {
        let codes = deepl_source(&batch.source).zip(deepl_target(&batch.target));
        let Some((source_lang, target_lang)) = codes else {
            return Err(EngineError::Refused(format!("it does not speak {} and {}", batch.source, batch.target)));
        };
        let question = Question {
            text,
            source_lang,
            target_lang,
            preserve_formatting: true,
            split_sentences: "0",
            context: shared_description(batch),
            formality: self.formality,
            tags,
        };
        let url = format!("{}/v2/translate", self.remote.address);
        let headers = self.caller.with_key(AUTHORIZATION, "DeepL-Auth-Key ");
        let answer = self.caller.post(&url, headers, &question, MOST_BYTES).await?;
        match answer.status {
            200 => Ok(answer.json::<Translations>()?.translations.into_iter().map(|made| made.text).collect()),
            456 => Err(EngineError::QuotaExhausted("it answered 456".to_owned())),
            _ => Err(answer.fault()),
        }
    }
}

#[async_trait]
impl Translator for DeepL {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, source: &str, target: &str) -> bool {
        deepl_source(source).is_some() && deepl_target(target).is_some()
    }

    fn limits(&self) -> Limits {
        let limits = limits(&self.remote);
        Limits { max_items: limits.max_items.min(MOST_TEXTS), max_bytes: MOST_BYTES / 2, ..limits }
    }

    fn problem(&self) -> Option<String> {
        self.caller.problem()
    }

    async fn translate(&self, batch: &Batch) -> Result<Results, EngineError> {
        if is_again(batch) {
            let marked: Vec<_> = batch.items.iter().map(|item| Marked::new(&item.segments)).collect();
            let texts = marked.iter().map(|marked| marked.text.as_str()).collect();
            let answers = self.ask(batch, texts, None).await?;
            return super::read(&answers, &marked, Marked::read);
        }
        let tagged: Vec<_> = batch.items.iter().map(|item| Tagged::new(&item.segments, Markup::Xml)).collect();
        let texts = tagged.iter().map(|tagged| tagged.text.as_str()).collect();
        let tags = Tags { tag_handling: "xml", tag_handling_version: "v2", ignore_tags: ["x"] };
        let answers = self.ask(batch, texts, Some(tags)).await?;
        super::read(&answers, &tagged, Tagged::read)
    }
}
