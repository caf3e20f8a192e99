//! The rule by which a request is resent.

use l10n_api_types::{Endpoint, EndpointInfo, Rerun};

/// The rule by which an endpoint's request is resent if its outcome is unknown.
///
/// An endpoint that declares itself [`IDEMPOTENT`](Endpoint::IDEMPOTENT) is [`Always`](Self::Always), any other
/// [`OnlyUnsent`](Self::OnlyUnsent): a secret would be made twice, a receiver called twice, an event made twice. Dry runs
/// follow the rule of their endpoint. `translate` and `sync` are run again from the source files instead
/// ([`RERUN`](Endpoint::RERUN), §7 rule 1).
///
/// A write with an idempotency key ([`CallOptions::idempotency_key`](crate::CallOptions::idempotency_key)) is
/// [`Keyed`](Self::Keyed), whatever its endpoint.
///
/// ```
/// use l10n_client::{Resend, api};
///
/// assert_eq!(Resend::of::<api::languages::Add>(), Resend::Always);
/// assert_eq!(Resend::of::<api::translations::Sync>(), Resend::OnlyUnsent);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Resend {
    /// Always: doing it twice has the effect of doing it once. Resent after 502, 503, 504 and any connection failure.
    Always,
    /// With its idempotency key: the server does it once and repeats the first answer. Resent after any 5xx and any
    /// connection failure, except for `translate` and `sync` after a 503 (§7 rule 1), and while the server answers that
    /// the earlier request is still running.
    Keyed,
    /// Only if the server cannot have carried it out: there was no connection, or it answered 429.
    OnlyUnsent,
}

impl Resend {
    /// The rule for an endpoint.
    #[must_use]
    pub fn of<E: Endpoint>() -> Self {
        if E::IDEMPOTENT { Self::Always } else { Self::OnlyUnsent }
    }

    /// Returns true if it may be resent after an answer with this status, which leaves its outcome unknown.
    pub(crate) fn may_follow(self, endpoint: &EndpointInfo, status: u16) -> bool {
        match self {
            Self::Always => matches!(status, 502..=504),
            Self::Keyed => status >= 500 && !(status == 503 && endpoint.rerun == Rerun::FromSources),
            Self::OnlyUnsent => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::{EndpointInfo, Method, for_each_endpoint};

    use super::*;

    macro_rules! declared {
        ($($resource:ident :: $verb:ident,)+) => {
            [$((
                EndpointInfo::of::<l10n_api_types::$resource::$verb>(),
                Resend::of::<l10n_api_types::$resource::$verb>(),
            )),+]
        };
    }

    /// README.md names each write under its rule, by its method.
    #[test]
    fn the_documentation_lists_each_write_under_its_rule() {
        let readme = include_str!("../README.md");
        let (_, lists) = readme.split_once("- Repeatable:").unwrap();
        let (repeatable, others) = lists.split_once("- Not repeatable:").unwrap();
        let others = others.split_once("| after |").unwrap().0;
        for (endpoint, rule) in for_each_endpoint!(declared) {
            let (resource, verb) = endpoint.name.split_once("::").unwrap();
            let method = match endpoint.name {
                "publish::create" | "capture::create" => format!("`{resource}`"),
                _ => format!("`{resource}().{verb}`"),
            };
            let is_write = endpoint.method != Method::Get;
            assert_eq!(repeatable.contains(&method), is_write && rule == Resend::Always, "{method}");
            assert_eq!(others.contains(&method), is_write && rule == Resend::OnlyUnsent, "{method}");
        }
    }
}
