//! The JSON that an engine of one's own is asked with and answers with. `docs/engines.md` describes it for its authors.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::hints::ItemHints;
use super::marks::{Marked, mark};
use super::words::shown;
use super::{Batch, EngineError, TextSegment, UnitError};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Question<'a> {
    version: u32,
    source: &'a str,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    style: Option<&'a str>,
    items: Vec<QuestionItem<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QuestionItem<'a> {
    id: usize,
    text: &'a str,
    placeholders: Vec<Legend<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complaint: Option<&'a str>,
    #[serde(flatten)]
    hints: ItemHints<'a>,
}

#[derive(Serialize)]
struct Legend<'a> {
    mark: String,
    original: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BatchResponse {
    #[serde(default)]
    items: Vec<AnswerItem>,
    error: Option<String>,
    retry_after_seconds: Option<u64>,
    #[serde(default)]
    quota_exhausted: bool,
}

#[derive(Deserialize)]
struct AnswerItem {
    id: usize,
    text: Option<String>,
    error: Option<String>,
}

/// A batch as it is asked, and how its answer is read.
pub(super) struct BatchRequest {
    pub(super) json: Vec<u8>,
    marked: Vec<Marked>,
}

impl BatchRequest {
    pub(super) fn new(batch: &Batch) -> Result<Self, EngineError> {
        let marked: Vec<Marked> = batch.items.iter().map(|item| Marked::new(&item.segments)).collect();
        let items = batch.items.iter().zip(&marked).enumerate().map(|(id, (item, marked))| QuestionItem {
            id,
            text: &marked.text,
            placeholders: legend(marked),
            description: item.description.as_deref(),
            max_length: item.max_length,
            complaint: item.complaint.as_deref(),
            hints: ItemHints::of(item),
        });
        let question = Question {
            version: 1,
            source: &batch.source,
            target: &batch.target,
            style: batch.style.as_deref(),
            items: items.collect(),
        };
        let mut json = serde_json::to_vec(&question)
            .map_err(|error| EngineError::Refused(format!("the batch cannot be written as JSON: {error}")))?;
        json.push(b'\n');
        Ok(Self { json, marked })
    }

    /// The result of each item, in the order of the batch.
    pub(super) fn read(&self, answer: &[u8]) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let answer: BatchResponse = serde_json::from_slice(answer).map_err(|error| {
            let error = shown(&error.to_string());
            EngineError::Unavailable(format!("its answer is not the JSON that was asked for: {error}"))
        })?;
        if answer.quota_exhausted {
            return Err(EngineError::QuotaExhausted("it says so".to_owned()));
        }
        match (answer.error, answer.retry_after_seconds) {
            (_, Some(retry_after_seconds)) => return Err(EngineError::RateLimited { retry_after_seconds }),
            (Some(error), None) => return Err(EngineError::Refused(shown(&error))),
            (None, None) => {}
        }
        let mut items = HashMap::new();
        for item in answer.items {
            let id = item.id;
            if id >= self.marked.len() || items.insert(id, item).is_some() {
                return Err(EngineError::Unavailable(format!(
                    "it answered for item {id}, which was not asked for, or twice"
                )));
            }
        }
        let result = |(id, marked): (usize, &Marked)| match items.remove(&id) {
            Some(AnswerItem { error: Some(error), .. }) => Err(UnitError::Refused(shown(&error))),
            Some(AnswerItem { text: Some(text), .. }) => Ok(marked.read(&text)),
            _ => Err(UnitError::Refused("it gave no translation".to_owned())),
        };
        Ok(self.marked.iter().enumerate().map(result).collect())
    }
}

fn legend(marked: &Marked) -> Vec<Legend<'_>> {
    marked
        .legend
        .iter()
        .map(TextSegment::original)
        .enumerate()
        .map(|(at, original)| Legend { mark: mark(at + 1), original })
        .collect()
}
