//! `/dashboard`: where people will see and decide. Until it is there, pages that say what does it in its place. They show
//! nothing that needs a key, and take none.

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use l10n_api_types::RequestId;
use maud::{DOCTYPE, Markup, html};

use super::gate::no_such_path;
use super::{error, path};

/// The path of the dashboard.
pub(super) const PATH: &str = "/dashboard";
/// The path on which a person decides about an operation; `approvalUrl` leads here.
pub(super) const OPERATION_PATH: &str = "/dashboard/operations/{operationId}";

pub(super) async fn home() -> Response {
    page(html! {
        p { "The dashboard is not there yet. Beside the server, " code { "l10n-server operations list" }
            " shows what waits for a person's decision." }
    })
}

/// The page does not look whether there is such an operation: that would tell whoever asks.
pub(super) async fn operation(request: Request) -> Response {
    let id = request.uri().path().rsplit('/').next().unwrap_or_default();
    if !path::is_id(id) {
        let exchange = request.extensions().get::<RequestId>().cloned();
        return error::respond(&no_such_path(), &exchange.unwrap_or_else(|| RequestId::from("-")));
    }
    page(html! {
        p { "The dashboard is not there yet. Beside the server, see who asks for what, within which limits, and decide:" }
        pre { code {
            "l10n-server operations list\n"
            "l10n-server operations approve " (id) "\n"
            "l10n-server operations deny " (id)
        } }
    })
}

fn page(content: Markup) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Localization server" }
            }
            body { main { h1 { "Localization server" } (content) } }
        }
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, page.into_string()).into_response()
}
