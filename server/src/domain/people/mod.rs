//! People: accounts, proofs of who somebody is, sessions, memberships, invitations, the audit log.
//!
//! ```text
//! users ── made by the operator, a description or an accepted invitation
//! sign_in ── attempts (counted) ── hashing (turns) ──> sessions
//! members, invitations ── what a person may do in a workspace (`domain::access`)
//! audit ── written in the transaction of each action
//! ```
//!
//! Most functions begin their own transactions: hashing a password takes time, and none is open meanwhile.

mod attempts;
pub mod audit;
mod fields;
mod hashing;
pub mod identities;
pub mod invitations;
pub mod links;
pub mod members;
pub mod memberships;
pub mod passwords;
pub mod sessions;
pub mod sign_in;
pub mod users;

use std::net::IpAddr;

pub use self::attempts::network;
pub(crate) use self::fields::{LONGEST_EMAIL, LONGEST_PERSON_NAME};
pub use self::hashing::PasswordHashing;
pub use self::sessions::{IssuedSession, Session};
use crate::clock::{Clock, Timestamp};
use crate::domain::{Actor, ServiceError};
use crate::ids::UserId;
use crate::store::users::User;
use crate::store::{self, Store, Tx};

/// The parts of the server that people need.
#[derive(Debug, Clone, Copy)]
pub struct PeopleParts<'a> {
    /// The datastore.
    pub store: &'a Store,
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// Turns of hashing passwords.
    pub hashing: &'a PasswordHashing,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// `usr_…`
    pub id: UserId,
    /// The address, in lower case.
    pub email: String,
    /// Name for people.
    pub name: String,
}

impl Person {
    /// The person as an actor.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::Person { id: self.id.clone(), email: self.email.clone() }
    }
}

impl From<User> for Person {
    fn from(user: User) -> Self {
        Self { id: user.id, email: user.email, name: user.name }
    }
}

/// The browser of somebody who signs in.
#[derive(Debug, Clone)]
pub struct SignInClient {
    /// Its address.
    pub address: IpAddr,
    /// The browser in its own words.
    pub user_agent: String,
}

/// Deletes sessions, links, invitations and counts of failures whose time is over, `most` of each at most; returns whether there
/// may be more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn sweep(tx: &mut Tx, now: Timestamp, most: i64) -> Result<bool, ServiceError> {
    let deleted = [
        store::sessions::expired(tx, now, most).await?,
        store::sessions::idle(tx, now.plus_millis(-sessions::IDLE_MILLIS), most).await?,
        store::sign_in_links::expired(tx, now, most).await?,
        store::invitations::expired(tx, now, most).await?,
        store::used_sign_ins::expired(tx, now, most).await?,
        store::sign_in_failures::expired(tx, now.plus_millis(-attempts::SIGN_IN_WINDOW_MILLIS), most).await?,
    ];
    Ok(deleted.iter().any(|deleted| *deleted >= most.unsigned_abs()))
}
