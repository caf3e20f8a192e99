//! The checks of `l10n doctor` that the patterns of `l10n.toml` match files, and of the languages of these.

use l10n_client::api::credential::Credential;
use l10n_client::api::meta::Meta;
use l10n_client::api::{LanguageCode, Scope};
use l10n_formats::locales::is_same_tag;

use super::examination::{CheckStatus, Examination};
use crate::config::Config;
use crate::context::Context;
use crate::document_files::DocumentFiles;
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::settings::Settings;
use crate::source_files::{SourceError, SourceFiles};

/// The name of the checks of `[[files]]`.
const FILES: &str = "files";

/// The name of the checks of documents.
const DOCUMENTS: &str = "documents";

/// The entries of a configuration, for people: `1 [[files]], 2 [[content]]`.
pub(super) fn entries(config: &Config) -> String {
    let mut said = Vec::new();
    if names_files(config) {
        said.push(format!("{} [[files]]", config.files.len()));
    }
    if !config.content.is_empty() {
        said.push(format!("{} [[content]]", config.content.len()));
    }
    said.join(", ")
}

/// Returns false for a repository of documents alone. Without any entry, it is the files that are missing.
fn names_files(config: &Config) -> bool {
    !config.files.is_empty() || config.content.is_empty()
}

/// Checks that each pattern matches, and the languages.
pub(super) async fn patterns(
    context: &Context,
    settings: &Settings,
    access: Option<(Session, Credential)>,
    found: &mut Examination,
) {
    let Some((path, config)) = &settings.config else { return };
    let name = if names_files(config) { FILES } else { DOCUMENTS };
    // A fault of the files keeps no one from the documents.
    let sources = names_files(config).then(|| found.take(FILES, SourceFiles::of(config, path))).flatten();
    let base = match (&config.base_language, &access) {
        (Some(code), _) => code.clone(),
        (None, Some((session, credential))) => {
            match found.take(name, session.base_language(config, credential).await) {
                Some(code) => code,
                None => return,
            }
        }
        (None, None) => {
            found.skip(name, "Skipped: l10n.toml has no base_language, and the server could not be asked");
            return;
        }
    };
    if let Some(matched) = sources.and_then(|sources| found.take(FILES, sources.base(&base))) {
        readable(FILES, &base, matched.iter().map(|file| file.read().map(drop)), found);
    }
    let meta = match &access {
        Some((session, credential)) if Scope::grants(&credential.scopes, &[Scope::Read]) => {
            found.take("languages", session.meta().await)
        }
        _ => None,
    };
    documents(context, settings, &base, meta.as_ref(), found);
    let Some(meta) = meta else { return };
    if !is_same_tag(meta.base_language.as_str(), &base) {
        found.status.get_or_insert(ExitStatus::Usage);
        found.add(
            "languages",
            CheckStatus::Failed,
            format!("base_language is `{base}` in l10n.toml, but `{}` in the project", meta.base_language),
            Some("fix base_language in l10n.toml".into()),
        );
    } else if meta.languages.len() < 2 {
        found.warn("languages", "the project has no target language", "`l10n languages add de fr`");
    } else {
        found.ok("languages", format!("{} and {} target languages", meta.base_language, meta.languages.len() - 1));
    }
}

/// Checks that each pattern of `[[content]]` matches documents that can be read. Without `meta`, translations of documents may be
/// among them.
fn documents(context: &Context, settings: &Settings, base: &str, meta: Option<&Meta>, found: &mut Examination) {
    let Some((path, config)) = settings.config.as_ref().filter(|(_, config)| !config.content.is_empty()) else {
        return;
    };
    let targets = meta.iter().flat_map(|meta| &meta.languages).filter(|language| !language.is_base);
    let languages: Vec<LanguageCode> = targets.map(|language| language.code.clone()).collect();
    let documents = DocumentFiles::of(Some((path, config)), settings.root(), base.into(), &context.folder, &[]);
    let Some(documents) = found.take(DOCUMENTS, documents) else { return };
    let Some(matched) = found.take(DOCUMENTS, documents.files(&languages)) else { return };
    readable(DOCUMENTS, base, matched.iter().map(|document| document.read().map(drop)), found);
}

/// Tells the number of files, or which of them cannot be read.
fn readable(
    name: &'static str,
    base: &str,
    files: impl ExactSizeIterator<Item = Result<(), SourceError>>,
    found: &mut Examination,
) {
    let number = files.len();
    let faults: Vec<SourceError> = files.filter_map(Result::err).collect();
    if faults.is_empty() {
        found.ok(name, format!("{number} in {base}"));
    }
    for fault in faults {
        found.fail(name, &fault.into());
    }
}
