//! Those who act.

use l10n_api_types::ApiKeyId;

use crate::ids::UserId;

/// Somebody who does something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A program with an API key.
    Key {
        /// The record of the key.
        id: ApiKeyId,
    },
    /// A person who has signed in.
    Person {
        /// The person.
        id: UserId,
        /// The person's address.
        email: String,
    },
    /// Somebody at the server's command line.
    Operator {
        /// The name by which the machine knows them.
        name: String,
    },
}

impl Actor {
    /// The name by which a decision or a version remembers a person.
    #[must_use]
    pub fn person(&self) -> Option<&str> {
        match self {
            Self::Key { .. } => None,
            Self::Person { email, .. } => Some(email),
            Self::Operator { name } => Some(name),
        }
    }
}
