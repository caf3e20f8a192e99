//! Contents on their way through engines: what each engine is asked for, and what has come of it.

use std::collections::HashMap;

use l10n_api_types::State;
use l10n_formats::text::checks::{Checker, has_error};

use super::leaf::Leaf;
use super::pipeline::{Failure, SourceText, Translated};
use super::template::{Mapping, Template};
use super::{Batch, EngineError, Engines, Item, Segment, Translator};

/// Contents on their way through engines. What an engine has translated is kept from one attempt to the next.
pub struct Work<'a> {
    source: &'a str,
    target: &'a str,
    units: &'a [SourceText],
    templates: Vec<Result<Template, String>>,
    /// The texts that engines see, each once.
    items: Vec<(Leaf, Item)>,
    /// The places of a content's texts among them.
    places: Vec<Vec<usize>>,
    /// For each engine what came of the texts, in their order; `None` until it has answered.
    answers: Vec<EngineAnswers>,
    /// The engine that has translated a content, by its place.
    made_by: Vec<Option<usize>>,
}

struct EngineAnswers {
    name: String,
    texts: Vec<Option<Result<String, Failure>>>,
}

impl<'a> Work<'a> {
    /// Takes the contents apart.
    #[must_use]
    pub fn new(source: &'a str, target: &'a str, units: &'a [SourceText]) -> Self {
        let templates: Vec<_> = {
            // Plural rules do not go from thread to thread, so they end before an engine is asked.
            let mapping = Mapping::new(source, target);
            units.iter().map(|unit| Template::new(&unit.content, &mapping)).collect()
        };
        let mut wanted = DistinctTexts::default();
        let mut places = Vec::with_capacity(units.len());
        for (unit, template) in units.iter().zip(&templates) {
            let leaves = template.iter().flat_map(|template| &template.leaves);
            places.push(leaves.map(|leaf| wanted.add(leaf, unit)).collect());
        }
        Self {
            source,
            target,
            units,
            templates,
            items: wanted.items,
            places,
            answers: Vec::new(),
            made_by: vec![None; units.len()],
        }
    }

    /// Asks the engines of a chain, the same ones each time: each for the contents that those before it have not translated.
    ///
    /// # Errors
    ///
    /// Returns an error if contents are left that an engine may still translate when it is asked again.
    pub async fn attempt_all(&mut self, engines: &Engines) -> Result<(), EngineError> {
        self.attempt(engines.iter()).await
    }

