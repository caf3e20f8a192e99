//! Operations as an operator sees them.

use l10n_api_types::ProjectId;
use l10n_api_types::operations::{Operation, OperationStatus};

use super::entry;
use super::state::State;
use crate::clock::Timestamp;
use crate::config::Settings;
use crate::domain::ServiceError;
use crate::store::{Tx, operations as rows};

/// Rows that are looked through at once.
const PAGE: i64 = 500;

/// At most `most` operations with the names of their projects (`handle/slug`), newest first: of one project or all, in one
/// status or all.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    settings: &Settings,
    now: Timestamp,
    project_id: Option<&ProjectId>,
    status: Option<OperationStatus>,
    most: u32,
) -> Result<Vec<(String, Operation)>, ServiceError> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let (mut listed, mut before) = (Vec::new(), rows::NEWEST.to_owned());
    loop {
        let page = rows::list(tx, project_id, &before, PAGE).await?;
        let Some(last) = page.last() else { return Ok(listed) };
        before.clone_from(&last.id);
        for row in page {
            if status.is_some_and(|status| State::from(&row).seen(now) != status) {
                continue;
            }
            let project = format!("{}/{}", row.handle, row.slug);
            listed.push((project, entry(settings, row, now)));
            if listed.len() >= most {
                return Ok(listed);
            }
        }
    }
}

/// The operations of a project as its members see them.
#[derive(Debug, Default)]
pub struct Listed {
    /// Operations that wait for a decision, those that expire first at the front.
    pub pending: Vec<Operation>,
    /// A page of the others, newest first.
    pub others: Vec<Operation>,
    /// The id behind which the next page begins, if there is one.
    pub next: Option<String>,
}

/// Operations of a project that one page shows, of those that wait for a decision and of the others each.
const SHOWN: usize = 50;

/// The operations of a project: on the first page those that wait for a decision, and on each a page of the others, from the
/// one before `before` on.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_project(
    tx: &mut Tx,
    settings: &Settings,
    now: Timestamp,
    project: &ProjectId,
    before: Option<&str>,
) -> Result<Listed, ServiceError> {
    let most = i64::try_from(SHOWN).unwrap_or(i64::MAX);
    let mut listed = Listed::default();
    if before.is_none() {
        let pending = rows::pending(tx, project, now, most).await?;
        listed.pending = pending.into_iter().map(|row| entry(settings, row, now)).collect();
    }
    // One more than the page holds tells whether another follows.
    let mut found = rows::list(tx, Some(project), before.unwrap_or(rows::NEWEST), most + 1).await?;
    if found.len() > SHOWN {
        found.truncate(SHOWN);
        listed.next = found.last().map(|last| last.id.clone());
    }
    let others = found.into_iter().filter(|row| State::from(row).seen(now) != OperationStatus::Pending);
    listed.others = others.map(|row| entry(settings, row, now)).collect();
    Ok(listed)
}

/// Operations that wait for a decision are counted up to this number.
pub const MOST_COUNTED: i64 = 100;

/// The number of a project's operations that wait for a decision, up to [`MOST_COUNTED`].
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count_pending(tx: &mut Tx, now: Timestamp, project: &ProjectId) -> Result<i64, ServiceError> {
    Ok(rows::count_pending(tx, project, now, MOST_COUNTED).await?)
}

/// An operation of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    tx: &mut Tx,
    settings: &Settings,
    now: Timestamp,
    project: &ProjectId,
    id: &str,
) -> Result<Option<Operation>, ServiceError> {
    let found = rows::find(tx, id).await?.filter(|row| row.project_id == *project);
    Ok(found.map(|row| entry(settings, row, now)))
}

/// The first of a key's operations that its revocation would cancel: those that wait, and those that are approved and not used.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn open_of_key(
    tx: &mut Tx,
    settings: &Settings,
    key: &str,
    now: Timestamp,
) -> Result<Vec<Operation>, ServiceError> {
    let found = rows::open_of_key(tx, key, now, i64::try_from(SHOWN).unwrap_or(i64::MAX)).await?;
    Ok(found.into_iter().map(|row| entry(settings, row, now)).collect())
}
