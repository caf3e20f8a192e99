//! Reads the rows that a publish renders, one by one.

use std::sync::Arc;

use l10n_api_types::publish::IssueCounts;
use l10n_api_types::{Content, Severity, State};
use l10n_formats::files::by_id;
use tokio::task::spawn_blocking;

use crate::delivery::keys::{FileKey, KeyList, TextTable};
use crate::delivery::plan::{PlannedFormat, Source};
use crate::domain::ServiceError;
use crate::store::projects::Project;
use crate::store::{Tx, keys, output_formats, source_files, translations};

/// The active keys, in the order of publishing.
pub(super) async fn keys(tx: &mut Tx, project: &Project) -> Result<Arc<KeyList>, ServiceError> {
    let mut all = KeyList::default();
    let take = |key: keys::Publishable| {
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
        all
    });
    Ok(Arc::new(sorted.await.map_err(ServiceError::internal)?))
}

/// The source texts of all keys in the base language.
pub(super) async fn said(tx: &mut Tx, project: &Project, keys: &KeyList) -> Result<TextTable, ServiceError> {
    let (mut contents, mut places) = (TextTable::of(keys.len()), keys.places());
    let take = |key: keys::KeyText| {
        if let Some(place) = places.find(&key.id) {
            contents.set(place, &key.source.0);
        }
    };
    keys::each_said(tx, &project.id, take).await?;
    contents.shrink();
    Ok(contents)
}

/// The source texts of some of the keys in the base language, by place.
pub(super) async fn said_at(
    tx: &mut Tx,
    keys: &KeyList,
    wanted: &[usize],
) -> Result<std::collections::HashMap<usize, Content>, ServiceError> {
    let ids: Vec<&str> = wanted.iter().filter_map(|place| keys.get(*place)).map(|key| key.id).collect();
    let mut places = keys.places();
    let found = keys::sources(tx, &ids).await?.into_iter();
    Ok(found.filter_map(|key| Some((places.find(&key.id)?, key.source.0))).collect())
}

/// The translations into a language that may be published. Translations that a check holds back are counted and left
/// out.
pub(super) async fn translated(
    tx: &mut Tx,
    project: &Project,
    language: &str,
    keys: &KeyList,
    issues: &mut IssueCounts,
) -> Result<TextTable, ServiceError> {
    let (mut contents, mut places) = (TextTable::of(keys.len()), keys.places());
    let take = |translation: translations::Publishable| {
        let Some(place) = places.find(&translation.key_id) else { return };
        match translation.state {
            State::Missing => {}
            State::NeedsReview => issues.error += 1,
            State::Translated | State::Reviewed => {
                let warned = translation.issues.0.iter().any(|issue| issue.severity == Severity::Warning);
                issues.warning += u64::from(warned);
                contents.set(place, &translation.content.0);
            }
        }
    };
    translations::each_publishable(tx, &project.id, language, take).await?;
    contents.shrink();
    Ok(contents)
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

/// The synced files.
pub(super) async fn sources(tx: &mut Tx, project: &Project) -> Result<Vec<Source>, ServiceError> {
    let files = source_files::heads(tx, &project.id).await?.into_iter();
    let source = |file: source_files::Head| Source {
        path: file.path,
        format: file.format,
        namespace: file.namespace,
        holds_all_languages: file.holds_all_languages,
    };
    Ok(files.map(source).collect())
}
