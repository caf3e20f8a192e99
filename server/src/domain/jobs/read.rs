//! `GET /translations?trackingToken=`: the state of a job, and its translations.

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::time::Duration;

use l10n_api_types::translations::{Failure, Job, JobKind, JobTranslation, Progress};
use l10n_api_types::{LanguageCode, TrackingToken};

use super::segments;
use crate::domain::long_poll::{PollDeadline, PollParts};
use crate::domain::pages::{self, Cursor, PageBudget};
use crate::domain::{Caller, ServiceError, credits};
use crate::store::job_chunks::{self, Chunk};
use crate::store::{Tx, job_failures, jobs, translations};

/// Most failures that an answer lists.
const MOST_FAILURES: i64 = 1_000;
/// Most chunks that are read for a page.
const MOST_CHUNKS: usize = 50;
/// Time after which to ask again while a job runs.
const POLL_AFTER_MS: u64 = 1_000;

/// The page of a job's translations that is asked for.
#[derive(Debug, Clone)]
pub(crate) struct JobPage {
    /// Most translations of the page.
    pub limit: usize,
    /// The place after which the page begins.
    pub cursor: Option<Cursor>,
}

/// Reads a job once it has ended, or after `longest`.
///
/// # Errors
///
/// 404 for a token that is none of this project's.
pub(crate) async fn wait(
    parts: PollParts<'_>,
    caller: &Caller,
    token: &TrackingToken,
    page: &JobPage,
    longest: Duration,
) -> Result<Job, ServiceError> {
    let deadline = PollDeadline::new(parts.draining, longest);
    loop {
        let mut ended = pin!(parts.hint.notified());
        ended.as_mut().enable();
        let mut tx = parts.store.begin_read().await?;
        // The page of translations is read once, for the answer.
        let is_over = find(&mut tx, caller, token).await?.status.is_final() || deadline.is_over();
        let job = if is_over { Some(read(&mut tx, caller, token, page).await?) } else { None };
        tx.rollback().await?;
        if let Some(job) = job {
            return Ok(job);
        }
        deadline.look_again(ended).await;
    }
}

async fn find(tx: &mut Tx, caller: &Caller, token: &TrackingToken) -> Result<jobs::Job, ServiceError> {
    let found = match pages::is_id(token.as_str()) {
        true => jobs::find(tx, &caller.project, token).await?,
        false => None,
    };
    found.ok_or_else(|| ServiceError::NotFound("this project has no job of that trackingToken".to_owned()))
}

/// Reads a job as it stands.
///
/// # Errors
///
/// 404 for a token that is none of this project's.
pub(crate) async fn read(
    tx: &mut Tx,
    caller: &Caller,
    token: &TrackingToken,
    page: &JobPage,
) -> Result<Job, ServiceError> {
    let job = find(tx, caller, token).await?;
    let count = |n: i64| u64::try_from(n).unwrap_or_default();
    let (translations, next_cursor) = made(tx, &job, page).await?;
    let failures = job_failures::list(tx, token, MOST_FAILURES).await?;
    let workspace = credits::workspace(tx, &job.workspace_id).await?;
    Ok(Job {
        tracking_token: token.clone(),
        kind: if job.document_id.is_some() { JobKind::Content } else { JobKind::Strings },
        status: job.status,
        progress: Progress {
            total: count(job.total),
            done: count(job.done),
            failed: count(job.failed),
            needs_review: count(job.needs_review),
        },
        estimated_credits: job.estimated,
        credits_charged: job.charged,
        balance: workspace.balance,
        poll_after_ms: if job.status.is_final() { 0 } else { POLL_AFTER_MS },
        translations,
        failures: failures.into_iter().map(failure).collect(),
        next_cursor,
        created_at: job.created_at,
        finished_at: job.finished_at,
    })
}

fn failure(failure: job_failures::JobFailure) -> Failure {
    Failure {
        r#ref: failure.name,
        language: LanguageCode::new(failure.language),
        error: failure.error,
        message: failure.message,
    }
}

