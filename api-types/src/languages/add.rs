//! `POST /projects/{projectId}/languages` (§4): add target languages.

use serde::{Deserialize, Serialize};

use super::Language;
use crate::{
    Access, BodyKind, DryRun, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, ProjectPath, Scope, UnknownFields,
};

/// Adds languages to a project. Languages that it has already are reported as `existing`, so the call may be repeated.
///
/// A code that is not BCP 47 is 400, and so is one whose language, script or region neither CLDR nor the IANA registry
/// has (`jp`; the message suggests `ja`). Nothing is added then. Private use is allowed after a language
/// (`de-x-formal`). More languages than the plan allows are 402 `plan_limit`. Adding a language translates nothing: the
/// next translate or sync does.
#[derive(Debug)]
pub enum Add {}

/// Body of [`Add`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AddLanguages {
    /// 1 to 500 languages.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 500))]
    pub languages: Vec<NewLanguage>,
}

/// A language to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewLanguage {
    /// BCP 47 tag; `pt_br` is read as `pt-BR`.
    pub code: LanguageCode,
}

/// Answer of [`Add`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AddedLanguages {
    /// Languages that this call added, canonical.
    pub added: Vec<LanguageCode>,
    /// Languages that the project had already.
    pub existing: Vec<LanguageCode>,
    /// All languages of the project, the base language first.
    pub languages: Vec<Language>,
}

impl Endpoint for Add {
    const NAME: &'static str = "languages::add";
    const OPERATION_ID: &'static str = "addLanguages";
    const EXAMPLE: &'static str = include_str!("add.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/languages";
    const SUMMARY: &'static str = "Add languages";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::PlanLimit];
    const ACCESS: Access = Access::Scopes(&[Scope::Write]);
    const BODY: BodyKind = BodyKind::Required;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    // Languages that exist are reported separately.
    const IDEMPOTENT: bool = true;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = AddLanguages;
    type Response = AddedLanguages;
}
