//! Published versions and their files, as the service tells them.

use l10n_client::Delivery;
use l10n_client::api::delivery::ManifestFile;
use l10n_client::api::translations::{GetQuery, VersionFile};
use l10n_client::api::{FormatName, LanguageCode, VersionId};
use l10n_formats::locales::is_same_tag;

use crate::context::Context;
use crate::error::{CliError, Doing as _, usage};
use crate::session::{Session, client};
use crate::settings::{ProjectName, Settings};
use crate::source_files::is_asked;

/// A file of a version.
#[derive(Debug, Clone)]
pub(crate) struct PublishedFile {
    pub(crate) path: String,
    pub(crate) language: LanguageCode,
    pub(crate) format: FormatName,
    /// It has the source and every translation.
    pub(crate) holds_all_languages: bool,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// The facts that a manifest and the files of any version tell alike.
macro_rules! published_files {
    ($($told:ty),*) => {$(
        impl From<$told> for PublishedFile {
            fn from(file: $told) -> Self {
                Self {
                    path: file.path,
                    language: file.language,
                    format: file.format,
                    holds_all_languages: file.holds_all_languages,
                    bytes: file.bytes,
                    sha256: file.sha256,
                }
            }
        }
    )*};
}

published_files!(ManifestFile, VersionFile);

/// A published version and its files.
#[derive(Debug, Clone)]
pub(crate) struct PublishedVersion {
    pub(crate) version_id: VersionId,
    pub(crate) label: String,
    pub(crate) base_language: Option<LanguageCode>,
    pub(crate) languages: Vec<LanguageCode>,
    pub(crate) files: Vec<PublishedFile>,
}

/// The project's published files. They are public: no key is needed, and by name no id either.
pub(crate) fn delivery(context: &Context, settings: &Settings) -> Result<Delivery, CliError> {
    let name = settings.project()?.value;
    let client = client(context, settings)?;
    Ok(match name {
        ProjectName::Id(id) => client.project(id).delivery(),
        ProjectName::Slug { workspace, project } => client.delivery_by_name(workspace, project),
    })
}

/// The live version.
pub(crate) async fn live(delivery: &Delivery) -> Result<PublishedVersion, CliError> {
    let manifest = delivery.manifest().await.doing("reading the published version")?;
    Ok(PublishedVersion {
        version_id: manifest.version_id,
        label: manifest.label,
        base_language: Some(manifest.base_language),
        languages: manifest.languages.into_iter().map(|language| language.code).collect(),
        files: manifest.files.into_iter().map(PublishedFile::from).collect(),
    })
}

/// Reads a version by its id.
pub(crate) async fn published(session: &Session, version: &VersionId) -> Result<PublishedVersion, CliError> {
    let query = GetQuery { content: Some(false), ..GetQuery::default() };
    let found = session
        .project
        .translations()
        .version(version.clone(), &query)
        .await
        .doing(format!("reading the version {version}"))?;
    Ok(PublishedVersion {
        version_id: found.version_id,
        label: found.label,
        base_language: found.languages.iter().find(|language| language.is_base).map(|language| language.code.clone()),
        languages: found.languages.into_iter().map(|language| language.code).collect(),
        files: found.files.into_iter().map(PublishedFile::from).collect(),
    })
}

impl PublishedVersion {
    /// Those of some languages that it lacks.
    pub(crate) fn lacking<'l>(&self, languages: &'l [String]) -> impl Iterator<Item = &'l String> {
        let has = |code: &str| self.languages.iter().any(|known| is_same_tag(known.as_str(), code));
        languages.iter().filter(move |code| !has(code))
    }

    /// Keeps the files of some languages, all of which the version must have.
    pub(crate) fn narrow(&mut self, languages: &[String]) -> Result<(), CliError> {
        if let Some(code) = self.lacking(languages).next() {
            let known: Vec<&str> = self.languages.iter().map(LanguageCode::as_str).collect();
            return Err(usage(
                format!("version {} has no language `{code}`", self.label),
                format!("it has {}; to add it, run `l10n languages add {code}`, sync and publish", known.join(", ")),
            ));
        }
        self.keep(languages);
        Ok(())
    }

    /// Keeps the files of these languages, if there are any, and those that hold all languages.
    pub(crate) fn keep(&mut self, languages: &[String]) {
        self.files.retain(|file| file.holds_all_languages || is_asked(languages, file.language.as_str()));
    }

    /// The languages that it translates into, limited to these if there are any.
    pub(crate) fn translated(&self, languages: &[String]) -> Vec<LanguageCode> {
        let is_base = |code: &LanguageCode| self.base_language.as_ref() == Some(code);
        self.languages.iter().filter(|code| !is_base(code) && is_asked(languages, code.as_str())).cloned().collect()
    }
}
