//! What stands before every route: the key and the request budget.

use std::net::IpAddr;
use std::sync::Arc;

use http::request::Parts;
use l10n_api_types::RequestId;

use super::client_address::ClientAddress;
use super::rate_limit::RateLimiter;
use super::{Timeouts, auth, path};
use crate::domain::{Caller, ServiceError};
use crate::request_windows::{Budget, OverBudget};
use crate::service::Service;

/// The parts of the HTTP layer that all requests share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Gate {
    /// The parts of the server.
    pub(super) service: Service,
    /// How long requests may take to arrive.
    pub(super) timeouts: Timeouts,
    failures: Arc<RateLimiter<IpAddr>>,
}

impl Gate {
    /// A gate in front of a service.
    pub(crate) fn new(service: Service, timeouts: Timeouts) -> Self {
        let limits = &service.settings.limits;
        let failures = Arc::new(RateLimiter::new(limits.failed_authentications_per_minute));
        Self { service, timeouts, failures }
    }

    /// Lets a request in whose key is valid and, under `/projects/{projectId}/`, of that project, and counts it against
    /// the project's budget. Returns the caller and the requests that the window still takes.
    ///
    /// A failed authentication counts against the client's address, never against the project: whoever knows a
    /// project's id could lock it out otherwise (AMB-5).
    ///
    /// # Errors
    ///
    /// 401, 429, 404 for what can be no project's id; the store's.
    pub(super) async fn admit(&self, parts: &Parts, request: &RequestId) -> Result<(Caller, u32), ServiceError> {
        let now = self.service.clock.now();
        let peer = parts.extensions.get::<ClientAddress>().map(|client| client.group());
        if peer.is_some_and(|peer| self.failures.is_over_budget(&peer, now)) {
            return Err(ServiceError::RateLimited(
                "too many requests with wrong keys came from this address: wait 60 seconds".into(),
            ));
        }
        let known = self.authenticate(parts, request).await;
        if let (Err(ServiceError::Unauthorized(_)), Some(peer)) = (&known, peer) {
            // The refusal of the next request is what counting leads to; this one has its answer.
            let _ = self.failures.count(peer, now);
        }
        let caller = known?;
        let remaining = if path::is_under_a_project(parts.uri.path()) {
            self.count(&Budget::Project(caller.project.as_str().to_owned()), true).await?
        } else {
            self.service.settings.limits.requests_per_minute
        };
        Ok((caller, remaining))
    }

    async fn authenticate(&self, parts: &Parts, request: &RequestId) -> Result<Caller, ServiceError> {
        let key = auth::key_text(&parts.headers)?;
        let path = parts.uri.path();
        let project = path::project(path);
        if path::is_under_a_project(path) {
            let project = project.ok_or_else(no_such_path)?;
            auth::caller(&self.service, &key, Some(project), request).await
        } else {
            auth::caller(&self.service, &key, None, request).await
        }
    }

    /// Counts a request; returns how many the window still takes. `proven`: its project is known to be there.
    ///
    /// # Errors
    ///
    /// 429 `rate_limited`.
    pub(super) async fn count(&self, budget: &Budget, proven: bool) -> Result<u32, ServiceError> {
        let counted = self.service.request_windows.count(budget, proven, self.service.clock.now()).await;
        counted.map_err(|OverBudget| {
            let limit = self.service.settings.limits.requests_per_minute;
            ServiceError::RateLimited(format!("the project takes {limit} requests in 60 seconds: wait 60 seconds"))
        })
    }
}

/// The error for a path that names nothing. The path is not repeated: it may be anything.
pub(super) fn no_such_path() -> ServiceError {
    ServiceError::NotFound("there is nothing under this path".into())
}
