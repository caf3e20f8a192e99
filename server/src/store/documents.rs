//! Documents: what they are called, which source they have and which version is published.

use std::collections::{HashMap, HashSet};

use l10n_api_types::content::{DocumentFormat, SegmentCounts};
use l10n_api_types::{ProjectId, VersionId};
use l10n_formats::SourceHash;

use super::row::Json;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A document with what its present source is made of, but not its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Document {
        /// `doc_…`
        pub id: String,
        /// The caller's own name for it
        pub external_id: Option<String>,
        /// The caller's title
        pub title: Option<String>,
        /// Its format
        pub format: DocumentFormat,
        /// The language that it is written in
        pub language: String,
        /// Its present source: `cvr_…`
        pub source_id: VersionId,
        /// Its published version: `cvr_…`
        pub live_version_id: Option<VersionId>,
        /// The time of that version's first publish
        pub live_published_at: Option<Timestamp>,
        /// The title in its source
        pub own_title: Option<String>,
        /// A hash of all that its published version was rendered from, if that is known
        pub rendered_from: Option<String>,
        /// SHA-256 of its source's text, if that is stored
        pub source_sha256: Option<[u8; 32]>,
        /// Unicode scalar values of its translatable text
        pub characters: i64,
        /// Its segments in their order
        pub segments: Json<Vec<SourceHash>>,
        /// Their counts, compared with the previous source
        pub counts: Json<SegmentCounts>,
        /// Since when it is hidden
        pub archived_at: Option<Timestamp>,
        /// The time of its first push
        pub created_at: Timestamp,
        /// The time of its last change or publish
        pub updated_at: Timestamp,
    }
}

impl Document {
    /// The name by which people know it.
    #[must_use]
    pub fn name(&self) -> &str {
        let stated = self.title.as_deref().or(self.own_title.as_deref()).or(self.external_id.as_deref());
        stated.unwrap_or(&self.id)
    }
}

row! {
    /// A document that is not read yet.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SizedDocument {
        /// `doc_…`
        pub id: String,
        /// Bytes of the list of its segments, as it is stored
        pub bytes: i64,
    }
}

