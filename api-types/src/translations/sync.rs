//! `POST /projects/{projectId}/sync` (§4): register a source file and translate what is new or changed in it.

use serde::{Deserialize, Serialize};

use super::{Run, RunQuery};
use crate::operations::OperationKind;
use crate::{
    Access, BodyKind, DryRun, Endpoint, ErrorCode, FormatId, LanguageCode, Method, OperationId, ProjectPath, Rerun,
    Scope, UnknownFields,
};

/// Registers a whole source file and translates what is new or changed in it.
///
/// With a `language` other than the base it imports existing translations, free of charge: `new` are then entries whose
/// key had no translation (or that are no keys of the project, which are left out with a warning), `changed` those
/// whose key had another one. Empty entries are left out, and a translation that a person has approved stays; both
/// count as `unchanged`. The answer's `held` names each of these, and each translation that a check holds back.
/// `languages`, `onRemoved` and `retranslate` are for files in the base language.
///
/// Keys that came from another file before belong to this one now, with a warning. If an output format's path contains
/// `{namespace}` and the file's path matches it, the file's keys have that namespace and their refs are
/// `namespace:key`.
///
/// **A machine never overwrites a person's text.** A translation that a person wrote, imported or reviewed stays when
/// its source changes. It is `stale` then, costs nothing and counts in `kept`; `retranslate` replaces it.
///
/// A file's keys times the target languages are at most 10,000,000; beyond it, 400 names the limit.
///
/// **A sync never deletes unless told to**: keys that this path held before and no longer holds are kept, or archived,
/// which can be undone.
/// After a 503, run it again from the source file rather than resending it (§7 rule 1).
#[derive(Debug)]
pub enum Sync {}

/// Largest body of [`Sync`], in bytes (§8).
pub const SYNC_BODY_CAP: usize = 4 * 1024 * 1024;

/// Largest file of [`Sync`] once decoded, in bytes (§8).
pub const SYNC_FILE_CAP: usize = 2 * 1024 * 1024;

string_enum! {
    /// The encoding of a file's content.
    Encoding {
        /// Standard base64 with padding.
        Base64 = "base64",
        /// As text.
        Utf8 = "utf8",
        ..Unknown
    }
}

string_enum! {
    /// The treatment of keys that a path held before and no longer holds.
    OnRemoved {
        /// The keys stay.
        Keep = "keep",
        /// The keys leave the next version; a sync that brings them back undoes it.
        Archive = "archive",
    }
}

/// Body of [`Sync`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SyncBody {
    /// The file.
    pub file: FileUpload,
    /// The language of the file; the base language when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageCode>,
    /// The target languages; all of the project's when left out. The file's keys times these languages are at most
    /// 10,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// The treatment of keys that this path held before and no longer holds; `keep` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_removed: Option<OnRemoved>,
    /// `true` translates the file's keys again, as `POST /translate` does; false when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retranslate: Option<bool>,
    /// The approved operation that an agent's key acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<OperationId>,
}

/// A file to register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FileUpload {
    /// Its relative path in the code, which identifies it from sync to sync. No `..`, no leading `/`, at most 512
    /// bytes.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub path: String,
    /// Its bytes, at most 2 MiB once decoded.
    pub content: String,
    /// The encoding of `content`.
    pub encoding: Encoding,
    /// Its format; detected from name and content when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FormatId>,
}

impl Endpoint for Sync {
    const NAME: &'static str = "translations::sync";
    const OPERATION_ID: &'static str = "syncFile";
    const EXAMPLE: &'static str = include_str!("sync.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/sync";
    const SUMMARY: &'static str = "Register a source file and translate what is new or changed in it";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200, 202];
    const ERRORS: &'static [ErrorCode] = &[
        ErrorCode::FormatAmbiguous,
        ErrorCode::FormatUnsupported,
        ErrorCode::FileUnparseable,
        ErrorCode::InsufficientCredits,
        ErrorCode::SpendCapExceeded,
        ErrorCode::PlanLimit,
        ErrorCode::AuthorizationRequired,
    ];
    const ACCESS: Access = Access::Scopes(&[Scope::Translate]);
    const BODY: BodyKind = BodyKind::Required;
    const BODY_CAP: usize = SYNC_BODY_CAP;
    const LARGE_WORK: bool = true;
    const DRY_RUN: DryRun = DryRun::Query;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const RERUN: Rerun = Rerun::FromSources;
    const APPROVAL: Option<OperationKind> = Some(OperationKind::Translation);

    type Path = ProjectPath;
    type Query = RunQuery;
    type Body = SyncBody;
    type Response = Run;
}
