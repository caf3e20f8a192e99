//! Projects whose translations are to be held against their glossary anew. A row begins with the change of the glossary, in
//! its transaction, and goes when a worker has come to the end of the project's keys; it begins again where the glossary has
//! changed meanwhile, so that what changes all the time is checked to its end all the same.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::{StoreError, Tx};

row! {
    /// A project to go on with.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct GlossaryCheck {
        /// The project
        pub project_id: ProjectId,
        /// The last ref that the worker has come to; empty at the beginning
        pub after_ref: String,
    }
}

statements! {
    REQUEST = "INSERT INTO glossary_checks (project_id, after_ref, again) VALUES ($1, '', FALSE) \
        ON CONFLICT (project_id) DO UPDATE SET again = TRUE";
    REQUEST_ALL = "INSERT INTO glossary_checks (project_id, after_ref, again) \
        SELECT id, '', FALSE FROM projects WHERE workspace_id = $1 ORDER BY id \
        ON CONFLICT (project_id) DO UPDATE SET again = TRUE";
    NEXT = "SELECT project_id, after_ref FROM glossary_checks WHERE project_id > $1 ORDER BY project_id LIMIT 1";
    ADVANCE = "UPDATE glossary_checks SET after_ref = $3 WHERE project_id = $1 AND after_ref = $2";
    BEGIN_AGAIN = "UPDATE glossary_checks SET after_ref = '', again = FALSE \
        WHERE project_id = $1 AND after_ref = $2 AND again";
    END = "DELETE FROM glossary_checks WHERE project_id = $1 AND after_ref = $2 AND NOT again";
}

/// Has the translations of a project checked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn request(tx: &mut Tx, project_id: &ProjectId) -> Result<(), StoreError> {
    execute!(tx, REQUEST, project_id.as_str()).map(drop)
}

/// Has the translations of all projects of a workspace checked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn request_all(tx: &mut Tx, workspace_id: &WorkspaceId) -> Result<(), StoreError> {
    execute!(tx, REQUEST_ALL, workspace_id.as_str()).map(drop)
}

/// The next project after `after`, in the order of ids, whose translations are to be checked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn next(tx: &mut Tx, after: &str) -> Result<Option<GlossaryCheck>, StoreError> {
    fetch_optional!(tx, GlossaryCheck, NEXT, after)
}

/// Notes that the worker has come to `last`; false if another one was quicker.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn advance(tx: &mut Tx, check: &GlossaryCheck, last: &str) -> Result<bool, StoreError> {
    Ok(execute!(tx, ADVANCE, check.project_id.as_str(), check.after_ref.as_str(), last)? == 1)
}

/// Notes that there are no more keys: the check is over, or begins again.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end(tx: &mut Tx, check: &GlossaryCheck) -> Result<(), StoreError> {
    if execute!(tx, BEGIN_AGAIN, check.project_id.as_str(), check.after_ref.as_str())? == 0 {
        execute!(tx, END, check.project_id.as_str(), check.after_ref.as_str())?;
    }
    Ok(())
}
