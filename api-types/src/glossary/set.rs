//! `PUT /projects/{projectId}/glossary`: set the terms of a project. An addition to §4.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::GlossaryRule;
use crate::{Access, BodyKind, DryRun, Endpoint, LanguageCode, Method, NoQuery, ProjectPath, Scope, UnknownFields};

/// Sets the whole list of the project's terms. Terms that it leaves out are removed; no translation changes.
///
/// The check `glossary` holds each translation against the glossary when it is written. What is there already is checked anew
/// some time after terms have changed.
#[derive(Debug)]
pub enum Set {}

/// Body of [`Set`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetGlossary {
    /// 0 to 5,000 terms, no two of which may be the same in one language.
    pub terms: Vec<NewGlossaryTerm>,
}

/// A term to set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewGlossaryTerm {
    /// 1 to 256 bytes without control characters and without white space at its ends.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 256))]
    pub term: String,
    /// Its language. Left out: the project's base language, which `translate` and `keep` need. A `forbidden` term needs
    /// another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageCode>,
    /// Its translations, at most 100, each like a term. Only a term of the rule `translate` has any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub translations: BTreeMap<LanguageCode, String>,
    /// The rule that it states; `translate` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<GlossaryRule>,
    /// True if only this spelling counts, with these capitals; false when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_sensitive: Option<bool>,
    /// A note for those who translate: at most 1,024 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl NewGlossaryTerm {
    /// A term of the base language and the rule `translate`, without translations or note.
    #[must_use]
    pub fn new(term: impl Into<String>) -> Self {
        Self {
            term: term.into(),
            language: None,
            translations: BTreeMap::new(),
            rule: None,
            case_sensitive: None,
            note: None,
        }
    }
}

/// Answer of [`Set`]: numbers of terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GlossarySet {
    /// Terms that this call added.
    pub added: u64,
    /// Terms of which it changed anything but term and language.
    pub changed: u64,
    /// Terms that it removed.
    pub removed: u64,
    /// Terms that were there already as it has them.
    pub unchanged: u64,
}

impl Endpoint for Set {
    const NAME: &'static str = "glossary::set";
    const OPERATION_ID: &'static str = "setGlossary";
    const EXAMPLE: &'static str = include_str!("set.example.json");
    const METHOD: Method = Method::Put;
    const PATH: &'static str = "/projects/{projectId}/glossary";
    const SUMMARY: &'static str = "Set the glossary";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Write]);
    const BODY: BodyKind = BodyKind::Required;
    const LARGE_WORK: bool = true;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    // It sets the whole list.
    const IDEMPOTENT: bool = true;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = SetGlossary;
    type Response = GlossarySet;
}
