//! A sync in another language than the base: translations that exist already are taken over, free of charge.
//!
//! Each entry of the file is in one class. `new`: the key had no translation; also an entry whose key the project does not
//! have, which is left out with a warning. `changed`: the key had another translation. `unchanged`: it had this one, or
//! the translation does not change: the entry is empty where the source is not, as tools write missing translations, or
//! a person has approved another translation, which stays.
//!
//! A file may say the state of a translation. A draft waits for a person's review, as one that a check holds back does, and never
//! takes the place of a translation that versions have. What the file calls reviewed is so, unless a check finds an error.
//!
//! Whatever is not taken, or is taken and held back by a check, is named with the reason. A translation that is the same as
//! the one held back before is checked again: the source, or the checks, may have changed meanwhile.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use l10n_api_types::translations::{Class, Classification, HeldReason, HeldText, Item, Run, RunStatus};
use l10n_api_types::{Content, Issue, Millicredits, Origin, ProjectId, State};
use l10n_formats::SourceHash;
use l10n_formats::text::checks::Checker;
use l10n_formats::text::checks::glossary::Glossary;

use super::RunContext;
use super::answer::{MOST_ITEMS, shown};
use super::gather::BATCH;
use super::imported::write;
use super::incoming::InputKey;
use crate::compute::compute;
use crate::domain::code_changes::reconcile::follow_renames;
use crate::domain::glossary::Glossaries;
use crate::domain::pages::{self, PageBudget};
use crate::domain::{ServiceError, credits, findings};
use crate::store::glossary::GlossaryRevision;
use crate::store::key_pages::{self, PageKey};
use crate::store::keys::{self, KeyToTranslate};
use crate::store::projects::Project;
use crate::store::translations::{self, LanguageTranslationState, NewTranslation, Translation};
use crate::store::{Tx, code_changes, glossary as terms};
use crate::words::counted;

/// Refs that a warning names.
const NAMED: usize = 5;

/// An import, as it was asked for.
pub(super) struct ImportInput {
    /// The language of the translations.
    pub language: String,
    /// The entries of the file.
    pub incoming: Vec<InputKey>,
    /// Warnings for a person, from before the import.
    pub warnings: Vec<String>,
}

/// Takes the translations over, all in the caller's transaction; a dry run returns the effect of that.
pub(super) async fn import(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    project: &Project,
    input: &ImportInput,
) -> Result<Run, ServiceError> {
    let approval = cx.approval(tx, [input.language.as_str()]).await?;
    let comparison = ImportComparison::begin(tx, cx.parts.glossaries, project, input).await?;
    let outcome = comparison.outcome(tx).await?;
    if let Some(approval) = approval {
        approval.use_up(tx, cx.runner.request(), cx.now).await?;
        write(tx, cx, project, &input.language, &outcome).await?;
    }
    describe(tx, cx, project, outcome).await
}

/// The answer to an import.
pub(super) async fn describe(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    project: &Project,
    outcome: ImportResult<'_>,
) -> Result<Run, ServiceError> {
    let balance = credits::funds(tx, &project.workspace_id, cx.now).await?.balance;
    Ok(Run {
        dry_run: cx.dry_run,
        request_id: cx.runner.request().clone(),
        tracking_token: None,
        status: if cx.dry_run { RunStatus::Preview } else { RunStatus::Completed },
        classification: outcome.counts,
        archived: 0,
        kept: 0,
        changes_nothing: outcome.taken.is_empty(),
        items_truncated: outcome.counts.new + outcome.counts.changed > MOST_ITEMS as u64,
        items: outcome.items,
        renamed: Vec::new(),
        held: outcome.held,
        per_language: Vec::new(),
        estimated_credits: Millicredits::ZERO,
        credits_charged: Millicredits::ZERO,
        balance,
        would_fail: None,
        requires_operation: cx.runner.needs_approval(),
        warnings: outcome.warnings,
    })
}

