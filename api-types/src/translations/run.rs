//! The answer of a translate or a sync, real or dry.

use serde::{Deserialize, Serialize};

use crate::{ErrorBody, LanguageCode, Millicredits, RequestId, TrackingToken};

string_enum! {
    /// The status of a run.
    RunStatus {
        /// A dry run: nothing was written.
        Preview = "preview",
        /// Work was queued; poll it by its tracking token.
        Queued = "queued",
        /// Nothing had to be translated, or translation memory had everything.
        Completed = "completed",
        ..Unknown
    }
}

string_enum! {
    /// The class of an input item, compared with the project's content.
    Class {
        /// The project did not hold it, or held it as archived.
        New = "new",
        /// The project held it with another text.
        Changed = "changed",
        /// The project held it with this text.
        Unchanged = "unchanged",
        /// This path held it before and no longer does (sync only).
        Removed = "removed",
        ..Unknown
    }
}

/// Numbers of items by class. Every item of the whole input is in exactly one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Classification {
    /// Items that the project did not hold.
    pub new: u64,
    /// Items with another text than before.
    pub changed: u64,
    /// Items with the text that the project holds.
    pub unchanged: u64,
    /// Keys that this path held before and no longer does.
    pub removed: u64,
}

/// A new, changed or removed item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The key; for a document, the hash of the segment.
    pub r#ref: String,
    /// Its class.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub class: Class,
    /// The previous text, if it changed or was removed; for a plural, its form `other`. Beyond about 4 MiB of such texts in an
    /// answer it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_text: Option<String>,
    /// The languages into which this run translates it.
    pub languages: Vec<LanguageCode>,
}

/// A key that seems to have been renamed: one was removed and one was added with the same text. Its translations are
/// carried over free of charge; both keys count in their classes, and `onRemoved` decides about the removed one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Renamed {
    /// The old ref.
    pub from: String,
    /// The new ref.
    pub to: String,
}

string_enum! {
    /// The reason for which an imported translation is in no version.
    HeldReason {
        /// The project has no such key: sync the file in the base language first.
        UnknownKey = "unknown_key",
        /// It is empty although the source is not: many tools write untranslated entries like this.
        Empty = "empty",
        /// A person has approved another translation, which stays.
        Reviewed = "reviewed",
        /// The file calls it a draft, and the project has another translation, which stays.
        Draft = "draft",
        /// It was taken, and waits until a person reviews it: a check holds it back, or the file calls it a draft.
        NeedsReview = "needs_review",
        ..Unknown
    }
}

/// A translation of an imported file that was not taken, or is held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeldText {
    /// The key.
    pub r#ref: String,
    /// The reason, to branch on.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub reason: HeldReason,
    /// The reason, for people; for a check, its message.
    pub message: String,
}

/// The work and price for one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LanguagePrice {
    /// The language.
    pub language: LanguageCode,
    /// Keys to translate, including those from memory.
    pub keys: u64,
    /// Unicode scalar values of source text to pay for; each distinct text counts once.
    pub characters: u64,
    /// Keys whose translation comes from memory, free of charge.
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
    /// True for a dry run, which writes nothing.
    pub dry_run: bool,
    /// This request: the `x-correlation-id` of this response.
    pub request_id: RequestId,
    /// Poll `GET /translations?trackingToken=` with it; null when nothing was queued.
    pub tracking_token: Option<TrackingToken>,
    /// The status of the run.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub status: RunStatus,
    /// Numbers of items by class.
    pub classification: Classification,
    /// Keys that this run archives: the `removed` ones if `onRemoved` is `archive`. An agent's operation must allow as
    /// many with its `maxArchivedKeys`.
    #[serde(default)]
    pub archived: u64,
    /// Translations of the input's keys that a person wrote, imported or reviewed and whose source has changed since: they
    /// stay as they are, `stale`, and cost nothing. `retranslate` replaces them. 0 for a document.
    #[serde(default)]
    pub kept: u64,
    /// True if the run leaves all as it is: keys with their descriptions and places, the file that is kept of them, translations,
    /// and what people changed.
    #[serde(default)]
    pub changes_nothing: bool,
    /// The new, changed and removed items, at most 1,000.
    pub items: Vec<Item>,
    /// True if there are more items than `items` lists. A replayed answer over 64 KiB lists none.
    pub items_truncated: bool,
    /// Keys that seem to have been renamed.
    pub renamed: Vec<Renamed>,
    /// A sync in another language than the base: its translations that were not taken or are held back, at most 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldText>,
    /// The work and price for each target language.
    pub per_language: Vec<LanguagePrice>,
    /// Price of the run, an upper bound.
    pub estimated_credits: Millicredits,
    /// Amount charged so far.
    pub credits_charged: Millicredits,
    /// Balance of the workspace.
    pub balance: Millicredits,
    /// Only in a dry run: the error that the real run would meet; null if it would be accepted.
    pub would_fail: Option<WouldFail>,
    /// True if the calling key needs an approved operation for the real run.
    pub requires_operation: bool,
    /// Warnings for people, in sentences.
    pub warnings: Vec<String>,
}
