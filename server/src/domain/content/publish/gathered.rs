//! The inputs of rendering documents, read in few statements before other threads render them.

use std::collections::{BTreeMap, HashSet};

use l10n_api_types::content::DocumentFormat;
use l10n_api_types::{ProjectId, VersionId};
use l10n_formats::SourceHash;

use super::basis::RenderInputs;
use super::scope::{Scope, SegmentTranslations, scope};
use crate::domain::ServiceError;
use crate::store::documents::Document;
use crate::store::segment_translations::{self, TranslationScope};
use crate::store::{self, Tx, document_sources, document_versions};

/// Documents are rendered together as long as they have no more characters than this in all their languages, so that their
/// translations are asked for in one go and never fill the memory.
const GROUP: i64 = 2 * 1024 * 1024;

/// The characters that a segment counts for beside its own: its translation takes memory, however short it is.
const SEGMENT: i64 = 64;

/// Splits documents, in their order, into groups of limited size in this number of languages; each group has at least
/// one document.
pub(super) fn groups(documents: &[Document], languages: usize) -> impl Iterator<Item = &[Document]> {
    let mut left = documents;
    let most = GROUP / i64::try_from(languages.max(1)).unwrap_or(i64::MAX);
    std::iter::from_fn(move || {
        let mut characters = 0;
        let fits = |document: &&Document| {
            characters += weight(document);
            characters <= most
        };
        let size = left.iter().take_while(fits).count().max(1).min(left.len());
        let (group, rest) = left.split_at_checked(size)?;
        left = rest;
        (!group.is_empty()).then_some(group)
    })
}

/// The characters that a document counts for in each language.
fn weight(document: &Document) -> i64 {
    let segments = i64::try_from(document.segments.0.len()).unwrap_or(i64::MAX);
    document.characters.saturating_add(segments.saturating_mul(SEGMENT))
}

/// Some documents with all that rendering them takes.
#[derive(Debug)]
pub(super) struct GatheredDocuments {
    /// The languages that they are rendered in.
    pub(super) languages: Vec<String>,
    pub(super) basis: RenderInputs,
    pub(super) translations: SegmentTranslations,
    pub(super) documents: Vec<DocumentWork>,
}

/// A document to render.
#[derive(Debug)]
pub(super) struct DocumentWork {
    pub(super) document_id: String,
    pub(super) source_id: VersionId,
    pub(super) live_version_id: Option<VersionId>,
    pub(super) format: DocumentFormat,
    /// The language that it is written in.
    pub(super) language: String,
    /// The files of its live version.
    pub(super) live: Vec<document_versions::LanguageFile>,
    pub(super) todo: DocumentTask,
}

/// The work to do for a document.
#[derive(Debug)]
pub(super) enum DocumentTask {
    /// Its text is written in these languages.
    Write {
        body: String,
        targets: Vec<String>,
    },
    Hold,
    Skip,
    /// Its live version is known to be the same.
    Keep,
}