    pub(super) async fn attempt<'e>(
        &mut self,
        engines: impl Iterator<Item = &'e dyn Translator>,
    ) -> Result<(), EngineError> {
        let mut fault = None;
        for (at, engine) in engines.enumerate() {
            if self.answers.len() == at {
                let texts = vec![None; self.items.len()];
                self.answers.push(EngineAnswers { name: engine.name().to_owned(), texts });
            }
            let open = self.open_texts(at);
            if let Err(error) = self.ask(at, engine, open).await {
                fault.get_or_insert(error);
            }
            self.settle(at);
        }
        match fault {
            Some(error) if (0..self.answers.len()).any(|at| !self.open_texts(at).is_empty()) => Err(error),
            _ => Ok(()),
        }
    }

    /// The results, in the order of the contents. `fault` is why engines that have not answered were not asked again.
    #[must_use]
    pub fn finish(self, fault: Option<&EngineError>) -> Vec<Result<Translated, Failure>> {
        let checker = Checker::new(self.source, self.target);
        let finish = |at: usize| {
            let unit = &self.units[at];
            let template = self.templates[at].as_ref().map_err(|message| Failure::SourceInvalid(message.clone()))?;
            let Some(engine) = self.made_by[at] else { return Err(self.failure(at, fault)) };
            let answers = &self.answers[engine];
            let leaves = self.texts_of(at).filter_map(|text| answers.texts[text].clone());
            let content = template.fill(&leaves.collect::<Result<Vec<_>, _>>()?);
            let issues = checker.check(&unit.content, &content, unit.max_length);
            let state = if has_error(&issues) { State::NeedsReview } else { State::Translated };
            Ok(Translated { content, issues, state, engine: answers.name.clone() })
        };
        (0..self.units.len()).map(finish).collect()
    }

    /// The reason why a content has no translation: what the last engine said of it.
    fn failure(&self, at: usize, fault: Option<&EngineError>) -> Failure {
        let said = self.answers.iter().rev().find_map(|answers| {
            self.texts_of(at).find_map(|text| answers.texts[text].as_ref()?.as_ref().err().cloned())
        });
        match (fault, said) {
            (_, Some(failure)) => failure,
            (Some(fault), None) => Failure::Unavailable(fault.to_string()),
            (None, None) => Failure::Unavailable("no engine answered".to_owned()),
        }
    }

    /// The places of a content's texts among the distinct ones.
    fn texts_of(&self, at: usize) -> impl Iterator<Item = usize> {
        self.places[at].iter().copied()
    }

    /// The texts that an engine is to be asked for: it has not answered, and the contents that have them need all of them.
    fn open_texts(&self, engine: usize) -> Vec<usize> {
        let answers = &self.answers[engine].texts;
        let mut open = vec![false; answers.len()];
        for at in (0..self.units.len()).filter(|at| self.made_by[*at].is_none()) {
            if self.texts_of(at).all(|text| !matches!(answers[text], Some(Err(_)))) {
                self.texts_of(at).filter(|text| answers[*text].is_none()).for_each(|text| open[text] = true);
            }
        }
        open.iter().enumerate().filter_map(|(text, open)| open.then_some(text)).collect()
    }

    /// Notes the contents that an engine has translated as a whole.
    fn settle(&mut self, engine: usize) {
        for at in 0..self.units.len() {
            let answers = &self.answers[engine].texts;
            if self.made_by[at].is_none() && self.texts_of(at).all(|text| matches!(answers[text], Some(Ok(_)))) {
                self.made_by[at] = Some(engine);
            }
        }
    }

    /// Sends texts in batches that the engine takes, and once more those that came back without their placeholders.
    async fn ask(&mut self, at: usize, engine: &dyn Translator, mut open: Vec<usize>) -> Result<(), EngineError> {
        let (source, target) = (self.source, self.target);
        if !open.is_empty() && !engine.supports(source, target) {
            let refused = format!("the engine {} does not translate from {source} to {target}", engine.name());
            for text in open {
                self.answers[at].texts[text] = Some(Err(Failure::Refused(refused.clone())));
            }
            return Ok(());
        }
        for _ in 0..2 {
            let mut lost = Vec::new();
            for batch in batches(engine, &self.items, &open) {
                let items = batch.iter().map(|text| self.items[*text].1.clone()).collect();
                let request = Batch { source: source.to_owned(), target: target.to_owned(), items };
                match engine.translate(&request).await {
                    Ok(results) if results.len() != batch.len() => {
                        let message = format!("{} texts came back for {}", results.len(), batch.len());
                        return Err(EngineError::Unavailable(message));
                    }
                    Ok(results) => {
                        for (text, result) in batch.into_iter().zip(results) {
                            let unmasked = result.map(|segments| self.items[text].0.unmask(&segments));
                            self.answers[at].texts[text] = match unmasked {
                                Ok(Some(translated)) => Some(Ok(translated)),
                                Ok(None) => {
                                    lost.push(text);
                                    None
                                }
                                Err(error) => Some(Err(Failure::Refused(error.to_string()))),
                            };
                        }
                    }
                    Err(EngineError::Refused(message)) => {
                        for text in batch {
                            self.answers[at].texts[text] = Some(Err(Failure::Refused(message.clone())));
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            open = lost;
        }
        for text in open {
            let source = self.items[text].0.text.clone();
            self.answers[at].texts[text] = Some(Err(Failure::PlaceholdersLost(source)));
        }
        Ok(())
    }
}

/// Each text that the engine is to see, once.
#[derive(Default)]
struct DistinctTexts {
    items: Vec<(Leaf, Item)>,
    known: HashMap<(Leaf, Option<String>, Option<u32>), usize>,
}

impl DistinctTexts {
    /// Adds a text, if it is not there yet, and returns its place.
    fn add(&mut self, leaf: &Leaf, unit: &SourceText) -> usize {
        let next = self.items.len();
        let index = *self.known.entry(Self::key(leaf, unit)).or_insert(next);
        if index == next {
            // Which branches meet in one text is not known here: none may be longer than its source.
            let own = || u32::try_from(leaf.text.chars().count()).unwrap_or(u32::MAX);
            let max_length = unit.max_length.map(|most| if leaf.in_message { own() } else { most });
            let item = Item { segments: leaf.segments(), description: unit.description.clone(), max_length };
            self.items.push((leaf.clone(), item));
        }
        index
    }

    fn key(leaf: &Leaf, unit: &SourceText) -> (Leaf, Option<String>, Option<u32>) {
        (leaf.clone(), unit.description.clone(), unit.max_length)
    }
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