/// The entries of an import, and by what they are compared.
pub(super) struct ImportComparison<'a> {
    incoming: Cow<'a, [InputKey]>,
    project: ProjectId,
    base_language: String,
    language: &'a str,
    warnings: &'a [String],
    glossary: Arc<Glossary>,
    change_seq: i64,
    terms: GlossaryRevision,
}

/// The texts that the project has for a batch of entries.
struct StoredTexts {
    sources: HashMap<String, KeyToTranslate>,
    translations: HashMap<String, Translation>,
}

impl StoredTexts {
    async fn read(tx: &mut Tx, ids: &[&str], language: &str) -> Result<Self, ServiceError> {
        let sources = keys::sources(tx, ids).await?;
        let translations = translations::by_keys_and_language(tx, ids, language).await?;
        Ok(Self {
            sources: sources.into_iter().map(|source| (source.name.clone(), source)).collect(),
            translations: translations.into_iter().map(|held| (held.key_id.clone(), held)).collect(),
        })
    }
}

impl<'a> ImportComparison<'a> {
    pub(super) async fn begin(
        tx: &mut Tx,
        glossaries: &Glossaries,
        project: &Project,
        input: &'a ImportInput,
    ) -> Result<Self, ServiceError> {
        let mut incoming = Cow::Borrowed(input.incoming.as_slice());
        let pending = code_changes::all(tx, &project.id).await?;
        if !pending.is_empty() {
            follow_renames(incoming.to_mut(), &pending);
        }
        // Before the terms: what changes in between is noticed at the end.
        let terms = terms::revision(tx, &project.id).await?;
        Ok(Self {
            incoming,
            project: project.id.clone(),
            base_language: project.base_language.clone(),
            language: &input.language,
            warnings: &input.warnings,
            glossary: glossaries.between(tx, &project.id, &project.base_language, &input.language).await?,
            change_seq: project.change_seq,
            terms,
        })
    }

    /// Compares the entries with what there is. A short file may name many long texts, so these are read a batch after the other.
    pub(super) async fn outcome(&self, tx: &mut Tx) -> Result<ImportResult<'_>, ServiceError> {
        let mut outcome = ImportResult { warnings: self.warnings.to_vec(), ..ImportResult::default() };
        for entries in self.incoming.chunks(BATCH) {
            let names: Vec<&str> = entries.iter().map(|item| item.name.as_str()).collect();
            let keys = key_pages::sized_by_refs(tx, &self.project, &names, self.language).await?;
            let keys: HashMap<&str, &PageKey> = keys.iter().map(|key| (key.name.as_str(), key)).collect();
            let key_of = |item: &InputKey| keys.get(item.name.as_str()).copied();
            for entries in pages::batches(entries, |item| key_of(item).map_or(0, |key| key.bytes)) {
                let ids: Vec<&str> = entries.iter().filter_map(key_of).map(|key| key.id.as_str()).collect();
                let held = StoredTexts::read(tx, &ids, self.language).await?;
                compute(true, || {
                    let checker = Checker::new(&self.base_language, self.language);
                    let checker = checker.with_glossary(Arc::clone(&self.glossary));
                    entries.iter().for_each(|item| outcome.add(item, &held, &checker));
                });
            }
        }
        outcome.warn();
        Ok(outcome)
    }

    /// Returns whether keys and terms of the project, which a later transaction holds, are as they were read.
    pub(super) async fn are_still(&self, tx: &mut Tx, project: &Project) -> Result<bool, ServiceError> {
        // One more: that of this transaction.
        Ok(project.change_seq == self.change_seq + 1 && terms::revision(tx, &project.id).await? == self.terms)
    }

    /// Returns whether the translations that an outcome replaces are as they were read: jobs and reviews change no key.
    pub(super) async fn has_still(&self, tx: &mut Tx, outcome: &ImportResult<'_>) -> Result<bool, ServiceError> {
        let ids: Vec<&str> = outcome.taken.iter().map(|taken| taken.key_id.as_str()).collect();
        let now = translations::states_in(tx, &ids, self.language).await?;
        let replaced = outcome.taken.iter().filter_map(|taken| taken.replaced.as_ref());
        let replaced: HashMap<&str, &LanguageTranslationState> =
            replaced.map(|held| (held.key_id.as_str(), held)).collect();
        Ok(now.len() == replaced.len() && now.iter().all(|now| replaced.get(now.key_id.as_str()) == Some(&now)))
    }
}

