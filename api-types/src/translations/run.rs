//! The answer of a translate or a sync, real or dry.

use serde::{Deserialize, Serialize};

use crate::{ErrorBody, LanguageCode, Millicredits, RequestId, TrackingToken};

string_enum! {
    /// What has become of a run.
    RunStatus {
        /// A dry run: nothing was written.
        Preview = "preview",
        /// Work was queued; poll it by its tracking token.
        Queued = "queued",
        /// There was nothing to translate, or memory had it all.
        Completed = "completed",
    }
}

string_enum! {
    /// What an item of the input is, against what the project holds.
    Class {
        /// The project did not hold it, or held it as archived.
        New = "new",
        /// The project held it with another text.
        Changed = "changed",
        /// The project held it with this text.
        Unchanged = "unchanged",
        /// This path held it before and holds it no more (sync alone).
        Removed = "removed",
    }
}

/// How many items are in each class. Every item of the whole input is in exactly one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Classification {
    /// Items that the project did not hold.
    pub new: u64,
    /// Items with another text than before.
    pub changed: u64,
    /// Items with the text that the project holds.
    pub unchanged: u64,
    /// Keys that this path held before and holds no more.
    pub removed: u64,
}

/// A new, changed or removed item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The key; of a document, the hash of the segment.
    pub r#ref: String,
    /// Its class.
    pub class: Class,
    /// The text before, where it changed or goes; a plural's form `other`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_text: Option<String>,
    /// The languages that it is to be translated into by this run.
    pub languages: Vec<LanguageCode>,
}

/// A key that seems to have been renamed: one went and one came with the same text. Its translations come along, free of
/// charge; both keys count in their classes, and what happens to the one that went is up to `onRemoved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Renamed {
    /// The ref before.
    pub from: String,
    /// The ref now.
    pub to: String,
}

string_enum! {
    /// Why a translation that a file brought is in no version.
    HeldReason {
        /// The project has no such key: sync the file in the base language first.
        UnknownKey = "unknown_key",
        /// It is empty and the source is not, as tools write what is not translated.
        Empty = "empty",
        /// A person has approved another one, which stays.
        Reviewed = "reviewed",
        /// It was taken, and a check holds it back until a person reviews it.
        NeedsReview = "needs_review",
    }
}

/// A translation of an imported file that was not taken, or is held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeldText {
    /// The key.
    pub r#ref: String,
    /// Why, to branch on.
    pub reason: HeldReason,
    /// Why, for people: of a check, what it says.
    pub message: String,
}

/// What one language takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LanguagePrice {
    /// The language.
    pub language: LanguageCode,
    /// Keys to translate, those from memory included.
    pub keys: u64,
    /// Unicode scalar values of source text that are to be paid for: those of each distinct text once.
    pub characters: u64,
    /// Keys that translation memory has: free of charge.
    pub from_memory: u64,
    /// Price, an upper bound.
    pub estimated_credits: Millicredits,
}

/// The error that the real run of this dry run would meet.
pub type WouldFail = ErrorBody;

/// The answer of a translate or a sync; one shape for real and dry runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Whether this was a dry run: nothing was written.
    pub dry_run: bool,
    /// This request: the `x-correlation-id` of this response.
    pub request_id: RequestId,
    /// Poll `GET /translations?trackingToken=` with it; null when nothing was queued.
    pub tracking_token: Option<TrackingToken>,
    /// What has become of the run.
    pub status: RunStatus,
    /// How many items are in each class.
    pub classification: Classification,
    /// Keys that this run archives: those `removed`, where `onRemoved` is `archive`. An agent's operation has to allow as many
    /// with its `maxArchivedKeys`.
    #[serde(default)]
    pub archived: u64,
    /// Translations of the input's keys that a person wrote, imported or reviewed and whose source has changed since: they
    /// stay as they are, `stale`, and cost nothing. `retranslate` replaces them. 0 for a document.
    #[serde(default)]
    pub kept: u64,
    /// The new, changed and removed items, at most 1,000.
    pub items: Vec<Item>,
    /// Whether there were more than `items` lists. An answer over 64 KiB that is given again has none of them.
    pub items_truncated: bool,
    /// Keys that seem to have been renamed.
    pub renamed: Vec<Renamed>,
    /// A sync in another language than the base: its translations that were not taken or are held back, at most 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldText>,
    /// What each target language takes.
    pub per_language: Vec<LanguagePrice>,
    /// Price of the run, an upper bound.
    pub estimated_credits: Millicredits,
    /// What has been charged so far.
    pub credits_charged: Millicredits,
    /// Balance of the workspace.
    pub balance: Millicredits,
    /// A dry run only: the error that the real run would meet; null when it would be taken.
    pub would_fail: Option<WouldFail>,
    /// Whether the calling key needs an approved operation for the real run.
    pub requires_operation: bool,
    /// What a person should know, in sentences.
    pub warnings: Vec<String>,
}
