//! A real run's writes, all in the caller's transaction.

use l10n_api_types::TrackingToken;
use l10n_api_types::translations::Class;

use super::RunContext;
use super::free::{FreeWriter, ItemFilter, WriteTarget, total};
use super::gather::{BATCH, Gathered, RunInput, SyncedFile};
use super::incoming::InputKey;
use super::queue::{JobInput, queue, start};
use super::stage::Staged;
use crate::compute::{MANY, compute};
use crate::domain::ServiceError;
use crate::ids::{IdKind, new_id};
use crate::store::keys::{self, KeyState, NewKey, StoredKey};
use crate::store::{Tx, code_changes, glossary, glossary_checks, projects, source_files, translations};

/// A run that has landed, once its transaction commits.
pub(super) struct Landed {
    /// The token of its job, if texts remain to be translated.
    pub token: Option<TrackingToken>,
}

/// Writes the effects of the input, save those that are staged and live already. `None` where memory does not have all that the
/// plan took from it: then nothing of `tx` may be committed.
pub(super) async fn land(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &RunInput,
    gathered: &Gathered,
    staged: Option<&Staged>,
) -> Result<Option<Landed>, ServiceError> {
    let made;
    let (ids, mut changes) = match staged {
        Some(staged) => {
            if !staged.moves_later {
                mark_stale(tx, &staged.keys).await?;
            }
            (staged.ids.as_slice(), staged.keys.changes + total(&staged.translations) + total(&staged.brought))
        }
        None => {
            made = self::ids(cx, input, gathered);
            (made.as_slice(), write_keys(tx, cx, input, gathered, &made).await?)
        }
    };
    let archived = match staged {
        Some(staged) => staged.archived(),
        None => archive(tx, cx, input, gathered).await?,
    };
    changes += archived;
    let free = FreeWriter { cx, input, gathered, ids, to: WriteTarget::Live };
    let written = match staged {
        Some(staged) if staged.moves_later => Some(0),
        Some(_) => free.write_all(tx, ItemFilter::Others).await?,
        None => free.write_all(tx, ItemFilter::All).await?,
    };
    let Some(written) = written else { return Ok(None) };
    changes += written;
    // What was staged was checked by the terms of then. Whoever changes a list holds the project or the workspace, as this
    // transaction does both.
    if staged.is_some() && glossary::revision(tx, &gathered.project.id).await? != gathered.terms {
        glossary_checks::request(tx, &gathered.project.id).await?;
    }
    let new = i64::try_from(gathered.classified.counts().new).unwrap_or(i64::MAX);
    if let Some(file) = &input.file {
        source_files::keep(tx, &gathered.project.id, kept(cx, file)).await?;
    }
    if changes > 0 {
        projects::add_counts(tx, &gathered.project.id, new - archived, changes).await?;
    }
    let settled: Vec<&str> = input.settled.iter().map(String::as_str).collect();
    code_changes::settle(tx, &settled).await?;
    if gathered.queued() == 0 {
        return Ok(Some(Landed { token: None }));
    }
    let token = match staged {
        Some(staged) => {
            let token = staged.run.tracking_token.clone();
            start(tx, cx.parts.work_queued, cx.runner, token, gathered.price(), cx.now).await?
        }
        None => queue(tx, cx.parts, cx.runner, left(input, gathered, ids), cx.now).await?,
    };
    Ok(Some(Landed { token: Some(token) }))
}

/// Returns whether the run would leave everything as it is.
pub(super) async fn changes_nothing(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &RunInput,
    gathered: &Gathered,
) -> Result<bool, ServiceError> {
    let has_work = gathered.work.iter().any(|work| work.needed.len() > 0);
    let is_archiving = input.archive && !gathered.classified.removed.is_empty();
    if has_work || is_archiving || !input.settled.is_empty() || !gathered.copies.is_empty() {
        return Ok(false);
    }
    if !compute(input.incoming.len() >= MANY, || leaves_keys(cx, input, gathered)) {
        return Ok(false);
    }
    match &input.file {
        Some(file) => Ok(source_files::is_kept(tx, &gathered.project.id, &kept(cx, file)).await?),
        None => Ok(true),
    }
}

