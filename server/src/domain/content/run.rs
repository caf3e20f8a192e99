//! `POST /content/{docId}/run`: a document's segments are priced, and translated by a job.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::content::RunBody;
use l10n_api_types::translations::{Class, Classification, Item, Run, RunStatus};
use l10n_api_types::{Content, DailyBudget, DocumentId, LanguageCode, Millicredits, Origin, ProjectId};
use l10n_formats::SourceHash;
use l10n_formats::text::checks::glossary::Glossary;
use l10n_formats::text::checks::{Checker, Facts};

use super::translated::distinct;
use super::{look_up, unknown};
use crate::clock::Timestamp;
use crate::domain::approval::{self, GatedCall};
use crate::domain::memory::{LanguagePair, ProjectMemory};
use crate::domain::project_engines::ProjectEngines;
use crate::domain::run::RunParts;
use crate::domain::run::answer::{self, MOST_ITEMS};
use crate::domain::run::gather::{BATCH, known};
use crate::domain::run::incoming::InputKey;
use crate::domain::run::queue::{JobInput, queue};
use crate::domain::run::runner::Runner;
use crate::domain::run::targets::targets;
use crate::domain::run::work::{self, DistinctTexts, IndexSet, LanguageWork, StatusMatrix, TranslationStatus};
use crate::domain::{Caller, ServiceError, budgets, credits, findings};
use crate::engines::Engines;
use crate::store::documents::Document;
use crate::store::segment_translations::{self, NewSegmentTranslation, TranslationScope};
use crate::store::{Tx, job_chunks, jobs, languages, lock, pending_items, segments};

/// Unfinished jobs whose chunks are in memory at once.
const JOBS: usize = 16;

/// The work of a run.
pub(super) struct RunPlan {
    /// The engines of the project.
    pub(super) engines: ProjectEngines,
    /// The distinct segments in their order.
    pub(super) segments: Vec<InputKey>,
    /// Those that lack a translation in a target language.
    lacking: HashSet<usize>,
    pub(super) texts: DistinctTexts,
    pub(super) work: Vec<LanguageWork>,
    /// Translations that an unfinished job makes already.
    pending: u64,
}

/// Translates a document's present source; a dry run returns the effect and the price of that.
///
/// # Errors
///
/// 400 for the languages, 404 for a document that the project does not have, 403 for an agent's key without approval, 429
/// after the day's runs, 402 for credits and cap.
pub(crate) async fn run(
    tx: &mut Tx,
    parts: RunParts<'_>,
    caller: &Caller,
    id: &DocumentId,
    body: &RunBody,
    dry_run: bool,
) -> Result<Run, ServiceError> {
    let (project, workspace) = (&caller.project, &caller.workspace);
    let now = parts.clock.now();
    if !dry_run {
        lock::project(tx, project).await?;
    }
    let found = look_up(tx, caller, id.as_str()).await?;
    let languages = languages::list(tx, project).await?;
    // The fields come before the document: of one that is not there, the languages are those of any other.
    let source = found.as_ref().map_or("", |document| &document.language);
    let targets = targets(body.languages.as_deref(), &languages, source)?;
    let document = found.ok_or_else(unknown)?;
    let approval = if dry_run {
        None
    } else {
        let work = GatedCall::document(id.as_str(), targets.iter().map(String::as_str));
        let approval = approval::require(tx, caller, body.operation_id.as_ref(), work, now).await?;
        budgets::take(tx, project, DailyBudget::Runs, 1, &parts.settings.limits, now).await?;
        Some(approval)
    };
    let wanted = SegmentSelection { targets: &targets, retranslate: body.retranslate.unwrap_or(false), only: None };
    let plan = plan(tx, parts, project, &document, wanted).await?;
    if let Some(approval) = &approval {
        approval.covers(work::price(&plan.work), 0)?;
        lock::workspace(tx, workspace).await?;
    }
    let funds = credits::funds(tx, workspace, now).await?;
    let mut run = describe(caller.into(), &plan, dry_run);
    run.balance = funds.balance;
    let refused = funds.cover(work::price(&plan.work));
    let Some(approval) = approval else { return Ok(answer::would_fail(run, refused)) };
    refused?;
    approval.use_up(tx, &caller.request, now).await?;
    remember(tx, parts, project, &document, &plan, now).await?;
    if work::queued(&plan.work) == 0 {
        return Ok(answer::landed(run, None));
    }
    let names: Vec<String> = plan.segments.iter().map(|segment| segment.name.clone()).collect();
    let retranslate = body.retranslate.unwrap_or(false);
    let (incoming, texts, work) = (plan.segments.as_slice(), &plan.texts, plan.work.as_slice());
    let engines = &plan.engines;
    let left = JobInput { document: Some(id), engines, retranslate, incoming, texts, work, names: &names };
    let token = queue(tx, parts, caller.into(), left, now).await?;
    Ok(answer::landed(run, Some(token)))
}

