//! The steps around every engine: from contents to batches of masked text and back, with checks.

use std::collections::HashMap;

use l10n_api_types::{Content, Issue, State};
use l10n_formats::text::checks::{Checker, has_error};

use super::leaf::Leaf;
use super::template::{Mapping, Template};
use super::{Batch, EngineError, Item, Segment, Translator};

/// A content to translate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The content in the source language.
    pub content: Content,
    /// A note for translators.
    pub description: Option<String>,
    /// Longest translation allowed, in Unicode scalar values.
    pub max_length: Option<u32>,
}

/// A content, translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translated {
    /// The content in the target language, with every plural category filled.
    pub content: Content,
    /// Issues that the checks found.
    pub issues: Vec<Issue>,
    /// `translated`, or `needs_review` when a check found an error.
    pub state: State,
}

/// The reason why a content was not translated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The source itself is broken.
    #[error("{0}")]
    SourceInvalid(String),
    /// The engine lost, doubled or invented a placeholder, twice.
    #[error("the engine did not give the placeholders of `{0}` back")]
    PlaceholdersLost(String),
    /// The engine would not translate it.
    #[error("{0}")]
    Refused(String),
}

impl Failure {
    /// The code of the reason, to branch on.
    #[must_use]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::SourceInvalid(_) => "source_invalid",
            Self::PlaceholdersLost(_) => "placeholders_lost",
            Self::Refused(_) => "engine_refused",
        }
    }
}

/// Translates contents; the answer has one result for each, in their order.
///
/// # Errors
///
/// Returns an error if the engine could do nothing with a batch as a whole; the results of other batches are lost then.
pub async fn translate_contents(
    engine: &dyn Translator,
    source: &str,
    target: &str,
    units: &[SourceText],
) -> Result<Vec<Result<Translated, Failure>>, EngineError> {
    let templates: Vec<_> = {
        // Plural rules do not go from thread to thread, so they end before the engine is asked.
        let mapping = Mapping::new(source, target);
        units.iter().map(|unit| Template::new(&unit.content, &mapping)).collect()
    };
    let mut wanted = DistinctTexts::default();
    for (unit, template) in units.iter().zip(&templates) {
        for leaf in template.iter().flat_map(|template| &template.leaves) {
            wanted.add(leaf, unit);
        }
    }
    let answers = ask(engine, source, target, &wanted.items).await?;

    let checker = Checker::new(source, target);
    let finish = |(unit, template): (&SourceText, &Result<Template, String>)| {
        let template = template.as_ref().map_err(|message| Failure::SourceInvalid(message.clone()))?;
        let leaves = template.leaves.iter().map(|leaf| answers[wanted.index(leaf, unit)].clone());
        let content = template.fill(&leaves.collect::<Result<Vec<_>, _>>()?);
        let issues = checker.check(&unit.content, &content, unit.max_length);
        let state = if has_error(&issues) { State::NeedsReview } else { State::Translated };
        Ok(Translated { content, issues, state })
    };
    Ok(units.iter().zip(&templates).map(finish).collect())
}

/// Each text that the engine is to see, once.
#[derive(Default)]
struct DistinctTexts {
    items: Vec<(Leaf, Item)>,
    known: HashMap<(Leaf, Option<String>, Option<u32>), usize>,
}

impl DistinctTexts {
    fn add(&mut self, leaf: &Leaf, unit: &SourceText) {
        let next = self.items.len();
        let index = *self.known.entry(Self::key(leaf, unit)).or_insert(next);
        if index == next {
            // Which branches meet in one text is not known here: none may be longer than its source.
            let own = || u32::try_from(leaf.text.chars().count()).unwrap_or(u32::MAX);
            let max_length = unit.max_length.map(|most| if leaf.in_message { own() } else { most });
            let item = Item { segments: leaf.segments(), description: unit.description.clone(), max_length };
            self.items.push((leaf.clone(), item));
        }
    }

    fn index(&self, leaf: &Leaf, unit: &SourceText) -> usize {
        self.known[&Self::key(leaf, unit)]
    }

    fn key(leaf: &Leaf, unit: &SourceText) -> (Leaf, Option<String>, Option<u32>) {
        (leaf.clone(), unit.description.clone(), unit.max_length)
    }
}

/// Sends the items in batches that the engine takes, and once more those that came back without their placeholders.
async fn ask(
    engine: &dyn Translator,
    source: &str,
    target: &str,
    items: &[(Leaf, Item)],
) -> Result<Vec<Result<String, Failure>>, EngineError> {
    let all: Vec<usize> = (0..items.len()).collect();
    let mut answers: Vec<Result<String, Failure>> =
        items.iter().map(|(leaf, _)| Err(Failure::PlaceholdersLost(leaf.text.clone()))).collect();
    let mut open = all;
    for _ in 0..2 {
        for batch in batches(engine, items, &open) {
            let request = Batch {
                source: source.to_owned(),
                target: target.to_owned(),
                items: batch.iter().map(|index| items[*index].1.clone()).collect(),
            };
            let results = engine.translate(&request).await?;
            if results.len() != batch.len() {
                let message = format!("{} texts came back for {}", results.len(), batch.len());
                return Err(EngineError::Unavailable(message));
            }
            for (index, result) in batch.into_iter().zip(results) {
                match result {
                    Ok(segments) => {
                        if let Some(text) = items[index].0.unmask(&segments) {
                            answers[index] = Ok(text);
                        }
                    }
                    Err(error) => answers[index] = Err(Failure::Refused(error.to_string())),
                }
            }
        }
        open.retain(|index| matches!(answers[*index], Err(Failure::PlaceholdersLost(_))));
        if open.is_empty() {
            break;
        }
    }
    Ok(answers)
}

