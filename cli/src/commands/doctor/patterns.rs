//! The checks of `l10n doctor` that the patterns of `l10n.toml` match files, and of the languages of these.

use l10n_client::api::credential::Credential;
use l10n_client::api::meta::Meta;
use l10n_client::api::{LanguageCode, Scope};
use l10n_formats::locales::is_same_tag;

use super::examination::{Examination, Verdict};
use crate::config::Config;
use crate::context::Context;
use crate::document_files::DocumentFiles;
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::settings::Settings;
use crate::source_files::SourceFiles;

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
    let name = if names_files(config) { "files" } else { DOCUMENTS };
    let sources = match names_files(config) {
        true => match found.take(name, SourceFiles::of(config, path)) {
            Some(sources) => Some(sources),
            None => return,
        },
        false => None,
    };
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
    if let Some(sources) = sources {
        let Some(matched) = found.take("files", sources.base(&base)) else { return };
        for file in &matched {
            if let Err(error) = file.read() {
                found.fail("files", &error.into());
            }
        }
        found.ok("files", format!("{} in {base}", matched.len()));
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
            Verdict::Failed,
            format!("base_language is `{base}` in l10n.toml, but `{}` in the project", meta.base_language),
            Some("fix base_language in l10n.toml".into()),
        );
    } else if meta.languages.len() < 2 {
        found.warn("languages", "the project has no target language", "`l10n languages add de fr`");
    } else {
        found.ok("languages", format!("{} and {} target languages", meta.base_language, meta.languages.len() - 1));
    }
    context.printer.note("");
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
    for document in &matched {
        if let Err(error) = document.read() {
            found.fail(DOCUMENTS, &error.into());
        }
    }
    found.ok(DOCUMENTS, format!("{} in {base}", matched.len()));
}
