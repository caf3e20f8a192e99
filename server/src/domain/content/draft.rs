//! A document as the next publish would take it in a language, and why it would not.

use std::collections::{HashMap, HashSet};

use l10n_api_types::content::{CONTENT_BODY_CAP, Document, DocumentProblem, DocumentState, TooLarge};
use l10n_api_types::{Issue, ProjectId, State};
use l10n_formats::SourceHash;
use l10n_formats::documents::{DocumentFormat, Segment, parse};

use super::translated::translated;
use crate::domain::{ServiceError, findings};
use crate::store::Tx;
use crate::store::documents::Document as Row;
use crate::store::segment_translations::{self, SegmentTranslation, TranslationScope};

/// Most problems that are reported.
const MOST: usize = 50;

/// The known translations of a document's segments into one language.
#[derive(Debug)]
pub(super) struct KnownTranslations {
    translations: HashMap<SourceHash, SegmentTranslation>,
    /// Issues of the translations that a check holds back.
    issues: HashMap<SourceHash, Vec<Issue>>,
}

/// The written document, and its problems.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) body: String,
    problems: Vec<DocumentProblem>,
}

impl KnownTranslations {
    pub(super) async fn find(
        tx: &mut Tx,
        project_id: &ProjectId,
        row: &Row,
        language: &str,
    ) -> Result<Self, ServiceError> {
        let translations = translated(tx, project_id, row, language).await?;
        let held = translations.values().filter(|translation| translation.state == State::NeedsReview);
        let held: Vec<SourceHash> = held.map(|translation| translation.hash).collect();
        let pair = TranslationScope { project_id, source_language: &row.language, language };
        let found = segment_translations::findings(tx, pair, &held).await?;
        let issues = found.into_iter().map(|found| (found.hash, found.issues.0)).collect();
        Ok(Self { translations, issues })
    }

    /// The document with the translations that it has. One that cannot be written in its place gives way to the source, and
    /// so do all of them where that is not enough. Not for the threads that serve requests.
    pub(super) fn write(mut self, format: DocumentFormat, body: &str) -> Result<Draft, ServiceError> {
        let document = parse(format, body).map_err(ServiceError::internal)?;
        let mut written = None;
        for _ in 0..2 {
            match document.render(|segment| self.passed(segment)) {
                Ok(text) => {
                    written = Some(text);
                    break;
                }
                Err(held) => {
                    for held in held {
                        self.issues
                            .entry(held.hash)
                            .or_insert_with(|| held.faults.iter().map(findings::of_fault).collect());
                    }
                }
            }
        }
        Ok(Draft { body: written.unwrap_or_else(|| body.to_owned()), problems: self.problems(document.segments()) })
    }

    /// A translation that nothing holds back.
    fn passed(&self, segment: &Segment) -> Option<&str> {
        let translation = self.translations.get(&segment.hash)?;
        let is_held = translation.state == State::NeedsReview || self.issues.contains_key(&segment.hash);
        (!is_held).then_some(translation.text.as_str())
    }

    fn problems(&self, segments: &[Segment]) -> Vec<DocumentProblem> {
        let mut seen = HashSet::new();
        let held = segments.iter().filter(|segment| self.passed(segment).is_none() && seen.insert(segment.hash));
        let problem = |segment: &Segment| DocumentProblem {
            text: segment.text.clone(),
            translation: self.translations.get(&segment.hash).map(|translation| translation.text.clone()),
            issues: self.issues.get(&segment.hash).cloned().unwrap_or_default(),
        };
        held.take(MOST).map(problem).collect()
    }
}

impl Draft {
    /// Adds to a document the reasons for which it cannot be published in this language, including those found only by
    /// rendering it.
    pub(super) fn tell(&mut self, document: &mut Document, language: &str) {
        document.problems = std::mem::take(&mut self.problems);
        let is_too_large = self.body.len() > CONTENT_BODY_CAP;
        document.too_large =
            is_too_large.then_some(TooLarge { bytes: self.body.len() as u64, limit: CONTENT_BODY_CAP as u64 });
        let is_refused = is_too_large || !document.problems.is_empty();
        let is_held = |state| state == DocumentState::Translated && is_refused;
        if let Some(own) = document.languages.iter_mut().find(|own| own.code.as_str() == language)
            && is_held(own.state)
        {
            own.state = DocumentState::Held;
        }
    }
}
