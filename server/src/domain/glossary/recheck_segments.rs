//! Holds translated segments of documents against a glossary that has changed, as `recheck.rs` does with keys. A
//! segment never changes, so that none of its translations is stale.

use std::collections::HashMap;

use l10n_api_types::{Content, Issue, ProjectId};
use l10n_formats::SourceHash;
use l10n_formats::text::checks::{Checker, Facts};

use super::between::Lists;
use crate::domain::ServiceError;
use crate::domain::findings::with_terms_of;
use crate::domain::pages::PageBudget;
use crate::store::glossary_checks::{self, GlossaryCheck};
use crate::store::projects::{self, Project};
use crate::store::segment_translations::{self as translations, CheckedTranslation, SegmentPlace, TranslationScope};
use crate::store::{Store, Tx, lock, segments};

/// Translations that are read at a time. They are fewer where texts are long.
const MOST: i64 = 500;

/// The languages of a segment and its translation.
type SegmentLanguages = (String, String);

/// Some translations of a project with all that checking them takes.
pub(super) struct RecheckBatch {
    project: Project,
    lists: Lists,
    texts: HashMap<(String, SourceHash), String>,
    translations: Vec<CheckedTranslation>,
    last: SegmentPlace,
}

/// A translation whose findings differ from those that it has.
struct Changed {
    held: CheckedTranslation,
    issues: Vec<Issue>,
}

/// The translations after a place; `None` if there are no more.
pub(super) async fn gather(
    tx: &mut Tx,
    project: &ProjectId,
    after: Option<&SegmentPlace>,
) -> Result<Option<RecheckBatch>, ServiceError> {
    let Some(project) = projects::find(tx, project).await? else { return Ok(None) };
    let sizes = translations::sizes_after(tx, &project.id, after, MOST).await?;
    let most = PageBudget::default().fitting(&sizes, |bytes| *bytes);
    let translations = translations::after(tx, &project.id, after, i64::try_from(most).unwrap_or(MOST)).await?;
    let Some(last) = translations.last().map(CheckedTranslation::place) else { return Ok(None) };
    let mut wanted: HashMap<&str, Vec<SourceHash>> = HashMap::new();
    for translation in &translations {
        wanted.entry(&translation.source_language).or_default().push(translation.hash);
    }
    let mut texts = HashMap::new();
    for (language, hashes) in wanted {
        let found = segments::find(tx, &project.id, language, &hashes).await?;
        texts.extend(found.into_iter().map(|segment| ((language.to_owned(), segment.hash), segment.text)));
    }
    let lists = Lists::read(tx, &project).await?;
    Ok(Some(RecheckBatch { project, lists, texts, translations, last }))
}

/// Checks translations, and writes the findings of those that are still as they were read.
pub(super) async fn check(store: &Store, check: &GlossaryCheck, gathered: RecheckBatch) -> Result<(), ServiceError> {
    let (workspace, last) = (gathered.project.workspace_id.clone(), gathered.last.clone());
    let changed = tokio::task::spawn_blocking(move || compare(gathered)).await.map_err(ServiceError::internal)?;
    let mut tx = store.begin_yielding_write_in(&workspace, &check.project_id).await?;
    lock::project(&mut tx, &check.project_id).await?;
    if !glossary_checks::advance_segments(&mut tx, check, &last).await? {
        return Ok(tx.rollback().await?);
    }
    for ((source_language, language), changed) in by_pair(changed, |one| &one.held) {
        let pair =
            TranslationScope { project_id: &check.project_id, source_language: &source_language, language: &language };
        let hashes: Vec<SourceHash> = changed.iter().map(|one| one.held.hash).collect();
        let now = translations::checked(&mut tx, pair, &hashes).await?;
        let now: HashMap<SourceHash, CheckedTranslation> = now.into_iter().map(|one| (one.hash, one)).collect();
        let same = changed.iter().filter(|one| now.get(&one.held.hash) == Some(&one.held));
        let same: Vec<(SourceHash, &[Issue])> = same.map(|one| (one.held.hash, one.issues.as_slice())).collect();
        translations::set_issues(&mut tx, pair, &same).await?;
    }
    Ok(tx.commit().await?)
}

fn compare(gathered: RecheckBatch) -> Vec<Changed> {
    let RecheckBatch { lists, texts, translations, .. } = gathered;
    let mut changed = Vec::new();
    for ((source, language), translations) in by_pair(translations, |one| one) {
        let checker = Checker::new(&source, &language).with_glossary(lists.between(&source, &language));
        for held in translations {
            let Some(text) = texts.get(&(source.clone(), held.hash)) else { continue };
            let (text, translation) = (Content::Text(text.clone()), Content::Text(held.text.clone()));
            let found = checker.check(&text, &translation, Facts::default());
            if let Some(issues) = with_terms_of(&held.issues.0, found) {
                changed.push(Changed { held, issues });
            }
        }
    }
    changed
}

/// Translations, or what has some, by their languages.
fn by_pair<T>(all: Vec<T>, translation: fn(&T) -> &CheckedTranslation) -> HashMap<SegmentLanguages, Vec<T>> {
    let mut by_pair: HashMap<SegmentLanguages, Vec<T>> = HashMap::new();
    for one in all {
        let CheckedTranslation { source_language, language, .. } = translation(&one);
        by_pair.entry((source_language.clone(), language.clone())).or_default().push(one);
    }
    by_pair
}
