//! Engines over HTTP. Each has a client of its own, asks with a mask that its service leaves alone, and reads what its
//! service says when it will not.

mod caller;
mod deepl;
mod languages;
mod libretranslate;
mod model_answer;
mod openai;
mod own;
mod prompt;
mod tags;

pub(super) use deepl::DeepL;
pub(super) use libretranslate::LibreTranslate;
pub(super) use openai::OpenAi;
pub(super) use own::Own;

use super::{Batch, EngineError, Limits, Segment, UnitError};
use crate::config::Remote;

/// Results of a batch.
type Results = Vec<Result<Vec<Segment>, UnitError>>;

/// The largest batch of an engine, as its table says.
fn limits(remote: &Remote) -> Limits {
    Limits::of(remote.max_items, remote.max_characters)
}

/// Returns true if the texts are asked for once more: with marks in plain text then, in the place of tags.
fn is_again(batch: &Batch) -> bool {
    batch.items.iter().any(|item| item.complaint.is_some())
}

/// The note for translators that all texts of a batch share.
fn shared_description(batch: &Batch) -> Option<&str> {
    let mut descriptions = batch.items.iter().map(|item| item.description.as_deref());
    let first = descriptions.next()??;
    descriptions.all(|other| other == Some(first)).then_some(first)
}

/// The results of answers that are in the order of their texts.
fn read<M>(answers: &[String], texts: &[M], read: impl Fn(&M, &str) -> Vec<Segment>) -> Result<Results, EngineError> {
    if answers.len() != texts.len() {
        // Which of them is whose is not known.
        return Err(EngineError::BadItem(format!("{} texts came back for {}", answers.len(), texts.len())));
    }
    Ok(answers.iter().zip(texts).map(|(answer, text)| Ok(read(text, answer))).collect())
}
