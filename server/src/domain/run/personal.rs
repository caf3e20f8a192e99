//! Runs that a person starts in the dashboard: over keys of the project that lack translations, or over those that failed in
//! another run. Such a run registers nothing and changes no key. It counts against no budget of the API, and costs at most the
//! price that the person has seen.

use std::collections::{HashMap, HashSet};

use l10n_api_types::translations::Run;
use l10n_api_types::{LanguageCode, Millicredits, TrackingToken};
use l10n_formats::SourceHash;

use super::gather::{BATCH, RunInput};
use super::incoming::InputKey;
use super::runner::Runner;
use super::targets::targets;
use super::translate::{begin, execute, in_one};
use super::work::TranslationStatus;
use super::{RunContext, RunParts, ahead, name_hold, placed_hold};
use crate::domain::pages::PageBudget;
use crate::domain::people::audit::{self, AuditAction, Record};
use crate::domain::publish::PersonalCall;
use crate::domain::receipts::LANDS_WITHIN;
use crate::domain::{ServiceError, jobs as job_rules, progress};
use crate::store::keys::KeyState;
use crate::store::projects::Project;
use crate::store::{Tx, job_failures, keys, languages, translations};

/// Keys of a run, about: a run over more is several.
const MOST: usize = 10_000;
/// Bytes of their texts, of which a run has one in any case: these are in memory together.
const BYTES: i64 = 16 * 1024 * 1024;
/// Most translations that are looked through for keys that lack one.
const LOOKED_THROUGH: usize = 200_000;

/// The texts that a person wants to have translated.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextSelection<'a> {
    /// Those of keys that lack a translation into one of these languages, or have a machine's of an earlier source. Only keys
    /// whose refs sort after `after` are looked at.
    Missing {
        /// The languages.
        languages: &'a [LanguageCode],
        /// The ref.
        after: &'a str,
    },
    /// Those that failed in a run over keys which has ended.
    Failed {
        /// The run.
        run: &'a TrackingToken,
    },
}

/// The price of a run, and how much of the project it is about.
#[derive(Debug)]
pub(crate) struct RunQuote {
    /// The run as it would be, with the reason why it would be refused.
    pub run: Run,
    /// The ref behind which the search goes on: nobody looked at the keys after it.
    pub next: Option<String>,
}

/// The reason why no run was started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// It would cost more than the person agreed to.
    #[error("the price has risen since it was shown")]
    Dearer,
    /// Nothing lacks a translation any more.
    #[error("nothing is left to translate")]
    Nothing,
    /// The server, or the request.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(StartError);

/// The price of a run.
///
/// # Errors
///
/// 400 for the languages, 404 for a run that the project does not have.
pub(crate) async fn quote(
    parts: RunParts<'_>,
    call: PersonalCall<'_>,
    wanted: TextSelection<'_>,
) -> Result<RunQuote, ServiceError> {
    let cx = RunContext::new(parts, Runner::Person { call, agreed: Millicredits::ZERO }, true, None);
    let mut tx = cx.begin(false).await?;
    let project = begin(&mut tx, &cx, false).await?;
    let (mut input, next) = find(&mut tx, &project, wanted).await?;
    let run = in_one(&mut tx, &cx, project, &mut input).await?;
    tx.rollback().await?;
    Ok(RunQuote { run, next })
}

