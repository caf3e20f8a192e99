//! Glossaries that DeepL keeps. One never changes: a list that has changed is another one.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::client::EngineClient;
use super::deepl::DeepL;
use super::languages::deepl_glossary;
use super::service::GlossaryCalls;
use crate::engines::{EngineError, MadeGlossary, NewGlossary};

/// Most bytes of a glossary.
const MOST_BYTES: usize = 10 * 1024 * 1024;

/// Most bytes of a term, and of its translation.
const LONGEST_TEXT: usize = 1_024;

#[derive(Serialize)]
struct Question<'a> {
    name: &'a str,
    source_lang: String,
    target_lang: String,
    entries: String,
    entries_format: &'a str,
}

#[derive(Deserialize)]
struct CreatedGlossary {
    glossary_id: String,
    #[serde(default = "ready")]
    ready: bool,
}

const fn ready() -> bool {
    true
}

#[async_trait]
impl GlossaryCalls for DeepL {
    async fn make(
        &self,
        caller: &EngineClient,
        glossary: &NewGlossary<'_>,
    ) -> Result<Option<MadeGlossary>, EngineError> {
        let codes = deepl_glossary(glossary.source).zip(deepl_glossary(glossary.target));
        let entries = entries(glossary.terms);
        let Some((source_lang, target_lang)) = codes.filter(|(source, target)| source != target) else {
            return Ok(None);
        };
        if entries.is_empty() {
            return Ok(None);
        }
        let question = Question { name: glossary.name, source_lang, target_lang, entries, entries_format: "tsv" };
        let (url, headers) = self.request(caller, "/v2/glossaries");
        let answer = caller.post(&url, headers, &question, MOST_BYTES).await?;
        match answer.status {
            200 | 201 => {
                let CreatedGlossary { glossary_id: id, ready: is_ready } = answer.json()?;
                Ok(Some(MadeGlossary { id, is_ready }))
            }
            456 => Err(EngineError::Refused(format!("there are as many glossaries as it keeps: {}", answer.words()))),
            _ => Err(answer.fault()),
        }
    }

    async fn remove(&self, caller: &EngineClient, id: &str) -> Result<(), EngineError> {
        let id: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        let (url, headers) = self.request(caller, &format!("/v2/glossaries/{id}"));
        let answer = caller.delete(&url, headers).await?;
        match answer.status {
            200 | 204 | 404 => Ok(()),
            _ => Err(answer.fault()),
        }
    }
}

/// Terms and translations as lines, without those that no line can have.
fn entries(terms: &[(String, String)]) -> String {
    let lines = terms.iter().filter(|(term, translation)| is_sound(term) && is_sound(translation));
    lines.map(|(term, translation)| format!("{term}\t{translation}")).collect::<Vec<_>>().join("\n")
}

fn is_sound(text: &str) -> bool {
    let is_separator = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    !text.is_empty() && text.trim() == text && text.len() <= LONGEST_TEXT && !text.contains(is_separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_line_can_have_is_left_out() {
        let terms = [("cart", "Korb"), ("a\tb", "c"), ("line", "a\u{2028}b"), (" x", "y"), ("Acme", "Acme")];
        let long = ("long".to_owned(), "x".repeat(LONGEST_TEXT + 1));
        let mut terms: Vec<_> = terms.map(|(term, text)| (term.to_owned(), text.to_owned())).into();
        terms.push(long);
        assert_eq!(entries(&terms), "cart\tKorb\nAcme\tAcme");
    }
}
