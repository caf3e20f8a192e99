//! One line per request. It holds the path's template rather than the path, the id of the key's record, and never a key or a
//! body. Metrics count the same requests.

use std::fmt;
use std::net::IpAddr;
use std::time::Instant;

use http::{Method, StatusCode};
use l10n_api_types::{ApiKeyId, ProjectId, RequestId};

use super::client_address::ClientAddress;
use crate::metrics;

/// The target of the lines, by which filters of the log know them.
pub(crate) const TARGET: &str = "l10n_server::access";

/// Facts about a route. One that is no endpoint puts them into the extensions of its response.
#[derive(Debug, Clone)]
pub(super) struct Route {
    /// The path's template.
    pub(super) template: &'static str,
    /// The project and the key's record, once they are proven.
    pub(super) caller: Option<(ProjectId, ApiKeyId)>,
    /// True if pages of other origins may call the route.
    pub(super) is_open: bool,
    /// The name of the exchange, where the route may have given it another.
    pub(super) request: Option<RequestId>,
}

/// A line that is being gathered.
pub(super) struct AccessLogEntry {
    method: Method,
    client: Option<IpAddr>,
    began: Instant,
}

impl AccessLogEntry {
    /// A request has come.
    pub(super) fn begin(method: &Method, client: Option<ClientAddress>) -> Self {
        Self { method: method.clone(), client: client.map(|client| client.0), began: Instant::now() }
    }

    /// It has been answered.
    pub(super) fn end(self, status: StatusCode, route: Option<&Route>, id: &RequestId) {
        let caller = route.and_then(|route| route.caller.as_ref());
        let template = route.map_or("-", |route| route.template);
        let took = self.began.elapsed();
        metrics::answered(&self.method, template, status, took);
        tracing::info!(
            target: TARGET,
            method = %self.method,
            route = template,
            status = status.as_u16(),
            duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            correlation_id = %id,
            project = caller.map_or("-", |(project, _)| project.as_str()),
            key = caller.map_or("-", |(_, key)| key.as_str()),
            client = %ShownClient(self.client),
            "request"
        );
    }
}

/// An address, or a dash.
struct ShownClient(Option<IpAddr>);

impl fmt::Display for ShownClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(client) => client.fmt(f),
            None => f.write_str("-"),
        }
    }
}
