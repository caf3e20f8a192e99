//! `GET /content/{docId}`: a document with one of its texts.

use base16ct::lower::encode_string as hex;
use l10n_api_types::content::{Document, ReadQuery};
use l10n_api_types::{LanguageCode, VersionId};

use super::draft::KnownTranslations;
use super::{describe, find};
use crate::domain::run::targets::of_project;
use crate::domain::{Caller, ServiceError, delivery};
use crate::store::documents::Document as Row;
use crate::store::{Store, Tx, document_sources, document_versions, languages};

/// Reads a document and the text that is asked for.
///
/// # Errors
///
/// 400 for parameters that do not go together, 404 for what the project does not have or has not published.
pub(crate) async fn read(
    store: &Store,
    caller: &Caller,
    id: &str,
    query: &ReadQuery,
) -> Result<Document, ServiceError> {
    let is_draft = query.draft == Some(true);
    if is_draft && query.version.is_some() {
        return Err(ServiceError::InvalidArgument(
            "only one of `draft` and `version` may be there: a draft is of the present source".to_owned(),
        ));
    }
    let mut tx = store.begin_read().await?;
    let language = language(&mut tx, caller, query.language.as_ref()).await?;
    let row = find(&mut tx, caller, id).await?;
    let source = async |tx: &mut Tx| {
        let body = document_sources::body(tx, id, &row.source_id).await?;
        body.ok_or_else(|| ServiceError::internal("a document has no source"))
    };
    let (body, translations) = match (&query.version, &language) {
        (Some(version), language) => (of_version(&mut tx, caller, &row, version, language.as_deref()).await?, None),
        (None, None) => (source(&mut tx).await?, None),
        (None, Some(language)) if is_draft && *language == row.language => (source(&mut tx).await?, None),
        (None, Some(language)) if is_draft => {
            let known = KnownTranslations::find(&mut tx, &caller.project, &row, language).await?;
            (source(&mut tx).await?, Some((known, language)))
        }
        (None, Some(language)) => {
            let live = row.live_version_id.as_ref().ok_or_else(|| not_published(None))?;
            (published(&mut tx, live, language).await?, None)
        }
    };
    let format = row.format;
    let mut document = describe::one(&mut tx, caller, row).await?;
    if let Some(language) = &language {
        let published = document_versions::published(&mut tx, id, language).await?;
        document.published_sha256 = Some(published.iter().map(|text| hex(text)).collect());
    }
    tx.rollback().await?;
    document.body = Some(match translations {
        None => body,
        Some((known, language)) => {
            let written = tokio::task::spawn_blocking(move || known.write(format, &body));
            let mut draft = written.await.map_err(ServiceError::internal)??;
            draft.tell(&mut document, language);
            draft.body
        }
    });
    Ok(document)
}

async fn language(tx: &mut Tx, caller: &Caller, asked: Option<&LanguageCode>) -> Result<Option<String>, ServiceError> {
    let Some(code) = asked else { return Ok(None) };
    let languages = languages::list(tx, &caller.project).await?;
    Ok(Some(of_project(code, "language", &languages)?.code.clone()))
}

/// The text of a version: of the source, which is in one language alone, or of a published one.
async fn of_version(
    tx: &mut Tx,
    caller: &Caller,
    row: &Row,
    version: &VersionId,
    language: Option<&str>,
) -> Result<String, ServiceError> {
    let unknown = || ServiceError::VersionNotFound(version.clone());
    if !crate::domain::pages::is_id(version.as_str()) {
        return Err(unknown());
    }
    if let Some(body) = document_sources::body(tx, &row.id, version).await? {
        return match language {
            Some(language) if language != row.language => Err(not_published(Some(language))),
            _ => Ok(body),
        };
    }
    let found = document_versions::find(tx, &caller.project, version).await?;
    let found = found.filter(|found| found.document_id == row.id).ok_or_else(unknown)?;
    published(tx, &found.id, language.unwrap_or(&row.language)).await
}

/// The published text in a language.
async fn published(tx: &mut Tx, version: &VersionId, language: &str) -> Result<String, ServiceError> {
    let files = document_versions::files(tx, version).await?;
    let file = files.into_iter().find(|file| file.language == language);
    let file = file.ok_or_else(|| not_published(Some(language)))?;
    String::from_utf8(delivery::read_plain(tx, &file.sha256).await?).map_err(ServiceError::internal)
}

fn not_published(language: Option<&str>) -> ServiceError {
    ServiceError::DocumentNotPublished(match language {
        Some(language) => {
            format!("that version of the document is not in `{language}`; `draft=true` shows what there is")
        }
        None => "the document has not been published yet; `draft=true` shows what there is".to_owned(),
    })
}
