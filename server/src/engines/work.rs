//! Contents on their way through engines: what each engine is asked for, and what has come of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use l10n_api_types::{Content, State};
use l10n_formats::text::checks::glossary::Glossary;
use l10n_formats::text::checks::{Checker, has_error};

use super::batches::Batches;
use super::leaf::Leaf;
use super::pace::{Asker, Member};
use super::pipeline::{Failure, SourceText, Translated};
use super::template::{Mapping, Template};
use super::{Batch, EngineError, Engines, Heeds, Item, KeptGlossaries, Segment, UnitError, WorkHints, blanks};

/// Most faults of engines that are noted.
const MOST_FAULTS: usize = 20;

/// Contents on their way through engines. What an engine has translated is kept from one attempt to the next.
pub struct Work<'a> {
    source: &'a str,
    target: &'a str,
    units: &'a [SourceText],
    glossary: Arc<Glossary>,
    style: Option<Arc<str>>,
    kept_glossaries: Option<&'a dyn KeptGlossaries>,
    asker: Option<Asker>,
    /// True once an engine has taken a batch.
    is_begun: bool,
    templates: Vec<Result<Template, String>>,
    /// The texts that engines see, each once.
    items: Vec<(Leaf, Item)>,
    /// For each of them the first that differs from it in its plural form alone.
    alike: Vec<usize>,
    /// The places of a content's texts among them.
    places: Vec<Vec<usize>>,
    /// For each engine what came of the texts, in their order; `None` until it has answered.
    answers: Vec<EngineAnswers>,
    /// The engine that has translated a content, by its place.
    made_by: Vec<Option<usize>>,
    /// The faults of whole batches, each once.
    faults: Vec<String>,
}

struct EngineAnswers {
    name: String,
    texts: Vec<Option<Result<String, Failure>>>,
    /// The glossary that its service keeps, once it was looked for.
    glossary: Option<Option<Arc<str>>>,
    has_lost_glossary: bool,
}

impl<'a> Work<'a> {
    /// Takes the contents apart.
    #[must_use]
    pub fn new(source: &'a str, target: &'a str, units: &'a [SourceText]) -> Self {
        let templates: Vec<_> = {
            // Plural rules do not go from thread to thread, so they end before an engine is asked.
            let mapping = Mapping::new(source, target);
            units.iter().map(|unit| Template::new(&unit.content, &mapping, unit.facts.syntax)).collect()
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
            glossary: Arc::default(),
            style: None,
            kept_glossaries: None,
            asker: None,
            is_begun: false,
            templates,
            items: wanted.items,
            alike: wanted.alike,
            places,
            answers: Vec::new(),
            made_by: vec![None; units.len()],
            faults: Vec::new(),
        }
    }

    /// Tells the engines which of these terms each text has, and checks translations against them.
    #[must_use]
    pub fn with_glossary(mut self, glossary: Arc<Glossary>) -> Self {
        for (leaf, item) in &mut self.items {
            let found = glossary.of_source(&Content::Text(leaf.text.clone()));
            item.glossary = found.into_iter().cloned().collect();
        }
        self.glossary = glossary;
        self
    }

    /// Lets services translate with the glossaries that they keep, where a text has a term.
    #[must_use]
    pub fn with_kept_glossaries(mut self, kept: &'a dyn KeptGlossaries) -> Self {
        self.kept_glossaries = Some(kept);
        self
    }

    /// Asks engines at the pace that they have for all who ask.
    #[must_use]
    pub fn with_asker(mut self, asker: Asker) -> Self {
        self.asker = Some(asker);
        self
    }

    /// Tells the engines more of the contents. A text that several have gets the hints of the first.
    #[must_use]
    pub fn with_hints(mut self, hints: WorkHints) -> Self {
        let mut known = vec![false; self.items.len()];
        for (places, hints) in self.places.iter().zip(hints.contents) {
            let hints = Arc::new(hints);
            for text in places {
                if !std::mem::replace(&mut known[*text], true) {
                    self.items[*text].1.hints = Arc::clone(&hints);
                }
            }
        }
        self.style = hints.style;
        self
    }

    /// Asks the engines of a chain, the same ones each time: each for the contents that those before it have not translated.
    ///
    /// # Errors
    ///
    /// Returns an error if contents are left that an engine may still translate when it is asked again.
    pub async fn attempt_all(&mut self, engines: &Engines) -> Result<(), EngineError> {
        self.attempt(engines.members()).await
    }

