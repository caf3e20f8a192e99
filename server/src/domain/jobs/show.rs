//! Jobs as the members of a project see them: the list, and one with its failures. Pages are bounded, however large a job is.

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, ProjectId, TrackingToken};
use l10n_formats::SourceHash;

use crate::domain::{ServiceError, pages};
use crate::store::documents::Document;
use crate::store::job_chunks::{self, JobLanguageProgress};
use crate::store::job_engines::{self, EngineShare};
use crate::store::job_failures::{self, PlacedFailure};
use crate::store::jobs::{self, Job};
use crate::store::key_pages::{self, PageKey};
use crate::store::{Tx, documents, keys, segments};

/// Sorts after every token: the newest jobs come first.
pub(crate) const NEWEST: &str = "~";
/// Most chunks that are added up by language: those of about a million translations.
const CHUNKS: i64 = 10_000;

/// A job with a page of its failures.
#[derive(Debug)]
pub(crate) struct ShownJob {
    /// The job.
    pub job: Job,
    /// The document that it translates, if it is there yet.
    pub document: Option<Document>,
    /// Its progress by language; `None` for a job of too many chunks to add up.
    pub languages: Option<Vec<JobLanguageProgress>>,
    /// The share of each engine in what is translated.
    pub engines: Vec<EngineShare>,
    /// A page of its failures.
    pub failures: Vec<ShownFailure>,
    /// The place of the page's last failure where another page follows.
    pub next: Option<i64>,
}

/// A failure with the text that was not translated.
#[derive(Debug)]
pub(crate) struct ShownFailure {
    /// The failure.
    pub failure: PlacedFailure,
    /// The source text as it is now, if it is there yet.
    pub text: Option<Content>,
}

/// The newest jobs of a project, at most `most`: those before the token `before`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn newest(
    tx: &mut Tx,
    project: &ProjectId,
    before: &str,
    most: usize,
) -> Result<Vec<Job>, ServiceError> {
    Ok(jobs::newest(tx, project, before, i64::try_from(most).unwrap_or(i64::MAX)).await?)
}

/// A job of a project, with at most `most` of its failures, from the one after the place `after` on. They are fewer where their
/// texts are long.
///
/// # Errors
///
/// 404 for a token that is none of this project's.
pub(crate) async fn show(
    tx: &mut Tx,
    project: &ProjectId,
    token: &TrackingToken,
    after: i64,
    most: usize,
) -> Result<ShownJob, ServiceError> {
    let job = find(tx, project, token).await?;
    let document = match &job.document_id {
        Some(id) => documents::find(tx, project, id.as_str()).await?,
        None => None,
    };
    let languages = job_chunks::languages(tx, token, CHUNKS + 1).await?;
    let is_whole = languages.iter().map(|language| language.chunks).sum::<i64>() <= CHUNKS;
    let mut failures = job_failures::list_after(tx, token, after, pages::one_more(most)).await?;
    let held = match &job.document_id {
        None => sized(tx, project, &failures).await?,
        Some(_) => HashMap::new(),
    };
    let bytes = |failure: &PlacedFailure| held.get(&failure.name).map_or(0, |key| key.bytes);
    let next = pages::cut_long(&mut failures, most, bytes, |last| last.seq);
    let texts = match (&job.document_id, &document) {
        (None, _) => texts_of_keys(tx, &held, &failures).await?,
        (Some(_), Some(document)) => texts_of_segments(tx, project, &document.language, &failures).await?,
        (Some(_), None) => HashMap::new(),
    };
    let engines = job_engines::list(tx, token).await?;
    let failures = failures.into_iter().map(|failure| {
        // A text may have failed in several languages.
        let text = texts.get(&failure.name).cloned();
        ShownFailure { failure, text }
    });
    Ok(ShownJob {
        failures: failures.collect(),
        next,
        languages: is_whole.then_some(languages),
        engines,
        document,
        job,
    })
}

/// A job of a project.
///
/// # Errors
///
/// 404 for a token that is none of this project's.
pub(crate) async fn find(tx: &mut Tx, project: &ProjectId, token: &TrackingToken) -> Result<Job, ServiceError> {
    let found = match pages::is_id(token.as_str()) {
        true => jobs::find(tx, project, token).await?,
        false => None,
    };
    found.ok_or_else(|| ServiceError::NotFound("this project has no such run".to_owned()))
}

/// The keys of failures that are there yet, by their refs, with the lengths of their sources.
async fn sized(
    tx: &mut Tx,
    project: &ProjectId,
    failures: &[PlacedFailure],
) -> Result<HashMap<String, PageKey>, ServiceError> {
    let names: Vec<&str> = failures.iter().map(|failure| failure.name.as_str()).collect();
    let keys = key_pages::sized_by_refs(tx, project, &names, "").await?;
    Ok(keys.into_iter().map(|key| (key.name.clone(), key)).collect())
}

async fn texts_of_keys(
    tx: &mut Tx,
    held: &HashMap<String, PageKey>,
    failures: &[PlacedFailure],
) -> Result<HashMap<String, Content>, ServiceError> {
    let ids: HashSet<&str> = failures.iter().filter_map(|failure| Some(held.get(&failure.name)?.id.as_str())).collect();
    let sources = keys::sources(tx, &ids.into_iter().collect::<Vec<_>>()).await?;
    Ok(sources.into_iter().map(|source| (source.name, source.source.0)).collect())
}

async fn texts_of_segments(
    tx: &mut Tx,
    project: &ProjectId,
    language: &str,
    failures: &[PlacedFailure],
) -> Result<HashMap<String, Content>, ServiceError> {
    let hash = |failure: &PlacedFailure| serde_json::from_value(failure.name.clone().into()).ok();
    let hashes: Vec<SourceHash> = failures.iter().filter_map(hash).collect();
    let found = segments::find(tx, project, language, &hashes).await?;
    Ok(found.into_iter().map(|segment| (segment.hash.to_string(), Content::Text(segment.text))).collect())
}
