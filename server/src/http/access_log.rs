//! One line per request. It holds the path's template rather than the path, and never a key or a body.

use std::time::Instant;

use axum::extract::Request;
use axum::response::Response;
use http::Method;
use l10n_api_types::{ProjectId, RequestId};

/// What a route tells about itself, put into the extensions of its response.
#[derive(Debug, Clone)]
pub(super) struct Route {
    /// The path's template.
    pub(super) template: &'static str,
    /// The project, once it is proven.
    pub(super) project: Option<ProjectId>,
}

/// A line that is being gathered.
pub(super) struct Line {
    method: Method,
    began: Instant,
}

impl Line {
    /// A request has come.
    pub(super) fn begin(request: &Request) -> Self {
        Self { method: request.method().clone(), began: Instant::now() }
    }

    /// It has been answered.
    pub(super) fn end(self, response: &Response, id: &RequestId) {
        let route = response.extensions().get::<Route>();
        tracing::info!(
            target: "l10n_server::access",
            method = %self.method,
            route = route.map_or("-", |route| route.template),
            status = response.status().as_u16(),
            duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
            correlation_id = %id,
            project = route.and_then(|route| route.project.as_ref()).map_or("-", ProjectId::as_str),
            "request"
        );
    }
}