/// Reads the inputs of rendering these documents, in their order. Nothing is read of those whose live version is known to be
/// the same.
pub(super) async fn gather(
    tx: &mut Tx,
    project: &ProjectId,
    languages: &[String],
    documents: &[&Document],
) -> Result<GatheredDocuments, ServiceError> {
    // Before the translations: one that lands in between is another change for the next publish.
    let basis = RenderInputs::new(store::documents::segment_seq(tx, project).await?, languages);
    let changed: Vec<&Document> = documents.iter().copied().filter(|document| !basis.is_rendered(document)).collect();
    let translations = translations(tx, project, languages, &changed).await?;
    let live: Vec<VersionId> = changed.iter().filter_map(|document| document.live_version_id.clone()).collect();
    let mut live = document_versions::files_of_many(tx, &live).await?;
    let scopes: Vec<_> = changed
        .iter()
        .map(|document| {
            let live = document.live_version_id.as_ref().and_then(|version| live.remove(version)).unwrap_or_default();
            (scope(document, languages, &live, &translations), live)
        })
        .collect();
    let written = changed.iter().zip(&scopes).filter(|(_, (scope, _))| matches!(scope, Scope::Languages(_)));
    let written: Vec<&VersionId> = written.map(|(document, _)| &document.source_id).collect();
    let mut bodies = document_sources::bodies(tx, &written).await?;
    let mut scopes = scopes.into_iter();
    let work = documents.iter().map(|document| {
        let scope = if basis.is_rendered(document) { None } else { scopes.next() };
        let (scope, live) = scope.unzip();
        let todo = match scope {
            None => DocumentTask::Keep,
            Some(Scope::Held) => DocumentTask::Hold,
            Some(Scope::Skipped) => DocumentTask::Skip,
            Some(Scope::Languages(targets)) => {
                let body = bodies.remove(&document.source_id);
                DocumentTask::Write {
                    body: body.ok_or_else(|| ServiceError::internal("a document has no source"))?,
                    targets,
                }
            }
        };
        Ok(DocumentWork {
            document_id: document.id.clone(),
            source_id: document.source_id.clone(),
            live_version_id: document.live_version_id.clone(),
            format: document.format,
            language: document.language.clone(),
            live: live.unwrap_or_default(),
            todo,
        })
    });
    let documents = work.collect::<Result<_, ServiceError>>()?;
    Ok(GatheredDocuments { languages: languages.to_vec(), basis, translations, documents })
}

async fn translations(
    tx: &mut Tx,
    project_id: &ProjectId,
    languages: &[String],
    documents: &[&Document],
) -> Result<SegmentTranslations, ServiceError> {
    let mut hashes: BTreeMap<&str, HashSet<SourceHash>> = BTreeMap::new();
    for document in documents {
        hashes.entry(&document.language).or_default().extend(&document.segments.0);
    }
    let mut translations = SegmentTranslations::new();
    for (source_language, hashes) in hashes {
        // In the order of the index, each of whose pages is then read once.
        let mut hashes: Vec<SourceHash> = hashes.into_iter().collect();
        hashes.sort_unstable_by(|one, other| one.as_bytes().cmp(other.as_bytes()));
        for language in languages.iter().filter(|language| *language != source_language) {
            let pair = TranslationScope { project_id, source_language, language };
            let found = segment_translations::find(tx, pair, &hashes).await?;
            let found = found.into_iter().map(|translation| (translation.hash, translation)).collect();
            translations.insert((source_language.to_owned(), language.clone()), found);
        }
    }
    Ok(translations)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::content::publish::scope::tests::document;

    /// Before, the translations of short segments filled the memory.
    #[test]
    fn documents_of_many_short_segments_are_not_rendered_together() {
        let segments = GROUP / SEGMENT / 3;
        let documents = vec![document(segments, &"a".repeat(usize::try_from(segments).unwrap())); 4];
        let sizes = |languages| groups(&documents, languages).map(<[Document]>::len).collect::<Vec<_>>();
        assert_eq!((sizes(1), sizes(3)), (vec![2, 2], vec![1; 4]));
    }

    proptest! {
        #[test]
        fn groups_are_the_documents_in_their_order_and_have_no_more_characters_than_one_or_the_limit(
            sizes in proptest::collection::vec(0..2 * GROUP, 0..20),
            languages in 0..5_usize,
        ) {
            let documents: Vec<Document> = sizes.iter().map(|size| document(*size, "")).collect();
            let groups: Vec<Vec<i64>> =
                groups(&documents, languages).map(|group| group.iter().map(|document| document.characters).collect()).collect();
            let most = GROUP / languages.max(1) as i64;
            prop_assert!(groups.iter().all(|group| group.len() == 1 || group.iter().sum::<i64>() <= most));
            prop_assert!(groups.iter().all(|group| !group.is_empty()));
            prop_assert_eq!(groups.concat(), sizes);
        }
    }
}
