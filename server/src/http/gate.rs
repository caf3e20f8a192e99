//! The checks before every route: the key and the request budget.

use std::ops::Deref;
use std::sync::Arc;

use http::request::Parts;
use l10n_api_types::{RequestId, WorkspaceId};

use super::client_address::ClientAddress;
use super::known_keys::KnownKeys;
use super::lookups::Lookups;
use super::probes::Readiness;
use super::{ConnectionTimeouts, auth, path};
use crate::domain::{Caller, ServiceError};
use crate::fair_places::FairLimiter;
use crate::request_windows::{Budget, LocalWindows, OverBudget};
use crate::service::Service;

/// The parts of the HTTP layer that all requests share. Cheap to clone, which every layer does for every request.
#[derive(Clone)]
pub(crate) struct Gate(Arc<GateParts>);

impl Deref for Gate {
    type Target = GateParts;

    fn deref(&self) -> &GateParts {
        &self.0
    }
}

/// The parts of a [`Gate`].
pub(crate) struct GateParts {
    /// The parts of the server.
    pub(super) service: Arc<Service>,
    /// Time limits for incoming requests.
    pub(super) timeouts: ConnectionTimeouts,
    /// The datastore's readiness for requests.
    pub(super) readiness: Readiness,
    /// Large bodies that are read, or wait for the turn of their request, and small requests in large bodies. Who is slow to send
    /// bodies leaves places to other workspaces.
    pub(super) large_bodies: FairLimiter<WorkspaceId>,
    failures: LocalWindows,
    known_keys: KnownKeys,
    lookups: Lookups,
}

impl Gate {
    /// A gate in front of a service.
    pub(crate) fn new(service: Service, timeouts: ConnectionTimeouts) -> Self {
        let limits = &service.settings.limits;
        let failures = LocalWindows::new(limits.failed_authentications_per_minute);
        let (at_once, waiting) = (limits.large_requests as usize, limits.large_requests_waiting as usize);
        let large_bodies = FairLimiter::new(at_once + waiting);
        Self(Arc::new(GateParts {
            service: Arc::new(service),
            timeouts,
            readiness: Readiness::default(),
            large_bodies,
            failures,
            known_keys: KnownKeys::default(),
            lookups: Lookups::default(),
        }))
    }

    /// Lets a request in whose key is valid and, under `/projects/{projectId}/`, of that project, and counts it against
    /// the project's budget. Returns the caller and the requests that the window still takes.
    ///
    /// A failed authentication counts against the client's address, never against the project: whoever knows a
    /// project's id could lock it out otherwise (AMB-5). It is answered with 429 where the address has had too many; a valid
    /// key passes all the same, since others may have the same address.
    ///
    /// # Errors
    ///
    /// 401, 429, 404 for what can be no project's id; the store's.
    pub(super) async fn admit(
        &self,
        parts: &Parts,
        client: Option<ClientAddress>,
        request: &RequestId,
    ) -> Result<(Caller, u32), ServiceError> {
        let known = self.authenticate(parts, request).await;
        if let (Err(ServiceError::Unauthorized(_)), Some(client)) = (&known, client)
            && self.failures.count(&client.group(), self.service.clock.now()).is_err()
        {
            return Err(ServiceError::RateLimited(
                "too many requests with wrong keys came from this address: check the key and wait 60 seconds".into(),
            ));
        }
        let caller = known?;
        let remaining = if path::is_under_a_project(parts.uri.path()) {
            self.count(&Budget::Project(caller.project.to_string())).await?
        } else {
            self.service.settings.limits.requests_per_minute
        };
        Ok((caller, remaining))
    }

    /// The caller behind the key. What can be no key is refused without a query; a key that this process does not know is
    /// looked up together with all others of the moment, so that guessing takes no more than one connection.
    async fn authenticate(&self, parts: &Parts, request: &RequestId) -> Result<Caller, ServiceError> {
        let key = auth::key_text(&parts.headers)?;
        let path = parts.uri.path();
        let asked = match path::is_under_a_project(path) {
            true => Some(path::project(path).ok_or_else(no_such_path)?),
            false => None,
        };
        let hash = key.hash();
        let (own, found) = match self.known_keys.project(&hash) {
            Some(project) => (project, None),
            None => {
                let found = self.lookups.key(&self.service.store, hash).await?.ok_or(auth::BAD_KEY)?;
                self.known_keys.insert(hash, found.project_id.clone());
                (found.project_id.clone(), Some(found))
            }
        };
        // An unknown project, another's and a revoked key are all the same 401, which tells nothing about what exists (AMB-2).
        if asked.is_some_and(|project| project != own.as_str()) {
            return Err(auth::BAD_KEY);
        }
        let caller = match found {
            Some(key) => auth::caller_with(&self.service, key, request),
            None => auth::caller(&self.service, &hash, request).await,
        };
        if let Err(ServiceError::Unauthorized(_)) = caller {
            self.known_keys.forget(&hash);
        }
        caller
    }

    /// Counts a request; returns how many the window still takes.
    ///
    /// # Errors
    ///
    /// 429 `rate_limited`.
    async fn count(&self, budget: &Budget) -> Result<u32, ServiceError> {
        let counted = self.service.request_windows.count(budget, self.service.clock.now()).await;
        counted.map_err(|OverBudget| self.over_budget())
    }

    /// Counts a request without a key, for a project that may not be there.
    ///
    /// # Errors
    ///
    /// 429 `rate_limited`, 404 where there is no such project; the store's.
    pub(super) async fn count_public(&self, budget: &Budget) -> Result<(), ServiceError> {
        let windows = &self.service.request_windows;
        if let Some(counted) = windows.count_known(budget, self.service.clock.now()).await {
            return counted.map(drop).map_err(|OverBudget| self.over_budget());
        }
        if Box::pin(self.lookups.is_there(&self.service.store, budget)).await? {
            return self.count(budget).await.map(drop);
        }
        match windows.count_invented(budget, self.service.clock.now()) {
            Ok(_) => Err(ServiceError::no_such_project()),
            Err(OverBudget) => Err(self.over_budget()),
        }
    }

    fn over_budget(&self) -> ServiceError {
        let limit = self.service.settings.limits.requests_per_minute;
        ServiceError::RateLimited(format!(
            "the project's limit of {limit} requests in 60 seconds is reached: wait 60 seconds"
        ))
    }
}

/// The error for a path that names nothing. The path is not repeated: it may be anything.
pub(super) fn no_such_path() -> ServiceError {
    ServiceError::NotFound("there is nothing under this path".into())
}