/// The segments that a run is to translate.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentSelection<'a> {
    /// The languages.
    pub targets: &'a [String],
    /// True for those, too, that have a translation.
    pub retranslate: bool,
    /// These alone; `None` for all of the document.
    pub only: Option<&'a HashSet<SourceHash>>,
}

/// The work of a run over a document.
pub(super) async fn plan(
    tx: &mut Tx,
    parts: RunParts<'_>,
    project_id: &ProjectId,
    document: &Document,
    wanted: SegmentSelection<'_>,
) -> Result<RunPlan, ServiceError> {
    let mut all = distinct(&document.segments.0);
    all.retain(|hash| wanted.only.is_none_or(|only| only.contains(hash)));
    plan_of(tx, parts, project_id, &document.language, &all, wanted).await
}

/// The work of a run over these distinct segments in one language, whichever documents they stand in.
pub(super) async fn plan_of(
    tx: &mut Tx,
    parts: RunParts<'_>,
    project_id: &ProjectId,
    source_language: &str,
    all: &[SourceHash],
    wanted: SegmentSelection<'_>,
) -> Result<RunPlan, ServiceError> {
    let SegmentSelection { targets, retranslate, .. } = wanted;
    let mut texts: HashMap<SourceHash, InputKey> = HashMap::new();
    for segment in segments::find(tx, project_id, source_language, all).await? {
        texts.insert(segment.hash, InputKey::of_segment(segment));
    }
    let segments: Vec<InputKey> = all.iter().filter_map(|hash| texts.remove(hash)).collect();
    let place: HashMap<SourceHash, usize> = segments.iter().enumerate().map(|(at, item)| (item.hash, at)).collect();
    let mut statuses = StatusMatrix::new(segments.len(), targets.len());
    for (language, code) in targets.iter().enumerate() {
        let pair = TranslationScope { project_id, source_language, language: code };
        for row in segment_translations::states(tx, pair, all).await? {
            if let Some(item) = place.get(&row.hash) {
                statuses.set(*item, language, TranslationStatus::of(true, row.state, row.origin));
            }
        }
    }
    let names: Vec<&str> = segments.iter().map(|segment| segment.name.as_str()).collect();
    for names in names.chunks(BATCH) {
        for found in pending_items::of_segments(tx, project_id, source_language, names).await? {
            let language = targets.iter().position(|code| *code == found.language);
            if let Some((item, language)) = place.get(&found.hash).copied().zip(language) {
                statuses.set(item, language, statuses.get(item, language).with_pending(found.retranslate));
            }
        }
    }
    // Jobs that a release before has queued.
    let unfinished = jobs::unfinished_of_documents(tx, project_id, source_language).await?;
    for some in unfinished.chunks(JOBS) {
        for chunk in job_chunks::pending_of(tx, some).await? {
            let Some(language) = targets.iter().position(|code| *code == chunk.language) else { continue };
            for item in chunk.items.0.iter().filter_map(|unit| place.get(&unit.hash)) {
                statuses.set(*item, language, statuses.get(*item, language).with_pending(chunk.retranslate));
            }
        }
    }
    let texts = DistinctTexts::of(&segments);
    let memory = ProjectMemory::find(tx, project_id).await?;
    let engines = ProjectEngines::find(tx, parts.engines, project_id).await?;
    let (mut lacking, mut work) = (HashSet::new(), Vec::with_capacity(targets.len()));
    for (language, code) in targets.iter().enumerate() {
        lacking.extend(statuses.needed(language, false).iter());
        let needed = statuses.needed(language, retranslate);
        let chain = engines.of_language(code);
        let languages = LanguagePair { source: source_language, target: code };
        let known = match retranslate {
            true => IndexSet::default(),
            false => known(tx, (&memory, languages), &chain, &needed, &segments, &texts).await?,
        };
        let rate = parts.settings.pricing.dearest(chain.names());
        work.push(LanguageWork::new(code, needed, &segments, &texts, &known, rate));
    }
    Ok(RunPlan { engines, segments, lacking, texts, work, pending: statuses.pending() })
}