fn leaves_keys(cx: &RunContext<'_>, input: &RunInput, gathered: &Gathered) -> bool {
    let mut keys = KeyChanges::default();
    gathered.classified.items.iter().take(input.incoming.len()).enumerate().all(|(at, (_, held))| {
        let id = held.and_then(|held| gathered.held.get(held)).map_or("", |held| held.id.as_str());
        keys.note(cx, input, gathered, at, id).is_none_or(|(_, change)| change == KeyChange::Same)
    })
}

/// The file that a run keeps.
fn kept<'a>(cx: &RunContext<'_>, file: &'a SyncedFile) -> source_files::NewSourceFile<'a> {
    source_files::NewSourceFile {
        path: &file.path,
        format: file.format.as_str(),
        namespace: file.namespace.as_deref(),
        holds_all_languages: file.holds_all_languages,
        content: &file.bytes,
        sha256: file.sha256,
        synced_at: cx.now,
    }
}

/// The work that remains to be translated.
pub(super) fn left<'a>(input: &'a RunInput, gathered: &'a Gathered, ids: &'a [String]) -> JobInput<'a> {
    JobInput {
        document: None,
        engines: &gathered.engines,
        retranslate: input.retranslate,
        incoming: &input.incoming,
        texts: &gathered.texts,
        work: &gathered.work,
        names: ids,
    }
}

/// The id of every item: that of the key that it was, or a fresh one.
pub(super) fn ids(cx: &RunContext<'_>, input: &RunInput, gathered: &Gathered) -> Vec<String> {
    let held = |at: Option<usize>| at.and_then(|at| gathered.held.get(at)).map(|key| key.id.clone());
    let items = gathered.classified.items.iter().take(input.incoming.len());
    items.map(|(_, at)| held(*at).unwrap_or_else(|| new_id(IdKind::String, cx.now))).collect()
}

/// The effect of a run on the key of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyChange {
    New,
    Changed,
    /// It has another place, or its text another syntax, and is otherwise the same.
    Moved,
    Same,
}

/// The effects of a run on keys, beside their rows.
#[derive(Debug, Default)]
pub(super) struct KeyChanges {
    /// Changes that a publish would show.
    pub changes: i64,
    /// Ids of keys whose text has changed.
    stale: Vec<String>,
}

impl KeyChanges {
    /// Records the key of an item; returns its row and the effect of the run on it.
    pub(super) fn note<'a>(
        &mut self,
        cx: &RunContext<'_>,
        input: &'a RunInput,
        gathered: &'a Gathered,
        at: usize,
        id: &'a str,
    ) -> Option<(NewKey<'a>, KeyChange)> {
        let item = input.incoming.get(at).filter(|item| !item.stays && !input.is_held)?;
        let (class, held) = gathered.classified.items.get(at).copied().unwrap_or((Class::New, None));
        let held = held.and_then(|held| gathered.held.get(held));
        let (row, is_edited) = row(cx, input, item, id, at, held, gathered.project.key_count);
        let change = match held {
            None => KeyChange::New,
            Some(_) if class != Class::Unchanged || is_edited => KeyChange::Changed,
            Some(held) if held.position == row.position && held.syntax.unwrap_or_default() == row.syntax => {
                KeyChange::Same
            }
            Some(_) => KeyChange::Moved,
        };
        self.changes += i64::from(matches!(change, KeyChange::New | KeyChange::Changed));
        if held.is_some_and(|held| held.source_hash != item.hash) {
            self.stale.push(id.to_owned());
        }
        Some((row, change))
    }
}

