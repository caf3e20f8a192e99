//! DeepL.

use std::collections::HashSet;

use async_trait::async_trait;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use serde::{Deserialize, Serialize};

use super::client::{EngineClient, key_header};
use super::languages::{deepl_source, deepl_target};
use super::service::GlossaryCalls;
use super::tags::ServiceMarkup;
use super::texts::{TextFormat, TextService, unknown_languages};
use crate::config::{Formality, deepl_address};
use crate::engines::{Batch, BatchItem, BatchLimits, EngineError, SupportedHints, TextSegment};

/// Most texts of a request.
const MOST_TEXTS: usize = 50;

/// Most bytes of a request.
const MOST_BYTES: usize = 131_072;

/// Most characters of the context that goes along with a request.
const LONGEST_CONTEXT: usize = 2_000;

/// The service of the kind `deepl`.
#[derive(Debug)]
pub(crate) struct DeepL {
    /// The form of address.
    pub(crate) formality: Option<Formality>,
    /// True if the plan of the key says which address is asked.
    pub(crate) address_by_key: bool,
}

impl DeepL {
    /// The address with this path behind it, and the headers. Both are of one key: another one may be of another plan.
    pub(super) fn request(&self, caller: &EngineClient, path: &str) -> (String, HeaderMap) {
        let key = caller.key();
        let url = match &key {
            Some(key) if self.address_by_key => format!("{}{path}", deepl_address(key)),
            _ => caller.url(path),
        };
        (url, key_header(key.as_ref(), AUTHORIZATION, "DeepL-Auth-Key "))
    }
}

#[derive(Serialize)]
struct Question<'a> {
    text: Vec<&'a str>,
    source_lang: String,
    target_lang: String,
    preserve_formatting: bool,
    split_sentences: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formality: Option<Formality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    glossary_id: Option<&'a str>,
    #[serde(flatten)]
    tags: Option<TagHandling<'a>>,
}

/// The treatment of tags, where there are any.
#[derive(Serialize)]
struct TagHandling<'a> {
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

#[async_trait]
impl TextService for DeepL {
    const MARKUP: ServiceMarkup = ServiceMarkup::Xml;

    fn supports(&self, source: &str, target: &str) -> bool {
        deepl_source(source).is_some() && deepl_target(target).is_some()
    }

    fn limits(&self, allowed: BatchLimits) -> BatchLimits {
        BatchLimits { max_items: allowed.max_items.min(MOST_TEXTS), max_bytes: MOST_BYTES / 2, ..allowed }
    }

    fn supported_hints(&self) -> SupportedHints {
        SupportedHints::Context
    }

    fn glossaries(&self) -> Option<&dyn GlossaryCalls> {
        Some(self)
    }

    async fn texts(
        &self,
        caller: &EngineClient,
        batch: &Batch,
        text: Vec<&str>,
        form: TextFormat,
    ) -> Result<Vec<String>, EngineError> {
        let codes = deepl_source(&batch.source).zip(deepl_target(&batch.target));
        let (source_lang, target_lang) = codes.ok_or_else(|| unknown_languages(batch))?;
        let tags = TagHandling { tag_handling: "xml", tag_handling_version: "v2", ignore_tags: ["x"] };
        let mut question = Question {
            text,
            source_lang,
            target_lang,
            preserve_formatting: true,
            split_sentences: "0",
            context: context(batch),
            formality: self.formality,
            glossary_id: batch.service_glossary.as_deref(),
            tags: (form == TextFormat::Markup).then_some(tags),
        };
        let (url, headers) = self.request(caller, "/v2/translate");
        let mut answer = caller.post(&url, headers.clone(), &question, MOST_BYTES).await?;
        if answer.status == 404
            && let Some(glossary) = question.glossary_id
        {
            return Err(EngineError::GlossaryLost(format!("{glossary}: {}", answer.words())));
        }
        if answer.status == 400 && question.glossary_id.is_some() && answer.says("lossary") {
            // It is not the texts that it does not take.
            question.glossary_id = None;
            answer = caller.post(&url, headers, &question, MOST_BYTES).await?;
        }
        match answer.status {
            200 => Ok(answer.json::<Translations>()?.translations.into_iter().map(|made| made.text).collect()),
            456 => Err(EngineError::QuotaExhausted("it answered 456".to_owned())),
            _ => Err(answer.fault()),
        }
    }
}

/// The context of a batch: the project's style note, the note for translators that all texts share, and the texts around
/// them, a line each, as far as there is room. DeepL reads it and does not translate it.
fn context(batch: &Batch) -> Option<String> {
    let text = |item: &BatchItem| item.segments.iter().map(TextSegment::original).collect();
    let texts: HashSet<String> = batch.items.iter().map(text).collect();
    let around = batch.items.iter().flat_map(|item| {
        let neighbours = &item.hints.neighbours;
        neighbours.before.iter().chain(&neighbours.after)
    });
    let around = around.filter(|neighbour| !texts.contains(*neighbour)).map(String::as_str);
    let notes = batch.style.as_deref().into_iter().chain(shared_description(batch));
    let (mut seen, mut lines, mut room) = (HashSet::new(), Vec::new(), LONGEST_CONTEXT);
    for line in notes.chain(around).filter(|line| seen.insert(*line)) {
        let Some(left) = room.checked_sub(line.chars().count() + 1) else { continue };
        room = left;
        lines.push(line);
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The note for translators that all texts of a batch share.
fn shared_description(batch: &Batch) -> Option<&str> {
    let mut descriptions = batch.items.iter().map(|item| item.description.as_deref());
    let first = descriptions.next()??;
    descriptions.all(|other| other == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::{EngineKey, Remote};

    #[tokio::test]
    async fn a_key_of_another_plan_is_asked_about_at_the_address_of_that_plan() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "one:fx").unwrap();
        let remote = Remote {
            address: "https://start.test".to_owned(),
            key: Some(EngineKey::of_file(file.path()).unwrap()),
            timeout: Duration::from_secs(1),
            max_items: 1,
            max_characters: 1,
            at_once: 1,
        };
        let caller = EngineClient::new(&remote);
        let asked = |address_by_key| {
            let (url, headers) = DeepL { formality: None, address_by_key }.request(&caller, "/v2/translate");
            (url, headers[AUTHORIZATION].to_str().unwrap().to_owned())
        };
        assert_eq!(asked(true), ("https://api-free.deepl.com/v2/translate".into(), "DeepL-Auth-Key one:fx".into()));
        std::fs::write(file.path(), "two").unwrap();
        assert!(caller.renew_key().await);
        assert_eq!(asked(true), ("https://api.deepl.com/v2/translate".into(), "DeepL-Auth-Key two".into()));
        assert_eq!(asked(false).0, "https://start.test/v2/translate", "an address that is stated stays");
    }
}
