//! Merges a published version into the existing files. Everything that differs is downloaded and merged before anything
//! is written.

use std::collections::HashMap;

use l10n_client::Delivery;
use l10n_client::api::{Content, VersionId};
use l10n_formats::files::{self, Entry, Format};

use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure, unreadable};
use crate::exit::ExitStatus;
use crate::hash::sha256;
use crate::progress::Progress;
use crate::published_version::PublishedFile;
use crate::pull_plan::{FileState, PlannedPull};

/// A published file cannot be used.
#[derive(Debug, thiserror::Error)]
enum PullError {
    /// It does not match the manifest.
    #[error("`{path}` of version {version} arrived damaged: SHA-256 {got} instead of {expected}; nothing was written")]
    Damaged { path: String, version: String, expected: String, got: String },
    /// It cannot be merged into the existing file.
    #[error("{path} cannot be merged with the published file: {why}; nothing was written")]
    Unmergeable { path: String, why: String },
}

impl Failure for PullError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Damaged { .. } => ExitStatus::Unexpected,
            Self::Unmergeable { .. } => ExitStatus::Usage,
        }
    }

    fn code(&self) -> &str {
        match self {
            Self::Damaged { .. } => "damaged",
            Self::Unmergeable { .. } => "unmergeable",
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Damaged { .. } => "run it again; if the problem persists, a proxy may be changing files".into(),
            Self::Unmergeable { .. } => {
                "fix the file there, or replace it with the published one: `l10n pull --prune`".into()
            }
        })
    }
}

/// A published file and the bytes to write for it.
pub(crate) struct Pull {
    /// The plan; its state is that of the bytes to write.
    pub(crate) planned: PlannedPull,
    /// The bytes to write; `None` if the file on disk stays.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Keys of texts that the file on disk has and the published file lacks.
    pub(crate) lacking: Vec<String>,
    /// Keys of texts that others take the place of; with those in `lost`.
    pub(crate) replaced: Vec<String>,
    /// Keys of texts that the published file lacks and that go all the same, as it has an object or an array there, or a text
    /// in the place of one.
    pub(crate) lost: Vec<String>,
}

impl Pull {
    /// A file that is as it is to be, or new.
    fn plain(planned: PlannedPull, bytes: Option<Vec<u8>>) -> Self {
        Self { planned, bytes, lacking: Vec::new(), replaced: Vec::new(), lost: Vec::new() }
    }
}

/// The treatment of texts that a version lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingTextPolicy {
    /// They stay in the files.
    Keep,
    /// The files become equal to the published ones.
    Prune,
}

/// The way in which published files are merged into those on disk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Merging<'a> {
    /// Texts that the version lacks.
    pub(crate) lacking: MissingTextPolicy,
    /// The languages that come into files which hold all of them.
    pub(crate) languages: &'a [&'a str],
}

/// Downloads the files that differ and merges them into those on disk. New files are passed to `new`.
pub(crate) async fn merge_all(
    context: &Context,
    delivery: &Delivery,
    version: &VersionId,
    plan: Vec<PlannedPull>,
    how: &Merging<'_>,
    new: bool,
) -> Result<Vec<Pull>, CliError> {
    let wanted = |state: FileState| state == FileState::Changed || (new && state == FileState::New);
    let bar =
        Progress::new(&context.printer, "Pulling", plan.iter().filter(|planned| wanted(planned.state)).count() as u64);
    let mut pulls = Vec::with_capacity(plan.len());
    for planned in plan {
        if !wanted(planned.state) {
            pulls.push(Pull::plain(planned, None));
            continue;
        }
        bar.say(format!("Pulling {}", planned.path));
        let bytes = download(delivery, version, &planned.file).await?;
        pulls.push(merged(planned, bytes, how)?);
        bar.step();
    }
    Ok(pulls)
}

