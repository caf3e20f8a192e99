//! An operator's description of the workspaces, projects and keys to provision.

use l10n_api_types::{KeyKind, Scope};
use serde::Deserialize;

/// The whole description.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Description {
    /// Workspaces.
    pub workspaces: Vec<WorkspaceDescription>,
}

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkspaceDescription {
    /// Name in URLs.
    pub handle: String,
    /// Whole credits that were granted to it in all: missing ones are granted, none are taken away.
    #[serde(default)]
    pub credits: u32,
    /// Monthly cap in whole credits (UTC); left out: none.
    #[serde(default)]
    pub spending_cap: Option<u32>,
    /// Plan; left out: `unlimited`.
    #[serde(default)]
    pub plan: Option<String>,
    /// People who use the dashboard; those who are members beside them stay.
    #[serde(default)]
    pub members: Vec<MemberDescription>,
    /// Its projects.
    #[serde(default)]
    pub projects: Vec<ProjectDescription>,
}

/// A member of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MemberDescription {
    /// Address of the person.
    pub email: String,
    /// `viewer`, `translator`, `reviewer`, `manager` or `owner`.
    pub role: String,
}

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProjectDescription {
    /// Name in URLs.
    pub slug: String,
    /// Name for people.
    pub name: String,
    /// BCP 47.
    pub base_language: String,
    /// Target languages; those that the project has beside them stay.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Translation memory that it gives to and takes from: `workspace`, `project` or `off`. Left out: unchanged, and
    /// `workspace` for a new project.
    #[serde(default)]
    pub memory: Option<String>,
    /// Its keys.
    #[serde(default)]
    pub keys: Vec<KeyDescription>,
}

/// An API key. Its label tells it from the project's other keys.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyDescription {
    /// Name for people.
    pub label: String,
    /// The scopes of the key.
    pub scopes: Vec<Scope>,
    /// The kind of user that has it.
    pub kind: KeyKind,
}
