//! Engines that give no answer for a batch, for one of its texts or since they are down.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::super::pipeline::Work;
use super::super::{Batch, BatchItem, BatchLimits, EngineError, Engines, TextSegment, UnitError};
use super::*;

/// Times that a worker asks.
const TRIES: usize = 5;

/// Gives texts back, but no answer for a batch with one of its bad texts.
#[derive(Default)]
struct Fragile {
    most: usize,
    bad: Vec<String>,
    /// True if it says of these batches that it is busy.
    is_busy: bool,
    /// Texts that it gives the character NUL for, the first time.
    garbled: Vec<String>,
    /// The call, counted from 0, from which on it is down.
    down_from: Option<usize>,
    /// The texts of each call, and whether it was answered.
    calls: Mutex<Vec<(Vec<String>, bool)>>,
}

#[async_trait]
impl Translator for Fragile {
    fn name(&self) -> &str {
        "fragile"
    }
    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }
    fn limits(&self) -> BatchLimits {
        BatchLimits::of(self.most, 100_000)
    }
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let texts: Vec<String> = batch.items.iter().map(|item| item.segments[0].original().to_owned()).collect();
        let mut calls = self.calls.lock().unwrap();
        let is_down = self.down_from.is_some_and(|from| calls.len() >= from);
        let is_answered = !is_down && texts.iter().all(|text| !self.bad.contains(text));
        calls.push((texts.clone(), is_answered));
        if !is_answered && self.is_busy {
            return Err(EngineError::RateLimited { retry_after_seconds: 0 });
        }
        if !is_answered {
            return Err(EngineError::Unavailable("it answered 500".to_owned()));
        }
        let answer = |(item, text): (&BatchItem, String)| {
            let is_garbled = item.complaint.is_none() && self.garbled.contains(&text);
            Ok(vec![TextSegment::Text(if is_garbled { "\0".to_owned() + &text } else { text })])
        };
        Ok(batch.items.iter().zip(texts).map(answer).collect())
    }
}

impl Fragile {
    /// The calls that it gave no answer for, and all.
    fn calls(&self) -> (usize, usize) {
        let calls = self.calls.lock().unwrap();
        (calls.iter().filter(|(_, is_answered)| !is_answered).count(), calls.len())
    }
}

fn name(number: usize) -> String {
    format!("text {number}")
}

/// Asks as a worker does, for a hundred texts: those that fail, whether the engine counts as down, and it.
fn asked(engine: Fragile) -> (Vec<String>, bool, Arc<Fragile>) {
    let engine = Arc::new(engine);
    let engines = Engines::from(Arc::clone(&engine) as Arc<dyn Translator>);
    let units: Vec<_> = (0..100).map(|number| unit(text(&name(number)))).collect();
    let mut work = Work::new("en", "de", &units);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut fault = None;
    for _ in 0..TRIES {
        fault = runtime.block_on(work.attempt_all(&engines)).err();
        if fault.is_none() {
            break;
        }
    }
    let is_down = work.has_engine_down();
    let failed = work.finish(fault.as_ref()).into_iter().enumerate().filter_map(|(number, result)| {
        let failure = result.err()?;
        assert_eq!(failure.code(), "engine_unavailable");
        Some(name(number))
    });
    (failed.collect(), is_down, engine)
}

/// The place of the text and the size of the batches make no difference.
#[test]
fn a_text_without_an_answer_fails_alone() {
    for most in [1, 7, 25, 50, 100] {
        for number in 0..100 {
            let bad = vec![name(number)];
            let (failed, is_down, engine) = asked(Fragile { most, bad: bad.clone(), ..Fragile::default() });
            assert_eq!(failed, bad, "batches of {most}");
            assert!(!is_down, "it answers for others");
            let (unanswered, _) = engine.calls();
            assert!(unanswered <= 7 + TRIES, "{unanswered} calls for {number}, batches of {most}");
        }
    }
}

#[test]
fn two_texts_without_an_answer_fail_with_few_others_at_most() {
    for (one, other) in [(0, 1), (3, 60), (10, 20), (24, 25), (40, 99), (55, 56)] {
        let bad = vec![name(one), name(other)];
        let (failed, _, engine) = asked(Fragile { most: 25, bad, ..Fragile::default() });
        assert!(failed.len() <= 6, "{one}, {other}: {failed:?}");
        assert!(engine.calls().0 <= 10 + TRIES, "{:?}", engine.calls());
    }
}

#[test]
fn a_batch_for_which_an_engine_is_always_busy_keeps_no_other_from_its_turn() {
    let (failed, is_down, engine) =
        asked(Fragile { most: 10, bad: vec![name(5)], is_busy: true, ..Fragile::default() });
    assert_eq!((failed, is_down), ((0..10).map(name).collect(), false));
    assert_eq!(engine.calls(), (TRIES, 9 + TRIES));
}

/// One call for each attempt, whatever there is to be asked for.
#[test]
fn an_engine_that_is_down_is_asked_once_in_an_attempt() {
    let (failed, is_down, engine) = asked(Fragile { most: 10, down_from: Some(0), ..Fragile::default() });
    assert_eq!((failed.len(), is_down, engine.calls()), (100, true, (TRIES, TRIES)));

    let (failed, is_down, engine) = asked(Fragile { most: 10, down_from: Some(3), ..Fragile::default() });
    assert_eq!((failed.len(), is_down, engine.calls()), (70, false, (TRIES, 3 + TRIES)));
}

/// The text that is asked for once more does not wait for the one without an answer.
#[test]
fn what_cannot_be_taken_is_asked_for_once_more_beside_a_text_without_an_answer() {
    let (bad, garbled) = (vec![name(50)], vec![name(20), name(51)]);
    let (failed, _, engine) = asked(Fragile { most: 10, bad: bad.clone(), garbled, ..Fragile::default() });
    assert_eq!(failed, bad);
    for number in [20, 51] {
        let calls = engine.calls.lock().unwrap();
        let answered = calls.iter().filter(|(texts, is_answered)| *is_answered && texts.contains(&name(number)));
        assert_eq!(answered.count(), 2);
    }
}