fn merged(mut planned: PlannedPull, published: Vec<u8>, how: &Merging<'_>) -> Result<Pull, CliError> {
    if planned.state == FileState::New {
        return Ok(Pull::plain(planned, Some(published)));
    }
    let own = std::fs::read(&planned.place).map_err(unreadable(&planned.place))?;
    let holds_all = planned.file.holds_all_languages;
    let Some(format) = planned.file.format.known().map(files::by_id) else {
        if how.lacking == MissingTextPolicy::Prune && !holds_all {
            return Ok(Pull::plain(planned, Some(published)));
        }
        let why = format!("this version of `l10n` does not know its format `{}`", planned.file.format);
        return Err(PullError::Unmergeable { path: planned.path, why }.into());
    };
    let merged = if holds_all {
        format.merge_languages(&own, &published, how.languages)
    } else {
        format.merge(&own, &published)
    };
    let (bytes, lacking, lost) = match (merged, how.lacking) {
        (Ok(merged), MissingTextPolicy::Keep) => (merged.bytes, merged.kept, merged.lost),
        // The file is that of the source, too, which stays.
        (Ok(merged), MissingTextPolicy::Prune) if holds_all => {
            let unmergeable = |why| PullError::Unmergeable { path: planned.path.clone(), why };
            (pruned(format, own.clone(), &published, how.languages).map_err(unmergeable)?, merged.kept, merged.lost)
        }
        (Ok(merged), MissingTextPolicy::Prune) => (published.clone(), merged.kept, merged.lost),
        (Err(_), MissingTextPolicy::Prune) if !holds_all => (published.clone(), Vec::new(), Vec::new()),
        (Err(why), _) => return Err(PullError::Unmergeable { path: planned.path, why }.into()),
    };
    if bytes == own {
        planned.state = FileState::Unchanged;
        return Ok(Pull { lacking, ..Pull::plain(planned, None) });
    }
    let languages = if holds_all { how.languages } else { &[planned.file.language.as_str()] };
    let mut replaced = replaced(format, &own, &bytes, languages);
    replaced.extend(lost.iter().cloned());
    Ok(Pull { planned, bytes: Some(bytes), lacking, replaced, lost })
}

/// The keys of texts that are others in the second file than in the first, each once. An empty text is none.
fn replaced(format: &dyn Format, before: &[u8], after: &[u8], languages: &[&str]) -> Vec<String> {
    let mut keys = Vec::new();
    for language in languages {
        let texts = |bytes| format.translations(bytes, language).map(|document| document.entries).unwrap_or_default();
        let after: HashMap<String, Content> =
            texts(after).into_iter().map(|entry| (entry.key, entry.content)).collect();
        let is_other = |entry: &Entry| after.get(&entry.key).is_some_and(|content| *content != entry.content);
        for entry in texts(before).into_iter().filter(|entry| entry.content.characters() > 0).filter(is_other) {
            if !keys.contains(&entry.key) {
                keys.push(entry.key);
            }
        }
    }
    keys
}

/// A file with all languages that says in some of them what the published one says, and nothing else.
fn pruned(format: &dyn Format, own: Vec<u8>, published: &[u8], languages: &[&str]) -> Result<Vec<u8>, String> {
    let mut bytes = own;
    for language in languages {
        let said = format.translations(published, language).map_err(|error| error.to_string())?.entries;
        let said: HashMap<String, Content> = said.into_iter().map(|entry| (entry.key, entry.content)).collect();
        let document = format.parse(&bytes).map_err(|error| error.to_string())?;
        let put = format.put_language(&document, language, &|key| said.get(key).cloned());
        bytes = put.ok_or_else(|| format!("it has no place for `{language}`"))?;
    }
    Ok(bytes)
}

/// Downloads a file and checks its hash.
async fn download(delivery: &Delivery, version: &VersionId, file: &PublishedFile) -> Result<Vec<u8>, CliError> {
    let bundle = delivery.bundle(version.clone(), &file.path).await;
    let bytes = bundle.doing(format!("downloading {}", file.path))?.bytes;
    let got = sha256(&bytes);
    if got != file.sha256.to_ascii_lowercase() {
        return Err(PullError::Damaged {
            path: file.path.clone(),
            version: version.to_string(),
            expected: file.sha256.clone(),
            got,
        }
        .into());
    }
    Ok(bytes.to_vec())
}

#[cfg(test)]
mod tests {
    use l10n_client::api::FormatName;

    use super::*;

    /// A file in a format of a later version is taken as it is, or not at all.
    #[test]
    fn a_file_that_cannot_be_read_is_not_merged() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("de.catkeys");
        std::fs::write(&place, "own").unwrap();
        let planned = |state| PlannedPull {
            file: PublishedFile {
                path: "de.catkeys".into(),
                language: "de".into(),
                format: FormatName::Other("catkeys".into()),
                holds_all_languages: false,
                bytes: 9,
                sha256: String::new(),
            },
            path: "de.catkeys".into(),
            place: place.clone(),
            state,
        };
        let pull = |state, lacking| merged(planned(state), b"published".to_vec(), &Merging { lacking, languages: &[] });
        let bytes = |pull: Result<Pull, CliError>| pull.unwrap().bytes.unwrap();
        assert_eq!(bytes(pull(FileState::New, MissingTextPolicy::Keep)), b"published");
        assert_eq!(bytes(pull(FileState::Changed, MissingTextPolicy::Prune)), b"published");
        let Err(refused) = pull(FileState::Changed, MissingTextPolicy::Keep) else { panic!("it was merged") };
        assert!(refused.to_string().contains("does not know its format `catkeys`"), "{refused}");
    }
}
