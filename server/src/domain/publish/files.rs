//! The files of a version, made one after the other: at any time one language's translations and one file are held, and those
//! files that get each language in turn.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::publish::{IssueCounts, VersionLanguage};
use l10n_api_types::{FormatId, LanguageCode, ProjectId};
use tokio::task::spawn_blocking;

use super::growing::Growing;
use super::rows::{self, PublishableTranslations, TranslationReader};
use super::staging::{StagedContents, Staging};
use crate::compute::{MANY, compute};
use crate::delivery::at_rest::{Packed, Packing};
use crate::delivery::file_count::{MOST_FILES, TooManyFiles};
use crate::delivery::keys::{KeyList, TextTable};
use crate::delivery::plan::{BaseFile, FileSet, PlannedFormat, PlannedKey, plan};
use crate::delivery::render::{FileTexts, PendingLayout, SetLayout};
use crate::domain::ServiceError;
use crate::store::blobs::Hash;
use crate::store::projects::Project;
use crate::store::version_files::VersionFile;
use crate::store::{Tx, source_files};

/// Bytes of source files whose layouts are kept from language to language; larger projects read them again.
const KEPT_LAYOUTS: usize = 4 * 1024 * 1024;

/// The rendered files of a version.
#[derive(Debug)]
pub(super) struct RenderedFiles {
    /// The files, in the order of the output formats.
    pub(super) files: Vec<VersionFile>,
    /// Keys in them.
    pub(super) key_count: u64,
    /// Issues that the checks had found among their translations.
    pub(super) issues: IssueCounts,
    contents: StagedContents,
}

impl RenderedFiles {
    /// Makes sure that its contents are stored and stay so; `false` when one of them is not there any more. Then `tx` must not
    /// be committed.
    pub(super) async fn take_contents(&self, tx: &mut Tx) -> Result<bool, ServiceError> {
        let hashes: Vec<Hash> = self.files.iter().map(|file| file.sha256).collect();
        self.contents.take(tx, &hashes).await
    }
}

/// Files whose contents are in the staging that they were given to.
pub(super) struct StagedFiles {
    /// The files, in the order of the output formats.
    pub(super) files: Vec<VersionFile>,
    /// Keys in them.
    pub(super) key_count: u64,
    /// Issues among the translations into each language but the base language.
    pub(super) issues: Vec<(String, IssueCounts)>,
}

/// The reason why a version has no files.
pub(super) enum NoFiles {
    /// The project has no key.
    Nothing,
    /// They would be too many.
    TooMany(TooManyFiles),
}

/// Renders the files of a version in these languages, and stores their contents unless they are small; `None` when the
/// project has no key.
///
/// # Errors
///
/// 400 when they would be too many.
pub(super) async fn render(
    tx: &mut Tx,
    project: &Project,
    languages: &[VersionLanguage],
    mut staging: Staging,
) -> Result<Option<RenderedFiles>, ServiceError> {
    let rendered = match render_into(tx, project, languages, &mut staging).await? {
        Ok(rendered) => rendered,
        Err(NoFiles::Nothing) => return Ok(None),
        Err(NoFiles::TooMany(found)) => return Err(too_many(found)),
    };
    let StagedFiles { files, key_count, issues: of_languages } = rendered;
    let mut issues = IssueCounts::default();
    for (_, found) in of_languages {
        issues.error += found.error;
        issues.warning += found.warning;
    }
    let contents = staging.end_or_carry(tx).await?;
    Ok(Some(RenderedFiles { files, key_count, issues, contents }))
}

fn too_many(TooManyFiles { files, is_stated }: TooManyFiles) -> ServiceError {
    let advice = match is_stated {
        true => "leave `{namespace}` out of the paths of output formats, or state fewer formats",
        false => "state an output format, whose file holds the keys of all source files",
    };
    ServiceError::InvalidArgument(format!(
        "a version has at most {MOST_FILES} files, and this one would have {files}: {advice}, or publish fewer `languages`"
    ))
}