/// Writes the keys that are new, changed, or otherwise not as the input has them; returns how many changes a publish
/// would show.
async fn write_keys(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &RunInput,
    gathered: &Gathered,
    ids: &[String],
) -> Result<i64, ServiceError> {
    let (mut rows, mut keys) = (Vec::new(), KeyChanges::default());
    let project = &gathered.project.id;
    for (at, id) in ids.iter().enumerate() {
        if let Some((row, change)) = keys.note(cx, input, gathered, at, id)
            && change != KeyChange::Same
        {
            rows.push(row);
        }
        if rows.len() == BATCH {
            keys::upsert(tx, project, &rows).await?;
            rows.clear();
        }
    }
    keys::upsert(tx, project, &rows).await?;
    mark_stale(tx, &keys).await?;
    Ok(keys.changes)
}

async fn mark_stale(tx: &mut Tx, keys: &KeyChanges) -> Result<(), ServiceError> {
    let stale: Vec<&str> = keys.stale.iter().map(String::as_str).collect();
    translations::mark_stale(tx, &stale).await?;
    Ok(())
}

/// The row of an item, and whether anything beside its text and place differs from the held key.
fn row<'a>(
    cx: &RunContext<'_>,
    input: &'a RunInput,
    item: &'a InputKey,
    id: &'a str,
    at: usize,
    held: Option<&'a StoredKey>,
    key_count: i64,
) -> (NewKey<'a>, bool) {
    let at = i64::try_from(at).unwrap_or(i64::MAX);
    let held_tags = held.and_then(|held| held.tags.as_ref()).map(|tags| tags.0.as_slice());
    let position = match (&input.file, held) {
        (Some(_), _) => at,
        (None, Some(held)) if held.state != KeyState::Captured => held.position,
        // Behind every key that is there.
        (None, _) => key_count + at,
    };
    let source_path = input.file.as_ref().map(|file| file.path.as_str());
    let mut row = NewKey {
        id,
        name: &item.name,
        // A file says whole what its keys' namespace is; a key that says none leaves what is there.
        namespace: match &input.file {
            Some(file) => file.namespace.as_deref(),
            None => item.namespace.as_deref().or(held.and_then(|held| held.namespace.as_deref())),
        },
        source_path: source_path.or(held.and_then(|held| held.source_path.as_deref())),
        position,
        source: &item.content,
        source_hash: item.hash,
        description: item.description.as_deref().or(held.and_then(|held| held.description.as_deref())),
        max_length: item.max_length.map(i64::from).or(held.and_then(|held| held.max_length)),
        tags: if item.tags.is_empty() { held_tags } else { Some(&item.tags) },
        syntax: item.syntax.or(held.and_then(|held| held.syntax)).unwrap_or_default(),
        created_at: held.map_or(cx.now, |held| held.created_at),
        updated_at: cx.now,
    };
    let Some(held) = held else { return (row, false) };
    let is_edited = row.namespace != held.namespace.as_deref()
        || row.source_path != held.source_path.as_deref()
        || row.description != held.description.as_deref()
        || row.max_length != held.max_length
        || row.tags != held_tags;
    if !is_edited && held.source_hash == item.hash && held.state == KeyState::Active {
        // A key that only stands elsewhere in its file has not changed.
        row.updated_at = held.updated_at;
    }
    (row, is_edited)
}

/// The ids of the keys that a run archives.
pub(super) fn archived<'a>(input: &RunInput, gathered: &'a Gathered) -> Vec<&'a str> {
    let removed = gathered.classified.removed.iter().filter(|_| input.archive);
    removed.filter_map(|at| gathered.held.get(*at)).map(|key| key.id.as_str()).collect()
}

async fn archive(tx: &mut Tx, cx: &RunContext<'_>, input: &RunInput, gathered: &Gathered) -> Result<i64, ServiceError> {
    let archived = keys::archive(tx, &archived(input, gathered), cx.now).await?;
    Ok(i64::try_from(archived).unwrap_or(i64::MAX))
}
