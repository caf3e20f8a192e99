//! The routes that pages of other origins may call (the fetch standard's CORS protocol): the public ones, and
//! `capture`, whose key may be in an app. No other route that takes a key: anyone can read a key in a page.

use axum::response::IntoResponse as _;
use futures_util::future::BoxFuture;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use l10n_api_types::{Access, Endpoint, EndpointInfo, Method, for_each_endpoint};

use super::endpoints::{Answered, ServedEndpoint};
use super::pipeline::IncomingRequest;
use super::{Gate, path};

const ANY: HeaderValue = HeaderValue::from_static("*");

macro_rules! open_templates {
    ($($resource:ident :: $verb:ident,)+) => {
        /// Path templates of routes that pages may call.
        const TEMPLATES: &[Option<&str>] = &[$(
            if is_open(EndpointInfo::of::<l10n_api_types::$resource::$verb>()) {
                Some(<l10n_api_types::$resource::$verb as Endpoint>::PATH)
            } else {
                None
            },
        )+];
    };
}
for_each_endpoint!(open_templates);

/// Returns true if pages of other origins may call an endpoint.
pub(super) const fn is_open(info: &EndpointInfo) -> bool {
    info.cross_origin || matches!(info.access, Access::Public)
}

/// Returns true if a path belongs to a route that pages may call.
pub(super) fn is_open_path(raw: &str) -> bool {
    TEMPLATES.iter().flatten().any(|template| path::fits(template, raw))
}

/// Lets pages of any origin read this answer, refusals too.
pub(super) fn allow(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, ANY);
}

/// Answers the question that a browser asks before it sends a request with headers of its own. The question has no key.
///
/// `*` does not cover `Authorization`: the standard requires its name.
pub(super) struct Preflight(pub(super) Method);

impl ServedEndpoint for Preflight {
    fn answer<'a>(&'a self, _: &'a Gate, _: IncomingRequest) -> BoxFuture<'a, Answered> {
        Box::pin(async { (allowed(self.0).into_response(), None) })
    }

    fn is_open(&self) -> bool {
        true
    }
}

fn allowed(method: Method) -> (StatusCode, [(HeaderName, &'static str); 4]) {
    let (methods, headers) = match method {
        Method::Get => ("GET, HEAD", "*, authorization"),
        method => (method.as_str(), "authorization, content-type, idempotency-key"),
    };
    let allowed = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        (ACCESS_CONTROL_ALLOW_HEADERS, headers),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, allowed)
}
