//! Decisions of people about captured keys.

use l10n_api_types::{Content, ProjectId};

use crate::domain::ServiceError;
use crate::domain::code_changes::edit::Edit;
use crate::store::keys::{self, Key, KeyState};
use crate::store::{StoreError, Tx, lock};

/// Captured keys of one page of the datastore.
const PAGE: i64 = 500;

/// Every captured key of a project, in the order of their refs.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn waiting(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<Key>, StoreError> {
    let mut all: Vec<Key> = Vec::new();
    loop {
        let after = all.last().map(|key| key.name.clone()).unwrap_or_default();
        let page = keys::captured(tx, project_id, &after, PAGE).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Makes a captured key count, with the text that was captured or with another one. The code lacks it: the change is kept
/// for it.
///
/// # Errors
///
/// 404 for a key that was not captured, 400 for one whose text nobody knows, 402 where the plan holds no more keys.
pub async fn accept(
    tx: &mut Tx,
    edit: &Edit<'_>,
    name: &str,
    text: Option<&str>,
    file: Option<&str>,
) -> Result<(), ServiceError> {
    let key = captured(tx, edit.project, name).await?;
    let content = match text {
        Some(text) => Content::Text(text.to_owned()),
        None => key.source.0,
    };
    if content.characters() == 0 {
        return Err(ServiceError::InvalidArgument(format!(
            "`{name}` was captured without a text in the base language: give it one"
        )));
    }
    edit.add(tx, name, &content, file).await
}

/// Forgets captured keys. Should an app report one again, it is new again.
///
/// # Errors
///
/// 404 for a key that was not captured; then none is forgotten.
pub async fn discard(tx: &mut Tx, project_id: &ProjectId, names: &[String]) -> Result<u64, ServiceError> {
    lock::project_to_change(tx, project_id).await?;
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        ids.push(captured(tx, project_id, name).await?.id);
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    Ok(keys::discard(tx, &ids).await?)
}

async fn captured(tx: &mut Tx, project_id: &ProjectId, name: &str) -> Result<Key, ServiceError> {
    let found = keys::find(tx, project_id, name).await?;
    found
        .filter(|key| key.state == KeyState::Captured)
        .ok_or_else(|| ServiceError::NotFound(format!("no key `{name}` was captured")))
}