/// Renders the files of a version in these languages, if it has any and they are not too many.
pub(super) async fn render_into(
    tx: &mut Tx,
    project: &Project,
    languages: &[VersionLanguage],
    staging: &mut Staging,
) -> Result<Result<StagedFiles, NoFiles>, ServiceError> {
    let (keys, said) = rows::keys(tx, project).await?;
    if keys.is_empty() {
        return Ok(Err(NoFiles::Nothing));
    }
    let (stated, (sources, contents)) = (rows::stated(tx, project).await?, rows::sources(tx, project).await?);
    let sets = match compute(keys.len() >= MANY, || planned(project, languages.len(), &stated, &sources, &keys)) {
        Ok(sets) => sets,
        Err(found) => return Ok(Err(NoFiles::TooMany(found))),
    };
    let kept = HashMap::new();
    let mut layouts = Layouts { project: &project.id, keys: &keys, sources, contents, kept, room: KEPT_LAYOUTS };
    let mut issues: Vec<(String, IssueCounts)> = Vec::new();
    let mut files: Vec<(usize, VersionFile)> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    let shows_base = sets.iter().any(|set| set.empty_as == EmptyAs::Base);
    let base_language = LanguageCode::from(project.base_language.as_str());
    let mut growing = Growing::default();
    for (position, set) in sets.iter().enumerate().filter(|(_, set)| set.holds_all_languages) {
        if taken.insert(set.path(&base_language)) {
            let layout = layouts.of(tx, position, set).await?;
            growing.begin(position, layout, &base_language, &keys, &said).await?;
        }
    }
    let targets = languages.iter().filter(|language| !language.is_base).map(|language| language.code.as_str());
    let mut reader = TranslationReader::new(project, &keys, targets.collect());
    let mut base = Some(said);
    // The base language comes first.
    for VersionLanguage { code, is_base } in languages {
        let contents = match base.clone().filter(|_| *is_base) {
            Some(base) => base,
            None => {
                let Some(PublishableTranslations { texts, issues: found, .. }) = reader.next(tx).await? else {
                    continue;
                };
                issues.push((code.to_string(), found));
                Arc::new(texts)
            }
        };
        let fallback = base.clone().filter(|_| !is_base);
        if !is_base {
            growing.put(code, &keys, &contents).await?;
        }
        let mut made: HashMap<RenderingKey, (Hash, i64)> = HashMap::new();
        for (position, set) in sets.iter().enumerate().filter(|(_, set)| !set.holds_all_languages) {
            let path = set.path(code);
            // Stated formats never share a path; of two sources that do, the first has it.
            if !taken.insert(path.clone()) {
                continue;
            }
            let known = made.get(&RenderingKey::of(set)).copied();
            let (sha256, bytes) = match known {
                Some(known) => known,
                None => {
                    let layout = layouts.of(tx, position, set).await?;
                    let fallback = fallback.clone().filter(|_| set.empty_as == EmptyAs::Base);
                    let file = rendered(layout, code, &keys, &contents, fallback).await?;
                    staging.add(tx, file.sha256, file.body).await?;
                    (file.sha256, i64::try_from(file.bytes).unwrap_or(i64::MAX))
                }
            };
            made.insert(RenderingKey::of(set), (sha256, bytes));
            files.push((position, file_of(set, path, code, (sha256, bytes))));
        }
        // Texts that no file shows make room for the next language.
        base = base.filter(|_| shows_base);
    }
    for (position, packed) in growing.end().await? {
        let Some(set) = sets.get(position) else { continue };
        staging.add(tx, packed.sha256, packed.body).await?;
        let bytes = i64::try_from(packed.bytes).unwrap_or(i64::MAX);
        files.push((position, file_of(set, set.path(&base_language), &base_language, (packed.sha256, bytes))));
    }
    files.sort_by_key(|(position, _)| *position);
    let files = files.into_iter().map(|(_, file)| file).collect();
    Ok(Ok(StagedFiles { files, key_count: keys.len() as u64, issues }))
}

/// A file of a set, with the hash and the size of its bytes.
fn file_of(set: &FileSet, path: String, language: &LanguageCode, (sha256, bytes): (Hash, i64)) -> VersionFile {
    VersionFile {
        path,
        language: language.to_string(),
        namespace: set.namespace.clone(),
        format: set.format,
        holds_all_languages: set.holds_all_languages,
        sha256,
        bytes,
    }
}

/// All that the bytes of a set's file in one language follow from: sets of one shape differ in their paths alone.
#[derive(PartialEq, Eq, Hash)]
struct RenderingKey {
    format: FormatId,
    shows_base: bool,
    skeleton: Option<usize>,
    /// The address of the list of keys, which sets of the same keys share.
    keys: usize,
}

impl RenderingKey {
    fn of(set: &FileSet) -> Self {
        Self {
            format: set.format,
            shows_base: set.empty_as == EmptyAs::Base,
            skeleton: set.skeleton,
            keys: Arc::as_ptr(&set.keys).cast::<usize>() as usize,
        }
    }
}

