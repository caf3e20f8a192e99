//! `GET /content`: the documents of a project, in pages.

use l10n_api_types::content::{Documents, ListQuery};

use super::{describe, fields};
use crate::clock::Timestamp;
use crate::domain::pages::{self, Cursor};
use crate::domain::{Caller, ServiceError};
use crate::store::Tx;
use crate::store::documents::{self, DocumentFilter, SizedDocument};

/// A page of documents.
///
/// # Errors
///
/// 400 for a limit out of range and a cursor that no page gave.
pub(crate) async fn list(tx: &mut Tx, caller: &Caller, query: ListQuery) -> Result<Documents, ServiceError> {
    let limit = pages::limit(query.limit)?;
    let after = match query.cursor.as_deref().map(Cursor::decode).transpose()? {
        Some(Cursor::After(id)) => id,
        Some(_) => return Err(ServiceError::cursor_of_another_list()),
        None => String::new(),
    };
    let external_id = fields::external_id(query.external_id)?;
    let filter = DocumentFilter {
        after: &after,
        external_id: external_id.as_deref(),
        updated_since: query.updated_since.unwrap_or(Timestamp::from_millis(i64::MIN)),
        limit: pages::one_more(limit),
    };
    let mut page = documents::list(tx, &caller.project, filter).await?;
    let place = |last: &SizedDocument| Cursor::After(last.id.clone()).encode();
    let next_cursor = pages::cut_long(&mut page, limit, |sized| sized.bytes, place);
    let ids: Vec<String> = page.into_iter().map(|sized| sized.id).collect();
    let rows = documents::find_many(tx, &caller.project, &ids).await?;
    let mut documents = describe::all(tx, caller, rows).await?;
    if let Some(state) = query.state {
        documents.retain(|document| document.languages.iter().any(|language| language.state == state));
    }
    Ok(Documents { documents, next_cursor })
}
