//! `GET /openapi.json`: the description of the API, at the root of the server.

use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;

/// The path of the document.
pub(super) const PATH: &str = "/openapi.json";

const DOCUMENT: &str = include_str!("../../../api-types/openapi.json");

pub(super) async fn handle() -> Response {
    ([(CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}