fn planned(
    project: &Project,
    languages: usize,
    stated: &[PlannedFormat],
    sources: &[BaseFile],
    keys: &KeyList,
) -> Result<Vec<FileSet>, TooManyFiles> {
    let all: Vec<PlannedKey<'_>> = (0..keys.len())
        .filter_map(|place| keys.get(place))
        .map(|key| PlannedKey { namespace: key.namespace, source_path: key.source_path })
        .collect();
    plan(&project.base_language.as_str().into(), languages, stated, sources, &all)
}

/// Renders and hashes away from the threads that serve requests: a file may have megabytes.
async fn rendered(
    layout: Arc<SetLayout>,
    language: &LanguageCode,
    keys: &Arc<KeyList>,
    contents: &Arc<TextTable>,
    fallback: Option<Arc<TextTable>>,
) -> Result<Packed, ServiceError> {
    let (language, keys, contents) = (language.clone(), Arc::clone(keys), Arc::clone(contents));
    let work = move || {
        let mut file = Packing::default();
        let said = FileTexts { contents: &contents, fallback: fallback.as_deref() };
        layout.render(language.as_str(), &keys, said, &mut file)?;
        file.finish()
    };
    spawn_blocking(work).await.map_err(ServiceError::internal)?.map_err(ServiceError::internal)
}

/// Layouts of sets, made when they are needed.
struct Layouts<'a> {
    project: &'a ProjectId,
    keys: &'a Arc<KeyList>,
    sources: Vec<BaseFile>,
    /// The bytes of the sources, where they were read with them.
    contents: Vec<Option<Vec<u8>>>,
    kept: HashMap<usize, Arc<SetLayout>>,
    room: usize,
}

impl Layouts<'_> {
    async fn of(&mut self, tx: &mut Tx, position: usize, set: &FileSet) -> Result<Arc<SetLayout>, ServiceError> {
        if let Some(layout) = self.kept.get(&position) {
            return Ok(layout.clone());
        }
        let source = set.skeleton.and_then(|source| Some((self.sources.get(source)?, self.contents.get(source)?)));
        let (layout, size) = match source {
            None => (self.canonical(set).await?, 0),
            Some((source, known)) => {
                let content = match known {
                    Some(content) => content.clone(),
                    None => source_files::content(tx, self.project, &source.path).await?,
                };
                let size = content.len();
                (self.following(tx, set, content).await?, size)
            }
        };
        let layout = Arc::new(layout);
        if let Some(room) = self.room.checked_sub(size) {
            self.room = room;
            self.kept.insert(position, layout.clone());
        }
        Ok(layout)
    }

    async fn canonical(&self, set: &FileSet) -> Result<SetLayout, ServiceError> {
        let (format, members, keys) = (set.format, Arc::clone(&set.keys), Arc::clone(self.keys));
        let work = spawn_blocking(move || SetLayout::canonical(format, members, &keys));
        work.await.map_err(ServiceError::internal)
    }

    async fn following(&self, tx: &mut Tx, set: &FileSet, content: Vec<u8>) -> Result<SetLayout, ServiceError> {
        let (format, members, keys) = (set.format, Arc::clone(&set.keys), Arc::clone(self.keys));
        let (home, holds_all) = (set.home.clone(), set.holds_all_languages);
        let draft = spawn_blocking(move || PendingLayout::read(format, &members, &content, &keys, home.as_ref()));
        // A synced file was readable at its sync. If it no longer is, its keys are published in the canonical layout.
        let draft = draft.await.map_err(ServiceError::internal)?.ok().filter(|draft| draft.serves(holds_all));
        let Some(draft) = draft else { return self.canonical(set).await };
        if draft.lacks_too_many() {
            let keys = Arc::clone(self.keys);
            return spawn_blocking(move || draft.without_source(&keys)).await.map_err(ServiceError::internal);
        }
        let added = rows::said_at(tx, self.keys, draft.missing()).await?;
        let keys = Arc::clone(self.keys);
        let work = spawn_blocking(move || draft.complete(&keys, &|place| added.get(&place).cloned()));
        let layout = work.await.map_err(ServiceError::internal)?;
        if let [first, ..] = layout.left_out() {
            let source = set.skeleton.and_then(|source| self.sources.get(source)).map(|source| source.path.as_str());
            let (project, keys) = (self.project.as_str(), layout.left_out().len());
            tracing::warn!(project, source, keys, first, "keys have no place in their source and are left out");
        }
        Ok(layout)
    }
}
