//! Translations in which the checks find an error: an engine that is told of it is asked once more.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use l10n_api_types::{Check, State};

use super::super::pipeline::Work;
use super::super::{Batch, BatchItem, BatchLimits, EngineError, Engines, SupportedHints, TextSegment, UnitError};
use super::*;

/// An answer for all texts of a batch.
enum Answer {
    /// The same text for each.
    Text(&'static str),
    /// The pieces of each text from the last to the first.
    Reversed,
    Refused,
    Fault(EngineError),
}

/// Answers as its script says.
struct Scripted {
    supported: SupportedHints,
    script: Mutex<VecDeque<Answer>>,
    /// The complaints of each call, one for each text.
    asked: Mutex<Vec<Vec<Option<String>>>>,
}

#[async_trait]
impl Translator for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }
    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }
    fn limits(&self) -> BatchLimits {
        BatchLimits::of(10, 1_000)
    }
    fn supported_hints(&self) -> SupportedHints {
        self.supported
    }
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let complaints = batch.items.iter().map(|item| item.complaint.clone()).collect();
        self.asked.lock().unwrap().push(complaints);
        let answer = self.script.lock().unwrap().pop_front().expect("no more calls");
        if let Answer::Fault(fault) = answer {
            return Err(fault);
        }
        let result = |item: &BatchItem| match &answer {
            Answer::Text(text) => Ok(vec![TextSegment::Text((*text).to_owned())]),
            Answer::Reversed => Ok(item.segments.iter().rev().cloned().collect()),
            Answer::Refused | Answer::Fault(_) => Err(UnitError::Refused("no".to_owned())),
        };
        Ok(batch.items.iter().map(result).collect())
    }
}

/// Translates a text of at most eight characters: the translation, and the complaints of each call.
fn asked<const N: usize>(
    supported: SupportedHints,
    source: &str,
    script: [Answer; N],
) -> (TranslatedContent, Vec<Vec<Option<String>>>) {
    let engine = Arc::new(Scripted { supported, script: Mutex::new(script.into()), asked: Mutex::default() });
    let engines = Engines::from(Arc::clone(&engine) as Arc<dyn Translator>);
    let units = [SourceText { facts: Facts { max_length: Some(8), ..Facts::default() }, ..unit(text(source)) }];
    let mut work = Work::new("en", "de", &units);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let fault = runtime.block_on(work.attempt_all(&engines)).err();
    let translated = work.finish(fault.as_ref()).remove(0).unwrap();
    assert!(engine.script.lock().unwrap().is_empty(), "it is asked as often as the script says");
    let asked = engine.asked.lock().unwrap().clone();
    (translated, asked)
}

const TOO_LONG: &str = "the translation has an error: 9 characters, and 8 are allowed";

#[test]
fn what_is_too_long_is_asked_for_once_more_with_the_reason() {
    let script = [Answer::Text("Speichern"), Answer::Text("Sichern")];
    let (translated, asked) = asked(SupportedHints::All, "Save", script);
    assert_eq!((translated.content, translated.state), (text("Sichern"), State::Translated));
    assert_eq!(asked, [vec![None], vec![Some(TOO_LONG.to_owned())]]);
}

/// Whatever comes of it, the first answer is better than none.
#[test]
fn a_second_answer_is_taken_as_it_is_and_without_one_the_first_stays() {
    let unavailable = || EngineError::Unavailable("down".to_owned());
    for (second, expected) in [
        (Answer::Text("Abspeichern"), "Abspeichern"),
        (Answer::Text(""), "Speichern"),
        (Answer::Refused, "Speichern"),
        (Answer::Fault(unavailable()), "Speichern"),
        (Answer::Fault(EngineError::RateLimited { retry_after_seconds: 1 }), "Speichern"),
        (Answer::Fault(EngineError::QuotaExhausted("no".to_owned())), "Speichern"),
        (Answer::Fault(EngineError::BadItem("no".to_owned())), "Speichern"),
        (Answer::Fault(EngineError::Refused("no".to_owned())), "Speichern"),
    ] {
        let (translated, _) = asked(SupportedHints::All, "Save", [Answer::Text("Speichern"), second]);
        assert_eq!((translated.content, translated.state), (text(expected), State::NeedsReview));
    }
}

#[test]
fn tags_that_are_not_closed_in_order_are_asked_for_once_more() {
    let (translated, asked) = asked(SupportedHints::All, "<b>a</b>", [Answer::Reversed, Answer::Reversed]);
    assert!(translated.issues.iter().any(|issue| issue.check == Check::Tags), "{translated:?}");
    let complaint = "the translation has an error: the tag `</b>` is not closed in order";
    assert_eq!(asked, [vec![None], vec![Some(complaint.to_owned())]]);
}

/// The text inside a message that an engine translates is a part of a text.
#[test]
fn a_message_that_is_too_long_is_asked_for_once() {
    let script = [Answer::Text("eine ganze Datei")];
    let (translated, _) = asked(SupportedHints::All, "{n, plural, other {a file}}", script);
    assert_eq!(translated.state, State::NeedsReview, "{translated:?}");
}

#[test]
fn an_engine_that_is_told_no_reason_is_asked_once() {
    for supported in [SupportedHints::Nothing, SupportedHints::Context] {
        let (translated, asked) = asked(supported, "Save", [Answer::Text("Speichern")]);
        assert_eq!((translated.state, asked.len()), (State::NeedsReview, 1));
    }
}
