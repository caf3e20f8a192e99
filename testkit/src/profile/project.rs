//! A project and the keys to it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Secret;

/// A project of the deployment.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// Its id.
    pub id: String,
    /// The handle of its workspace.
    pub handle: String,
    /// Its slug.
    pub slug: String,
    /// Keys to it.
    pub keys: BTreeMap<Identity, Secret>,
}

/// The kind of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identity {
    /// Does what the check is not about: `admin`, or all the other scopes.
    Full,
    /// A second such key.
    Second,
    /// The scope `admin` alone.
    Admin,
    /// The scope `read` alone.
    Read,
    /// The scope `translate` alone.
    Translate,
    /// The scope `write` alone.
    Write,
    /// The scope `publish` alone.
    Publish,
    /// The scope `capture` alone.
    Capture,
    /// The dashboard's members scopes alone.
    Members,
    /// Of an AI agent, with the scopes `read`, `translate` and `publish`.
    Agent,
    /// Of an AI agent, with the scope `read` alone.
    AgentReader,
    /// Was revoked.
    Revoked,
}

impl Identity {
    /// Every identity.
    pub const ALL: [Self; 12] = [
        Self::Full,
        Self::Second,
        Self::Admin,
        Self::Read,
        Self::Translate,
        Self::Write,
        Self::Publish,
        Self::Capture,
        Self::Members,
        Self::Agent,
        Self::AgentReader,
        Self::Revoked,
    ];

    /// The keys of one scope each, with the name of the scope.
    pub const SINGLE: [(Self, &'static str); 5] = [
        (Self::Read, "read"),
        (Self::Translate, "translate"),
        (Self::Write, "write"),
        (Self::Publish, "publish"),
        (Self::Capture, "capture"),
    ];
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
