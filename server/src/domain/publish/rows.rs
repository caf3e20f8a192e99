//! Reads the rows that a publish renders, one by one.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use l10n_api_types::publish::IssueCounts;
use l10n_api_types::{Content, Severity, State};
use l10n_formats::files::by_id;
use tokio::task::spawn_blocking;

use crate::delivery::keys::{FileKey, KeyList, TextTable};
use crate::delivery::plan::{BaseFile, PlannedFormat};
use crate::domain::ServiceError;
use crate::store::projects::Project;
use crate::store::translations::LANGUAGES_AT_ONCE;
use crate::store::{Tx, keys, output_formats, source_files, translations};

/// The active keys, in the order of publishing, with their texts in the base language.
pub(super) async fn keys(tx: &mut Tx, project: &Project) -> Result<(Arc<KeyList>, Arc<TextTable>), ServiceError> {
    let (mut all, mut said) = (KeyList::default(), TextTable::default());
    let take = |key: keys::PublishableKey| {
        said.push(&key.source.0);
        all.push(FileKey {
            id: &key.id,
            name: &key.name,
            namespace: key.namespace.as_deref(),
            source_path: key.source_path.as_deref(),
            position: key.position,
            description: key.description.as_deref(),
            max_length: key.max_length.and_then(|length| u32::try_from(length).ok()),
        });
    };
    keys::each_publishable(tx, &project.id, take).await?;
    let sorted = spawn_blocking(move || {
        all.sort();
        said.sort(&all);
        (Arc::new(all), Arc::new(said))
    });
    sorted.await.map_err(ServiceError::internal)
}

/// The source texts of some of the keys in the base language, by place.
pub(super) async fn said_at(
    tx: &mut Tx,
    keys: &KeyList,
    wanted: &[usize],
) -> Result<HashMap<usize, Content>, ServiceError> {
    let ids: Vec<&str> = wanted.iter().filter_map(|place| keys.get(*place)).map(|key| key.id).collect();
    let mut places = keys.places();
    let found = keys::sources(tx, &ids).await?.into_iter();
    Ok(found.filter_map(|key| Some((places.find(&key.id)?, key.source.0))).collect())
}

/// Texts that one statement reads, at most, where it reads several languages.
const TEXTS_AT_ONCE: usize = 10_000;

/// Reads the translations that may be published, language by language: small ones several at a time.
pub(super) struct TranslationReader<'a> {
    project: &'a Project,
    keys: &'a KeyList,
    /// The languages that are not read yet.
    left: std::vec::IntoIter<&'a str>,
    /// Those that are, in the same order.
    read: VecDeque<PublishableTranslations>,
}

/// The translations into a language that may be published.
pub(super) struct PublishableTranslations {
    language: String,
    pub(super) texts: TextTable,
    /// Those that a check holds back, which are left out, and those with a warning.
    pub(super) issues: IssueCounts,
}

impl<'a> TranslationReader<'a> {
    pub(super) fn new(project: &'a Project, keys: &'a KeyList, languages: Vec<&'a str>) -> Self {
        Self { project, keys, left: languages.into_iter(), read: VecDeque::new() }
    }

    /// The translations into the next of the languages; `None` after the last.
    pub(super) async fn next(&mut self, tx: &mut Tx) -> Result<Option<PublishableTranslations>, ServiceError> {
        if self.read.is_empty() {
            let languages = (TEXTS_AT_ONCE / self.keys.len().max(1)).clamp(1, LANGUAGES_AT_ONCE);
            let languages: Vec<&str> = self.left.by_ref().take(languages).collect();
            self.read = self.read_all(tx, &languages).await?;
        }
        Ok(self.read.pop_front())
    }

    async fn read_all(
        &self,
        tx: &mut Tx,
        languages: &[&str],
    ) -> Result<VecDeque<PublishableTranslations>, ServiceError> {
        let new = |language: &&str| PublishableTranslations {
            language: (*language).to_owned(),
            texts: TextTable::of(self.keys.len()),
            issues: IssueCounts::default(),
        };
        let (mut all, mut places): (VecDeque<_>, _) = (languages.iter().map(new).collect(), self.keys.places());
        let take = |translation: translations::PublishableTranslation| {
            let Some(place) = places.find(&translation.key_id) else { return };
            let of_language = all.iter_mut().find(|translated| translated.language == translation.language);
            of_language.into_iter().for_each(|translated| translated.add(place, &translation));
        };
        translations::each_publishable(tx, &self.project.id, languages, take).await?;
        all.iter_mut().for_each(|translated| translated.texts.shrink());
        Ok(all)
    }
}

impl PublishableTranslations {
    fn add(&mut self, place: usize, translation: &translations::PublishableTranslation) {
        match translation.state {
            State::NeedsReview => self.issues.error += 1,
            State::Translated | State::Reviewed => {
                let warned = translation.issues.0.iter().any(|issue| issue.severity == Severity::Warning);
                self.issues.warning += u64::from(warned);
                self.texts.set(place, &translation.content.0);
            }
            _ => {}
        }
    }
}

/// The output formats that the project states.
pub(super) async fn stated(tx: &mut Tx, project: &Project) -> Result<Vec<PlannedFormat>, ServiceError> {
    let mut stated = Vec::new();
    for output in output_formats::list(tx, &project.id).await? {
        stated.push(PlannedFormat {
            format: output.format,
            path: by_id(output.format).template(&output.path).map_err(ServiceError::internal)?,
            empty_as: output.empty_as,
            namespaces: output.namespaces.map(|list| list.0),
        });
    }
    Ok(stated)
}

/// The synced files, and the bytes of those that were read with them.
pub(super) async fn sources(
    tx: &mut Tx,
    project: &Project,
) -> Result<(Vec<BaseFile>, Vec<Option<Vec<u8>>>), ServiceError> {
    let files = source_files::skeletons(tx, &project.id).await?.into_iter();
    let source = |file: source_files::Skeleton| {
        let source = BaseFile {
            path: file.path,
            format: file.format,
            namespace: file.namespace,
            holds_all_languages: file.holds_all_languages,
        };
        (source, file.content)
    };
    Ok(files.map(source).unzip())
}