statements! {
    INSERT = "INSERT INTO documents (id, project_id, external_id, title, format, language, source_id, live_version_id, \
        created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8, $8)";
    FIND = "SELECT d.id, d.external_id, d.title, d.format, d.language, d.source_id, d.live_version_id, \
        v.published_at AS live_published_at, s.title AS own_title, s.sha256 AS source_sha256, s.characters, s.segments, \
        s.counts, d.rendered_from, d.archived_at, d.created_at, d.updated_at FROM documents d JOIN document_sources s ON s.id = d.source_id \
        LEFT JOIN document_versions v ON v.id = d.live_version_id WHERE d.project_id = $1 AND d.id = $2";
    // As long as their lists of segments are stored. No list is read for that.
    LIST = "SELECT d.id, CAST(octet_length(s.segments) AS BIGINT) AS bytes FROM documents d \
        JOIN document_sources s ON s.id = d.source_id \
        WHERE d.project_id = $1 AND d.archived_at IS NULL AND d.id > $2 AND d.updated_at >= $3 ORDER BY d.id LIMIT $4";
    LIST_OF_EXTERNAL_ID = "SELECT d.id, CAST(octet_length(s.segments) AS BIGINT) AS bytes FROM documents d \
        JOIN document_sources s ON s.id = d.source_id \
        WHERE d.project_id = $1 AND d.archived_at IS NULL AND d.id > $2 AND d.external_id = $5 \
        AND d.updated_at >= $3 ORDER BY d.id LIMIT $4";
    SIZES = values "SELECT d.id, CAST(octet_length(s.segments) AS BIGINT) AS bytes FROM documents d \
        JOIN document_sources s ON s.id = d.source_id \
        WHERE d.project_id = $1 AND d.archived_at IS NULL AND d.id IN (" each "?" then ")";
    FIND_MANY = values "SELECT d.id, d.external_id, d.title, d.format, d.language, d.source_id, d.live_version_id, \
        v.published_at AS live_published_at, s.title AS own_title, s.sha256 AS source_sha256, s.characters, s.segments, \
        s.counts, d.rendered_from, d.archived_at, d.created_at, d.updated_at FROM documents d JOIN document_sources s ON s.id = d.source_id \
        LEFT JOIN document_versions v ON v.id = d.live_version_id WHERE d.project_id = $1 AND d.archived_at IS NULL AND d.id IN ("
        each "?" then ")";
    IDS = "SELECT id FROM documents WHERE project_id = $1 AND archived_at IS NULL ORDER BY id";
    EXISTING = values "SELECT id FROM documents WHERE project_id = $1 AND archived_at IS NULL AND id IN (" each "?" then ")";
    ID_OF = "SELECT id FROM documents WHERE project_id = $1 AND external_id = $2";
    COUNT = "SELECT (SELECT COUNT(*) FROM documents WHERE project_id = $1) - \
        (SELECT COUNT(*) FROM documents WHERE project_id = $1 AND archived_at IS NOT NULL)";
    CHANGE = "UPDATE documents SET external_id = $2, title = $3, source_id = $4, updated_at = $5 WHERE id = $1";
    SET_LIVE = values "UPDATE documents SET live_version_id = live.column2, updated_at = $1 FROM (VALUES"
        each "(?, ?)" then ") AS live WHERE documents.id = live.column1";
    SET_RENDERED = values "UPDATE documents SET rendered_from = rendered.column2 FROM (VALUES"
        each "(?, ?)" then ") AS rendered WHERE documents.id = rendered.column1";
    SEGMENT_SEQ = "SELECT segment_seq FROM projects WHERE id = $1";
}

/// A document to add.
#[derive(Debug, Clone, Copy)]
pub struct NewDocument<'a> {
    /// `doc_…`
    pub id: &'a str,
    /// Its project
    pub project_id: &'a ProjectId,
    /// The caller's own name for it
    pub external_id: Option<&'a str>,
    /// The caller's title
    pub title: Option<&'a str>,
    /// Its format
    pub format: DocumentFormat,
    /// The language that it is written in
    pub language: &'a str,
    /// Its source, which is added next
    pub source_id: &'a VersionId,
    /// Now
    pub created_at: Timestamp,
}

/// Adds a document.
///
/// # Errors
///
/// [`StoreError::Unique`] when the external id is another document's.
pub async fn insert(tx: &mut Tx, new: NewDocument<'_>) -> Result<(), StoreError> {
    execute!(
        tx,
        INSERT,
        new.id,
        new.project_id.as_str(),
        new.external_id,
        new.title,
        new.format.as_str(),
        new.language,
        new.source_id.as_str(),
        new.created_at.as_millis(),
    )
    .map(drop)
}

/// The document `id` of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, id: &str) -> Result<Option<Document>, StoreError> {
    fetch_optional!(tx, Document, FIND, project_id.as_str(), id)
}

/// A selection of documents.
#[derive(Debug, Clone, Copy)]
pub struct DocumentFilter<'a> {
    /// Those behind this id
    pub after: &'a str,
    /// The one of this name
    pub external_id: Option<&'a str>,
    /// Those that changed at this time or later
    pub updated_since: Timestamp,
    /// At most so many
    pub limit: i64,
}

/// Documents of a project in the order of their ids, which is that of their making, with the lengths of their lists. To read
/// them comes after ([`find_many`]).
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    project_id: &ProjectId,
    filter: DocumentFilter<'_>,
) -> Result<Vec<SizedDocument>, StoreError> {
    let since = filter.updated_since.as_millis();
    let (after, limit) = (filter.after, filter.limit);
    match filter.external_id {
        None => fetch_all!(tx, SizedDocument, LIST, project_id.as_str(), after, since, limit),
        Some(id) => fetch_all!(tx, SizedDocument, LIST_OF_EXTERNAL_ID, project_id.as_str(), after, since, limit, id),
    }
}

