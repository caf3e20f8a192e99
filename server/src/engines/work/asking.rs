//! Asking an engine for texts: in batches that it takes, once more where an answer cannot be taken, and by halves where a batch
//! is refused.

use std::collections::BTreeSet;

use l10n_formats::text::checks::Checker;

use super::Work;
use crate::engines::batches::Batches;
use crate::engines::pace::PacedEngine;
use crate::engines::pipeline::TranslationFailure;
use crate::engines::taken::{RejectedAnswer, flaw, taken};
use crate::engines::{Batch, BatchItem, EngineError, SupportedHints, TextSegment, UnitError};

/// The results of a batch, in the order of its texts.
type Results = Vec<ItemResult>;

type ItemResult = Result<Vec<TextSegment>, UnitError>;

/// Most faults of engines that are noted.
const MOST_FAULTS: usize = 20;

impl Work<'_> {
    /// Asks for texts, those that differ in their plural form alone once where the engine does not tell these apart.
    pub(super) async fn ask(
        &mut self,
        at: usize,
        engine: PacedEngine<'_>,
        open: Vec<usize>,
    ) -> Result<(), EngineError> {
        if engine.engine().supported_hints() == SupportedHints::All {
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

    /// Asks for texts, and once more, with the reason, for those whose answers cannot be taken or have a flaw.
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
            let is_wanted = |text: &usize| {
                (answers.texts[*text].is_none() || answers.flawed.contains(text))
                    && answers.complaints.contains_key(text) == is_second
            };
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
            EngineError::Misconfigured(_) | EngineError::Barred(_) => {
                TranslationFailure::Unavailable(error.for_people())
            }
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
                    self.take_all(at, engine, batch, results);
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
                EngineError::Misconfigured(_)
                | EngineError::Barred(_)
                | EngineError::QuotaExhausted(_)
                | EngineError::UnknownLanguages(_) => return Err(error),
            }
        }
        Ok(left)
    }

    /// Takes the answers for a batch. Flaws are looked for where the engine is told of them.
    fn take_all(&mut self, at: usize, engine: PacedEngine<'_>, batch: Vec<usize>, results: Results) {
        let is_told = engine.engine().supported_hints() == SupportedHints::All;
        let checker = is_told.then(|| Checker::new(self.source, self.target));
        for (text, result) in batch.into_iter().zip(results) {
            self.take(at, text, result, checker.as_ref());
        }
    }

    /// Takes the answer for a text, or notes why the text is to be asked for once more. A translation with a flaw is both.
    fn take(&mut self, at: usize, text: usize, result: ItemResult, checker: Option<&Checker>) {
        let (leaf, item) = &self.items[text];
        let answers = &mut self.answers[at];
        let is_first = !answers.complaints.contains_key(&text);
        let made = match taken(leaf, item, self.target, result) {
            Err(RejectedAnswer::Again(failure)) if is_first => {
                answers.complaints.insert(text, failure);
                return;
            }
            Err(_) if answers.flawed.contains(&text) => return,
            Err(RejectedAnswer::Again(failure) | RejectedAnswer::Refused(failure)) => Err(failure),
            Ok(translated) => {
                let checker = checker.filter(|_| is_first);
                if let Some(complaint) = checker.and_then(|checker| flaw(checker, leaf, item, &translated)) {
                    answers.complaints.insert(text, complaint);
                    answers.flawed.insert(text);
                }
                Ok(translated)
            }
        };
        answers.texts[text] = Some(made);
    }

    async fn send(&self, at: usize, engine: PacedEngine<'_>, batch: &[usize]) -> Result<Results, EngineError> {
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
            let found = kept.find(engine.engine()).await;
            self.answers[at].had_glossary |= found.is_some();
            self.answers[at].glossary = Some(found);
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
        self.answers[at].had_glossary |= another.is_some();
        self.answers[at].glossary = Some(another);
        true
    }

    /// Notes why texts have no translation. One that has a translation with a flaw keeps it.
    fn fail(&mut self, at: usize, texts: &[usize], failure: &TranslationFailure) {
        let answers = &mut self.answers[at];
        for text in texts.iter().filter(|text| !answers.flawed.contains(text)) {
            answers.texts[*text] = Some(Err(failure.clone()));
        }
    }

    fn note(&mut self, engine: PacedEngine<'_>, error: &EngineError) {
        let fault = format!("{}: {error}", engine.engine().name());
        if self.faults.len() < MOST_FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}