pub(super) fn describe(runner: Runner<'_>, plan: &RunPlan, dry_run: bool) -> Run {
    let (mut classification, mut items) = (Classification::default(), Vec::new());
    for (at, segment) in plan.segments.iter().enumerate() {
        let into = plan.work.iter().filter(|work| work.needed.contains(at));
        let languages: Vec<LanguageCode> = into.map(|work| LanguageCode::new(&work.language)).collect();
        let class = match (plan.lacking.contains(&at), languages.is_empty()) {
            (true, _) => Class::New,
            (false, false) => Class::Changed,
            (false, true) => Class::Unchanged,
        };
        match class {
            Class::New => classification.new += 1,
            Class::Changed => classification.changed += 1,
            _ => {
                classification.unchanged += 1;
                continue;
            }
        }
        items.push(Item { r#ref: segment.name.clone(), class, previous_text: None, languages });
    }
    let items_truncated = items.len() > MOST_ITEMS;
    items.truncate(MOST_ITEMS);
    let mut warnings = match plan.work.is_empty() {
        true => vec!["the project has no language besides that of the document, so nothing is translated".to_owned()],
        false => Vec::new(),
    };
    warnings.extend(answer::left_to_another(plan.pending));
    Run {
        dry_run,
        request_id: runner.request().clone(),
        tracking_token: None,
        status: if dry_run { RunStatus::Preview } else { RunStatus::Completed },
        classification,
        archived: 0,
        // The source of a segment's translation never changes.
        kept: 0,
        changes_nothing: plan.work.iter().all(|work| work.needed.len() == 0),
        items,
        items_truncated,
        renamed: Vec::new(),
        held: Vec::new(),
        per_language: plan.work.iter().map(answer::price).collect(),
        estimated_credits: work::price(&plan.work),
        credits_charged: Millicredits::ZERO,
        balance: Millicredits::ZERO,
        would_fail: None,
        requires_operation: runner.needs_approval(),
        warnings,
    }
}

/// Writes the translations that memory has: free of charge, and checked like everything else.
pub(super) async fn remember(
    tx: &mut Tx,
    parts: RunParts<'_>,
    project_id: &ProjectId,
    document: &Document,
    plan: &RunPlan,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let memory = ProjectMemory::find(tx, project_id).await?;
    for work in &plan.work {
        let pair = TranslationScope { project_id, source_language: &document.language, language: &work.language };
        let items: Vec<&InputKey> = work.remembered.iter().filter_map(|at| plan.segments.get(at)).collect();
        if items.is_empty() {
            continue;
        }
        let engines = plan.engines.of_language(&work.language);
        let glossary = parts.glossaries.between(tx, project_id, pair.source_language, pair.language).await?;
        for items in items.chunks(BATCH) {
            for items in memory.batches(tx, languages_of(pair), items, |item| item.hash).await? {
                remember_batch(tx, &memory, pair, &engines, &glossary, items, now).await?;
            }
        }
    }
    Ok(())
}

/// Writes what memory has for these segments.
async fn remember_batch(
    tx: &mut Tx,
    memory: &ProjectMemory,
    pair: TranslationScope<'_>,
    engines: &Engines,
    glossary: &Arc<Glossary>,
    items: &[&InputKey],
    now: Timestamp,
) -> Result<(), ServiceError> {
    let languages = languages_of(pair);
    let hashes: Vec<SourceHash> = items.iter().map(|item| item.hash).collect();
    let recalled = memory.recall(tx, languages, engines, &hashes).await?;
    let found: Vec<_> = {
        // Plural rules do not go from thread to thread, so they end before the store is asked.
        let checker = Checker::new(languages.source, languages.target).with_glossary(Arc::clone(glossary));
        let items = items.iter().filter_map(|item| Some((*item, recalled.get(&item.hash)?)));
        let texts = items.filter_map(|(item, found)| match (&item.content, &found.content) {
            (Content::Text(text), Content::Text(translated)) => Some((item, text, translated, found)),
            _ => None,
        });
        texts
            .map(|(item, text, translated, found)| {
                let of_text = findings::of(&checker, &item.content, &found.content, Facts::default());
                (item.hash, translated, found.engine.as_deref(), findings::of_segment(text, translated, of_text))
            })
            .collect()
    };
    let rows = found.iter().map(|(hash, text, made_by, (state, issues))| NewSegmentTranslation {
        hash: *hash,
        text,
        state: *state,
        issues,
        origin: Origin::Memory,
        engine: *made_by,
    });
    let rows: Vec<_> = rows.collect();
    segment_translations::upsert(tx, pair, &rows, now).await?;
    let taken: Vec<SourceHash> = rows.iter().map(|row| row.hash).collect();
    memory.touch(tx, languages, engines, &taken, now).await
}

fn languages_of(pair: TranslationScope<'_>) -> LanguagePair<'_> {
    LanguagePair { source: pair.source_language, target: pair.language }
}
