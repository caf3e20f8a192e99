//! The charges of each workspace in each month. A trigger on the ledger keeps it (`migrations/*/0352_workspace_months.sql`), so
//! that a spending cap costs the same however many charges a month has.

use l10n_api_types::{Millicredits, WorkspaceId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    CHARGED = "SELECT charged FROM workspace_months WHERE workspace_id = $1 AND month = $2";
}

/// The amount that a workspace was charged in the month (UTC) that begins then, as a positive number.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn charged(tx: &mut Tx, workspace_id: &WorkspaceId, month: Timestamp) -> Result<Millicredits, StoreError> {
    let found = fetch_optional!(tx, (i64,), CHARGED, workspace_id.as_str(), month.as_millis())?;
    Ok(Millicredits(found.map_or(0, |(charged,)| charged)))
}