/// The outcome of an import.
#[derive(Default)]
pub(super) struct ImportResult<'a> {
    counts: Classification,
    items: Vec<Item>,
    /// The room for previous texts that is left in the items.
    room: PageBudget,
    held: Vec<HeldText>,
    taken: Vec<ImportedTranslation<'a>>,
    unknown: Vec<&'a str>,
    empty: usize,
    approved: usize,
    held_back: usize,
    drafts: usize,
    superfluous: usize,
    warnings: Vec<String>,
}

/// A translation to write.
pub(super) struct ImportedTranslation<'a> {
    pub key_id: String,
    pub source_hash: SourceHash,
    pub content: &'a Content,
    state: State,
    issues: Vec<Issue>,
    /// The standing of the translation that it replaces.
    replaced: Option<LanguageTranslationState>,
}

impl<'a> ImportResult<'a> {
    fn add(&mut self, item: &'a InputKey, held: &StoredTexts, checker: &Checker) {
        let Some(source) = held.sources.get(&item.name) else {
            self.unknown.push(&item.name);
            self.hold(item, HeldReason::UnknownKey, "the project has no such key".to_owned());
            self.count(item, Class::New, None);
            return;
        };
        let before = held.translations.get(&source.id);
        let same = before.is_some_and(|before| before.content.0 == item.content);
        let held_before = before.is_some_and(|before| before.state == State::NeedsReview);
        let is_approved_now = item.state == Some(State::Reviewed)
            && before.is_some_and(|before| before.state == State::Translated && !before.stale);
        if same && !held_before && !is_approved_now {
            self.counts.unchanged += 1;
            return;
        }
        if item.characters == 0 && source.source.0.characters() > 0 {
            self.empty += 1;
            self.hold(item, HeldReason::Empty, "it is empty and the source is not".to_owned());
            self.counts.unchanged += 1;
            return;
        }
        if before.is_some_and(|before| before.state == State::Reviewed) {
            self.approved += 1;
            self.hold(item, HeldReason::Reviewed, "a person has approved another translation, which stays".to_owned());
            self.counts.unchanged += 1;
            return;
        }
        let is_draft = item.state == Some(State::NeedsReview);
        if is_draft && before.is_some_and(|before| before.state == State::Translated) {
            self.superfluous += 1;
            self.hold(
                item,
                HeldReason::Draft,
                "the file calls it a draft, and the project's translation stays".to_owned(),
            );
            self.counts.unchanged += 1;
            return;
        }
        let (found, issues) = findings::of(checker, &source.source.0, &item.content, source.facts());
        let state = match (found, item.state) {
            (State::NeedsReview, _) => {
                self.held_back += 1;
                self.hold(item, HeldReason::NeedsReview, findings::errors(&issues));
                State::NeedsReview
            }
            (_, Some(State::NeedsReview)) => {
                self.drafts += 1;
                self.hold(item, HeldReason::NeedsReview, "the file calls it a draft".to_owned());
                State::NeedsReview
            }
            (_, Some(State::Reviewed)) => State::Reviewed,
            _ => found,
        };
        if same && state == State::NeedsReview {
            self.counts.unchanged += 1;
            return;
        }
        let class = if before.is_some() { Class::Changed } else { Class::New };
        self.count(item, class, before);
        self.taken.push(ImportedTranslation {
            key_id: source.id.clone(),
            source_hash: source.source_hash,
            content: &item.content,
            state,
            issues,
            replaced: before.map(|before| LanguageTranslationState {
                key_id: before.key_id.clone(),
                source_hash: before.source_hash,
                state: before.state,
                origin: before.origin,
                updated_at: before.updated_at,
            }),
        });
    }

