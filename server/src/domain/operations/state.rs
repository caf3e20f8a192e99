//! The states of an operation and their changes: a pure function of the state, the event and the time.
//!
//! ```text
//! pending ── approve ──> approved ── use ──> used
//!    ├────── deny ────> denied
//!    └─ 24 h ─> expired <─ 1 h ─┘ (approved)
//! pending, approved ── the key that asked is revoked ──> canceled
//! ```
//!
//! Expiry is written nowhere: a reader sees it by `expires_at`.

use l10n_api_types::operations::OperationStatus;

use crate::clock::Timestamp;
use crate::store::operations::StoredOperationStatus;

/// Time that an operation waits for a decision: 24 hours, in milliseconds.
pub const PENDING_MILLIS: i64 = 24 * 60 * 60 * 1_000;
/// Time that an approval may be used: one hour, in milliseconds.
pub const APPROVED_MILLIS: i64 = 60 * 60 * 1_000;

/// The state of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationState {
    /// The stored status.
    pub status: StoredOperationStatus,
    /// The time from which it can no longer be decided or used.
    pub expires_at: Timestamp,
}

/// An event of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationEvent {
    /// A person allows it.
    Approved,
    /// A person refuses it.
    Denied,
    /// The work is done.
    Used,
    /// The key that asked is revoked.
    KeyRevoked,
}

impl OperationState {
    /// Asked for at `now`.
    #[must_use]
    pub fn asked(now: Timestamp) -> Self {
        Self { status: StoredOperationStatus::Pending, expires_at: now.plus_millis(PENDING_MILLIS) }
    }

    /// The status that everybody sees at `now`.
    #[must_use]
    pub fn seen(self, now: Timestamp) -> OperationStatus {
        match self.status {
            StoredOperationStatus::Pending | StoredOperationStatus::Approved if self.expires_at <= now => {
                OperationStatus::Expired
            }
            StoredOperationStatus::Pending => OperationStatus::Pending,
            StoredOperationStatus::Approved => OperationStatus::Approved,
            StoredOperationStatus::Denied => OperationStatus::Denied,
            StoredOperationStatus::Used => OperationStatus::Used,
            StoredOperationStatus::Canceled => OperationStatus::Canceled,
        }
    }

    /// Returns the state after an event at `now`.
    ///
    /// # Errors
    ///
    /// Returns the status at `now` if it does not allow the event.
    pub fn after(self, event: OperationEvent, now: Timestamp) -> Result<Self, OperationStatus> {
        let status = match (self.seen(now), event) {
            (OperationStatus::Pending, OperationEvent::Approved) => {
                return Ok(Self {
                    status: StoredOperationStatus::Approved,
                    expires_at: now.plus_millis(APPROVED_MILLIS),
                });
            }
            (OperationStatus::Pending, OperationEvent::Denied) => StoredOperationStatus::Denied,
            (OperationStatus::Approved, OperationEvent::Used) => StoredOperationStatus::Used,
            (OperationStatus::Pending | OperationStatus::Approved, OperationEvent::KeyRevoked) => {
                StoredOperationStatus::Canceled
            }
            (seen, _) => return Err(seen),
        };
        Ok(Self { status, ..self })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events() -> impl Strategy<Value = Vec<(OperationEvent, i64)>> {
        let event = prop_oneof![
            Just(OperationEvent::Approved),
            Just(OperationEvent::Denied),
            Just(OperationEvent::Used),
            Just(OperationEvent::KeyRevoked)
        ];
        // Mostly short waits, and now and then one that ends, or nearly ends, what is waited for.
        let wait = prop_oneof![
            4 => 0..1_000_i64,
            1 => APPROVED_MILLIS - 1..=APPROVED_MILLIS + 1,
            1 => PENDING_MILLIS - 1..=PENDING_MILLIS + 1,
        ];
        proptest::collection::vec((event, wait), 1..12)
    }

    proptest! {
        /// OPS-4: whatever happens in whatever order, an operation is used at most once, only after a person allowed it,
        /// within the hour after that, and an operation that is over keeps its status.
        #[test]
        fn an_operation_is_used_once_and_within_the_hour_after_its_approval(events in events()) {
            let mut now = Timestamp::from_millis(1_795_248_000_000);
            let asked_at = now;
            let (mut state, mut approved_at, mut uses, mut ended) = (OperationState::asked(now), None, 0, None);
            for (event, wait) in events {
                now = now.plus_millis(wait);
                let before = state.seen(now);
                if let Some(ended) = ended {
                    prop_assert_eq!(before, ended, "what is over stays as it ended");
                }
                match state.after(event, now) {
                    Ok(after) => {
                        prop_assert!(ended.is_none());
                        match event {
                            OperationEvent::Approved => {
                                prop_assert!(approved_at.is_none());
                                prop_assert!(now.as_millis() - asked_at.as_millis() < PENDING_MILLIS);
                                approved_at = Some(now);
                            }
                            OperationEvent::Denied => prop_assert!(approved_at.is_none()),
                            OperationEvent::Used => {
                                let approved_at = approved_at.expect("used without approval");
                                prop_assert!(now.as_millis() - approved_at.as_millis() < APPROVED_MILLIS);
                                uses += 1;
                            }
                            OperationEvent::KeyRevoked => {}
                        }
                        state = after;
                    }
                    Err(seen) => prop_assert_eq!(seen, before, "the refusal says why"),
                }
                let seen = state.seen(now);
                if !matches!(seen, OperationStatus::Pending | OperationStatus::Approved) {
                    ended = Some(seen);
                }
            }
            prop_assert!(uses <= 1);
        }
    }

    #[test]
    fn an_operation_expires_to_the_millisecond() {
        assert_eq!((PENDING_MILLIS, APPROVED_MILLIS), (86_400_000, 3_600_000), "a day and an hour");
        let now = Timestamp::from_millis(0);
        let asked = OperationState::asked(now);
        let (last, over) = (now.plus_millis(PENDING_MILLIS - 1), now.plus_millis(PENDING_MILLIS));
        assert_eq!((asked.seen(last), asked.seen(over)), (OperationStatus::Pending, OperationStatus::Expired));
        assert_eq!(asked.after(OperationEvent::Approved, over), Err(OperationStatus::Expired));
        let approved = asked.after(OperationEvent::Approved, last).unwrap();
        assert_eq!(approved.expires_at, last.plus_millis(APPROVED_MILLIS), "the hour begins with the decision");
        let (last, over) = (approved.expires_at.plus_millis(-1), approved.expires_at);
        assert_eq!(
            approved.after(OperationEvent::Used, last).map(|state| state.status),
            Ok(StoredOperationStatus::Used)
        );
        assert_eq!(approved.after(OperationEvent::Used, over), Err(OperationStatus::Expired));
    }
}
