//! The facts about an endpoint as a value, for callers that no longer know its types.

use std::fmt;

use crate::operations::OperationKind;
use crate::{Access, BodyKind, DailyBudget, DryRun, Endpoint, Method, Rerun, UnknownFields};

/// A resource below a project that a path names by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Addressed {
    /// A document.
    Document,
    /// A version.
    Version,
    /// A webhook.
    Webhook,
    /// A delivery of a webhook.
    Delivery,
    /// An operation.
    Operation,
    /// A request, by its receipt.
    Request,
}

impl Addressed {
    /// The resource of a path parameter.
    fn of(parameter: &str) -> Option<Self> {
        Some(match parameter {
            "docId" => Self::Document,
            "versionId" => Self::Version,
            "webhookId" => Self::Webhook,
            "deliveryId" => Self::Delivery,
            "operationId" => Self::Operation,
            "requestId" => Self::Request,
            _ => return None,
        })
    }
}

/// The facts about an endpoint that decide on how it is served, on retries and on advice to people.
///
/// Each is declared by its [`Endpoint`] alone. Programs read the facts and never compare names, so that a new endpoint
/// needs no change elsewhere. It is displayed as its name.
///
/// ```
/// use l10n_api_types::{EndpointInfo, Rerun, translations, webhooks};
///
/// assert_eq!(EndpointInfo::of::<translations::Sync>().rerun, Rerun::FromSources);
/// assert!(EndpointInfo::of::<webhooks::RotateSecret>().makes_secret);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndpointInfo {
    /// [`Endpoint::NAME`]: `resource::verb`.
    pub name: &'static str,
    /// [`Endpoint::OPERATION_ID`].
    pub operation_id: &'static str,
    /// [`Endpoint::METHOD`].
    pub method: Method,
    /// [`Endpoint::PATH`].
    pub path: &'static str,
    /// [`Endpoint::SUCCESS`].
    pub success: &'static [u16],
    /// [`Endpoint::ACCESS`].
    pub access: Access,
    /// [`Endpoint::BODY`].
    pub body: BodyKind,
    /// [`Endpoint::BODY_CAP`], in bytes.
    pub body_cap: usize,
    /// [`Endpoint::LARGE_WORK`].
    pub large_work: bool,
    /// [`Endpoint::DRY_RUN`].
    pub dry_run: DryRun,
    /// [`Endpoint::UNKNOWN_FIELDS`].
    pub unknown_fields: UnknownFields,
    /// [`Endpoint::CROSS_ORIGIN`].
    pub cross_origin: bool,
    /// [`Endpoint::IDEMPOTENT`].
    pub idempotent: bool,
    /// [`Endpoint::RERUN`].
    pub rerun: Rerun,
    /// [`Endpoint::DAILY_BUDGET`].
    pub daily_budget: Option<DailyBudget>,
    /// [`Endpoint::MAKES_SECRET`].
    pub makes_secret: bool,
    /// [`Endpoint::APPROVAL`].
    pub approval: Option<OperationKind>,
}

impl EndpointInfo {
    /// The facts about an endpoint.
    #[must_use]
    pub const fn of<E: Endpoint>() -> &'static Self {
        const {
            &Self {
                name: E::NAME,
                operation_id: E::OPERATION_ID,
                method: E::METHOD,
                path: E::PATH,
                success: E::SUCCESS,
                access: E::ACCESS,
                body: E::BODY,
                body_cap: E::BODY_CAP,
                large_work: E::LARGE_WORK,
                dry_run: E::DRY_RUN,
                unknown_fields: E::UNKNOWN_FIELDS,
                cross_origin: E::CROSS_ORIGIN,
                idempotent: E::IDEMPOTENT,
                rerun: E::RERUN,
                daily_budget: E::DAILY_BUDGET,
                makes_secret: E::MAKES_SECRET,
                approval: E::APPROVAL,
            }
        }
    }

    /// True if it takes a preview flag.
    #[must_use]
    pub const fn has_preview(&self) -> bool {
        matches!(self.dry_run, DryRun::Query | DryRun::Body)
    }

    /// The innermost resource that its path names by an id; `None` if it names the project alone, or nothing.
    #[must_use]
    pub fn addresses(&self) -> Option<Addressed> {
        self.path.split('/').rev().find_map(|segment| Addressed::of(segment.strip_prefix('{')?.strip_suffix('}')?))
    }
}

