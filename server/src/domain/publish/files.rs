//! The files of a version, made one after the other: at any time one language's translations and one file are held.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::publish::{IssueCounts, VersionLanguage};
use l10n_api_types::{Content, LanguageCode, Severity, State};
use sha2::{Digest as _, Sha256};

use crate::delivery::plan::{FileSet, PlannedKey, Source, Stated, plan};
use crate::delivery::render::{FileKey, Layout};
use crate::delivery::template::Template;
use crate::domain::ServiceError;
use crate::store::projects::Project;
use crate::store::version_files::VersionFile;
use crate::store::{Tx, blobs, keys, output_formats, source_files, translations};

/// Bytes of source files whose layouts are kept from language to language; larger projects read them again.
const KEPT_LAYOUTS: usize = 8 * 1024 * 1024;

/// What was rendered.
pub(super) struct Rendered {
    /// The files, in the order of the output formats; their contents are stored.
    pub(super) files: Vec<VersionFile>,
    /// Keys in them.
    pub(super) key_count: u64,
    /// What the checks had found among their translations.
    pub(super) issues: IssueCounts,
}

/// Renders and stores the files of a version in these languages.
///
/// # Errors
///
/// [`ServiceError::NothingToPublish`] when the project has no key.
pub(super) async fn render(
    tx: &mut Tx,
    project: &Project,
    languages: &[VersionLanguage],
) -> Result<Rendered, ServiceError> {
    let (ids, keys, sets, sources) = planned(tx, project).await?;
    let mut layouts =
        Layouts { project: &project.id, keys: keys.clone(), sources, kept: HashMap::new(), room: KEPT_LAYOUTS };
    let mut issues = IssueCounts::default();
    let mut files: Vec<(usize, VersionFile)> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    for VersionLanguage { code, is_base } in languages {
        let translated = if *is_base { None } else { Some(publishable(tx, project, code, &ids, &mut issues).await?) };
        let translated = Arc::new(translated);
        for (position, set) in sets.iter().enumerate() {
            let path = set.path(code);
            // Stated formats never share a path; of two sources that do, the first has it.
            if !taken.insert(path.clone()) {
                continue;
            }
            let layout = layouts.of(tx, position, set).await?;
            let (content, sha256) = rendered(layout, code, set, keys.clone(), translated.clone()).await?;
            let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
            blobs::keep(tx, &[(sha256, content)]).await?;
            let file = VersionFile {
                path,
                language: code.to_string(),
                namespace: set.namespace.clone(),
                format: set.format,
                sha256,
                bytes,
            };
            files.push((position, file));
        }
    }
    files.sort_by_key(|(position, _)| *position);
    Ok(Rendered { files: files.into_iter().map(|(_, file)| file).collect(), key_count: keys.len() as u64, issues })
}

/// Places of keys in the list, by id.
type Ids = HashMap<String, usize>;

/// The project's keys and what becomes of them.
async fn planned(
    tx: &mut Tx,
    project: &Project,
) -> Result<(Ids, Arc<[FileKey]>, Vec<FileSet>, Vec<Source>), ServiceError> {
    let mut stated = Vec::new();
    for output in output_formats::list(tx, &project.id).await? {
        stated.push(Stated {
            format: output.format,
            path: Template::parse(&output.path).map_err(ServiceError::internal)?,
            empty_as: output.empty_as,
            namespaces: output.namespaces.map(|list| list.0),
        });
    }
    let sources: Vec<Source> = source_files::heads(tx, &project.id)
        .await?
        .into_iter()
        .map(|file| Source { path: file.path, format: file.format, namespace: file.namespace })
        .collect();
    let found = keys::publishable(tx, &project.id).await?;
    if found.is_empty() {
        return Err(ServiceError::NothingToPublish);
    }
    let all: Vec<PlannedKey<'_>> = found
        .iter()
        .map(|key| PlannedKey { namespace: key.namespace.as_deref(), source_path: key.source_path.as_deref() })
        .collect();
    let sets = plan(&project.base_language.as_str().into(), &stated, &sources, &all);
    let mut ids = Ids::with_capacity(found.len());
    let mut keys = Vec::with_capacity(found.len());
    for (index, key) in found.into_iter().enumerate() {
        ids.insert(key.id, index);
        keys.push(FileKey {
            name: key.name,
            namespace: key.namespace,
            source: key.source.0,
            description: key.description,
            max_length: key.max_length.and_then(|length| u32::try_from(length).ok()),
        });
    }
    Ok((ids, keys.into(), sets, sources))
}

/// The translations into a language that may be published, by key. What a check holds back is counted and left out.
async fn publishable(
    tx: &mut Tx,
    project: &Project,
    language: &LanguageCode,
    ids: &Ids,
    issues: &mut IssueCounts,
) -> Result<HashMap<usize, Content>, ServiceError> {
    let found = translations::publishable(tx, &project.id, language.as_str()).await?;
    let mut translated = HashMap::with_capacity(found.len());
    for translation in found {
        let Some(index) = ids.get(&translation.key_id) else { continue };
        match translation.state {
            State::Missing => {}
            State::NeedsReview => issues.error += 1,
            State::Translated | State::Reviewed => {
                issues.warning +=
                    u64::from(translation.issues.0.iter().any(|issue| issue.severity == Severity::Warning));
                translated.insert(*index, translation.content.0);
            }
        }
    }
    Ok(translated)
}

/// Renders and hashes away from the threads that serve requests: a file may have megabytes.
async fn rendered(
    layout: Arc<Layout>,
    language: &LanguageCode,
    set: &FileSet,
    keys: Arc<[FileKey]>,
    translated: Arc<Option<HashMap<usize, Content>>>,
) -> Result<(Vec<u8>, [u8; 32]), ServiceError> {
    let (language, empty_as) = (language.clone(), set.empty_as);
    let work = move || {
        let content = layout.render(language.as_str(), empty_as, &keys, translated.as_ref().as_ref());
        let sha256 = Sha256::digest(&content).into();
        (content, sha256)
    };
    tokio::task::spawn_blocking(work).await.map_err(ServiceError::internal)
}

/// Layouts of sets, made when they are needed.
struct Layouts<'a> {
    project: &'a str,
    keys: Arc<[FileKey]>,
    sources: Vec<Source>,
    kept: HashMap<usize, Arc<Layout>>,
    room: usize,
}

impl Layouts<'_> {
    async fn of(&mut self, tx: &mut Tx, position: usize, set: &FileSet) -> Result<Arc<Layout>, ServiceError> {
        if let Some(layout) = self.kept.get(&position) {
            return Ok(layout.clone());
        }
        let (format, members) = (set.format, set.keys.clone());
        let Some(source) = set.skeleton.and_then(|source| self.sources.get(source)) else {
            return Ok(Arc::new(Layout::canonical(format, members)));
        };
        let content = source_files::content(tx, self.project, &source.path).await?;
        let size = content.len();
        let keys = self.keys.clone();
        let work = move || Layout::following(format, members, &content, &keys);
        let layout = tokio::task::spawn_blocking(work).await.map_err(ServiceError::internal)?;
        // What was synced has been read before; should it not be any more, its keys are published all the same.
        let layout = Arc::new(layout.unwrap_or_else(|_| Layout::canonical(format, set.keys.clone())));
        if let Some(room) = self.room.checked_sub(size) {
            self.room = room;
            self.kept.insert(position, layout.clone());
        }
        Ok(layout)
    }
}
