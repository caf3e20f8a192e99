//! Credits: prices of work, funds of workspaces, holds and charges (§4, §8).
//!
//! A run holds the price that it was quoted. Chunks of work charge against the hold as they finish, and the rest of the
//! hold is released when the work ends. A workspace may spend its balance less its live holds; within a monthly cap
//! (UTC), the charges of this month and the live holds count too. Every check and the write that builds on it stand
//! behind the workspace's row lock, so that no race of spenders takes a balance below zero.

use l10n_api_types::{Millicredits, TrackingToken, WorkspaceId};

use super::ServiceError;
use crate::clock::Timestamp;
use crate::ids::{HoldId, IdKind, new_id};
use crate::store::holds::{self, Hold};
use crate::store::ledger::{self, EntryKind};
use crate::store::workspaces::Workspace;
use crate::store::{Tx, lock, workspace_months, workspaces};

/// Time that a hold lives after its last renewal: 35 minutes, in milliseconds (§7 rule 2).
pub const HOLD_MILLIS: i64 = 35 * 60 * 1_000;

/// The funds of a workspace at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Funds {
    /// The sum of its ledger.
    pub balance: Millicredits,
    /// Credits that live holds set aside.
    pub held: Millicredits,
    /// The monthly cap, and the charges of this month (UTC).
    pub cap: Option<(Millicredits, Millicredits)>,
}

impl Funds {
    /// Balance less live holds.
    #[must_use]
    pub(crate) fn available(&self) -> Millicredits {
        Millicredits((self.balance - self.held).0.max(0))
    }

    /// The rest of the monthly cap; `None` without a cap.
    #[must_use]
    pub(crate) fn cap_remaining(&self) -> Option<Millicredits> {
        self.cap.map(|(cap, charged)| Millicredits((cap - charged - self.held).0.max(0)))
    }

    /// Checks that work of that price may begin. Work that costs nothing always may.
    ///
    /// # Errors
    ///
    /// [`ServiceError::InsufficientCredits`] or [`ServiceError::SpendCapExceeded`].
    pub(crate) fn cover(&self, needed: Millicredits) -> Result<(), ServiceError> {
        if needed <= Millicredits::ZERO {
            return Ok(());
        }
        let available = self.available();
        if needed > available {
            return Err(ServiceError::InsufficientCredits { available, needed });
        }
        match (self.cap, self.cap_remaining()) {
            (Some((cap, _)), Some(remaining)) if needed > remaining => {
                Err(ServiceError::SpendCapExceeded { remaining, cap, needed })
            }
            _ => Ok(()),
        }
    }
}

/// Reads the funds of a workspace. Lock it first where a write builds on the answer.
pub(crate) async fn funds(tx: &mut Tx, workspace_id: &WorkspaceId, now: Timestamp) -> Result<Funds, ServiceError> {
    let workspace = workspace(tx, workspace_id).await?;
    let held = holds::live_total(tx, workspace_id, now).await?;
    let cap = match workspace.spending_cap {
        Some(cap) => Some((cap, workspace_months::charged(tx, workspace_id, month_start(now)).await?)),
        None => None,
    };
    Ok(Funds { balance: workspace.balance, held, cap })
}

/// The funds of a workspace as people see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditOverview {
    /// The sum of its ledger.
    pub balance: Millicredits,
    /// Credits that work under way has set aside.
    pub held: Millicredits,
    /// Credits that new work can spend, apart from the cap.
    pub available: Millicredits,
    /// Credits that were spent in this month (UTC).
    pub spent: Millicredits,
    /// The most that may be spent in a month.
    pub cap: Option<Millicredits>,
    /// The rest of the cap, less what is held.
    pub cap_left: Option<Millicredits>,
}

/// Reads the funds of a workspace, with what was spent in this month.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn overview(tx: &mut Tx, workspace_id: &WorkspaceId, now: Timestamp) -> Result<CreditOverview, ServiceError> {
    let funds = funds(tx, workspace_id, now).await?;
    let spent = match funds.cap {
        Some((_, spent)) => spent,
        None => workspace_months::charged(tx, workspace_id, month_start(now)).await?,
    };
    Ok(CreditOverview {
        balance: funds.balance,
        held: funds.held,
        available: funds.available(),
        spent,
        cap: funds.cap.map(|(cap, _)| cap),
        cap_left: funds.cap_remaining(),
    })
}

/// Digits before the point that an amount has at most, so that no balance outgrows its column.
const MOST_DIGITS: usize = 12;

/// Reads an amount that a person typed: whole credits, with three decimals at most. `None` where it is none.
pub(crate) fn amount(text: &str) -> Option<Millicredits> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || whole.len() > MOST_DIGITS || !is_number(decimals) || decimals.len() > 3 {
        return None;
    }
    format!("{whole}{decimals:0<3}").parse().map(Millicredits).ok()
}

/// Gives a workspace credits; returns its new balance.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] when `amount` is not above zero.
pub async fn grant(
    tx: &mut Tx,
    workspace_id: &WorkspaceId,
    amount: Millicredits,
    note: &str,
    now: Timestamp,
) -> Result<Millicredits, ServiceError> {
    if amount <= Millicredits::ZERO {
        return Err(ServiceError::InvalidArgument(format!("a grant is above zero, not {amount} credits")));
    }
    lock::workspace(tx, workspace_id).await?;
    let entry = ledger::NewLedgerEntry {
        id: &new_id(IdKind::LedgerEntry, now),
        workspace_id,
        kind: EntryKind::Grant,
        amount,
        job_id: None,
        note: Some(note),
        created_at: now,
    };
    Ok(ledger::append(tx, entry).await?)
}