impl fmt::Display for EndpointInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    struct Declared {
        info: &'static EndpointInfo,
        errors: &'static [ErrorCode],
    }

    macro_rules! declared {
        ($($resource:ident :: $verb:ident,)+) => {
            vec![$(Declared {
                info: EndpointInfo::of::<crate::$resource::$verb>(),
                errors: <crate::$resource::$verb as Endpoint>::ERRORS,
            }),+]
        };
    }

    fn declared() -> Vec<Declared> {
        for_each_endpoint!(declared)
    }

    /// The names of the endpoints of which something is true.
    fn names(holds: impl Fn(&EndpointInfo) -> bool) -> Vec<&'static str> {
        declared().into_iter().filter(|one| holds(one.info)).map(|one| one.info.name).collect()
    }

    /// ERR-503-2: a write that is resent although its outcome is unknown must be harmless when done twice.
    #[test]
    fn reads_and_seven_writes_are_idempotent() {
        let reads = |one: &EndpointInfo| one.method == Method::Get;
        assert_eq!(names(|one| reads(one) && !one.idempotent), Vec::<&str>::new());
        assert_eq!(
            names(|one| !reads(one) && one.idempotent),
            [
                "languages::add",
                "output_formats::set",
                "glossary::set",
                "capture::create",
                "memory::import",
                "webhooks::update",
                "webhooks::delete"
            ]
        );
    }

    /// ERR-503-2, §7 rule 1.
    #[test]
    fn translate_and_sync_are_run_again_from_the_sources_and_nothing_is_both_that_and_idempotent() {
        assert_eq!(names(|one| one.rerun == Rerun::FromSources), ["translations::translate", "translations::sync"]);
        assert_eq!(names(|one| one.rerun == Rerun::FromSources && one.idempotent), Vec::<&str>::new());
    }

    /// All others take at most a list of names.
    #[test]
    fn the_work_of_seven_writes_grows_with_their_bodies() {
        assert_eq!(
            names(|one| one.large_work),
            [
                "glossary::set",
                "translations::translate",
                "translations::sync",
                "content::create",
                "content::update",
                "capture::create",
                "memory::import"
            ]
        );
    }

    #[test]
    fn answers_with_a_new_secret_are_those_of_creating_a_webhook_and_rotating() {
        assert_eq!(names(|one| one.makes_secret), ["webhooks::create", "webhooks::rotate_secret"]);
    }

    #[test]
    fn an_endpoint_needs_an_approval_exactly_if_it_declares_the_refusal() {
        for Declared { info, errors } in declared() {
            let refuses = errors.contains(&ErrorCode::AuthorizationRequired);
            assert_eq!(info.approval.is_some(), refuses, "{info}");
        }
    }

    /// The request budget's code is every endpoint's; each other code of a daily budget stands in `ERRORS`.
    #[test]
    fn an_endpoint_has_a_daily_budget_exactly_if_it_declares_its_code() {
        for Declared { info, errors } in declared() {
            for budget in DailyBudget::ALL.iter().filter(|budget| !budget.shares_code_with_request_budget()) {
                assert_eq!(info.daily_budget == Some(*budget), errors.contains(&budget.code()), "{info}: {budget}");
            }
        }
        let shared = |one: &EndpointInfo| one.daily_budget.is_some_and(DailyBudget::shares_code_with_request_budget);
        assert_eq!(names(shared), ["publish::create", "versions::restore"]);
    }

    /// A parameter that is not known would leave its endpoint without advice.
    #[test]
    fn every_id_in_a_path_is_that_of_a_known_resource() {
        for Declared { info, .. } in declared() {
            let inner = info.path.split('/').rev().find(|segment| segment.starts_with('{') && segment.ends_with("Id}"));
            let names_one = inner.is_some_and(|segment| segment != "{projectId}");
            assert_eq!(info.addresses().is_some(), names_one, "{info}");
        }
        assert_eq!(EndpointInfo::of::<crate::deliveries::Resend>().addresses(), Some(Addressed::Delivery));
        assert_eq!(EndpointInfo::of::<crate::deliveries::List>().addresses(), Some(Addressed::Webhook));
    }
}
