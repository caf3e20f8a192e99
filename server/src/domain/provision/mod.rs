//! Workspaces, projects, languages, credits and keys from a description: for the operator, beside the API.
//!
//! Running the same description again changes nothing and makes nothing twice, so that it can stand in a deployment's
//! own scripts. The texts of keys are shown by the call that made them, and never again.

mod describe;
mod keys;
mod members;
mod names;
mod tree;

pub use describe::{
    Description, KeyDescription, MemberDescription, ProjectDescription, TermDescription, WorkspaceDescription,
};
pub use keys::ProvisionedKey;
pub(crate) use keys::new_key;
pub(crate) use names::check_name;
pub use tree::{ProvisionParts, provision};
pub(crate) use tree::{Provisioned, ProvisionedProject};

use super::{Actor, ServiceError};

/// The one who acts, as the audit log names them.
fn actor() -> Actor {
    Actor::Operator { name: "provision".to_owned() }
}

fn invalid(place: &str, message: impl std::fmt::Display) -> ServiceError {
    ServiceError::InvalidArgument(format!("{place}: {message}"))
}
