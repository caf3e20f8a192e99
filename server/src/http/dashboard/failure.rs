//! Error pages. The status comes from `http::error`, as for the API.

use axum::body::Body;
use axum::response::Response;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};
use l10n_api_types::RequestId;
use maud::{Markup, html};

use super::cookies::Preferences;
use super::texts::{self, LanguageTexts};
use super::view::{self, layout};
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::http::error;

/// The error page of a visit, with the navigation that the person has. `is_form` says whether it answers a form.
pub(super) fn page(visit: &Visit, failed: &ServiceError, is_form: bool) -> Response {
    let status = error::log_and_status(failed, &visit.request);
    let content = content(visit.texts, status, (failed, is_form), &visit.request);
    let title = title(visit.texts, status);
    respond(status, layout::page(visit, &title, &content))
}

/// The error page where nothing is known about the visitor, in the base language.
pub(super) fn without_visit(failed: &ServiceError, request: &RequestId) -> Response {
    let status = error::log_and_status(failed, request);
    let texts = texts::of(None, &HeaderMap::new());
    let content = content(texts, status, (failed, false), request);
    respond(status, layout::bare(texts, &Preferences::default(), &title(texts, status), &content))
}

fn respond(status: StatusCode, page: Markup) -> Response {
    let mut response = Response::new(Body::from(page.into_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("60"));
        }
        StatusCode::SERVICE_UNAVAILABLE => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        _ => {}
    }
    response
}

fn title(texts: &LanguageTexts, status: StatusCode) -> String {
    texts.text(&format!("error.{}.title", kind(status)), &[])
}

/// The kind of page that a status has.
fn kind(status: StatusCode) -> &'static str {
    match status {
        StatusCode::FORBIDDEN => "forbidden",
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => "missing",
        StatusCode::TOO_MANY_REQUESTS => "crowded",
        StatusCode::SERVICE_UNAVAILABLE => "unavailable",
        status if status.is_server_error() => "internal",
        _ => "invalid",
    }
}

/// Returns whether a form may have been carried out although it failed: the answer of the datastore may have been lost.
fn may_be_done(failed: &ServiceError) -> bool {
    !matches!(failed, ServiceError::Busy(_) | ServiceError::Late)
}

fn content(
    texts: &LanguageTexts,
    status: StatusCode,
    (failed, is_form): (&ServiceError, bool),
    request: &RequestId,
) -> Markup {
    let kind = kind(status);
    let text = if kind == "unavailable" && is_form && may_be_done(failed) { "unsure" } else { "text" };
    let said = matches!(kind, "forbidden" | "crowded" | "invalid").then(|| failed.to_string());
    html! {
        section.error-page {
            p.error-code { (status.as_u16()) }
            h1 { (title(texts, status)) }
            p { (texts.text(&format!("error.{kind}.{text}"), &[])) }
            @if let Some(said) = said {
                p.muted { (view::hostile::quoted(&said)) }
            }
            p.actions { a.button href=(super::PATH) { (texts.text("error.home", &[])) } }
            p.muted.small { (texts.text("error.request", &[])) " " code { (request.as_str()) } }
        }
    }
}
