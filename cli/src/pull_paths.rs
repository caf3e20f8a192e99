//! The places on disk of published files. Most lie where the version says; others are the source itself, or spell their language
//! otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use l10n_client::api::LanguageCode;

use crate::error::CliError;
use crate::published_version::PublishedFile;
use crate::settings::Settings;
use crate::source_files::{SourceFiles, StandIn};

/// The places that `l10n.toml` says. Without it, files lie where the version says.
#[derive(Default)]
pub(crate) struct PullPaths {
    /// The real paths of sources.
    sources: BTreeSet<PathBuf>,
    /// Sources that are there in the stead of published files, by the paths of these.
    stand_ins: BTreeMap<String, StandIn>,
    /// Files that spell their language otherwise, by the path of the version.
    spelled: BTreeMap<String, String>,
}

impl PullPaths {
    /// Those below a folder, of a project with this base language.
    pub(crate) fn of(settings: &Settings, folder: &Path, base: Option<&LanguageCode>) -> Result<Self, CliError> {
        let Ok((path, config)) = settings.config() else { return Ok(Self::default()) };
        if config.files.is_empty() {
            return Ok(Self::default());
        }
        let files = SourceFiles::of(config, path)?;
        let spelled = files.spelled_otherwise(folder)?;
        let Some(base) = config.base_language.as_deref().or(base.map(LanguageCode::as_str)) else {
            return Ok(Self { spelled, ..Self::default() });
        };
        let base_files = files.base_if_any(base)?;
        let sources = base_files.iter().filter_map(|file| std::fs::canonicalize(&file.location).ok()).collect();
        Ok(Self { sources, stand_ins: files.base_stand_ins(base), spelled })
    }

    /// The path of a published file on disk. One that is there under its own name is not looked for elsewhere.
    pub(crate) fn path_of(&self, file: &PublishedFile, is_there: bool) -> String {
        if let Some(stand_in) = self.stand_ins.get(&file.path).filter(|stand_in| !stand_in.is_catalogue) {
            return stand_in.source.clone();
        }
        let other = self.spelled.get(&file.path).filter(|_| !is_there && !file.holds_all_languages);
        other.unwrap_or(&file.path).clone()
    }

    /// Returns true if a published file is that of a source, over which a pull would undo a developer's recent changes.
    /// Translations come into one that holds all languages.
    pub(crate) fn is_source(&self, file: &PublishedFile, place: &Path) -> bool {
        let is_there = || std::fs::canonicalize(place).is_ok_and(|place| self.sources.contains(&place));
        !file.holds_all_languages && (self.stand_ins.contains_key(&file.path) || is_there())
    }

    /// The catalogue in whose stead no translation into the base language is written: it has the source texts itself.
    pub(crate) fn catalogue(&self, file: &PublishedFile) -> Option<&str> {
        let stand_in = self.stand_ins.get(&file.path).filter(|stand_in| stand_in.is_catalogue)?;
        Some(&stand_in.source)
    }
}
