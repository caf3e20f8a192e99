//! Documents in results, and by the names that people use.

use l10n_client::Project;
use l10n_client::api::DocumentId;
use l10n_client::api::content::{Document, DocumentProblem};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::{Failure, FailureFacts};

/// Longest part of a text in a result, in characters of its JSON.
const LONGEST: usize = 20_000;

/// A document without its text.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DocumentView {
    document_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<String>,
    title: String,
    format: &'static str,
    language: String,
    characters: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    live_version_id: Option<String>,
    languages: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Value>,
}

impl From<Document> for DocumentView {
    fn from(document: Document) -> Self {
        let language = |language: &l10n_client::api::content::DocumentLanguage| {
            json!({
                "code": language.code.as_str(),
                "state": language.state.as_str(),
                "segments": language.segments,
                "translated": language.translated,
            })
        };
        let problem = |problem: &DocumentProblem| {
            let (text, translation, issues) = (&problem.text, &problem.translation, &problem.issues);
            json!({"text": text, "translation": translation, "issues": issues})
        };
        Self {
            document_id: document.doc_id.to_string(),
            external_id: document.external_id,
            title: document.title,
            format: document.format.as_str(),
            language: document.language.to_string(),
            characters: document.characters,
            live_version_id: document.live.map(|live| live.version_id.to_string()),
            languages: document.languages.iter().map(language).collect(),
            problems: document.problems.iter().map(problem).collect(),
        }
    }
}

/// The id of the document with this name.
pub(crate) async fn id_of(project: &Project, external_id: &str) -> Result<DocumentId, Failure> {
    match project.content().find(external_id).await? {
        Some(document) => Ok(document.doc_id),
        None => {
            let told = FailureFacts::new(
                "not_found",
                "The project has no document with this external_id.",
                "List documents with get_document.",
            );
            Err(told.detail("external_id", external_id).into())
        }
    }
}

/// The part of a text from a character on, and the first character after it.
pub(crate) fn part(text: &str, offset: usize) -> (String, Option<usize>) {
    let (mut size, mut taken) = (0, 0);
    let part: String = text
        .chars()
        .skip(offset)
        .take_while(|c| {
            // As its JSON writes it.
            size += match c {
                '"' | '\\' | '\n' | '\r' | '\t' => 2,
                c if c.is_control() => 6,
                _ => 1,
            };
            size <= LONGEST
        })
        .inspect(|_| taken += 1)
        .collect();
    let next = offset.saturating_add(taken);
    (part, text.chars().nth(next).map(|_| next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_text_are_the_text() {
        for text in ["", "short", &"ä\n\"".repeat(30_000), &"x".repeat(LONGEST), &"x".repeat(LONGEST + 1)] {
            let (mut whole, mut offset) = (String::new(), Some(0));
            while let Some(from) = offset {
                let (part, next) = part(text, from);
                assert!(serde_json::to_string(&part).unwrap().chars().count() <= LONGEST + 2);
                whole.push_str(&part);
                offset = next;
            }
            assert!(whole == text);
        }
        assert_eq!(part("abc", 9), (String::new(), None));
    }
}
