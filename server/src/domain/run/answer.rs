//! The answer of a run, one shape for real and dry ones.

use std::collections::HashMap;

use l10n_api_types::translations::{Class, Item, LanguagePrice, Renamed, Run, RunStatus};
use l10n_api_types::{Content, ErrorBody, LanguageCode, Millicredits, PluralKey, TrackingToken};

use super::RunContext;
use super::gather::{Gathered, RunInput};
use super::work::LanguageWork;
use crate::domain::ServiceError;
use crate::domain::pages::PageBudget;
use crate::store::{Tx, keys};
use crate::words::counted;

/// Most items that an answer lists.
pub(in crate::domain) const MOST_ITEMS: usize = 1_000;

/// The answer of a run that is about to land, or was only asked about. Read before anything is written: it tells texts
/// that the run replaces.
pub(super) async fn describe(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &RunInput,
    gathered: &Gathered,
) -> Result<Run, ServiceError> {
    let (items, items_truncated) = items(tx, input, gathered).await?;
    let renamed = gathered.classified.renamed.iter().filter_map(|(from, to)| {
        let from = gathered.held.get(*gathered.classified.removed.get(*from)?)?.name.clone();
        Some(Renamed { from, to: input.incoming.get(*to)?.name.clone() })
    });
    Ok(Run {
        dry_run: cx.dry_run,
        request_id: cx.runner.request().clone(),
        tracking_token: None,
        status: if cx.dry_run { RunStatus::Preview } else { RunStatus::Completed },
        classification: gathered.classified.counts(),
        archived: archived(input, gathered),
        kept: gathered.kept,
        changes_nothing: false,
        items,
        items_truncated,
        renamed: renamed.collect(),
        held: Vec::new(),
        per_language: gathered.work.iter().map(price).collect(),
        estimated_credits: gathered.price(),
        credits_charged: Millicredits::ZERO,
        balance: Millicredits::ZERO,
        would_fail: None,
        requires_operation: cx.runner.needs_approval(),
        warnings: warnings(input, gathered),
    })
}

/// The number of keys that the run archives.
pub(super) fn archived(input: &RunInput, gathered: &Gathered) -> u64 {
    if input.archive { gathered.classified.removed.len() as u64 } else { 0 }
}

/// Completes the answer of a run that has landed.
pub(in crate::domain) fn landed(mut run: Run, token: Option<TrackingToken>) -> Run {
    run.status = if token.is_some() { RunStatus::Queued } else { RunStatus::Completed };
    run.tracking_token = token;
    run
}

/// Adds the error of the real run, if it would be refused, to the answer of a dry run.
pub(in crate::domain) fn would_fail(mut run: Run, refused: Result<(), ServiceError>) -> Run {
    run.would_fail = refused.err().map(|error| ErrorBody::from(&error));
    run
}

pub(in crate::domain) fn price(work: &LanguageWork) -> LanguagePrice {
    LanguagePrice {
        language: LanguageCode::new(&work.language),
        keys: work.needed.len() as u64,
        characters: work.characters,
        from_memory: work.remembered.len() as u64,
        estimated_credits: work.price,
    }
}

/// The new, changed and removed items, and whether there are more.
async fn items(tx: &mut Tx, input: &RunInput, gathered: &Gathered) -> Result<(Vec<Item>, bool), ServiceError> {
    let classified = &gathered.classified;
    let listed = classified.items.iter().enumerate().filter(|(_, (class, _))| *class != Class::Unchanged);
    let total = listed.clone().count() + classified.removed.len();
    let listed: Vec<(usize, Class, Option<usize>)> =
        listed.take(MOST_ITEMS).map(|(at, (class, held))| (at, *class, *held)).collect();
    let removed: Vec<usize> = classified.removed.iter().copied().take(MOST_ITEMS - listed.len()).collect();
    let replaced = listed.iter().filter(|(_, class, _)| *class == Class::Changed).filter_map(|(_, _, held)| *held);
    let texts = texts(tx, gathered, replaced.chain(removed.iter().copied())).await?;
    let previous = |held: Option<usize>| texts.get(gathered.held.get(held?)?.id.as_str()).cloned();
    let mut items = Vec::with_capacity(listed.len() + removed.len());
    for (at, class, held) in listed {
        let Some(item) = input.incoming.get(at) else { continue };
        let into = gathered.work.iter().filter(|work| work.needed.contains(at));
        items.push(Item {
            r#ref: item.name.clone(),
            class,
            previous_text: if class == Class::Changed { previous(held) } else { None },
            languages: into.map(|work| LanguageCode::new(&work.language)).collect(),
        });
    }
    for at in removed {
        let Some(key) = gathered.held.get(at) else { continue };
        items.push(Item {
            r#ref: key.name.clone(),
            class: Class::Removed,
            previous_text: previous(Some(at)),
            languages: Vec::new(),
        });
    }
    Ok((items, total > MOST_ITEMS))
}

/// Texts of held keys by id, for people: of a plural its form `other`. The first ones that have room.
async fn texts(
    tx: &mut Tx,
    gathered: &Gathered,
    held: impl Iterator<Item = usize>,
) -> Result<HashMap<String, String>, ServiceError> {
    let mut ids: Vec<&str> = held.filter_map(|at| gathered.held.get(at)).map(|key| key.id.as_str()).collect();
    let (sizes, mut room) = (keys::sizes(tx, &ids).await?, PageBudget::default());
    ids.retain(|id| sizes.get(*id).is_some_and(|bytes| room.take(*bytes)));
    let sources = keys::sources(tx, &ids).await?;
    Ok(sources.into_iter().map(|source| (source.id, shown(source.source.0))).collect())
}

/// A content as one text, for people.
pub(super) fn shown(content: Content) -> String {
    match content {
        Content::Text(text) => text,
        Content::Plural(mut plural) => plural.forms.remove(PluralKey::OTHER).unwrap_or_default(),
    }
}

fn warnings(input: &RunInput, gathered: &Gathered) -> Vec<String> {
    let mut warnings = input.warnings.clone();
    if input.targets.is_empty() {
        warnings.push("the project has no language besides its base language, so nothing is translated".to_owned());
    }
    let moved: Vec<String> = gathered.classified.moved_from.iter().map(|path| format!("`{path}`")).collect();
    if !moved.is_empty() {
        warnings.push(format!(
            "keys of this file were synced from {} before and belong to this file now; where two files share names, give \
             the project an output format whose path has {{namespace}}",
            moved.join(", ")
        ));
    }
    warnings.extend(left_to_another(gathered.pending));
    warnings
}

/// The warning that a run leaves translations to another one, which makes them already.
pub(in crate::domain) fn left_to_another(pending: u64) -> Option<String> {
    (pending > 0).then(|| format!("left to a run that had not ended yet: {}", counted(pending, "translation")))
}
