//! Counts of failed proofs: 10 for an account and 50 for a client's address in 15 minutes, shared by all processes.
//!
//! An attempt is counted before the password is looked at and taken back if it was right, so that attempts at the same
//! moment cannot get past the limit.

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::ids::UserId;
use crate::store::sign_in_failures::{self as rows, Subject};
use crate::store::{StoreError, Tx};

/// Length of a window: 15 minutes, in milliseconds.
pub(crate) const SIGN_IN_WINDOW_MILLIS: i64 = 15 * 60 * 1_000;
/// Failures of an account in a window.
const OF_ACCOUNT: i64 = 10;
/// Failures of a client's address in a window.
const OF_ADDRESS: i64 = 50;

/// The subjects that an attempt counts for, in the order in which their rows are locked.
#[derive(Debug, Clone)]
pub(super) struct SignInAttempt {
    subjects: Vec<(Subject, i64)>,
}

impl SignInAttempt {
    /// Somebody who says to have this account. There may be none: it counts all the same.
    pub(super) fn to_sign_in(email: &str, address: IpAddr) -> Self {
        let address = subject("address", &network(address).to_string());
        Self { subjects: vec![(address, OF_ADDRESS), (subject("account", email), OF_ACCOUNT)] }
    }

    /// A person with a session. What strangers try at the sign-in page does not count here.
    pub(super) fn to_confirm(user: &UserId) -> Self {
        Self { subjects: vec![(subject("confirm", user.as_str()), OF_ACCOUNT)] }
    }

    /// The time until the next attempt, if there were too many.
    pub(super) async fn wait(&self, tx: &mut Tx, now: Timestamp) -> Result<Option<Duration>, StoreError> {
        let mut longest = 0;
        for (subject, limit) in &self.subjects {
            if let Some(found) = rows::find(tx, subject).await?
                && found.failures >= *limit
            {
                longest = longest.max(found.began.as_millis() + SIGN_IN_WINDOW_MILLIS - now.as_millis());
            }
        }
        Ok(u64::try_from(longest).ok().filter(|wait| *wait > 0).map(Duration::from_millis))
    }

    /// Counts a failure; returns whether the attempt may be made. If not, `tx` must not be committed.
    pub(super) async fn take(&self, tx: &mut Tx, now: Timestamp) -> Result<bool, StoreError> {
        let over = now.plus_millis(-SIGN_IN_WINDOW_MILLIS);
        for (subject, limit) in &self.subjects {
            if !rows::take(tx, subject, now, over, *limit).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes the failure back: the proof was right. The account's others are forgotten, those of the address stay, or
    /// somebody with one account could go on to try others.
    pub(super) async fn succeed(&self, tx: &mut Tx) -> Result<(), ServiceError> {
        for (subject, limit) in &self.subjects {
            match *limit {
                OF_ADDRESS => rows::give_back(tx, subject).await?,
                _ => rows::forget(tx, subject).await?,
            }
        }
        Ok(())
    }
}

/// The unit that belongs to one client: an IPv4 address, or the /64 of an IPv6 address.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address => address,
    }
}

fn subject(kind: &str, name: &str) -> Subject {
    Sha256::digest(format!("{kind} {name}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_client_is_its_network_and_a_mapped_one_its_ipv4_address() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
