//! Tokens that many keys of a large project have. A search leaves them out: the index would pass over nearly all keys for each
//! of them, and they narrow little. They are known from a sample of the project's keys.

use std::collections::{HashMap, HashSet};

use l10n_api_types::ProjectId;

use super::grams::DIGITS;
use super::{Query, index};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::store::common_tokens::{self, ProjectToSample};
use crate::store::key_pages::FEW;
use crate::store::keys::KeyState;
use crate::store::{Store, Tx, keys, languages};

/// Keys of a sample.
const SAMPLE: i64 = 256;
/// A token of one key in so many is common.
const ONE_IN: usize = 4;
/// Most common tokens that are kept of a project.
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
    let tokens = common_in_sample(&mut tx, due).await?;
    tx.rollback().await?;
    let mut tx = store.begin_yielding_write().await?;
    common_tokens::save(&mut tx, due, &tokens, now).await?;
    Ok(tx.commit_piece().await?)
}

/// The tokens that many keys of a sample have, with blanks between.
async fn common_in_sample(tx: &mut Tx, due: &ProjectToSample) -> Result<String, ServiceError> {
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
    keys_with.retain(|_, keys| *keys * ONE_IN >= sampled);
    let mut common: Vec<(usize, [u8; DIGITS])> = keys_with.into_iter().map(|(token, keys)| (keys, token)).collect();
    common.sort_unstable_by(|one, other| other.cmp(one));
    common.truncate(MOST);
    let tokens: Vec<[u8; DIGITS]> = common.into_iter().map(|(_, token)| token).collect();
    String::from_utf8(tokens.join(&b' ')).map_err(ServiceError::internal)
}

/// The tokens of a query that the index should be asked for, with blanks between; none if most keys of the project may have
/// the text.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn rare_tokens(tx: &mut Tx, project: &ProjectId, query: &Query) -> Result<String, ServiceError> {
    let common = common_tokens::of(tx, project).await?;
    let common: HashSet<&str> = common.split(' ').collect();
    let rare = query.all.split(' ').filter(|token| !common.contains(token));
    Ok(rare.collect::<Vec<_>>().join(" "))
}
