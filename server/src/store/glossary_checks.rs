//! Projects whose translations are to be held against their glossary anew. A row begins with the change of the glossary, in
//! its transaction, and goes when a worker has come to the end of the project's keys and of the segments of its documents; it begins again where the glossary has
//! changed meanwhile, so that what changes all the time is checked to its end all the same.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::row::{Json, to_json};
use super::segment_translations::SegmentPlace;
use super::{StoreError, Tx};

row! {
    /// A project to go on with.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct GlossaryCheck {
        /// The project
        pub project_id: ProjectId,
        /// The last ref that the worker has come to; empty at the beginning
        pub after_ref: String,
        /// The last translation of a segment that it has come to, `None` at the beginning; no value while it is at the keys
        pub after_segment: Option<Json<Option<SegmentPlace>>>,
    }
}

statements! {
    REQUEST = "INSERT INTO glossary_checks (project_id, after_ref, again) VALUES ($1, '', FALSE) \
        ON CONFLICT (project_id) DO UPDATE SET again = TRUE";
    REQUEST_ALL = "INSERT INTO glossary_checks (project_id, after_ref, again) \
        SELECT id, '', FALSE FROM projects WHERE workspace_id = $1 ORDER BY id \
        ON CONFLICT (project_id) DO UPDATE SET again = TRUE";
    NEXT = "SELECT project_id, after_ref, after_segment FROM glossary_checks c WHERE project_id > $1 \
        AND NOT EXISTS (SELECT 1 FROM staged_runs r WHERE r.project_id = c.project_id AND r.is_moving) \
        ORDER BY project_id LIMIT 1";
    ADVANCE = "UPDATE glossary_checks SET after_ref = $3 WHERE project_id = $1 AND after_ref = $2 AND after_segment IS NULL";
    BEGIN_SEGMENTS = "UPDATE glossary_checks SET after_segment = 'null' \
        WHERE project_id = $1 AND after_ref = $2 AND after_segment IS NULL";
    ADVANCE_SEGMENTS = "UPDATE glossary_checks SET after_segment = $3 WHERE project_id = $1 AND after_segment = $2";
    BEGIN_AGAIN = "UPDATE glossary_checks SET after_ref = '', after_segment = NULL, again = FALSE \
        WHERE project_id = $1 AND after_segment = $2 AND again";
    END = "DELETE FROM glossary_checks WHERE project_id = $1 AND after_segment = $2 AND NOT again";
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

/// The next project after `after`, in the order of ids, whose translations are to be checked. One where changes of a large run are
/// being moved to their place waits for the end of that: these bring translations that were checked by the terms of before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn next(tx: &mut Tx, after: &str) -> Result<Option<GlossaryCheck>, StoreError> {
    fetch_optional!(tx, GlossaryCheck, NEXT, after)
}

/// Notes that the worker has come to the key `last`; false if another one was quicker.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn advance(tx: &mut Tx, check: &GlossaryCheck, last: &str) -> Result<bool, StoreError> {
    Ok(execute!(tx, ADVANCE, check.project_id.as_str(), check.after_ref.as_str(), last)? == 1)
}

/// Notes that the worker has come to the translation `last` of a segment; false if another one was quicker.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn advance_segments(tx: &mut Tx, check: &GlossaryCheck, last: &SegmentPlace) -> Result<bool, StoreError> {
    let (before, last) = (after_segment(check)?, to_json("glossary_checks.after_segment", last)?);
    Ok(execute!(tx, ADVANCE_SEGMENTS, check.project_id.as_str(), before, last)? == 1)
}

/// Notes that there are no more keys, or no more segments: the worker goes on to segments, or the check is over or begins again.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end(tx: &mut Tx, check: &GlossaryCheck) -> Result<(), StoreError> {
    let project = check.project_id.as_str();
    if check.after_segment.is_none() {
        execute!(tx, BEGIN_SEGMENTS, project, check.after_ref.as_str())?;
        return Ok(());
    }
    let before = after_segment(check)?;
    if execute!(tx, BEGIN_AGAIN, project, before.as_str())? == 0 {
        execute!(tx, END, project, before.as_str())?;
    }
    Ok(())
}

/// The place among segments as it is stored.
fn after_segment(check: &GlossaryCheck) -> Result<String, StoreError> {
    let place = check.after_segment.as_ref().and_then(|place| place.0.as_ref());
    to_json("glossary_checks.after_segment", &place)
}
