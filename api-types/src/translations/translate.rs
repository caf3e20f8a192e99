//! `POST /projects/{projectId}/translate` (§4): register keys and translate them.

use serde::{Deserialize, Serialize};

use super::Run;
use crate::operations::OperationKind;
use crate::{
    Access, BodyKind, DryRun, Endpoint, ErrorCode, Key, LanguageCode, Method, OperationId, ProjectPath, Rerun, Scope,
    UnknownFields,
};

/// Registers keys and translates what is new or changed. A subset of a project's keys never removes the others.
///
/// Besides new and changed keys, it translates what is missing in the target languages: translations that failed
/// before, or of a language that was added. Identical texts of one request are translated and paid for once. A
/// translation whose source has changed stays, marked as stale, until its successor is there.
///
/// 202 when work was queued, 200 when there was none and for a dry run. After a 503, run it again from the source
/// files rather than resending it, since the whole input is classified again (§7 rule 1).
///
/// A machine never overwrites a person's text: what a person wrote, imported or reviewed stays when its source changes,
/// `stale`, free of charge and counted in `kept`, unless `retranslate` is asked for.
#[derive(Debug)]
pub enum Translate {}

/// Query parameters of [`Translate`] and [`Sync`](super::Sync).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase")]
pub struct RunQuery {
    /// `true` reports what would happen and what it would cost, and writes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

/// Body of [`Translate`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TranslateBody {
    /// 1 to 10,000 keys, each `ref` at most once.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 10000))]
    pub keys: Vec<Key>,
    /// The target languages; all of the project's when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// `true` translates these keys again, even where a translation is up to date, and without translation memory. It
    /// replaces people's texts, too. A reviewed translation stays while its source is the same, and so do the keys of
    /// an unfinished job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retranslate: Option<bool>,
    /// The approved operation that an agent's key acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<OperationId>,
}

impl Endpoint for Translate {
    const NAME: &'static str = "translations::translate";
    const OPERATION_ID: &'static str = "translateKeys";
    const EXAMPLE: &'static str = include_str!("translate.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/translate";
    const SUMMARY: &'static str = "Register keys and translate them";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200, 202];
    const ERRORS: &'static [ErrorCode] = &[
        ErrorCode::InsufficientCredits,
        ErrorCode::SpendCapExceeded,
        ErrorCode::PlanLimit,
        ErrorCode::AuthorizationRequired,
    ];
    const ACCESS: Access = Access::Scopes(&[Scope::Translate]);
    const BODY: BodyKind = BodyKind::Required;
    const LARGE_WORK: bool = true;
    const DRY_RUN: DryRun = DryRun::Query;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const RERUN: Rerun = Rerun::FromSources;
    const APPROVAL: Option<OperationKind> = Some(OperationKind::Translation);

    type Path = ProjectPath;
    type Query = RunQuery;
    type Body = TranslateBody;
    type Response = Run;
}
