//! The caller of a request.

use l10n_api_types::{ApiKeyId, KeyKind, ProjectId, RequestId, Scope, WorkspaceId};

/// The key behind a request, once it has been proven to be of the project.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The project.
    pub project: ProjectId,
    /// The project's workspace.
    pub workspace: WorkspaceId,
    /// The record of the key.
    pub key: ApiKeyId,
    /// Scopes that the key holds.
    pub scopes: Vec<Scope>,
    /// The kind of user that has the key.
    pub kind: KeyKind,
    /// This request: the `x-correlation-id` of its response.
    pub request: RequestId,
}

impl Caller {
    /// Returns whether the key needs a person's approval before it spends or publishes (§5.7).
    #[must_use]
    pub fn needs_approval(&self) -> bool {
        self.kind == KeyKind::Agent
    }
}
