//! The used part of a project's daily budgets.

use l10n_api_types::{DailyBudget, ProjectId};

use super::{StoreError, Tx};

statements! {
    TAKE = "INSERT INTO daily_counts (project_id, day, budget, used) \
        SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS BIGINT) \
        WHERE CAST($4 AS BIGINT) <= CAST($5 AS BIGINT) \
        ON CONFLICT (project_id, day, budget) DO UPDATE SET used = daily_counts.used + excluded.used \
        WHERE daily_counts.used + excluded.used <= CAST($5 AS BIGINT) RETURNING used";
    USED = "SELECT budget, used FROM daily_counts WHERE project_id = $1 AND day = $2";
}

/// Takes `number` of a budget, if there are so many left of `limit`; returns how many are used then, or `None` when the
/// budget does not hold them. Whoever comes second waits for the end of the first one's transaction.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn take(
    tx: &mut Tx,
    project_id: &ProjectId,
    day: i64,
    budget: DailyBudget,
    number: i64,
    limit: i64,
) -> Result<Option<i64>, StoreError> {
    let used = fetch_optional!(tx, (i64,), TAKE, project_id.as_str(), day, budget.as_str(), number, limit)?;
    Ok(used.map(|(used,)| used))
}

/// The used numbers of the budgets, by name. A budget of which nothing is used may be absent.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn used(tx: &mut Tx, project_id: &ProjectId, day: i64) -> Result<Vec<(String, i64)>, StoreError> {
    fetch_all!(tx, (String, i64), USED, project_id.as_str(), day)
}
