//! Row locks for "count, then insert" and every other read that a later write of the same transaction builds on.
//!
//! On SQLite a writing transaction is alone anyway, so the statement only says whether the row exists. Who takes both
//! takes the project first, then its workspace: one order everywhere, no deadlock. `NO KEY`, so that rows that refer to
//! the locked one can still be inserted by others.
//!
//! Ids have types, so that a mixed-up one does not compile:
//!
//! ```compile_fail
//! use l10n_api_types::WorkspaceId;
//! use l10n_server::store::{StoreError, Tx, lock};
//!
//! async fn lock_it(tx: &mut Tx, id: &WorkspaceId) -> Result<bool, StoreError> {
//!     lock::project(tx, id).await
//! }
//! ```
//!
//! With the function that is meant it does:
//!
//! ```no_run
//! use l10n_api_types::WorkspaceId;
//! use l10n_server::store::{StoreError, Tx, lock};
//!
//! async fn lock_it(tx: &mut Tx, id: &WorkspaceId) -> Result<bool, StoreError> {
//!     lock::workspace(tx, id).await
//! }
//! ```

use l10n_api_types::{ProjectId, WorkspaceId};

use super::{StoreError, Tx, projects, staged_runs};

statements! {
    PROJECT = sqlite "SELECT id FROM projects WHERE id = $1",
        postgres "SELECT id FROM projects WHERE id = $1 FOR NO KEY UPDATE";
    PROJECT_TO_CHANGE = "UPDATE projects SET change_seq = change_seq + 1 WHERE id = $1 \
        AND NOT EXISTS (SELECT 1 FROM staged_runs r WHERE r.project_id = $1 AND r.is_moving)";
    WORKSPACE = sqlite "SELECT id FROM workspaces WHERE id = $1",
        postgres "SELECT id FROM workspaces WHERE id = $1 FOR NO KEY UPDATE";
}

/// Waits until no other transaction holds the project, then holds it to the end of `tx`. Returns whether it exists.
///
/// # Errors
///
/// Returns an error if the datastore fails; waiting too long is [`StoreError::Unavailable`].
pub async fn project(tx: &mut Tx, id: &ProjectId) -> Result<bool, StoreError> {
    Ok(fetch_optional!(tx, (String,), PROJECT, id.as_str())?.is_some())
}

/// Locks a project like [`project`], for what changes the plan of a run: keys, what people wrote of them, languages. A run that was planned
/// before notices it. What jobs make of their chunks needs none: a plan that does not know it asks for no more than it did.
///
/// # Errors
///
/// [`StoreError::Moving`] while changes of a run that has landed are being moved to their place: usually who changes the
/// project waits for its turn meanwhile.
pub async fn project_to_change(tx: &mut Tx, id: &ProjectId) -> Result<bool, StoreError> {
    match execute!(tx, PROJECT_TO_CHANGE, id.as_str())? {
        0 if staged_runs::is_moving(tx, id).await? => Err(StoreError::Moving),
        changed => Ok(changed == 1),
    }
}

/// Waits until no other transaction holds the workspace (its balance), then holds it to the end of `tx`. Returns whether
/// it exists.
///
/// # Errors
///
/// Returns an error if the datastore fails; waiting too long is [`StoreError::Unavailable`].
pub async fn workspace(tx: &mut Tx, id: &WorkspaceId) -> Result<bool, StoreError> {
    Ok(fetch_optional!(tx, (String,), WORKSPACE, id.as_str())?.is_some())
}

/// Locks the projects of a workspace, and then the workspace itself, like [`project`] and [`workspace`].
///
/// # Errors
///
/// Returns an error if the datastore fails; waiting too long is [`StoreError::Unavailable`].
pub async fn whole_workspace(tx: &mut Tx, id: &WorkspaceId) -> Result<bool, StoreError> {
    for known in projects::list(tx, id).await? {
        project(tx, &known.id).await?;
    }
    workspace(tx, id).await
}
