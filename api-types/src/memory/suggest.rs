//! `GET /projects/{projectId}/memory`: earlier translations of a text and of similar ones. An addition to §4.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, LanguageCode, Method, NoBody, Origin, ProjectId, ProjectPath, Scope, Timestamp};

/// Suggests translations that memory has of a text and of similar ones.
///
/// Memory is that of the project, and where the project shares it, that of its workspace; never that of another workspace.
/// A text that a person wrote, imported or reviewed comes first (`origin` is `human`), then what engines made (`machine`); of each
/// the most alike first. `percent` is 100 for the same text, 99 where only case and white space differ, else the part of the longer
/// text that needs no change, rounded down.
///
/// A text that is new in memory is found by similar ones a moment later, and by the same text at once. A plural is suggested with
/// its form for `other`. Texts of more than 1,000 characters are found by the same text alone.
#[derive(Debug)]
pub enum Suggest {}

/// Most characters of the text that suggestions are asked for.
pub const LONGEST_TEXT: usize = 1_000;

/// Query parameters of [`Suggest`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct SuggestQuery {
    /// The text in the base language, 1 to 1,000 characters.
    #[cfg_attr(feature = "openapi", param(min_length = 1, max_length = 1_000))]
    pub text: String,
    /// The language of the suggestions.
    #[cfg_attr(feature = "openapi", param(value_type = String))]
    pub language: LanguageCode,
    /// The least percentage, 60 to 100; 60 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 60, maximum = 100))]
    pub percent: Option<u32>,
}

impl SuggestQuery {
    /// Asks for translations of this text into a language, from 60 percent on.
    #[must_use]
    pub fn new(text: impl Into<String>, language: impl Into<LanguageCode>) -> Self {
        Self { text: text.into(), language: language.into(), percent: None }
    }
}

/// A translation that memory has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MemoryMatch {
    /// The text that was translated.
    pub source: String,
    /// Its translation.
    pub translation: String,
    /// The likeness of the texts: 100 is the same text.
    #[cfg_attr(feature = "openapi", schema(minimum = 60, maximum = 100))]
    pub percent: u32,
    /// `human` if a person wrote, imported or reviewed it, else `machine`.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub origin: Origin,
    /// The engine that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The project if it belongs to this one alone; null if its workspace shares it.
    pub project: Option<ProjectId>,
    /// The time at which memory got it.
    pub updated_at: Timestamp,
}

/// Answer of [`Suggest`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MemoryMatches {
    /// At most 10, the best first.
    pub matches: Vec<MemoryMatch>,
}

impl Endpoint for Suggest {
    const NAME: &'static str = "memory::suggest";
    const OPERATION_ID: &'static str = "suggestFromMemory";
    const EXAMPLE: &'static str = include_str!("suggest.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/memory";
    const SUMMARY: &'static str = "Suggest earlier translations of a text and of similar ones";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = SuggestQuery;
    type Body = NoBody;
    type Response = MemoryMatches;
}