/// A page of the finished chunks' translations. The cursor is a chunk and a place in it, so that a later page costs no
/// more than an early one. Chunks may have no translation any more: the page ends after some chunks, also if it is empty.
async fn made(
    tx: &mut Tx,
    job: &jobs::Job,
    page: &JobPage,
) -> Result<(Vec<JobTranslation>, Option<String>), ServiceError> {
    let token = &job.tracking_token;
    let (mut seq, mut skip) = match &page.cursor {
        Some(Cursor::Place { seq, item }) => (*seq, *item),
        _ => (0, 0),
    };
    let (mut made, mut room): (Vec<JobTranslation>, PageBudget) = (Vec::new(), PageBudget::default());
    let mut is_full = false;
    for _ in 0..MOST_CHUNKS {
        let chunks = job_chunks::done_chunks(tx, token, seq, 1).await?;
        let Some(chunk) = chunks.into_iter().next() else { return Ok((made, None)) };
        let ids: Vec<&str> = chunk.items.0.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
        // A cursor of a chunk that is gone begins with the next one.
        let from = if chunk.seq == seq { skip } else { 0 };
        let wanted: Vec<&str> = ids.iter().copied().skip(from).take(page.limit - made.len()).collect();
        let (found, taken) = match &job.document_id {
            None => translated(tx, &chunk, &wanted, &mut room).await?,
            Some(document) => {
                let found = segments::translated(tx, &job.project_id, document.as_str(), &chunk, &wanted).await?;
                // No document is long, so that a chunk is read as a whole.
                let bytes = found.iter().filter_map(|one| one.text.as_ref()).map(String::len).sum::<usize>();
                is_full = !room.take(i64::try_from(bytes).unwrap_or(i64::MAX));
                (found, wanted.len())
            }
        };
        made.extend(found);
        if from + taken < ids.len() {
            let cursor = Cursor::Place { seq: chunk.seq, item: from + taken };
            return Ok((made, Some(cursor.encode())));
        }
        (seq, skip) = (chunk.seq + 1, 0);
        if made.len() >= page.limit || is_full {
            break;
        }
    }
    let more = !job_chunks::done_chunks(tx, token, seq, 1).await?.is_empty();
    Ok((made, more.then(|| Cursor::Place { seq, item: 0 }.encode())))
}

/// The translations of some keys of a chunk, in the chunk's order, and the number of keys that were passed: those up to the
/// first whose translation has no room. One that failed, or whose key has changed, has none.
async fn translated(
    tx: &mut Tx,
    chunk: &Chunk,
    ids: &[&str],
    room: &mut PageBudget,
) -> Result<(Vec<JobTranslation>, usize), ServiceError> {
    let hashes: HashMap<&str, _> =
        chunk.items.0.iter().flat_map(|unit| unit.keys.iter().map(|key| (key.as_str(), unit.hash))).collect();
    let mut found = HashMap::new();
    for row in translations::made(tx, ids, &chunk.language).await? {
        if hashes.get(row.key_id.as_str()) == Some(&row.source_hash) {
            found.insert(row.key_id.clone(), row);
        }
    }
    let has_room = |id: &&&str| found.get(**id).is_none_or(|row| room.take(row.bytes));
    let taken = ids.iter().take_while(has_room).count();
    let mut seen = HashSet::new();
    let current: Vec<&str> =
        ids.iter().take(taken).copied().filter(|id| found.contains_key(*id) && seen.insert(*id)).collect();
    let rows = translations::by_keys_and_language(tx, &current, &chunk.language).await?;
    let mut rows: HashMap<String, _> = rows.into_iter().map(|row| (row.key_id.clone(), row)).collect();
    let made = current.into_iter().filter_map(|id| {
        let (row, key) = (rows.remove(id)?, found.remove(id)?);
        let (text, plural) = row.content.0.into_fields();
        let language = LanguageCode::new(&chunk.language);
        Some(JobTranslation { r#ref: key.name, language, text, plural, state: row.state })
    });
    Ok((made.collect(), taken))
}
