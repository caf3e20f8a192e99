//! The checks of every request under `/dashboard`, and the headers of every answer: one layer before the router.
//!
//! A browser says with `Sec-Fetch-Site` where a request came from, and older ones with `Origin`. What changes something is
//! taken from the dashboard's own pages alone, so that forms need no tokens.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderValue, Method};
use l10n_api_types::RequestId;

use super::failure;
use crate::domain::ServiceError;
use crate::http::Gate;

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Scripts are files of the server's own, and none may make HTML of a text but by the policy `l10n` of the one script.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types l10n",
);

/// Refuses what another site's page sends, and puts the headers on every answer.
pub(super) async fn layer(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let own = gate.service.settings.origin().to_owned();
    let mut response = if is_from_here(request.method(), request.headers(), &own) {
        next.run(request).await
    } else {
        let id = request.extensions().get::<RequestId>().cloned().unwrap_or_else(|| RequestId::from("-"));
        failure::without_visit(&foreign(), &id)
    };
    put_headers(response.headers_mut());
    response
}

/// The headers of every answer; a route's own `Cache-Control` stays.
pub(super) fn put_headers(headers: &mut HeaderMap) {
    const COOP: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
    const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
    const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // With `no-referrer`, Chromium sends `Origin: null` with the dashboard's own forms.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(COOP, HeaderValue::from_static("same-origin"));
    headers.insert(CORP, HeaderValue::from_static("same-origin"));
    headers.insert(
        PERMISSIONS,
        HeaderValue::from_static("camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    );
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

fn foreign() -> ServiceError {
    ServiceError::Forbidden(
        "this request did not come from a page of this dashboard: open the dashboard and send the form there"
            .to_owned(),
    )
}

/// Returns true for what only reads, and for what a page of this origin sent.
fn is_from_here(method: &Method, headers: &HeaderMap, own: &str) -> bool {
    if matches!(*method, Method::GET | Method::HEAD) {
        return true;
    }
    let one = |name: &str| {
        let mut values = headers.get_all(name).iter();
        (values.next(), values.next().is_some())
    };
    match one(SEC_FETCH_SITE) {
        (Some(site), false) => site == "same-origin",
        (Some(_), true) => false,
        (None, _) => {
            matches!(one(ORIGIN.as_str()), (Some(origin), false) if origin.as_bytes().eq_ignore_ascii_case(own.as_bytes()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "https://l10n.example.com";

    fn passes(method: &Method, headers: &[(&str, &str)]) -> bool {
        let mut sent = HeaderMap::new();
        for (name, value) in headers {
            sent.append(HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap());
        }
        is_from_here(method, &sent, OWN)
    }

    #[test]
    fn what_changes_something_has_to_come_from_a_page_of_the_dashboard() {
        for (headers, taken) in [
            (vec![("sec-fetch-site", "same-origin"), ("origin", OWN)], true),
            (vec![("sec-fetch-site", "same-origin")], true),
            // A proxy that hides the port, or a browser that says `null`: the stronger header decides.
            (vec![("sec-fetch-site", "same-origin"), ("origin", "null")], true),
            (vec![("origin", OWN)], true),
            (vec![("origin", "https://L10N.example.com")], true),
            (vec![], false),
            (vec![("referer", "https://l10n.example.com/dashboard")], false),
            (vec![("origin", "null")], false),
            (vec![("origin", "https://evil.example")], false),
            (vec![("origin", "http://l10n.example.com")], false),
            (vec![("origin", "https://l10n.example.com.evil.example")], false),
            (vec![("origin", "https://l10n.example.com:8443")], false),
            (vec![("origin", OWN), ("origin", OWN)], false),
            (vec![("sec-fetch-site", "same-site"), ("origin", OWN)], false),
            (vec![("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")], false),
            (vec![("sec-fetch-site", "cross-site"), ("origin", OWN)], false),
            // A form that a person opened by typing its address has no origin to prove.
            (vec![("sec-fetch-site", "none")], false),
            (vec![("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")], false),
            (vec![("sec-fetch-site", "")], false),
        ] {
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
                assert_eq!(passes(&method, &headers), taken, "{method} {headers:?}");
            }
            assert!(passes(&Method::GET, &headers) && passes(&Method::HEAD, &headers), "{headers:?}");
        }
    }
}
