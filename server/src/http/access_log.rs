//! One line per request. It holds the path's template rather than the path, the id of the key's record, and never a key or a
//! body. Metrics count the same requests.

use std::net::IpAddr;
use std::time::Instant;

use axum::extract::Request;
use axum::response::Response;
use http::Method;
use l10n_api_types::{ApiKeyId, ProjectId, RequestId};

use super::client_address::ClientAddress;
use crate::metrics;

/// Facts about a route, put into the extensions of its response.
#[derive(Debug, Clone)]
pub(super) struct Route {
    /// The path's template.
    pub(super) template: &'static str,
    /// The project and the key's record, once they are proven.
    pub(super) caller: Option<(ProjectId, ApiKeyId)>,
}

/// A line that is being gathered.
pub(super) struct AccessLogEntry {
    method: Method,
    client: Option<IpAddr>,
    began: Instant,
}

impl AccessLogEntry {
    /// A request has come.
    pub(super) fn begin(request: &Request) -> Self {
        let client = request.extensions().get::<ClientAddress>().map(|client| client.0);
        Self { method: request.method().clone(), client, began: Instant::now() }
    }

    /// It has been answered.
    pub(super) fn end(self, response: &Response, id: &RequestId) {
        let route = response.extensions().get::<Route>();
        let caller = route.and_then(|route| route.caller.as_ref());
        let template = route.map_or("-", |route| route.template);
        let took = self.began.elapsed();
        metrics::answered(&self.method, template, response.status(), took);
        tracing::info!(
            target: "l10n_server::access",
            method = %self.method,
            route = template,
            status = response.status().as_u16(),
            duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            correlation_id = %id,
            project = caller.map_or("-", |(project, _)| project.as_str()),
            key = caller.map_or("-", |(_, key)| key.as_str()),
            client = self.client.map_or_else(|| "-".to_owned(), |client| client.to_string()),
            "request"
        );
    }
}
