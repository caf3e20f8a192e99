//! Documents of the project.

use std::path::PathBuf;

use l10n_client::api::LanguageCode;
use l10n_client::api::content::{Document, ListQuery};
use l10n_client::api::meta::Meta;
use l10n_formats::locales::is_same_tag;

use crate::context::Context;
use crate::document_files::DocumentFiles;
use crate::error::{CliError, Doing as _, usage};
use crate::session::Session;

/// The documents that `l10n.toml` and the command line select.
pub(crate) fn selection(
    context: &Context,
    session: &Session,
    meta: &Meta,
    paths: &[PathBuf],
) -> Result<DocumentFiles, CliError> {
    let settings = &session.settings;
    let config = settings.config().ok();
    let base = config.and_then(|(_, config)| config.base_language.as_deref()).map(LanguageCode::new);
    DocumentFiles::of(
        config,
        settings.root(),
        base.unwrap_or_else(|| meta.base_language.clone()),
        &context.folder,
        paths,
    )
}

/// The documents of the project.
pub(crate) async fn all(session: &Session) -> Result<Vec<Document>, CliError> {
    session.project.content().list_all(ListQuery::default()).await.doing("reading the documents")
}

/// The documents of the project that are chosen, by name; finding none is an error.
pub(crate) async fn existing(session: &Session, chosen: impl Fn(&Document) -> bool) -> Result<Vec<Document>, CliError> {
    let mut held = all(session).await?;
    held.retain(chosen);
    if held.is_empty() {
        return Err(usage("none of these documents is on the server", "upload them with `l10n content push`"));
    }
    held.sort_by(|a, b| name(a).cmp(name(b)));
    Ok(held)
}

/// The requested languages, all of which the project must have; all of the project's if none is requested.
pub(crate) fn languages(asked: &[String], meta: &Meta) -> Result<Vec<LanguageCode>, CliError> {
    let all: Vec<LanguageCode> = meta.languages.iter().map(|language| language.code.clone()).collect();
    if asked.is_empty() {
        return Ok(all);
    }
    let find = |code: &String| {
        all.iter().find(|known| is_same_tag(known.as_str(), code)).cloned().ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(LanguageCode::as_str).collect();
            usage(
                format!("the project has no language `{code}`"),
                format!("it has {}; add it with `l10n languages add {code}`", known.join(", ")),
            )
        })
    };
    asked.iter().map(find).collect()
}

/// The name by which people know a document.
pub(crate) fn name(document: &Document) -> &str {
    document.external_id.as_deref().unwrap_or(document.doc_id.as_str())
}
