//! `GET /projects/{projectId}/unpublished-changes`: how a publish now would differ from the live version. An addition to §4.

use serde::{Deserialize, Serialize};

use crate::pending_code_changes::Side;
use crate::{Access, Endpoint, LanguageCode, Method, NoBody, ProjectPath, Scope, VersionId};

/// Lists how a publish of all languages now would differ from the live version, and the translations that it would hold
/// back.
///
/// Texts are compared as the files have them, so that a text which a format cannot hold in full is no difference. `items`
/// come language by language in the order of `languages`: first the differences in the order of their refs, then the
/// translations that are held back. Each page compares anew: a change between two pages shows if its place is still ahead.
///
/// Texts of a project that is too large to be rendered for a look, and of a language whose files are, are not compared:
/// `added`, `changed` and `removed` are null there.
#[derive(Debug)]
pub enum List {}

/// Query parameters of [`List`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ListQuery {
    /// Only this language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub language: Option<LanguageCode>,
    /// The size of a page, 1 to 500; 100 when left out.
    /// A page with about 4 MiB of texts ends early, with a `nextCursor`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// `nextCursor` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

string_enum! {
    /// The kind of an unpublished change.
    ChangeClass {
        /// Only the next version would have the text: `from` is left out.
        Added = "added",
        /// The text would change.
        Changed = "changed",
        /// Only the live version has the text: `to` is left out.
        Removed = "removed",
        /// A check holds the translation back: no publish takes it. `from` is the source, `to` the translation.
        Held = "held",
        ..Unknown
    }
}

/// The unpublished changes of a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = UnpublishedLanguageChanges))]
pub struct LanguageChanges {
    /// The language.
    pub code: LanguageCode,
    /// Texts that only the next version would have; null where they are too many to compare.
    pub added: Option<u64>,
    /// Texts that would change; null where they are too many to compare.
    pub changed: Option<u64>,
    /// Texts that only the live version has; null where they are too many to compare.
    pub removed: Option<u64>,
    /// Translations that a check holds back.
    pub held: u64,
}

/// A text that a publish would change, or hold back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnpublishedChange {
    /// The key's name in the files.
    pub r#ref: String,
    /// The namespace of its file, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The language.
    pub language: LanguageCode,
    /// The kind of the change.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub class: ChangeClass,
    /// The live text; of a translation that is held back, the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Side>,
    /// The text that a publish would make live; of a translation that is held back, the translation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Side>,
}

/// A page of unpublished changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnpublishedChanges {
    /// The version that is live; null before the first publish.
    pub live_version_id: Option<VersionId>,
    /// Every language of the next or the live version, with all of its changes counted, on each page.
    pub languages: Vec<LanguageChanges>,
    /// The changes, in pages.
    pub items: Vec<UnpublishedChange>,
    /// The cursor of the next page; null at the end.
    pub next_cursor: Option<String>,
}

impl Endpoint for List {
    const NAME: &'static str = "unpublished_changes::list";
    const OPERATION_ID: &'static str = "listUnpublishedChanges";
    const EXAMPLE: &'static str = include_str!("list.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/unpublished-changes";
    const SUMMARY: &'static str = "List how a publish now would differ from the live version";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = ListQuery;
    type Body = NoBody;
    type Response = UnpublishedChanges;
}
