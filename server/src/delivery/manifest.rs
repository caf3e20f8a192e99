//! The manifest: the list of the live version's files.

use base16ct::lower::encode_string as hex;
use l10n_api_types::delivery::{ManifestBody, ManifestFile, ManifestLanguage};
use l10n_formats::locales;

use super::paths;
use crate::store::version_files::VersionFile;
use crate::store::versions::Version;

/// The manifest of a version. `project_url` is the address under which the project is delivered.
#[must_use]
pub(crate) fn manifest(version: Version, files: Vec<VersionFile>, project_url: &str) -> ManifestBody {
    let languages = version.languages.0.into_iter().map(|language| ManifestLanguage {
        direction: locales::direction(language.code.as_str()),
        code: language.code,
        is_base: language.is_base,
    });
    let files = files.into_iter().map(|file| ManifestFile {
        url: paths::url(project_url, &version.id, &file.path),
        path: file.path,
        language: file.language.into(),
        namespace: file.namespace,
        format: file.format.into(),
        holds_all_languages: file.holds_all_languages,
        bytes: u64::try_from(file.bytes).unwrap_or_default(),
        sha256: hex(&file.sha256),
    });
    ManifestBody {
        languages: languages.collect(),
        files: files.collect(),
        project_id: version.project_id,
        version_id: version.id,
        label: version.label,
        published_at: version.published_at,
        base_language: version.base_language.into(),
    }
}