/// Bytes of the lists of segments that [`find_many`] reads of these ids, by id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sizes(tx: &mut Tx, project_id: &ProjectId, ids: &[String]) -> Result<HashMap<String, i64>, StoreError> {
    let found = fetch_values!(tx, SizedDocument, SIZES, [project_id.as_str()], ids, |id| [id.as_str()])?;
    Ok(found.into_iter().map(|sized| (sized.id, sized.bytes)).collect())
}

/// Those documents of a project that have one of these ids, in the order of their ids.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_many(tx: &mut Tx, project_id: &ProjectId, ids: &[String]) -> Result<Vec<Document>, StoreError> {
    let mut found = fetch_values!(tx, Document, FIND_MANY, [project_id.as_str()], ids, |id| [id.as_str()])?;
    found.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(found)
}

/// The ids of all documents of a project, in their order, which is that of their making.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn ids(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<String>, StoreError> {
    let found = fetch_all!(tx, (String,), IDS, project_id.as_str())?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Those of these ids that are a project's documents'.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn existing(tx: &mut Tx, project_id: &ProjectId, ids: &[String]) -> Result<HashSet<String>, StoreError> {
    let found = fetch_values!(tx, (String,), EXISTING, [project_id.as_str()], ids, |id| [id.as_str()])?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The document that has this external id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn id_of(tx: &mut Tx, project_id: &ProjectId, external_id: &str) -> Result<Option<String>, StoreError> {
    let found = fetch_optional!(tx, (String,), ID_OF, project_id.as_str(), external_id)?;
    Ok(found.map(|(id,)| id))
}

/// The number of a project's documents.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, project_id: &ProjectId) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT, project_id.as_str())?;
    Ok(count)
}

/// The fields of a document that a push changes.
#[derive(Debug, Clone, Copy)]
pub struct DocumentChange<'a> {
    /// The caller's own name for it
    pub external_id: Option<&'a str>,
    /// The caller's title
    pub title: Option<&'a str>,
    /// Its source
    pub source_id: &'a VersionId,
}

/// Writes what a push changes.
///
/// # Errors
///
/// [`StoreError::Unique`] when the external id is another document's.
pub async fn change(tx: &mut Tx, id: &str, change: DocumentChange<'_>, at: Timestamp) -> Result<(), StoreError> {
    let DocumentChange { external_id, title, source_id } = change;
    StoreError::exactly_one(execute!(tx, CHANGE, id, external_id, title, source_id.as_str(), at.as_millis())?)
}

/// Makes versions the published ones, each of its document, which comes before it.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if a document is not there.
pub async fn set_live(tx: &mut Tx, versions: &[(&str, &VersionId)], at: Timestamp) -> Result<(), StoreError> {
    let at = at.as_millis();
    let set = execute_values!(tx, SET_LIVE, [at], versions, |(document, version)| [*document, version.as_str()])?;
    StoreError::exactly(versions.len(), set)
}

/// Notes what the published versions of documents were rendered from, as pairs of document and hash.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such document.
pub async fn set_rendered(tx: &mut Tx, documents: &[(String, String)]) -> Result<(), StoreError> {
    let set = execute_values!(tx, SET_RENDERED, [], documents, |(document, hash)| [document.as_str(), hash.as_str()])?;
    StoreError::exactly(documents.len(), set)
}

/// The number of changes of a project's translations of segments.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn segment_seq(tx: &mut Tx, project_id: &ProjectId) -> Result<i64, StoreError> {
    let (seq,) = fetch_one!(tx, (i64,), SEGMENT_SEQ, project_id.as_str())?;
    Ok(seq)
}