    pub(super) async fn attempt<'e>(&mut self, engines: impl Iterator<Item = Member<'e>>) -> Result<(), EngineError> {
        let mut fault = None;
        for (at, engine) in engines.enumerate() {
            if self.answers.len() == at {
                let texts = vec![None; self.items.len()];
                self.answers.push(EngineAnswers {
                    name: engine.engine().name().to_owned(),
                    texts,
                    glossary: None,
                    has_lost_glossary: false,
                });
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

    /// The faults of whole batches, in words for the operator.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The results, in the order of the contents. `fault` is why engines that have not answered were not asked again.
    #[must_use]
    pub fn finish(self, fault: Option<&EngineError>) -> Vec<Result<Translated, Failure>> {
        let checker = Checker::new(self.source, self.target).with_glossary(Arc::clone(&self.glossary));
        let finish = |at: usize| {
            let unit = &self.units[at];
            let template = self.templates[at].as_ref().map_err(|message| Failure::SourceInvalid(message.clone()))?;
            let Some(engine) = self.made_by[at] else { return Err(self.failure(at, fault)) };
            let answers = &self.answers[engine];
            let leaves = self.texts_of(at).filter_map(|text| answers.texts[text].clone());
            let content = template.fill(&leaves.collect::<Result<Vec<_>, _>>()?);
            let issues = checker.check(&unit.content, &content, unit.facts);
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
            (Some(fault), None) => Failure::Unavailable(fault.for_people()),
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

    /// Asks for texts, those that differ in their plural form alone once where the engine does not tell these apart.
    async fn ask(&mut self, at: usize, engine: Member<'_>, open: Vec<usize>) -> Result<(), EngineError> {
        if engine.engine().heeds() == Heeds::All {
            return self.ask_each(at, engine, open).await;
        }
        let firsts: BTreeSet<usize> = open.iter().map(|text| self.alike[*text]).collect();
        let unanswered = firsts.into_iter().filter(|first| self.answers[at].texts[*first].is_none());
        let unanswered = unanswered.collect();
        let asked = self.ask_each(at, engine, unanswered).await;
        for text in open {
            self.answers[at].texts[text] = self.answers[at].texts[self.alike[text]].clone();
        }
        asked
    }

    /// Asks for texts, and once more, with the reason, for those whose answers cannot be taken.
    async fn ask_each(&mut self, at: usize, engine: Member<'_>, open: Vec<usize>) -> Result<(), EngineError> {
        let (source, target) = (self.source, self.target);
        if !open.is_empty() && !engine.engine().supports(source, target) {
            let refused = format!("the engine {} does not translate from {source} to {target}", engine.engine().name());
            self.fail(at, &open, &Failure::Refused(refused));
            return Ok(());
        }
        if !open.is_empty() {
            self.find_glossary(at, engine).await;
        }
        let mut open: BTreeMap<usize, Option<Failure>> = open.into_iter().map(|text| (text, None)).collect();
        for _ in 0..2 {
            open = self.round(at, engine, open).await?;
        }
        for (text, failure) in open {
            self.answers[at].texts[text] = failure.map(Err);
        }
        Ok(())
    }

    /// Sends texts in batches that the engine takes, and returns those whose answers cannot be taken, with the reasons.
    async fn round(
        &mut self,
        at: usize,
        engine: Member<'_>,
        open: BTreeMap<usize, Option<Failure>>,
    ) -> Result<BTreeMap<usize, Option<Failure>>, EngineError> {
        let mut again = BTreeMap::new();
        let mut batches = Batches::new(engine.engine().limits(), open.keys().map(|text| (*text, &self.items[*text].1)));
        while let Some(batch) = batches.next() {
            let error = match self.send(at, engine, &batch, &open).await {
                Ok(results) => {
                    batches.taken();
                    self.is_begun = true;
                    for (text, result) in batch.into_iter().zip(results) {
                        let (leaf, item) = &self.items[text];
                        match taken(leaf, item, self.target, result) {
                            Err(Rejected::Again(failure)) => {
                                again.insert(text, Some(failure));
                            }
                            Err(Rejected::Refused(failure)) => self.answers[at].texts[text] = Some(Err(failure)),
                            Ok(translated) => self.answers[at].texts[text] = Some(Ok(translated)),
                        }
                    }
                    continue;
                }
                Err(error) => error,
            };
            self.note(engine, &error);
            let failure = match &error {
                EngineError::Unavailable(_) | EngineError::RateLimited { .. } => return Err(error),
                EngineError::TooLarge(_) | EngineError::BadItem(_) => {
                    let given_up = batches.halve(batch, matches!(error, EngineError::BadItem(_)));
                    self.fail(at, &given_up, &Failure::Refused(error.for_people()));
                    continue;
                }
                EngineError::GlossaryLost(_) if self.replace_glossary(at, engine).await => {
                    batches.again(batch);
                    continue;
                }
                EngineError::Refused(_) | EngineError::GlossaryLost(_) => {
                    self.fail(at, &batch, &Failure::Refused(error.for_people()));
                    continue;
                }
                EngineError::Misconfigured(_) => Failure::Unavailable(error.for_people()),
                EngineError::QuotaExhausted(_) => Failure::QuotaExhausted(error.for_people()),
            };
            let unanswered: Vec<usize> =
                open.keys().copied().filter(|text| self.answers[at].texts[*text].is_none()).collect();
            self.fail(at, &unanswered, &failure);
            return Ok(BTreeMap::new());
        }
        Ok(again)
    }

    async fn send(
        &self,
        at: usize,
        engine: Member<'_>,
        batch: &[usize],
        complaints: &BTreeMap<usize, Option<Failure>>,
    ) -> Result<Vec<Result<Vec<Segment>, UnitError>>, EngineError> {
        let items = batch.iter().map(|text| {
            let complaint = complaints.get(text).and_then(Option::as_ref).map(Failure::complaint);
            Item { complaint, ..self.items[*text].1.clone() }
        });
        let request = Batch {
            source: self.source.to_owned(),
            target: self.target.to_owned(),
            style: self.style.clone(),
            service_glossary: self.answers[at].glossary.clone().flatten(),
            items: items.collect(),
        };
        let results = engine.ask(&request, self.asker.as_ref(), self.is_begun).await?;
        if results.len() != batch.len() {
            // Which of them is whose is not known.
            return Err(EngineError::BadItem(format!("{} texts came back for {}", results.len(), batch.len())));
        }
        Ok(results)
    }

    /// Looks for the glossary that an engine's service keeps, once for all texts, if one of them has a term.
    async fn find_glossary(&mut self, at: usize, engine: Member<'_>) {
        let Some(kept) = self.kept_glossaries else { return };
        if self.answers[at].glossary.is_none() && self.items.iter().any(|(_, item)| !item.glossary.is_empty()) {
            self.answers[at].glossary = Some(kept.find(engine.engine()).await);
        }
    }

    /// Puts another glossary in the place of one that an engine's service has lost: a new one the first time, none the second.
    /// Returns false if there was none.
    async fn replace_glossary(&mut self, at: usize, engine: Member<'_>) -> bool {
        let Some(lost) = self.answers[at].glossary.take().flatten() else { return false };
        let is_first = !std::mem::replace(&mut self.answers[at].has_lost_glossary, true);
        let another = match self.kept_glossaries {
            Some(kept) if is_first => kept.replace(engine.engine(), &lost).await,
            _ => None,
        };
        self.answers[at].glossary = Some(another);
        true
    }

    fn fail(&mut self, at: usize, texts: &[usize], failure: &Failure) {
        for text in texts {
            self.answers[at].texts[*text] = Some(Err(failure.clone()));
        }
    }

    fn note(&mut self, engine: Member<'_>, error: &EngineError) {
        let fault = format!("{}: {error}", engine.engine().name());
        if self.faults.len() < MOST_FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

/// The reason why an answer is not taken.
enum Rejected {
    /// It may be better when it is asked for once more.
    Again(Failure),
    /// The engine will not translate it.
    Refused(Failure),
}

/// The translation that an engine's answer for a text is.
fn taken(leaf: &Leaf, item: &Item, target: &str, result: Result<Vec<Segment>, UnitError>) -> Result<String, Rejected> {
    let segments = match result {
        Ok(segments) => blanks::put_back(&item.segments, segments, target),
        Err(error @ UnitError::Refused(_)) => return Err(Rejected::Refused(Failure::Refused(error.to_string()))),
        Err(error @ UnitError::Unusable(_)) => return Err(Rejected::Again(Failure::Refused(error.to_string()))),
    };
    match leaf.unmask(&segments) {
        None => Err(Rejected::Again(Failure::PlaceholdersLost(leaf.text.clone()))),
        Some(text) if text.trim().is_empty() => {
            Err(Rejected::Again(Failure::Refused("the engine gave an empty translation".to_owned())))
        }
        Some(text) => Ok(text),
    }
}

/// Each text that the engine is to see, once.
#[derive(Default)]
struct DistinctTexts {
    items: Vec<(Leaf, Item)>,
    alike: Vec<usize>,
    known: HashMap<DistinctText, usize>,
    /// The first text of each, whatever its plural form.
    firsts: HashMap<DistinctText, usize>,
}

/// A text with all that its translation depends on.
type DistinctText = (Leaf, Option<String>, Option<u32>);

impl DistinctTexts {
    /// Adds a text, if it is not there yet, and returns its place.
    fn add(&mut self, leaf: &Leaf, unit: &SourceText) -> usize {
        let next = self.items.len();
        let index = *self.known.entry(Self::key(leaf, unit)).or_insert(next);
        if index == next {
            // Which branches meet in one text is not known here: none may be longer than its source.
            let own = || u32::try_from(leaf.text.chars().count()).unwrap_or(u32::MAX);
            let max_length = unit.facts.max_length.map(|most| if leaf.in_message { own() } else { most });
            let alike = Leaf { plural: None, ..leaf.clone() };
            self.alike.push(*self.firsts.entry(Self::key(&alike, unit)).or_insert(index));
            let item = Item {
                segments: leaf.segments(),
                description: unit.description.clone(),
                max_length,
                complaint: None,
                glossary: Vec::new(),
                plural: leaf.plural,
                hints: Arc::default(),
            };
            self.items.push((leaf.clone(), item));
        }
        index
    }

    fn key(leaf: &Leaf, unit: &SourceText) -> DistinctText {
        (leaf.clone(), unit.description.clone(), unit.facts.max_length)
    }
}
