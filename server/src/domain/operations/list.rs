//! Operations as an operator sees them.

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
    project_id: Option<&str>,
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
