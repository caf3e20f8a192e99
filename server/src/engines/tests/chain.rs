//! Chains: what one engine cannot do the next is asked for, and each content is the work of one engine.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::super::pipeline::Work;
use super::super::{Batch, BatchItem, BatchLimits, EngineError, Engines, TextSegment, UnitError};
use super::*;

/// Gives texts back with its name before them, and fails as it is told.
#[derive(Default)]
struct Told {
    name: &'static str,
    refuses: &'static str,
    /// The fates of its batches, from the first; those after them are answered.
    faults: Mutex<VecDeque<Option<EngineError>>>,
    speaks: Option<&'static str>,
    loses: bool,
    asked: Mutex<HashMap<String, usize>>,
}

#[async_trait]
impl Translator for Told {
    fn name(&self) -> &str {
        self.name
    }
    fn supports(&self, _: &str, target: &str) -> bool {
        self.speaks.is_none_or(|only| only == target)
    }
    fn limits(&self) -> BatchLimits {
        BatchLimits::of(2, 1_000)
    }
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let answer = |item: &BatchItem| {
            let Some(TextSegment::Text(text)) = item.segments.first() else { panic!("a text first") };
            *self.asked.lock().unwrap().entry(text.clone()).or_default() += 1;
            if !self.refuses.is_empty() && text.contains(self.refuses) {
                return Err(UnitError::Refused("no".to_owned()));
            }
            let mut segments = vec![TextSegment::Text(format!("{} ", self.name))];
            segments.extend(item.segments.iter().take(if self.loses { 1 } else { 9 }).cloned());
            Ok(segments)
        };
        let answers = batch.items.iter().map(answer).collect();
        match self.faults.lock().unwrap().pop_front().flatten() {
            Some(fault) => Err(fault),
            None => Ok(answers),
        }
    }
}

fn chain(members: &[&Arc<Told>]) -> Engines {
    let dynamic = |engine: &&Arc<Told>| Arc::clone(engine) as Arc<dyn Translator>;
    Engines::new(members.iter().map(dynamic).collect())
}

fn told(name: &'static str) -> Told {
    Told { name, ..Told::default() }
}

fn block<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn made(results: Vec<Result<TranslatedContent, TranslationFailure>>) -> Vec<Result<(String, String), &'static str>> {
    let made = |result: Result<TranslatedContent, TranslationFailure>| match result {
        Ok(TranslatedContent { content: Content::Text(text), engine, .. }) => Ok((text, engine)),
        Ok(_) => panic!("a text"),
        Err(failure) => Err(failure.code()),
    };
    results.into_iter().map(made).collect()
}

fn by(engine: &str, text: &str) -> Result<(String, String), &'static str> {
    Ok((format!("{engine} {text}"), engine.to_owned()))
}

#[test]
fn the_next_engine_is_asked_for_what_one_refuses_or_loses_and_for_nothing_else() {
    let first = Arc::new(Told { refuses: "bad", ..told("first") });
    let second = Arc::new(Told { refuses: "worse", ..told("second") });
    let units = ["good", "bad", "good {x}", "bad worse", "also good"].map(|source| unit(text(source)));
    let mut work = Work::new("en", "de", &units);
    block(work.attempt_all(&chain(&[&first, &second]))).unwrap();
    let results = made(work.finish(None));
    let expected = [
        by("first", "good"),
        by("second", "bad"),
        by("first", "good {x}"),
        Err("engine_refused"),
        by("first", "also good"),
    ];
    assert_eq!(results, expected);
    assert_eq!(second.asked.lock().unwrap().len(), 2);

    let forgetful = Arc::new(Told { loses: true, ..told("first") });
    let mut work = Work::new("en", "de", &units[..3]);
    block(work.attempt_all(&chain(&[&forgetful, &second]))).unwrap();
    assert_eq!(made(work.finish(None))[2], by("second", "good {x}"));
}

#[test]
fn an_engine_is_not_asked_for_languages_that_it_does_not_speak() {
    let first = Arc::new(Told { speaks: Some("fr"), ..told("first") });
    let units = [unit(text("good"))];
    let mut work = Work::new("en", "de", &units);
    block(work.attempt_all(&chain(&[&first, &Arc::new(told("second"))]))).unwrap();
    assert_eq!(made(work.finish(None)), [by("second", "good")]);
    assert!(first.asked.lock().unwrap().is_empty());
    let mut work = Work::new("en", "de", &units);
    block(work.attempt_all(&chain(&[&first]))).unwrap();
    assert_eq!(made(work.finish(None)), [Err("engine_refused")]);
}

/// Of the engines of a chain one may not speak the languages: why the others have not translated says more.
#[test]
fn that_an_engine_does_not_speak_the_languages_is_said_where_nothing_else_is() {
    let units = [unit(text("good"))];
    let silent = || Arc::new(Told { speaks: Some("fr"), ..told("silent") });
    let failing = |fault| Arc::new(Told { faults: Mutex::new([Some(fault)].into()), ..told("failing") });
    for (fault, code) in [
        (EngineError::QuotaExhausted("no".to_owned()), "engine_quota_exhausted"),
        (EngineError::Misconfigured("no".to_owned()), "engine_unavailable"),
        (EngineError::Unavailable("no".to_owned()), "engine_unavailable"),
        (EngineError::UnknownLanguages("no".to_owned()), "engine_refused"),
    ] {
        for is_first in [false, true] {
            let (failing, silent) = (failing(fault.clone()), silent());
            let members = if is_first { [&failing, &silent] } else { [&silent, &failing] };
            let mut work = Work::new("en", "de", &units);
            let error = block(work.attempt_all(&chain(&members))).err();
            assert_eq!(made(work.finish(error.as_ref())), [Err(code)], "{fault}, {is_first}");
        }
    }
}

