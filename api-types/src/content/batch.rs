//! Many documents in one call of `POST /projects/{projectId}/content` (§4).

use serde::{Deserialize, Serialize};

use super::{Document, DocumentFormat, NewDocument, SegmentCounts};
use crate::{DocumentId, ErrorBody, LanguageCode, RequestId};

/// Most documents of one call.
pub const LARGEST_BATCH: usize = 100;

/// Body of [`Create`](super::Create): either the fields of one new document, or `documents` alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PushBody {
    /// As in [`NewDocument`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 500))]
    pub title: Option<String>,
    /// As in [`NewDocument`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub external_id: Option<String>,
    /// The document's format. Required unless `documents` is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<DocumentFormat>,
    /// As in [`NewDocument`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageCode>,
    /// The document's text. Required unless `documents` is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// 1 to 100 documents, each with an `externalId` of its own. A document that the project has under that name gets the
    /// new text; the others are made. Each is taken as a whole or fails by itself, and the others are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 100))]
    pub documents: Option<Vec<NewDocument>>,
}

impl From<NewDocument> for PushBody {
    fn from(document: NewDocument) -> Self {
        let NewDocument { title, external_id, format, language, body } = document;
        Self { title, external_id, format: Some(format), language, body: Some(body), documents: None }
    }
}

impl From<Vec<NewDocument>> for PushBody {
    fn from(documents: Vec<NewDocument>) -> Self {
        Self { documents: Some(documents), ..Self::default() }
    }
}

/// Answer of [`Create`](super::Create): one of two shapes, told apart by what they require.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "an answer is read once and taken apart")]
pub enum PushAnswer {
    /// The answer for one document.
    Document(Document),
    /// The answer for `documents`.
    Batch(DocumentsPushed),
}

impl PushAnswer {
    /// Returns the document, if the call pushed one.
    #[must_use]
    pub fn document(self) -> Option<Document> {
        match self {
            Self::Document(document) => Some(document),
            Self::Batch(_) => None,
        }
    }

    /// Returns the results, if the call pushed `documents`.
    #[must_use]
    pub fn batch(self) -> Option<DocumentsPushed> {
        match self {
            Self::Batch(batch) => Some(batch),
            Self::Document(_) => None,
        }
    }
}

/// The results of a call with `documents`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentsPushed {
    /// The request that pushed them.
    pub request_id: RequestId,
    /// A result for each document, in the order of the call.
    pub results: Vec<PushedDocument>,
}

/// The result of one document of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PushedDocument {
    /// The document's `externalId`.
    pub external_id: String,
    /// The outcome for this document.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub status: PushStatus,
    /// The document's id; absent when it failed and the project has no such document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<DocumentId>,
    /// The document's segments compared with those of its previous text; left out if nothing was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments: Option<SegmentCounts>,
    /// The error, if the document failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
}

string_enum! {
    /// The outcome for one document of a call.
    PushStatus {
        /// The document is new. Counts as one of the day's imports.
        Created = "created",
        /// Its text or title changed. Counts as one of the day's imports.
        Updated = "updated",
        /// The project has exactly this document. Does not count as an import.
        Unchanged = "unchanged",
        /// Nothing of it was written; `error` says why.
        Failed = "failed",
        ..Unknown
    }
}
