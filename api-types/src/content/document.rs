//! A document, as every route of this resource answers it.

use serde::{Deserialize, Serialize};

use crate::{DocumentId, LanguageCode, ProjectId, Timestamp, VersionId};

/// Path of a route that belongs to a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct DocumentPath {
    /// The project, by its id.
    pub project_id: ProjectId,
    /// The document, by its id.
    pub doc_id: DocumentId,
}

string_enum! {
    /// How a document is written.
    DocumentFormat {
        /// CommonMark with tables, footnotes, strikethrough, task lists, front matter and MDX.
        Markdown = "markdown",
        /// A whole document of HTML, or a part of one.
        Html = "html",
        /// Paragraphs between blank lines.
        Text = "text",
    }
}

string_enum! {
    /// How a document stands in a language.
    DocumentState {
        /// None of its segments is translated.
        Missing = "missing",
        /// Some of its segments are translated, others are not, or not yet.
        Outdated = "outdated",
        /// All of its segments are translated.
        Translated = "translated",
        /// All of its segments are translated, and a check holds at least one of them back.
        Held = "held",
    }
}

/// What a document's present source is made of, against the source before it (none for the first). A segment is counted
/// as often as it occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SegmentCounts {
    /// All of them: those that are new, changed and unchanged.
    pub total: u64,
    /// Those that came.
    pub new: u64,
    /// Those that came in the place of others that went.
    pub changed: u64,
    /// Those that stood in the source before, wherever they stand now.
    pub unchanged: u64,
    /// Those that went.
    pub removed: u64,
}

/// The version of a document that is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LiveDocument {
    /// Its id: `cvr_…`.
    pub version_id: VersionId,
    /// When it was first published.
    pub published_at: Timestamp,
}

/// How a document stands in one of the project's languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DocumentLanguage {
    /// Canonical BCP 47 tag.
    pub code: LanguageCode,
    /// How it stands.
    pub state: DocumentState,
    /// Segments of the document, each as often as it occurs.
    pub segments: u64,
    /// Those among them that have a translation, held back or not.
    pub translated: u64,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Its id: `doc_…`.
    pub doc_id: DocumentId,
    /// The caller's own name for it, unique in the project; left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// Its title: what the caller gave, or else what the document calls itself; it may be empty.
    pub title: String,
    /// How it is written.
    pub format: DocumentFormat,
    /// The language that it is written in.
    pub language: LanguageCode,
    /// Unicode scalar values of its translatable text.
    pub characters: u64,
    /// Its present source: `cvr_…`, another one after each change of its text.
    pub source_version_id: VersionId,
    /// Its segments.
    pub segments: SegmentCounts,
    /// What is published of it; null before the first publish.
    pub live: Option<LiveDocument>,
    /// How its present source stands in the project's other languages.
    pub languages: Vec<DocumentLanguage>,
    /// Its text, where one document is read ([`Read`](super::Read)); else left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// When it was first pushed.
    pub created_at: Timestamp,
    /// When its source, title or external id last changed, or its published version.
    pub updated_at: Timestamp,
}