#[test]
fn an_engine_that_does_not_know_the_languages_is_asked_once() {
    let unknown = EngineError::UnknownLanguages("no".to_owned());
    let first = Arc::new(Told { faults: Mutex::new([Some(unknown)].into()), ..told("first") });
    let units = ["a", "b", "c", "d"].map(|source| unit(text(source)));
    let mut work = Work::new("en", "de", &units);
    block(work.attempt_all(&chain(&[&first, &Arc::new(told("second"))]))).unwrap();
    assert_eq!(made(work.finish(None)), ["a", "b", "c", "d"].map(|text| by("second", text)));
    assert_eq!(first.asked.lock().unwrap().len(), 2, "the first batch of two");
}

/// A content with several texts is never the work of two engines.
#[test]
fn a_content_of_several_texts_goes_to_the_next_engine_as_a_whole() {
    let first = Arc::new(Told { refuses: "bad", ..told("first") });
    let units = [unit(plural([(PluralCategory::One, "good"), (PluralCategory::Other, "bad")])), unit(text("good"))];
    let mut work = Work::new("en", "de", &units);
    block(work.attempt_all(&chain(&[&first, &Arc::new(told("second"))]))).unwrap();
    let results = work.finish(None);
    let plural = results[0].as_ref().unwrap();
    assert_eq!(plural.engine, "second");
    let Content::Plural(Plural { forms, .. }) = &plural.content else { panic!("a plural") };
    assert!(forms.values().all(|form| form.starts_with("second ")), "{forms:?}");
    assert_eq!(results[1].as_ref().unwrap().engine, "first");
}

/// The next one may be dearer.
#[test]
fn an_engine_that_is_busy_is_asked_for_its_texts_until_the_last_attempt() {
    let busy = || Some(EngineError::RateLimited { retry_after_seconds: 0 });
    let units = ["a", "b", "c", "bad"].map(|source| unit(text(source)));
    for (busy_for, by_whom) in [(2, "first"), (3, "second")] {
        let faults = std::iter::once(None).chain((0..busy_for).map(|_| busy()));
        let first = Arc::new(Told { refuses: "bad", faults: Mutex::new(faults.collect()), ..told("first") });
        let second = Arc::new(told("second"));
        let engines = chain(&[&first, &second]);
        let mut work = Work::new("en", "de", &units).with_attempts(3);
        for _ in 0..2 {
            assert_eq!(block(work.attempt_all(&engines)), Err(busy().unwrap()));
            assert!(second.asked.lock().unwrap().is_empty(), "they wait for the first");
        }
        block(work.attempt_all(&engines)).unwrap();
        let expected = [by("first", "a"), by("first", "b"), by(by_whom, "c"), by("second", "bad")];
        assert_eq!(made(work.finish(None)), expected);
    }

    // Without an answer there is no reason to wait.
    let down = Some(EngineError::Unavailable("down".to_owned()));
    let first = Arc::new(Told { faults: Mutex::new([down].into()), ..told("first") });
    let mut work = Work::new("en", "de", &units[..1]).with_attempts(3);
    block(work.attempt_all(&chain(&[&first, &Arc::new(told("second"))]))).unwrap();
    assert_eq!(made(work.finish(None)), [by("second", "a")]);
}

/// The answers before a fault are kept, and are not asked for again.
#[test]
fn another_attempt_goes_on_where_the_one_before_ended() {
    let down = || EngineError::Unavailable("down".to_owned());
    let units = ["a", "b", "c", "d"].map(|source| unit(text(source)));
    // Two texts go in the first batch; the second batch fails.
    let only = Arc::new(Told { faults: Mutex::new([None, Some(down())].into()), ..told("first") });
    let mut work = Work::new("en", "de", &units);
    block(async {
        let engines = chain(&[&only]);
        assert_eq!(work.attempt_all(&engines).await, Err(down()));
        assert_eq!(work.attempt_all(&engines).await, Ok(()));
    });
    assert_eq!(made(work.finish(None)), ["a", "b", "c", "d"].map(|text| by("first", text)));
    let asked = only.asked.lock().unwrap();
    assert_eq!((asked["a"], asked["c"]), (1, 2));

    let stays_down = Arc::new(Told { faults: Mutex::new([Some(down()), Some(down())].into()), ..told("first") });
    let second = Arc::new(Told { refuses: "b", ..told("second") });
    let mut work = Work::new("en", "de", &units);
    let fault = block(async {
        let engines = chain(&[&stays_down, &second]);
        work.attempt_all(&engines).await.unwrap_err();
        work.attempt_all(&engines).await.unwrap_err()
    });
    let results = made(work.finish(Some(&fault)));
    assert_eq!(results, [by("second", "a"), Err("engine_refused"), by("second", "c"), by("second", "d")]);
    assert_eq!(second.asked.lock().unwrap()["a"], 1);
}
