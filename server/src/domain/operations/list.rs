//! Operations as an operator sees them.

use l10n_api_types::ProjectId;
use l10n_api_types::operations::{Operation, OperationStatus};

use super::entry;
use super::state::OperationState;
use crate::clock::Timestamp;
use crate::config::Settings;
use crate::domain::{ServiceError, pages};
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
            if status.is_some_and(|status| OperationState::from(&row).seen(now) != status) {
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
pub struct OperationLists {
    /// Operations that wait for a decision, those that expire first at the front.
    pub pending: Vec<Operation>,
    /// The id behind which more of them follow, if there are more.
    pub next_pending: Option<String>,
    /// A page of the others, newest first.
    pub others: Vec<Operation>,
    /// The id behind which the next page begins, if there is one.
    pub next: Option<String>,
}

/// The part of a project's operations that a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationsPart<'a> {
    /// The first of those that wait for a decision, and the first of the others.
    First,
    /// Those that wait for a decision, behind the one of this id.
    Pending(&'a str),
    /// The others, behind the one of this id.
    Others(&'a str),
}

/// Operations of a project that one page shows, of those that wait for a decision and of the others each.
const SHOWN: usize = 50;

/// Pages of rows that are looked through for one page of the others, since those that wait are among them.
const LOOKED_THROUGH: usize = 10;

/// A page of the operations of a project: each of them is on one of the pages.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_project(
    tx: &mut Tx,
    settings: &Settings,
    now: Timestamp,
    project: &ProjectId,
    part: OperationsPart<'_>,
) -> Result<OperationLists, ServiceError> {
    let mut listed = OperationLists::default();
    let (after, before) = match part {
        OperationsPart::First => (None, Some(rows::NEWEST)),
        OperationsPart::Pending(after) => (Some(after), None),
        OperationsPart::Others(before) => (None, Some(before)),
    };
    if !matches!(part, OperationsPart::Others(_)) {
        let last = match after {
            Some(id) => rows::find(tx, id).await?,
            None => None,
        };
        // It may have been decided meanwhile, and end at another time.
        let after = last.as_ref().map(|last| (OperationState::asked(last.created_at).expires_at, last.id.as_str()));
        let mut found = rows::pending(tx, project, now, after, pages::one_more(SHOWN)).await?;
        listed.next_pending = pages::cut(&mut found, SHOWN, |last| last.id.clone());
        listed.pending = found.into_iter().map(|row| entry(settings, row, now)).collect();
    }
    if let Some(before) = before {
        let before = before.to_owned();
        (listed.others, listed.next) = others(tx, settings, now, project, before).await?;
    }
    Ok(listed)
}

/// A page of the operations before the one of this id that do not wait for a decision, and the id behind which the next begins.
async fn others(
    tx: &mut Tx,
    settings: &Settings,
    now: Timestamp,
    project: &ProjectId,
    mut before: String,
) -> Result<(Vec<Operation>, Option<String>), ServiceError> {
    let mut others = Vec::new();
    for _ in 0..LOOKED_THROUGH {
        let mut found = rows::list(tx, Some(project), &before, pages::one_more(SHOWN)).await?;
        let has_more = pages::cut(&mut found, SHOWN, |_| ()).is_some();
        let count = found.len();
        for (index, row) in found.into_iter().enumerate() {
            before.clone_from(&row.id);
            if OperationState::from(&row).seen(now) != OperationStatus::Pending {
                others.push(entry(settings, row, now));
            }
            if others.len() == SHOWN {
                let is_last = index + 1 == count && !has_more;
                return Ok((others, (!is_last).then_some(before)));
            }
        }
        if !has_more {
            return Ok((others, None));
        }
    }
    Ok((others, Some(before)))
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
/// True if there are more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn open_of_key(
    tx: &mut Tx,
    settings: &Settings,
    key: &str,
    now: Timestamp,
) -> Result<(Vec<Operation>, bool), ServiceError> {
    let mut found = rows::open_of_key(tx, key, now, pages::one_more(SHOWN)).await?;
    let has_more = pages::cut(&mut found, SHOWN, |_| ()).is_some();
    Ok((found.into_iter().map(|row| entry(settings, row, now)).collect(), has_more))
}
