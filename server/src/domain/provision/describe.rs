//! An operator's description of the workspaces, projects and keys to provision.

use std::collections::BTreeMap;

use l10n_api_types::glossary::{GlossaryRule, NewGlossaryTerm};
use l10n_api_types::{KeyKind, LanguageCode, Scope};
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
    /// Monthly cap in whole credits (UTC). Left out: unchanged, and none for a new workspace.
    #[serde(default)]
    pub spending_cap: Option<u32>,
    /// Plan. Left out: unchanged, and `unlimited` for a new workspace.
    #[serde(default)]
    pub plan: Option<String>,
    /// People who use the dashboard; those who are members beside them stay.
    #[serde(default)]
    pub members: Vec<MemberDescription>,
    /// The whole list of the terms that hold for all of its projects. Left out: unchanged.
    #[serde(default)]
    pub glossary: Option<Vec<TermDescription>>,
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

/// A term of a workspace's glossary.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TermDescription {
    /// The term.
    pub term: String,
    /// BCP 47.
    pub language: LanguageCode,
    /// Its translations, by language.
    #[serde(default)]
    pub translations: BTreeMap<LanguageCode, String>,
    /// `translate`, `keep` or `forbidden`; left out: `translate`.
    #[serde(default)]
    pub rule: Option<GlossaryRule>,
    /// True if only this spelling counts, with these capitals.
    #[serde(default)]
    pub case_sensitive: Option<bool>,
    /// A note for those who translate.
    #[serde(default)]
    pub note: Option<String>,
}

impl From<&TermDescription> for NewGlossaryTerm {
    fn from(described: &TermDescription) -> Self {
        let TermDescription { term, language, translations, rule, case_sensitive, note } = described.clone();
        Self { term, language: Some(language), translations, rule, case_sensitive, note }
    }
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
    /// Its engine, or a chain of them with commas between the names; empty for that of the server. Left out: unchanged.
    #[serde(default)]
    pub engine: Option<String>,
    /// The engines of all target languages that have their own. Left out: unchanged.
    #[serde(default)]
    pub language_engines: Option<BTreeMap<LanguageCode, String>>,
    /// A note on how its translations are to sound, for engines that can make use of it; empty for nothing. Left out: unchanged.
    #[serde(default)]
    pub style_note: Option<String>,
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