/// Sets the price of a job aside.
pub(crate) async fn hold(
    tx: &mut Tx,
    workspace_id: &WorkspaceId,
    job_id: &TrackingToken,
    price: Millicredits,
    now: Timestamp,
) -> Result<(), ServiceError> {
    lock::workspace(tx, workspace_id).await?;
    funds(tx, workspace_id, now).await?.cover(price)?;
    let expires_at = now.plus_millis(HOLD_MILLIS);
    Ok(holds::insert(tx, &HoldId::fresh(now), workspace_id, job_id, price, expires_at).await?)
}

/// The live hold of a job. A hold that died while the server was away, or while the job waited longer than 35 minutes,
/// is taken anew where the workspace still covers the rest of it.
pub(crate) async fn live_hold(
    tx: &mut Tx,
    workspace_id: &WorkspaceId,
    job_id: &TrackingToken,
    now: Timestamp,
) -> Result<Hold, ServiceError> {
    lock::workspace(tx, workspace_id).await?;
    let hold = find_hold(tx, job_id).await?;
    if !hold.is_live(now) {
        funds(tx, workspace_id, now).await?.cover(hold.remaining)?;
    }
    let expires_at = now.plus_millis(HOLD_MILLIS);
    holds::renew(tx, job_id, hold.remaining, expires_at).await?;
    Ok(Hold { expires_at, released_at: None, ..hold })
}

/// Charges a finished chunk against the live hold of its job, gives back the difference between the chunk's quote and
/// its cost, and renews the hold. Returns the charge.
pub(crate) async fn charge(
    tx: &mut Tx,
    hold: &Hold,
    quoted: Millicredits,
    price: Millicredits,
    now: Timestamp,
) -> Result<Millicredits, ServiceError> {
    let price = price.min(quoted).min(hold.remaining);
    if price > Millicredits::ZERO {
        let entry = ledger::NewLedgerEntry {
            id: &new_id(IdKind::LedgerEntry, now),
            workspace_id: &hold.workspace_id,
            kind: EntryKind::Charge,
            amount: -price,
            job_id: Some(&hold.job_id),
            note: None,
            created_at: now,
        };
        ledger::append(tx, entry).await?;
    }
    release(tx, hold, quoted, now).await?;
    Ok(price)
}

/// Takes the quoted price of a chunk that ended out of a hold, and renews the hold if it is live.
pub(crate) async fn release(
    tx: &mut Tx,
    hold: &Hold,
    quoted: Millicredits,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let remaining = Millicredits((hold.remaining - quoted).0.max(0));
    if hold.is_live(now) {
        holds::renew(tx, &hold.job_id, remaining, now.plus_millis(HOLD_MILLIS)).await?;
    } else {
        holds::shrink(tx, &hold.job_id, remaining).await?;
    }
    Ok(())
}

/// The hold of a job, live or not.
pub(crate) async fn find_hold(tx: &mut Tx, job_id: &TrackingToken) -> Result<Hold, ServiceError> {
    let hold = holds::find_by_job(tx, job_id).await?;
    hold.ok_or_else(|| ServiceError::internal(format!("the job {job_id} has no hold")))
}

/// The workspace of that id.
pub(crate) async fn workspace(tx: &mut Tx, id: &WorkspaceId) -> Result<Workspace, ServiceError> {
    let workspace = workspaces::find(tx, id).await?;
    workspace.ok_or_else(|| ServiceError::internal(format!("the workspace {id} does not exist")))
}

/// The beginning of the month (UTC) that `now` lies in.
#[must_use]
pub(crate) fn month_start(now: Timestamp) -> Timestamp {
    let start = jiff::Timestamp::from_millisecond(now.as_millis())
        .and_then(|time| time.to_zoned(jiff::tz::TimeZone::UTC).first_of_month()?.start_of_day());
    start.map_or(now, |start| Timestamp::from_millis(start.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_begins_at_midnight_utc_of_its_first_day() {
        let start = |text: &str| month_start(text.parse().unwrap()).to_string();
        assert_eq!(start("2026-11-21T08:00:00.000Z"), "2026-11-01T00:00:00.000Z");
        assert_eq!(start("2026-12-01T00:30:00.000+02:00"), "2026-11-01T00:00:00.000Z");
        assert_eq!(start("2026-12-01T00:00:00.000Z"), "2026-12-01T00:00:00.000Z");
    }

    /// ERR-402-1, ERR-402-2: live holds count against the balance and against the cap.
    #[test]
    fn holds_count_against_balance_and_cap() {
        let funds = |cap| Funds { balance: Millicredits(100), held: Millicredits(30), cap };
        assert!(funds(None).cover(Millicredits(70)).is_ok());
        assert!(matches!(
            funds(None).cover(Millicredits(71)),
            Err(ServiceError::InsufficientCredits { available: Millicredits(70), needed: Millicredits(71) })
        ));
        let capped = funds(Some((Millicredits(90), Millicredits(20))));
        assert!(capped.cover(Millicredits(40)).is_ok());
        assert!(matches!(
            capped.cover(Millicredits(41)),
            Err(ServiceError::SpendCapExceeded { remaining: Millicredits(40), cap: Millicredits(90), .. })
        ));
        assert!(Funds { balance: Millicredits(0), ..capped }.cover(Millicredits(0)).is_ok(), "free work always begins");
    }
}
