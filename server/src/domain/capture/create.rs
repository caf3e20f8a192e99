//! `POST /capture`.

use std::collections::{HashMap, HashSet};

use l10n_api_types::capture::{Captured, CapturedCounts};
use l10n_api_types::{Content, DailyBudget};
use l10n_formats::SourceHash;
use l10n_formats::text::Syntax;

use super::MissedKey;
use crate::clock::Clock;
use crate::config::Limits;
use crate::domain::{Caller, ServiceError, budgets};
use crate::ids::{IdKind, new_id};
use crate::store::keys::{self, KeyState, NewKey, StoredKey};
use crate::store::{Tx, code_changes, lock, projects};

/// Keeps the keys that are new to the project, all or none; other keys do not change, except that a captured key
/// without a text gets one.
///
/// # Errors
///
/// 429 when there are more new keys than the day has left.
pub(crate) async fn create(
    tx: &mut Tx,
    clock: &dyn Clock,
    limits: &Limits,
    caller: &Caller,
    seen: &[MissedKey],
) -> Result<Captured, ServiceError> {
    let (project_id, now) = (&caller.project, clock.now());
    lock::project_to_change(tx, project_id).await?;
    let project = projects::find(tx, project_id).await?;
    let project = project.ok_or_else(ServiceError::no_such_project)?;
    let names: Vec<&str> = seen.iter().map(|seen| seen.name.as_str()).collect();
    let held = keys::held_by_refs(tx, project_id, &names).await?;
    let held: HashMap<&str, &StoredKey> = held.iter().map(|key| (key.name.as_str(), key)).collect();
    // An app that has not followed a rename misses nothing: versions have the key under the name that it uses.
    let renamed: HashSet<String> = code_changes::code_refs(tx, project_id, &names).await?.into_iter().collect();

    let textless = SourceHash::of(&Content::Text(String::new()));
    let mut counts = CapturedCounts::default();
    let mut kept: Vec<CapturedKey<'_>> = Vec::new();
    for seen in seen {
        let is_source = seen.language.as_ref().is_none_or(|language| *language == project.base_language);
        let text = seen.text.as_ref().filter(|_| is_source);
        let source = Content::Text(text.cloned().unwrap_or_default());
        let hash = SourceHash::of(&source);
        match held.get(seen.name.as_str()) {
            None if renamed.contains(&seen.name) => counts.known += 1,
            None => {
                counts.new += 1;
                kept.push(CapturedKey { seen, held: None, source, hash, note: seen.note(is_source) });
            }
            Some(key) if key.state == KeyState::Captured && key.source_hash == textless => {
                counts.known += 1;
                if text.is_some() {
                    kept.push(CapturedKey { seen, held: Some(key), source, hash, note: seen.note(is_source) });
                }
            }
            Some(key) if text.is_some() && key.source_hash != hash => counts.conflicting += 1,
            Some(_) => counts.known += 1,
        }
    }

    let new = u32::try_from(counts.new).unwrap_or(u32::MAX);
    let remaining_today = match new {
        0 => budgets::remaining(tx, project_id, DailyBudget::Captures, limits, now).await?,
        new => budgets::take(tx, project_id, DailyBudget::Captures, new, limits, now).await?,
    };
    let ids: Vec<String> =
        kept.iter().map(|kept| kept.held.map_or_else(|| new_id(IdKind::String, now), |held| held.id.clone())).collect();
    let rows: Vec<NewKey<'_>> = kept
        .iter()
        .zip(&ids)
        .map(|(kept, id)| NewKey {
            id,
            name: &kept.seen.name,
            namespace: None,
            source_path: None,
            position: 0,
            source: &kept.source,
            source_hash: kept.hash,
            description: kept.note.as_deref().or(kept.held.and_then(|held| held.description.as_deref())),
            max_length: None,
            tags: None,
            syntax: Syntax::Mixed,
            created_at: kept.held.map_or(now, |held| held.created_at),
            updated_at: now,
        })
        .collect();
    keys::capture(tx, project_id, &rows).await?;
    let captured = kept.iter().filter(|kept| kept.held.is_none()).map(|kept| kept.seen.name.clone()).collect();
    Ok(Captured { request_id: caller.request.clone(), counts, captured, remaining_today })
}

/// A key to keep.
struct CapturedKey<'a> {
    seen: &'a MissedKey,
    held: Option<&'a StoredKey>,
    source: Content,
    hash: SourceHash,
    note: Option<String>,
}
