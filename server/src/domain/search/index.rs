//! The worker's part: writes the tokens of keys that are marked.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use l10n_api_types::{Content, ProjectId};

use super::grams::Grams;
use crate::domain::ServiceError;
use crate::domain::pages::PageBudget;
use crate::store::{Store, Tx, key_pages, languages, search};

/// Marked keys that one transaction takes, so that no other writer waits for long.
const AT_ONCE: i64 = 100;
/// Texts that one transaction takes, where the project has several languages: sources and translations.
const TEXTS_AT_ONCE: i64 = 300;
/// Bytes of texts that one transaction takes.
const BYTES: i64 = 1024 * 1024;
/// Longest time for which a key that is marked again waits for the work of other projects.
const ROUND: Duration = Duration::from_secs(10);
/// Marks taken away after which their rows are freed. What is left of fewer is read in a millisecond.
const FREED_AT: usize = 5_000;

/// The work of one transaction of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// The project.
    pub project: ProjectId,
    /// The number of its keys that were indexed; none if a writer has them all at hand, or the round of the project is over.
    pub keys: usize,
}

/// The last key of each project that was indexed in a round; `None` where the round of the project is over.
pub type IndexCursors = HashMap<ProjectId, Option<String>>;

/// Indexes some marked keys of the project after `after`, in the order of ids; `None` if no project after it has any. It goes
/// on where it was in the project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn index_some(
    store: &Store,
    after: &str,
    places: &mut IndexCursors,
) -> Result<Option<Indexed>, ServiceError> {
    let mut tx = store.begin_read().await?;
    let project = search::next_project(&mut tx, after).await?;
    tx.rollback().await?;
    let Some(project) = project else { return Ok(None) };
    let place = places.entry(project.clone()).or_insert_with(|| Some(String::new()));
    let Some(last) = place else { return Ok(Some(Indexed { project, keys: 0 })) };
    let mut tx = store.begin_yielding_write().await?;
    let languages = languages::count(&mut tx, &project).await?;
    let mut marked = search::marked(&mut tx, &project, last, keys_at_once(languages)).await?;
    let ids = batch(&mut tx, &mut marked, languages).await?;
    *place = ids.last().cloned();
    if ids.is_empty() {
        tx.rollback().await?;
        return Ok(Some(Indexed { project, keys: 0 }));
    }
    let tokens = read(&mut tx, &project, &ids).await?;
    search::write(&mut tx, &tokens).await?;
    search::unmark(&mut tx, &project, &ids).await?;
    // Nobody is told: should the machine fail, the marks are there again.
    tx.commit_piece().await?;
    Ok(Some(Indexed { project, keys: ids.len() }))
}

/// Keys that are read at once in a project of so many languages.
fn keys_at_once(languages: i64) -> i64 {
    (TEXTS_AT_ONCE / languages.max(1)).clamp(1, AT_ONCE)
}

/// Takes from these keys the first ones, as many as are read at once.
pub(super) async fn batch(tx: &mut Tx, ids: &mut Vec<String>, languages: i64) -> Result<Vec<String>, ServiceError> {
    let most = usize::try_from(keys_at_once(languages)).unwrap_or(1).min(ids.len());
    let first: Vec<&str> = ids[..most].iter().map(String::as_str).collect();
    let sizes: HashMap<String, i64> =
        key_pages::sized(tx, &first).await?.into_iter().map(|key| (key.id, key.bytes)).collect();
    let number = PageBudget::of(BYTES).fitting(&first, |id| sizes.get(*id).copied().unwrap_or_default());
    Ok(ids.drain(..number).collect())
}

/// The tokens of the texts of these keys: pairs of a key's id and its tokens, with blanks between.
pub(super) async fn read(
    tx: &mut Tx,
    project: &ProjectId,
    ids: &[String],
) -> Result<Vec<(String, String)>, ServiceError> {
    let mut said: HashMap<String, (String, Vec<Content>)> = HashMap::with_capacity(ids.len());
    for key in search::sources(tx, ids).await? {
        said.insert(key.id, (key.name, vec![key.source.0]));
    }
    for translation in search::translations(tx, ids).await? {
        if let Some((_, contents)) = said.get_mut(&translation.key_id) {
            contents.push(translation.content.0);
        }
    }
    let project = project.clone();
    tokio::task::spawn_blocking(move || tokens(&project, said)).await.map_err(ServiceError::internal)
}

/// Indexes the marked keys that no writer has at hand, a batch of each project after the other, and each key once in a round: a
/// job that marks them again for each of its languages does not keep it at work. While one project has work for longer than a
/// round lasts, the others begin another.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn index_all(store: &Store) -> Result<(), ServiceError> {
    let (mut places, mut began) = (IndexCursors::new(), Instant::now());
    let (mut unmarked, mut all) = (0, 0);
    loop {
        let (mut last, mut keys) = (String::new(), 0);
        while let Some(indexed) = index_some(store, &last, &mut places).await? {
            keys += indexed.keys;
            indexed.project.as_str().clone_into(&mut last);
        }
        (unmarked, all) = (unmarked + keys, all + keys);
        if keys == 0 {
            if all >= FREED_AT {
                search::free_marks(store, true).await?;
            }
            if all > 0 {
                search::merge_new_tokens(store).await?;
            }
            return Ok(());
        }
        if unmarked >= FREED_AT {
            search::free_marks(store, false).await?;
            unmarked = 0;
        }
        if began.elapsed() >= ROUND {
            (places, began) = (IndexCursors::new(), Instant::now());
        }
    }
}

/// The tokens of each key.
fn tokens(project: &ProjectId, said: HashMap<String, (String, Vec<Content>)>) -> Vec<(String, String)> {
    let of_key = |(id, (name, contents)): (String, (String, Vec<Content>))| {
        let all = std::iter::once(name.as_str()).chain(contents.iter().flat_map(Content::texts));
        let tokens = Grams::of_texts(all).tokens(project);
        (id, tokens)
    };
    said.into_iter().map(of_key).collect()
}
