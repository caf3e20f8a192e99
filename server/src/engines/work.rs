//! Contents on their way through engines: what each engine is asked for, and what has come of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use l10n_api_types::{Content, State};
use l10n_formats::text::checks::glossary::Glossary;
use l10n_formats::text::checks::{Checker, has_error};

use super::batches::Batches;
use super::distinct::EngineTexts;
use super::leaf::MaskedLeaf;
use super::pace::{Asker, PacedEngine};
use super::pipeline::{SourceText, TranslatedContent, TranslationFailure};
use super::taken::{Rejected, taken};
use super::template::{ContentTemplate, Mapping};
use super::unanswered::Unanswered;
use super::{Batch, BatchItem, EngineError, Engines, Heeds, KeptGlossaries, TextSegment, UnitError, WorkHints};

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
    templates: Vec<Result<ContentTemplate, String>>,
    /// The texts that engines see, each once.
    items: Vec<(MaskedLeaf, BatchItem)>,
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
    texts: Vec<Option<Result<String, TranslationFailure>>>,
    /// The reasons why texts are to be asked for once more.
    complaints: BTreeMap<usize, TranslationFailure>,
    unanswered: Unanswered,
    /// True if it did not answer in the last attempt, and not before either.
    is_down: bool,
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
            units.iter().map(|unit| ContentTemplate::new(&unit.content, &mapping, unit.facts.syntax)).collect()
        };
        let mut wanted = EngineTexts::default();
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

    pub(super) async fn attempt<'e>(
        &mut self,
        engines: impl Iterator<Item = PacedEngine<'e>>,
    ) -> Result<(), EngineError> {
        let mut fault = None;
        for (at, engine) in engines.enumerate() {
            if self.answers.len() == at {
                let texts = vec![None; self.items.len()];
                self.answers.push(EngineAnswers {
                    name: engine.engine().name().to_owned(),
                    texts,
                    complaints: BTreeMap::new(),
                    unanswered: Unanswered::default(),
                    is_down: false,
                    glossary: None,
                    has_lost_glossary: false,
                });
            }
            let open = self.open_texts(at);
            self.answers[at].unanswered.begin();
            let asked = self.ask(at, engine, open).await;
            let answers = &mut self.answers[at];
            answers.is_down =
                matches!(asked, Err(EngineError::Unavailable(_))) && !answers.unanswered.has_ever_answered();
            if let Err(error) = asked {
                fault.get_or_insert(error);
            }
            self.settle(at);
        }
        match fault {
            Some(error) if (0..self.answers.len()).any(|at| !self.open_texts(at).is_empty()) => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns true if an engine is down: it did not answer in the last attempt, and not before either. One that is busy is not.
    #[must_use]
    pub fn has_engine_down(&self) -> bool {
        self.answers.iter().any(|answers| answers.is_down)
    }

    /// The faults of whole batches, in words for the operator.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The results, in the order of the contents. `fault` is why engines that have not answered were not asked again.
    #[must_use]
    pub fn finish(self, fault: Option<&EngineError>) -> Vec<Result<TranslatedContent, TranslationFailure>> {
        let checker = Checker::new(self.source, self.target).with_glossary(Arc::clone(&self.glossary));
        let finish = |at: usize| {
            let unit = &self.units[at];
            let template =
                self.templates[at].as_ref().map_err(|message| TranslationFailure::SourceInvalid(message.clone()))?;
            let Some(engine) = self.made_by[at] else { return Err(self.failure(at, fault)) };
            let answers = &self.answers[engine];
            let leaves = self.texts_of(at).filter_map(|text| answers.texts[text].clone());
            let content = template.fill(&leaves.collect::<Result<Vec<_>, _>>()?);
            let issues = checker.check(&unit.content, &content, unit.facts);
            let state = if has_error(&issues) { State::NeedsReview } else { State::Translated };
            Ok(TranslatedContent { content, issues, state, engine: answers.name.clone() })
        };
        (0..self.units.len()).map(finish).collect()
    }

    /// The reason why a content has no translation: what the last engine said of it. That an engine does not speak the languages
    /// counts where there is no other reason.
    fn failure(&self, at: usize, fault: Option<&EngineError>) -> TranslationFailure {
        let said = |of_languages: bool| {
            self.answers.iter().rev().find_map(|answers| {
                let mut failures = self.texts_of(at).filter_map(|text| answers.texts[text].as_ref()?.as_ref().err());
                failures
                    .find(|failure| matches!(failure, TranslationFailure::UnknownLanguages(_)) == of_languages)
                    .cloned()
            })
        };
        said(false)
            .or_else(|| fault.map(|fault| TranslationFailure::Unavailable(fault.for_people())))
            .or_else(|| said(true))
            .unwrap_or_else(|| TranslationFailure::Unavailable("no engine answered".to_owned()))
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
    async fn ask(&mut self, at: usize, engine: PacedEngine<'_>, open: Vec<usize>) -> Result<(), EngineError> {
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
    async fn ask_each(&mut self, at: usize, engine: PacedEngine<'_>, open: Vec<usize>) -> Result<(), EngineError> {
        let (source, target) = (self.source, self.target);
        if !open.is_empty() && !engine.engine().supports(source, target) {
            let refused = format!("the engine {} does not translate from {source} to {target}", engine.engine().name());
            self.fail(at, &open, &TranslationFailure::UnknownLanguages(refused));
            return Ok(());
        }
        if !open.is_empty() {
            self.find_glossary(at, engine).await;
        }
        let mut left = None;
        for is_second in [false, true] {
            let answers = &self.answers[at];
            let is_wanted =
                |text: &usize| answers.texts[*text].is_none() && answers.complaints.contains_key(text) == is_second;
            let wanted: Vec<usize> = open.iter().copied().filter(is_wanted).collect();
            match self.round(at, engine, &wanted).await {
                Ok(fault) => left = left.or(fault),
                Err(error) => return self.give_up(at, &open, error),
            }
        }
        left.map_or(Ok(()), Err)
    }

    /// Takes note that an engine is not to be asked for these texts now. Returns the error where it may be later.
    fn give_up(&mut self, at: usize, open: &[usize], error: EngineError) -> Result<(), EngineError> {
        let failure = match &error {
            EngineError::Misconfigured(_) => TranslationFailure::Unavailable(error.for_people()),
            EngineError::QuotaExhausted(_) => TranslationFailure::QuotaExhausted(error.for_people()),
            EngineError::UnknownLanguages(_) => TranslationFailure::UnknownLanguages(error.for_people()),
            _ => return Err(error),
        };
        let answers = &self.answers[at].texts;
        let unanswered: Vec<usize> = open.iter().copied().filter(|text| answers[*text].is_none()).collect();
        self.fail(at, &unanswered, &failure);
        Ok(())
    }

    /// Sends texts in batches that the engine takes. Returns the fault of texts that got no answer, where it answered for others.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not to be asked for any text now.
    async fn round(
        &mut self,
        at: usize,
        engine: PacedEngine<'_>,
        texts: &[usize],
    ) -> Result<Option<EngineError>, EngineError> {
        let mut left = None;
        let (first, last) = self.answers[at].unanswered.split(texts);
        let first = first.into_iter().map(|text| (text, &self.items[text].1));
        let mut batches = Batches::new(engine.engine().limits(), first, last);
        while let Some(batch) = batches.next() {
            let error = match self.send(at, engine, &batch).await {
                Ok(results) => {
                    batches.taken();
                    self.is_begun = true;
                    self.answers[at].unanswered.answered(&batch);
                    batch.into_iter().zip(results).for_each(|(text, result)| self.take(at, text, result));
                    continue;
                }
                Err(error) => error,
            };
            self.note(engine, &error);
            match &error {
                EngineError::Unavailable(_) => match self.answers[at].unanswered.failed(&batch) {
                    Some(halves) if halves.len() > 1 => batches.put_last(halves),
                    Some(_) => left = Some(error),
                    None => return Err(error),
                },
                EngineError::RateLimited { .. } => {
                    self.answers[at].unanswered.put_last(&batch);
                    return Err(error);
                }
                EngineError::TooLarge(_) | EngineError::BadItem(_) => {
                    let given_up = batches.halve(batch, matches!(error, EngineError::BadItem(_)));
                    self.fail(at, &given_up, &TranslationFailure::Refused(error.for_people()));
                }
                EngineError::GlossaryLost(_) if self.replace_glossary(at, engine).await => batches.again(batch),
                EngineError::Refused(_) | EngineError::GlossaryLost(_) => {
                    self.fail(at, &batch, &TranslationFailure::Refused(error.for_people()));
                }
                EngineError::Misconfigured(_) | EngineError::QuotaExhausted(_) | EngineError::UnknownLanguages(_) => {
                    return Err(error);
                }
            }
        }
        Ok(left)
    }

    /// Takes the answer for a text, or notes why the text is to be asked for once more.
    fn take(&mut self, at: usize, text: usize, result: Result<Vec<TextSegment>, UnitError>) {
        let (leaf, item) = &self.items[text];
        let answers = &mut self.answers[at];
        let made = match taken(leaf, item, self.target, result) {
            Err(Rejected::Again(failure)) if !answers.complaints.contains_key(&text) => {
                answers.complaints.insert(text, failure);
                return;
            }
            Err(Rejected::Again(failure) | Rejected::Refused(failure)) => Err(failure),
            Ok(translated) => Ok(translated),
        };
        answers.texts[text] = Some(made);
    }

    async fn send(
        &self,
        at: usize,
        engine: PacedEngine<'_>,
        batch: &[usize],
    ) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let items = batch.iter().map(|text| {
            let complaint = self.answers[at].complaints.get(text).map(TranslationFailure::complaint);
            BatchItem { complaint, ..self.items[*text].1.clone() }
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
    async fn find_glossary(&mut self, at: usize, engine: PacedEngine<'_>) {
        let Some(kept) = self.kept_glossaries else { return };
        if self.answers[at].glossary.is_none() && self.items.iter().any(|(_, item)| !item.glossary.is_empty()) {
            self.answers[at].glossary = Some(kept.find(engine.engine()).await);
        }
    }

    /// Puts another glossary in the place of one that an engine's service has lost: a new one the first time, none the second.
    /// Returns false if there was none.
    async fn replace_glossary(&mut self, at: usize, engine: PacedEngine<'_>) -> bool {
        let Some(lost) = self.answers[at].glossary.take().flatten() else { return false };
        let is_first = !std::mem::replace(&mut self.answers[at].has_lost_glossary, true);
        let another = match self.kept_glossaries {
            Some(kept) if is_first => kept.replace(engine.engine(), &lost).await,
            _ => None,
        };
        self.answers[at].glossary = Some(another);
        true
    }

    fn fail(&mut self, at: usize, texts: &[usize], failure: &TranslationFailure) {
        for text in texts {
            self.answers[at].texts[*text] = Some(Err(failure.clone()));
        }
    }

    fn note(&mut self, engine: PacedEngine<'_>, error: &EngineError) {
        let fault = format!("{}: {error}", engine.engine().name());
        if self.faults.len() < MOST_FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}