/// Splits items into batches within the engine's limits; an item over them alone makes a batch of its own.
fn batches(engine: &dyn Translator, items: &[(Leaf, Item)], open: &[usize]) -> Vec<Vec<usize>> {
    let limits = engine.limits();
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut characters = 0;
    for index in open {
        let length: usize = items[*index].1.segments.iter().map(characters_of).sum();
        match batches.last_mut() {
            Some(batch) if batch.len() < limits.max_items && characters + length <= limits.max_characters => {
                batch.push(*index);
                characters += length;
            }
            _ => {
                batches.push(vec![*index]);
                characters = length;
            }
        }
    }
    batches
}

fn characters_of(segment: &Segment) -> usize {
    match segment {
        Segment::Text(text) => text.chars().count(),
        Segment::Placeholder { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use proptest::prelude::*;

    use super::*;
    use crate::engines::{Identity, Limits, Pseudo, UnitError};

    fn unit(text: &str) -> SourceText {
        SourceText { content: Content::Text(text.to_owned()), description: None, max_length: None }
    }

    fn run(engine: &dyn Translator, target: &str, units: &[SourceText]) -> Vec<Result<Translated, Failure>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(translate_contents(engine, "en", target, units)).unwrap()
    }

    /// Loses the placeholders of a text's first so many tries, takes two items at once, and counts what it was asked.
    struct Forgetful {
        tries: usize,
        asked: AtomicUsize,
    }

    #[async_trait]
    impl Translator for Forgetful {
        fn name(&self) -> &str {
            "forgetful"
        }
        fn supports(&self, _: &str, _: &str) -> bool {
            true
        }
        fn limits(&self) -> Limits {
            Limits { max_items: 2, max_characters: 1_000 }
        }
        async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<Segment>, UnitError>>, EngineError> {
            assert!(batch.items.len() <= 2);
            let before = self.asked.fetch_add(1, Ordering::SeqCst);
            let answer = |item: &Item| match &item.segments[..] {
                [Segment::Text(text), ..] if text == "bad" => Err(UnitError("bad word".to_owned())),
                segments if before < self.tries => Ok(segments[..1].to_vec()),
                segments => Ok(segments.to_vec()),
            };
            Ok(batch.items.iter().map(answer).collect())
        }
    }

    #[test]
    fn lost_placeholders_get_one_more_try_and_then_fail() {
        let units = [unit("Hi {name}"), unit("bad"), unit("Hi {name}")];
        let once = Forgetful { tries: 1, asked: AtomicUsize::new(0) };
        let results = run(&once, "de", &units);
        assert_eq!(results[0].as_ref().unwrap().content, units[0].content);
        assert_eq!(results[1], Err(Failure::Refused("the engine refused this text: bad word".to_owned())));
        assert_eq!(results[0], results[2]);
        assert_eq!(once.asked.load(Ordering::SeqCst), 2, "equal texts are asked once");

        let always = Forgetful { tries: 9, asked: AtomicUsize::new(0) };
        assert_eq!(run(&always, "de", &units)[0], Err(Failure::PlaceholdersLost("Hi {name}".to_owned())));
        assert_eq!(always.asked.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn pseudo_translates_texts_and_leaves_placeholders() {
        let results =
            run(&Pseudo, "de", &[unit("Hi <b>{name}</b>, {n, plural, one {# file} other {# files}}!"), unit("{n}")]);
        let texts: Vec<_> = results.into_iter().map(|result| result.unwrap().content).collect();
        let expected = "[Ĥî <b>{name}</b>,] {n, plural, one {[# ƒîļé]} other {[# ƒîļéš]}}!";
        assert_eq!(texts, [Content::Text(expected.to_owned()), Content::Text("{n}".to_owned())]);
    }

    proptest! {
        /// The identity engine gives any text back, byte for byte, into a language with the same plural categories.
        #[test]
        fn identity_gives_any_text_back(text in "[a-z{}<>%$&#;/'(),. éü]{0,60}|.{0,30}|([{}#', ]|n|plural|one|other|x){0,30}") {
            match run(&Identity, "de", &[unit(&text)]).remove(0) {
                Ok(translated) => prop_assert!(
                    translated.content == Content::Text(text.clone()) || l10n_formats::text::message::is_message(&text)
                ),
                Err(failure) => prop_assert_eq!(failure.code(), "source_invalid"),
            }
        }
    }
}
