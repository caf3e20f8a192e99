//! Daily budgets of a project (§8), whichever of its keys is used. A day is one of UTC.
//!
//! The use of a budget commits with its work: refused work counts for nothing, and of two concurrent requests only one
//! gets the last unit.

use l10n_api_types::{DailyBudget, ProjectId};

use super::ServiceError;
use crate::clock::Timestamp;
use crate::config::Limits;
use crate::store::Tx;
use crate::store::daily_counts;

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// The limit of one day.
#[must_use]
pub(crate) fn limit(budget: DailyBudget, limits: &Limits) -> u32 {
    match budget {
        DailyBudget::Publishes => limits.publishes_per_day,
        DailyBudget::Restores => limits.restores_per_day,
        DailyBudget::Captures => limits.captures_per_day,
        DailyBudget::Imports => limits.imports_per_day,
        DailyBudget::Runs => limits.runs_per_day,
    }
}

/// Takes `number` of today's budget; returns the rest of it.
///
/// # Errors
///
/// 429 with the budget's code, when less than that remains.
pub(crate) async fn take(
    tx: &mut Tx,
    project_id: &ProjectId,
    budget: DailyBudget,
    number: u32,
    limits: &Limits,
    now: Timestamp,
) -> Result<u32, ServiceError> {
    let limit = limit(budget, limits);
    let used = daily_counts::take(tx, project_id, day(now), budget, number.into(), limit.into()).await?;
    let resets_at = Timestamp::from_millis((day(now) + 1) * DAY_MILLIS);
    used.map(|used| left(limit, used)).ok_or(ServiceError::DailyLimitReached { budget, limit, resets_at })
}

/// Returns the rest of today's budget.
pub(crate) async fn remaining(
    tx: &mut Tx,
    project_id: &ProjectId,
    budget: DailyBudget,
    limits: &Limits,
    now: Timestamp,
) -> Result<u32, ServiceError> {
    Ok(RemainingBudgets::read(tx, project_id, limits, now).await?.of(budget))
}

/// The rest of each of today's budgets.
pub(crate) struct RemainingBudgets<'a> {
    limits: &'a Limits,
    used: Vec<(String, i64)>,
}

impl<'a> RemainingBudgets<'a> {
    /// Reads all of them at once.
    pub(crate) async fn read(
        tx: &mut Tx,
        project_id: &ProjectId,
        limits: &'a Limits,
        now: Timestamp,
    ) -> Result<Self, ServiceError> {
        Ok(Self { limits, used: daily_counts::used(tx, project_id, day(now)).await? })
    }

    /// The rest of one of them.
    pub(crate) fn of(&self, budget: DailyBudget) -> u32 {
        let used = self.used.iter().find(|(name, _)| name == budget.as_str()).map_or(0, |(_, used)| *used);
        left(limit(budget, self.limits), used)
    }
}

/// Days since 1970 (UTC).
#[must_use]
pub(crate) fn day(now: Timestamp) -> i64 {
    now.as_millis().div_euclid(DAY_MILLIS)
}

/// The rest of a limit, which is zero for a limit that was lowered below the used number.
fn left(limit: u32, used: i64) -> u32 {
    limit.saturating_sub(u32::try_from(used).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AMB-7: a day ends at midnight UTC.
    #[test]
    fn days_are_those_of_utc() {
        let day = |text: &str| day(text.parse().unwrap());
        assert_eq!(day("2026-11-21T23:59:59.999Z") + 1, day("2026-11-22T00:00:00.000Z"));
        assert_eq!(day("2026-11-22T00:30:00.000+02:00"), day("2026-11-21T08:00:00.000Z"));
    }
}