    fn hold(&mut self, item: &InputKey, reason: HeldReason, message: String) {
        if self.held.len() < MOST_ITEMS {
            self.held.push(HeldText { r#ref: item.name.clone(), reason, message });
        }
    }

    fn count(&mut self, item: &InputKey, class: Class, before: Option<&Translation>) {
        match class {
            Class::New => self.counts.new += 1,
            _ => self.counts.changed += 1,
        }
        if self.items.len() < MOST_ITEMS {
            let previous_text = before.map(|before| shown(before.content.0.clone()));
            let room = &mut self.room;
            let previous_text = previous_text.filter(|text| room.take(i64::try_from(text.len()).unwrap_or(i64::MAX)));
            self.items.push(Item { r#ref: item.name.clone(), class, previous_text, languages: Vec::new() });
        }
    }

    fn warn(&mut self) {
        if !self.unknown.is_empty() {
            let named: Vec<String> = self.unknown.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
            let more = if self.unknown.len() > NAMED { ", …" } else { "" };
            self.warnings.push(format!(
                "left out, since the project has no such keys: {} ({}{more}); sync the file in the base language first",
                self.unknown.len(),
                named.join(", ")
            ));
        }
        if self.empty > 0 {
            self.warnings.push(match self.empty {
                1 => "1 empty entry was left out".to_owned(),
                empty => format!("{empty} empty entries were left out"),
            });
        }
        if self.approved > 0 {
            self.warnings.push(format!("left as a person approved it: {}", counted(self.approved, "translation")));
        }
        if self.drafts > 0 {
            self.warnings.push(format!(
                "drafts of the file, which no version has until a person reviews them: {}",
                counted(self.drafts, "translation")
            ));
        }
        if self.superfluous > 0 {
            self.warnings.push(format!(
                "left out, since they are drafts of what the project has translations of: {}",
                counted(self.superfluous, "translation")
            ));
        }
        if self.held_back > 0 {
            let them = if self.held_back == 1 { "it" } else { "them" };
            self.warnings.push(format!(
                "a check holds back {}; no version has {them} until a person reviews {them}",
                counted(self.held_back, "translation")
            ));
        }
    }
}

impl ImportResult<'_> {
    /// The number of translations to write.
    pub(super) fn taken(&self) -> usize {
        self.taken.len()
    }

    /// The translations to write.
    pub(super) fn rows<'r>(&'r self, language: &'r str) -> Vec<NewTranslation<'r>> {
        let row = |taken: &'r ImportedTranslation<'_>| NewTranslation {
            key_id: &taken.key_id,
            language,
            content: taken.content,
            state: taken.state,
            source_hash: taken.source_hash,
            origin: Origin::Import,
            engine: None,
            issues: &taken.issues,
        };
        self.taken.iter().map(row).collect()
    }

    /// The translations that memory keeps, in the order of their hashes: of two who write the same rows none waits for the other
    /// in turn.
    pub(super) fn to_remember(&self) -> Vec<&ImportedTranslation<'_>> {
        let remembered = self.taken.iter().zip(self.remembered()).filter(|(_, is_remembered)| *is_remembered);
        let mut remembered: Vec<_> = remembered.map(|(taken, _)| taken).collect();
        remembered.sort_unstable_by_key(|taken| taken.source_hash);
        remembered
    }

    /// Says of each of them whether memory keeps it. Of two keys with one text, it keeps the last translation.
    pub(super) fn remembered(&self) -> Vec<bool> {
        let kept = self.taken.iter().enumerate().filter(|(_, taken)| taken.state != State::NeedsReview);
        let last: HashMap<SourceHash, usize> = kept.map(|(at, taken)| (taken.source_hash, at)).collect();
        let is_last = |(at, taken): (usize, &ImportedTranslation<'_>)| last.get(&taken.source_hash) == Some(&at);
        self.taken.iter().enumerate().map(is_last).collect()
    }
}