/// Starts a run that costs at most `agreed`; returns its token, unless translation memory had everything.
///
/// # Errors
///
/// [`StartError`]; 400 and 404 as [`quote`], 402 for credits and the cap. Nothing is written then.
pub(crate) async fn start(
    parts: RunParts<'_>,
    call: PersonalCall<'_>,
    wanted: TextSelection<'_>,
    agreed: Millicredits,
) -> Result<Option<TrackingToken>, StartError> {
    let mut cx = RunContext::new(parts, Runner::Person { call, agreed }, false, None);
    // Looked for before the project is held, since that may take a while.
    let mut tx = cx.begin(false).await?;
    let project = begin(&mut tx, &cx, false).await?;
    let (input, _) = find(&mut tx, &project, wanted).await?;
    tx.rollback().await?;
    if input.incoming.is_empty() {
        return Err(StartError::Nothing);
    }
    let languages = input.targets.join(", ");
    let ahead = ahead::is_worth_it(&cx, input.incoming.len());
    let mut tx = cx.begin(!ahead).await?;
    let project = begin(&mut tx, &cx, !ahead).await?;
    let (mut tx, run) = match execute(tx, &mut cx, project, input, ahead).await {
        Err(ServiceError::AuthorizationRequired(_)) => return Err(StartError::Dearer),
        other => other?,
    };
    if run.per_language.iter().all(|language| language.keys == 0) {
        tx.rollback().await?;
        return Err(StartError::Nothing);
    }
    let subject = run.tracking_token.as_ref().map(TrackingToken::as_str);
    let record =
        Record { project: Some(call.project), action: AuditAction::RunStarted, subject, detail: Some(&languages) };
    audit::write(&mut tx, call.workspace, &call.person.actor(), cx.now, record).await?;
    let placed = placed_hold(&mut tx, &run).await?;
    // As with a write of an app, which its receipt does not let land then: the sweep takes a run that is older for dead.
    if parts.clock.now() >= cx.now.plus_millis(LANDS_WITHIN) {
        tx.rollback().await?;
        return Err(ServiceError::Late.into());
    }
    tx.commit().await.map_err(|error| name_hold(error.into(), placed))?;
    Ok(run.tracking_token)
}

/// The keys that a run is about, as the project holds them, and where it goes on.
async fn find(
    tx: &mut Tx,
    project: &Project,
    wanted: TextSelection<'_>,
) -> Result<(RunInput, Option<String>), ServiceError> {
    match wanted {
        TextSelection::Missing { languages, after } => missing(tx, project, languages, after).await,
        TextSelection::Failed { run } => Ok((failed(tx, project, run).await?, None)),
    }
}

fn input(incoming: Vec<InputKey>, targets: Vec<String>, only: Option<HashSet<(usize, usize)>>) -> RunInput {
    RunInput {
        incoming,
        file: None,
        targets,
        retranslate: false,
        archive: false,
        is_held: true,
        only,
        settled: Vec::new(),
        warnings: Vec::new(),
    }
}

async fn missing(
    tx: &mut Tx,
    project: &Project,
    asked: &[LanguageCode],
    after: &str,
) -> Result<(RunInput, Option<String>), ServiceError> {
    let languages = languages::list(tx, &project.id).await?;
    let targets = targets(Some(asked), &languages, &project.base_language)?;
    let progress = progress::of_project(tx, project).await?;
    let lacks = |language: &progress::LanguageProgress| {
        language.missing + language.stale > 0 && targets.contains(&language.language)
    };
    if !progress.iter().any(lacks) {
        return Ok((input(Vec::new(), targets, None), None));
    }
    let (mut found, mut looked, mut after, mut room) = (Vec::new(), 0, after.to_owned(), PageBudget::of(BYTES));
    loop {
        let page = keys::active_after(tx, &project.id, &after, BATCH).await?;
        if page.is_empty() {
            return Ok((input(found, targets, None), None));
        }
        looked += page.len().saturating_mul(languages.len());
        let wanted = lacking(tx, page.iter().map(|key| (key.id.as_str(), key.source_hash)), &targets).await?;
        let (ids, is_whole) = fitting(tx, &mut room, page.iter().map(|key| key.id.as_str()), &wanted).await?;
        found.extend(keys::sources(tx, &ids).await?.into_iter().map(InputKey::of_key));
        // Behind the last key that is taken, or behind all of them.
        let last = if is_whole { page.last() } else { page.iter().rfind(|key| ids.last() == Some(&key.id.as_str())) };
        if let Some(last) = last {
            after.clone_from(&last.name);
        }
        if !is_whole || found.len() >= MOST || looked >= LOOKED_THROUGH {
            let has_more = !keys::active_after(tx, &project.id, &after, 1).await?.is_empty();
            return Ok((input(found, targets, None), has_more.then_some(after)));
        }
    }
}

