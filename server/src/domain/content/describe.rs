//! A document as the API shows it.

use base16ct::lower::encode_string as hex;
use l10n_api_types::VersionId;
use l10n_api_types::content::{Document, DocumentLanguage, LiveDocument, LiveFile};

use super::standing;
use crate::domain::{Caller, ServiceError};
use crate::store::document_versions::{self, LanguageFile};
use crate::store::documents::Document as Row;
use crate::store::{Tx, languages};

/// Some documents, in their order, without their texts.
pub(super) async fn all(tx: &mut Tx, caller: &Caller, rows: Vec<Row>) -> Result<Vec<Document>, ServiceError> {
    let project = &caller.project;
    let languages = languages::list(tx, project).await?;
    let standing = standing::of_documents(tx, project, &rows, &languages).await?;
    let live: Vec<VersionId> = rows.iter().filter_map(|row| row.live_version_id.clone()).collect();
    let mut files = document_versions::files_of_many(tx, &live).await?;
    let documents = rows.into_iter().zip(standing).map(|(row, languages)| {
        let files = row.live_version_id.as_ref().and_then(|live| files.remove(live));
        document(row, languages, files.unwrap_or_default())
    });
    Ok(documents.collect())
}

/// One document, without its text.
pub(super) async fn one(tx: &mut Tx, caller: &Caller, row: Row) -> Result<Document, ServiceError> {
    let mut documents = all(tx, caller, vec![row]).await?;
    documents.pop().ok_or_else(|| ServiceError::internal("a document was lost"))
}

fn document(row: Row, languages: Vec<DocumentLanguage>, files: Vec<LanguageFile>) -> Document {
    let live = row.live_version_id.zip(row.live_published_at);
    let file = |file: LanguageFile| LiveFile { language: file.language.into(), sha256: hex(&file.sha256) };
    let files = files.into_iter().map(file).collect();
    Document {
        doc_id: row.id.into(),
        external_id: row.external_id,
        title: row.title.or(row.own_title).unwrap_or_default(),
        format: row.format,
        language: row.language.into(),
        characters: u64::try_from(row.characters).unwrap_or_default(),
        source_version_id: row.source_id,
        source_sha256: row.source_sha256.map(|sha256| hex(&sha256)),
        segments: row.counts.0,
        live: live.map(|(id, published_at)| LiveDocument { version_id: id, published_at, files }),
        languages,
        body: None,
        problems: Vec::new(),
        too_large: None,
        published_sha256: None,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}
