//! Tokens that many keys of a large project have. A search leaves the common ones out: the index would pass over nearly all keys
//! for each of them, and they narrow little. It also leaves out those that are merely frequent, as long as the others find few
//! keys: the index reads the whole list of each token, and the lists grow with the project. Both are known from a sample of the
//! project's keys.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use l10n_api_types::ProjectId;

use super::grams::DIGITS;
use super::{Query, index};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::store::common_tokens::{self, ProjectToSample, ProjectTokens};
use crate::store::key_pages::FEW;
use crate::store::keys::KeyState;
use crate::store::{Store, Tx, keys, languages};

/// Keys of a sample.
const SAMPLE: i64 = 256;
/// A token of one key in so many is common.
const COMMON_IN: usize = 4;
/// A token of one key in so many is frequent.
const FREQUENT_IN: usize = 16;
/// Most tokens of either kind that are kept of a project.
const MOST: usize = 4_096;
/// Milliseconds after which a project is sampled again.
const AGE: i64 = 24 * 60 * 60 * 1_000;

/// Samples the large projects that are due. A project that cannot be sampled keeps no other from it.
///
/// # Errors
///
/// Returns the first error.
pub async fn sample_all(store: &Store, now: Timestamp) -> Result<(), ServiceError> {
    let (mut last, since) = (String::new(), Timestamp::from_millis(now.as_millis() - AGE));
    let mut first = Ok(());
    loop {
        let mut tx = store.begin_read().await?;
        let due = common_tokens::next_due(&mut tx, &last, FEW, since).await?;
        tx.rollback().await?;
        let Some(due) = due else { return first };
        due.project_id.as_str().clone_into(&mut last);
        if let Err(error) = sample(store, &due, now).await {
            tracing::warn!(project = %due.project_id, ?error, "cannot sample the texts of a project; trying again");
            first = first.and(Err(error));
        }
    }
}

async fn sample(store: &Store, due: &ProjectToSample, now: Timestamp) -> Result<(), ServiceError> {
    let mut tx = store.begin_read().await?;
    let tokens = in_sample(&mut tx, due).await?;
    tx.rollback().await?;
    let mut tx = store.begin_yielding_write().await?;
    common_tokens::save(&mut tx, due, &tokens, now).await?;
    Ok(tx.commit_piece().await?)
}

/// The tokens that many keys of a sample have.
async fn in_sample(tx: &mut Tx, due: &ProjectToSample) -> Result<ProjectTokens, ServiceError> {
    let project = &due.project_id;
    let refs = common_tokens::each_ref(tx, project, (due.keys / SAMPLE).max(1)).await?;
    let refs: Vec<&str> = refs.iter().map(String::as_str).collect();
    let held = keys::held_by_refs(tx, project, &refs).await?;
    let mut ids: Vec<String> = held.into_iter().filter(|key| key.state == KeyState::Active).map(|key| key.id).collect();
    let (languages, sampled) = (languages::count(tx, project).await?, ids.len());
    let mut keys_with: HashMap<[u8; DIGITS], usize> = HashMap::new();
    while !ids.is_empty() {
        let batch = index::batch(tx, &mut ids, languages).await?;
        for (_, tokens) in index::read(tx, project, &batch).await? {
            // A key without a text has no token.
            let tokens = tokens.split(' ').filter_map(|token| token.as_bytes().try_into().ok());
            tokens.for_each(|token| *keys_with.entry(token).or_default() += 1);
        }
    }
    let (common, others): (Vec<_>, Vec<_>) = keys_with.into_iter().partition(|(_, keys)| *keys * COMMON_IN >= sampled);
    let frequent = others.into_iter().filter(|(_, keys)| *keys * FREQUENT_IN >= sampled).collect();
    Ok(ProjectTokens { common: listed(common)?, frequent: listed(frequent)? })
}

/// The tokens that most keys have, with blanks between.
fn listed(mut tokens: Vec<([u8; DIGITS], usize)>) -> Result<String, ServiceError> {
    tokens.sort_unstable_by_key(|(token, keys)| (Reverse(*keys), Reverse(*token)));
    tokens.truncate(MOST);
    let tokens: Vec<[u8; DIGITS]> = tokens.into_iter().map(|(token, _)| token).collect();
    String::from_utf8(tokens.join(&b' ')).map_err(ServiceError::internal)
}

/// The tokens of a query that the index may be asked for, each list with blanks between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskedTokens {
    /// All but the common ones; none if most keys of the project may have the text.
    pub rare: String,
    /// All of these but the frequent ones; none if they are all frequent, or none is.
    pub rarest: String,
}

/// The tokens of a query that the index may be asked for.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn asked_tokens(tx: &mut Tx, project: &ProjectId, query: &Query) -> Result<AskedTokens, ServiceError> {
    let ProjectTokens { common, frequent } = common_tokens::of(tx, project).await?;
    let (common, frequent): (HashSet<&str>, HashSet<&str>) =
        (common.split(' ').collect(), frequent.split(' ').collect());
    let mut asked: Vec<&str> = query.all.split(' ').filter(|token| !common.contains(token)).collect();
    let (rare, all) = (asked.join(" "), asked.len());
    asked.retain(|token| !frequent.contains(token));
    let rarest = if asked.len() < all { asked.join(" ") } else { String::new() };
    Ok(AskedTokens { rare, rarest })
}
