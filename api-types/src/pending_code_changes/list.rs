//! `GET /projects/{projectId}/pending-code-changes` (§4): people's changes of source texts that the code lacks.

use serde::{Deserialize, Serialize};

use crate::{Access, ChangeId, Content, Endpoint, Method, NoBody, Plural, ProjectPath, Scope, Timestamp};

/// Lists people's changes of source texts that the code lacks, oldest first.
///
/// A sync or translate that brings the changed text settles the change. One that still brings the code's old text is
/// `unchanged`, with a warning, and never reverts the person's edit. One that brings a third text is a change of the
/// code itself: it counts, settles the pending change, and a warning names both.
#[derive(Debug)]
pub enum List {}

/// Query parameters of [`List`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ListQuery {
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
    /// The kind of a person's change.
    ChangeKind {
        /// Its text changed: `from` and `to` are contents.
        TextChanged = "text_changed",
        /// It was added, and the code does not have it: `from` is null, `to` its content.
        KeyAdded = "key_added",
        /// It was archived, and the code still has it: `from` is its content, `to` null.
        KeyArchived = "key_archived",
        /// It was renamed: `from` and `to` are refs.
        KeyRenamed = "key_renamed",
        ..Unknown
    }
}

/// One side of a change: a text or a ref, or the forms of a plural.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CodeChangeSide))]
#[serde(untagged)]
pub enum Side {
    /// A text, or a ref.
    Text(String),
    /// The forms of a plural.
    Plural(Plural),
}

impl From<Content> for Side {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => Self::Text(text),
            Content::Plural(plural) => Self::Plural(plural),
        }
    }
}

/// A change that the code lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeChange {
    /// Its id.
    pub change_id: ChangeId,
    /// The key's ref in the code.
    pub r#ref: String,
    /// The kind of the change.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub kind: ChangeKind,
    /// The code's side. It stays the same when a person changes the key again.
    pub from: Option<Side>,
    /// The project's side.
    pub to: Option<Side>,
    /// The source file to change, if it is known.
    pub file: Option<String>,
    /// The person who changed it last.
    pub by: String,
    /// The time of the first change.
    pub created_at: Timestamp,
}

/// A page of changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeChanges {
    /// The changes, oldest first.
    pub changes: Vec<CodeChange>,
    /// The cursor of the next page; null at the end.
    pub next_cursor: Option<String>,
}

impl Endpoint for List {
    const NAME: &'static str = "pending_code_changes::list";
    const OPERATION_ID: &'static str = "listPendingCodeChanges";
    const EXAMPLE: &'static str = include_str!("list.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/pending-code-changes";
    const SUMMARY: &'static str = "List people's changes that the code lacks";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = ListQuery;
    type Body = NoBody;
    type Response = CodeChanges;
}
