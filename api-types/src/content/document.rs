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
    /// Its texts, one for each language, its own included, in the order of their languages. An addition: a deployment that
    /// does not say them leaves them out.
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

/// A segment for which a publish does not take its document in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DocumentProblem {
    /// What the segment says, its markup as numbered tags.
    pub text: String,
    /// What it says in the language that was asked for; left out where it has no translation yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<String>,
    /// What is wrong with the translation; empty where there is none.
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
    /// SHA-256 of the UTF-8 bytes of its present source's text, in lowercase hex. An addition: left out by a deployment that
    /// does not say it, and for a source that was pushed before this one did, until the next push of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_sha256: Option<String>,
    /// Its segments.
    pub segments: SegmentCounts,
    /// What is published of it; null before the first publish.
    pub live: Option<LiveDocument>,
    /// How its present source stands in the project's other languages.
    pub languages: Vec<DocumentLanguage>,
    /// Its text, where one document is read ([`Read`](super::Read)); else left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where one document is read with `language` and `draft=true`: the segments for which a publish does not take it in that
    /// language, in their order, the first 50 of them. An addition: left out where there are none, and by a deployment that
    /// does not say them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<DocumentProblem>,
    /// Where one document is read with `language` and `draft=true`: its size in that language, where that is more than a publish
    /// takes. An addition: left out where it is not, and by a deployment that does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_large: Option<TooLarge>,
    /// When it was first pushed.
    pub created_at: Timestamp,
    /// When its source, title or external id last changed, or its published version.
    pub updated_at: Timestamp,
}

/// A rendered text that is too large to be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TooLarge {
    /// Its size in bytes of UTF-8.
    pub bytes: u64,
    /// Most bytes of a text that is published.
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
    }
}