/// The first of these ids that are wanted, as many as have room. False if more are wanted.
async fn fitting<'a>(
    tx: &mut Tx,
    room: &mut PageBudget,
    ids: impl Iterator<Item = &'a str>,
    wanted: &HashSet<String>,
) -> Result<(Vec<&'a str>, bool), ServiceError> {
    let mut ids: Vec<&str> = ids.filter(|id| wanted.contains(*id)).collect();
    let sizes = keys::sizes(tx, &ids).await?;
    let number = room.fitting(&ids, |id| sizes.get(*id).copied().unwrap_or_default());
    let is_whole = number == ids.len();
    ids.truncate(number);
    Ok((ids, is_whole))
}

/// Ids of those keys that a run has to translate into one of these languages.
async fn lacking<'a>(
    tx: &mut Tx,
    held: impl Iterator<Item = (&'a str, SourceHash)>,
    targets: &[String],
) -> Result<HashSet<String>, ServiceError> {
    let hashes: HashMap<&str, SourceHash> = held.collect();
    let mut ids: Vec<&str> = hashes.keys().copied().collect();
    ids.sort_unstable();
    let mut settled: HashMap<&str, usize> = HashMap::new();
    let states = translations::states(tx, &ids).await?;
    for found in states.iter().filter(|found| targets.contains(&found.language)) {
        let is_present = hashes.get(found.key_id.as_str()) == Some(&found.source_hash);
        if !TranslationStatus::of(is_present, found.state, found.origin).is_needed(false) {
            *settled.entry(found.key_id.as_str()).or_default() += 1;
        }
    }
    let lacks = |id: &&str| settled.get(id).copied().unwrap_or_default() < targets.len();
    Ok(ids.into_iter().filter(lacks).map(str::to_owned).collect())
}

/// The first failures of a run that are left, each key in the languages in which it failed.
async fn failed(tx: &mut Tx, project: &Project, run: &TrackingToken) -> Result<RunInput, ServiceError> {
    let job = job_rules::show::find(tx, &project.id, run).await?;
    if job.document_id.is_some() || !job.status.is_final() {
        return Ok(input(Vec::new(), Vec::new(), None));
    }
    let failures = job_failures::list_after(tx, run, -1, i64::try_from(MOST).unwrap_or(i64::MAX)).await?;
    let targets: Vec<String> = languages::list(tx, &project.id)
        .await?
        .into_iter()
        .filter(|language| !language.is_base && failures.iter().any(|failure| failure.language == language.code))
        .map(|language| language.code)
        .collect();
    let mut seen = HashSet::new();
    let names: Vec<&str> =
        failures.iter().map(|failure| failure.name.as_str()).filter(|name| seen.insert(*name)).collect();
    let (mut incoming, mut room) = (Vec::new(), PageBudget::of(BYTES));
    for names in names.chunks(BATCH) {
        let mut held = keys::held_by_refs(tx, &project.id, names).await?;
        held.retain(|key| key.state == KeyState::Active);
        let wanted = lacking(tx, held.iter().map(|key| (key.id.as_str(), key.source_hash)), &targets).await?;
        let (ids, is_whole) = fitting(tx, &mut room, held.iter().map(|key| key.id.as_str()), &wanted).await?;
        incoming.extend(keys::sources(tx, &ids).await?.into_iter().map(InputKey::of_key));
        if !is_whole {
            break;
        }
    }
    let places: HashMap<&str, usize> = incoming.iter().enumerate().map(|(at, key)| (key.name.as_str(), at)).collect();
    let only = failures.iter().filter_map(|failure| {
        let language = targets.iter().position(|target| *target == failure.language)?;
        Some((*places.get(failure.name.as_str())?, language))
    });
    let only: HashSet<(usize, usize)> = only.collect();
    Ok(input(incoming, targets, Some(only)))
}
