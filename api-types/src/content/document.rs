//! A document, as every route of this resource answers it.

use serde::{Deserialize, Serialize};

use crate::{DocumentId, Issue, LanguageCode, ProjectId, Timestamp, VersionId};

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
    /// The format of a document.
    DocumentFormat {
        /// CommonMark with tables, footnotes, strikethrough, task lists, front matter and MDX.
        Markdown = "markdown",
        /// A whole document of HTML, or a part of one.
        Html = "html",
        /// Paragraphs between blank lines.
        Text = "text",
        ..Unknown
    }
}

string_enum! {
    /// The state of a document in one language.
    DocumentState {
        /// None of its segments is translated.
        Missing = "missing",
        /// Some of its segments are translated, others are not, or not yet.
        Outdated = "outdated",
        /// All of its segments are translated.
        Translated = "translated",
        /// All of its segments are translated, and a check holds at least one of them back.
        Held = "held",
        ..Unknown
    }
}

/// The segments of a document's present source, compared with its previous source (none for the first). A segment is
/// counted as often as it occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SegmentCounts {
    /// All segments: new, changed and unchanged ones.
    pub total: u64,
    /// Segments that were added.
    pub new: u64,
    /// Segments that replace removed ones.
    pub changed: u64,
    /// Segments that were in the previous source, even at another place.
    pub unchanged: u64,
    /// Segments that were removed.
    pub removed: u64,
}

/// The version of a document that is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LiveDocument {
    /// Its id: `cvr_…`.
    pub version_id: VersionId,
    /// The time of its first publish.
    pub published_at: Timestamp,
    /// Its texts, one for each language, its own included, in the order of their languages. An addition: deployments
    /// that do not report them leave them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LiveFile>,
}

/// A published text: the body of a read in its language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveFile {
    /// Its language.
    pub language: LanguageCode,
    /// SHA-256 of its UTF-8 bytes, in lowercase hex.
    pub sha256: String,
}

/// A document in one of the project's languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DocumentLanguage {
    /// Canonical BCP 47 tag.
    pub code: LanguageCode,
    /// The document's state in this language.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub state: DocumentState,
    /// Segments of the document, each as often as it occurs.
    pub segments: u64,
    /// Those among them that have a translation, held back or not.
    pub translated: u64,
}

/// A segment that keeps its document from being published in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DocumentProblem {
    /// The segment's source text, its markup as numbered tags.
    pub text: String,
    /// The segment's translation in the requested language; left out if there is none yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<String>,
    /// Problems of the translation; empty if there is no translation.
    pub issues: Vec<Issue>,
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
    /// Its title: the caller's, or else the document's own; it may be empty.
    pub title: String,
    /// The document's format.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub format: DocumentFormat,
    /// The language that it is written in.
    pub language: LanguageCode,
    /// Unicode scalar values of its translatable text.
    pub characters: u64,
    /// Its present source: `cvr_…`, another one after each change of its text.
    pub source_version_id: VersionId,
    /// SHA-256 of the UTF-8 bytes of its present source's text, in lowercase hex. An addition: left out by deployments
    /// that do not report it, and for sources that were pushed before the deployment did, until the next push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_sha256: Option<String>,
    /// Its segments.
    pub segments: SegmentCounts,
    /// Its published version; null before the first publish.
    pub live: Option<LiveDocument>,
    /// The state of its present source in the project's other languages.
    pub languages: Vec<DocumentLanguage>,
    /// Its text. Only in the answer of [`Read`](super::Read).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The segments that keep the document from being published in the requested language, in document order, at most
    /// 50. Only when one document is read with `language` and `draft=true`. An addition: left out if there are none,
    /// and by deployments that do not report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<DocumentProblem>,
    /// Its size in the requested language, if that exceeds the limit of a publish. Only when one document is read with
    /// `language` and `draft=true`. An addition: left out by deployments that do not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_large: Option<TooLarge>,
    /// SHA-256 of the texts that were published in the requested language, the live one included, in lowercase hex: each
    /// once, the newest first, at most 100. By these a client tells a text of this deployment from one of the team's own.
    /// Only when one document is read with `language`. An addition: left out by deployments that do not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_sha256: Option<Vec<String>>,
    /// The time of its first push.
    pub created_at: Timestamp,
    /// The time of the last change of its source, title, external id or published version.
    pub updated_at: Timestamp,
}

/// A rendered text that is too large to be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TooLarge {
    /// Its size in bytes of UTF-8.
    pub bytes: u64,
    /// The size limit of a published text, in bytes.
    pub limit: u64,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn document() -> Value {
        json!({"docId": "doc_1", "title": "A", "format": "markdown", "language": "en", "characters": 1,
            "sourceVersionId": "cvr_1", "segments": SegmentCounts::default(),
            "live": {"versionId": "cvr_2", "publishedAt": "2026-01-01T00:00:00.000Z"}, "languages": [],
            "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z"})
    }

    #[test]
    fn hashes_travel_where_they_are_known_and_are_left_out_where_they_are_not() {
        let without: Document = serde_json::from_value(document()).unwrap();
        assert_eq!((&without.source_sha256, &without.live.as_ref().unwrap().files), (&None, &Vec::new()));
        assert_eq!(serde_json::to_value(&without).unwrap(), document());

        let mut said = document();
        said["sourceSha256"] = json!("0a".repeat(32));
        said["live"]["files"] = json!([{"language": "de", "sha256": "1b".repeat(32)}]);
        let with: Document = serde_json::from_value(said.clone()).unwrap();
        assert_eq!(with.source_sha256, Some("0a".repeat(32)));
        let file = LiveFile { language: "de".into(), sha256: "1b".repeat(32) };
        assert_eq!(with.live.as_ref().unwrap().files, [file]);
        assert_eq!(serde_json::to_value(&with).unwrap(), said);

        assert_eq!(with.published_sha256, None);
        said["publishedSha256"] = json!([]);
        let read: Document = serde_json::from_value(said.clone()).unwrap();
        assert_eq!(read.published_sha256, Some(Vec::new()), "nothing was published: that is known");
        assert_eq!(serde_json::to_value(&read).unwrap(), said);
    }
}
