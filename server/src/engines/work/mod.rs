//! Contents on their way through engines: what each engine is asked for, and what has come of it.

mod asking;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use l10n_api_types::{Content, State};
use l10n_formats::text::checks::glossary::Glossary;
use l10n_formats::text::checks::{Checker, has_error};

use super::distinct::EngineTexts;
use super::leaf::MaskedLeaf;
use super::pace::{Asker, PacedEngine};
use super::pipeline::{SourceText, TranslatedContent, TranslationFailure};
use super::template::{ContentTemplate, Mapping};
use super::unanswered::Unanswered;
use super::{BatchItem, EngineError, Engines, KeptGlossaries, SupportedHints, WorkHints};

/// Contents on their way through engines. What an engine has translated is kept from one attempt to the next.
pub struct Work<'a> {
    source: &'a str,
    target: &'a str,
    units: &'a [SourceText],
    glossary: Arc<Glossary>,
    style: Option<Arc<str>>,
    kept_glossaries: Option<&'a dyn KeptGlossaries>,
    asker: Option<Asker>,
    /// The attempts that are still to come.
    attempts_left: u32,
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
    /// The hints that it gets.
    supported: SupportedHints,
    texts: Vec<Option<Result<String, TranslationFailure>>>,
    /// The reasons why texts are to be asked for once more.
    complaints: BTreeMap<usize, TranslationFailure>,
    /// The texts that are asked for once more although they have a translation, which stays if no better one comes.
    flawed: BTreeSet<usize>,
    unanswered: Unanswered,
    /// True if it did not answer in the last attempt, and not before either.
    is_down: bool,
    /// The glossary that its service keeps, once it was looked for.
    glossary: Option<Option<Arc<str>>>,
    /// True if it has had one for some of the texts.
    had_glossary: bool,
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
            attempts_left: 1,
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

    /// Says how many attempts there will be at most: one if nothing is said. Until the last one the contents that an engine is
    /// too busy for wait for it, and do not go to the next one, which may be dearer.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts_left = attempts;
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
        self.attempts_left = self.attempts_left.saturating_sub(1);
        let mut waiting = vec![false; self.units.len()];
        for (at, engine) in engines.enumerate() {
            if self.answers.len() == at {
                let texts = vec![None; self.items.len()];
                self.answers.push(EngineAnswers {
                    name: engine.engine().name().to_owned(),
                    supported: engine.engine().supported_hints(),
                    texts,
                    complaints: BTreeMap::new(),
                    flawed: BTreeSet::new(),
                    unanswered: Unanswered::default(),
                    is_down: false,
                    glossary: None,
                    had_glossary: false,
                    has_lost_glossary: false,
                });
            }
            let open = self.open_texts(at, &waiting);
            self.answers[at].unanswered.begin();
            let asked = self.ask(at, engine, open).await;
            let answers = &mut self.answers[at];
            answers.is_down =
                matches!(asked, Err(EngineError::Unavailable(_))) && !answers.unanswered.has_ever_answered();
            self.settle(at);
            if let Err(error) = asked {
                if self.attempts_left > 0 && matches!(error, EngineError::RateLimited { .. }) {
                    (0..waiting.len()).for_each(|content| waiting[content] |= self.is_open(at, content));
                }
                fault.get_or_insert(error);
            }
        }
        let is_open = |at| (0..self.units.len()).any(|content| self.is_open(at, content));
        match fault {
            Some(error) if (0..self.answers.len()).any(is_open) => Err(error),
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
            let (engine, is_own) = (answers.name.clone(), self.used_own_hints(answers, at));
            Ok(TranslatedContent { content, issues, state, engine, is_own })
        };
        (0..self.units.len()).map(finish).collect()
    }

    /// Returns whether an engine has made use of what the project has for itself. A glossary that a service keeps is not told from
    /// its terms: services find more in a text than the terms as they are written.
    fn used_own_hints(&self, answers: &EngineAnswers, at: usize) -> bool {
        let has_own = |text: usize| {
            let item = &self.items[text].1;
            item.hints.has_own_similar || item.glossary.iter().any(|term| term.is_own)
        };
        let of_text = answers.supported == SupportedHints::All && self.texts_of(at).any(has_own);
        let of_batch = answers.supported >= SupportedHints::Context && self.style.is_some();
        let of_service = answers.had_glossary && self.glossary.has_own_translations();
        of_text || of_batch || of_service
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

    /// Returns true if an engine may still translate a content: it has not answered for all of its texts, and failed for none.
    fn is_open(&self, engine: usize, at: usize) -> bool {
        let answers = &self.answers[engine].texts;
        self.made_by[at].is_none()
            && self.texts_of(at).all(|text| !matches!(answers[text], Some(Err(_))))
            && self.texts_of(at).any(|text| answers[text].is_none())
    }

    /// The texts that an engine is to be asked for: it has not answered, and the contents that have them need all of them. Those
    /// of contents that wait for an engine before it are not among them.
    fn open_texts(&self, engine: usize, waiting: &[bool]) -> Vec<usize> {
        let answers = &self.answers[engine].texts;
        let mut open = vec![false; answers.len()];
        for at in (0..self.units.len()).filter(|at| !waiting[*at] && self.is_open(engine, *at)) {
            self.texts_of(at).filter(|text| answers[*text].is_none()).for_each(|text| open[text] = true);
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
}
