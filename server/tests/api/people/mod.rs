//! People: signing in, sessions, memberships, invitations, the audit log.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod audit;
mod fixtures;
mod invitations;
mod members;
mod passwords;
mod sessions;
mod sign_in;
