//! Facts that a process remembers between calls. It forgets the oldest of each kind; whatever is forgotten is asked anew.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use l10n_client::api::credential::Credential;
use l10n_client::api::{OperationId, ProjectId, TrackingToken};
use tokio::time::Instant;

use crate::digest::Digest;

/// Number of facts of one kind.
const LONGEST: usize = 1_000;

/// Number of locks for calls that ask a person.
const ASKING: usize = 16;

/// Lifetime of a key's scopes.
const SCOPES: Duration = Duration::from_secs(300);

/// Facts by digest, oldest first.
#[derive(Debug)]
struct Facts<T>(Mutex<VecDeque<(Digest, T)>>);

impl<T> Default for Facts<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Facts<T> {
    fn get(&self, digest: Digest) -> Option<T> {
        let facts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        facts.iter().rev().find(|(known, _)| *known == digest).map(|(_, fact)| fact.clone())
    }

    fn keep(&self, digest: Digest, fact: T) {
        let mut facts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        facts.retain(|(known, _)| *known != digest);
        facts.push_back((digest, fact));
        if facts.len() > LONGEST {
            facts.pop_front();
        }
    }
}

/// The memory of a process. Keys are told apart by their hashes, which are part of every digest.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    projects: Facts<ProjectId>,
    credentials: Facts<(Instant, Credential)>,
    runs: Facts<TrackingToken>,
    operations: Facts<OperationId>,
    publishes: Facts<String>,
    asking: [tokio::sync::Mutex<()>; ASKING],
}

impl Memory {
    pub(crate) fn project(&self, name: Digest) -> Option<ProjectId> {
        self.projects.get(name)
    }

    pub(crate) fn keep_project(&self, name: Digest, id: ProjectId) {
        self.projects.keep(name, id);
    }

    pub(crate) fn credential(&self, key: Digest) -> Option<Credential> {
        self.credentials.get(key).filter(|(read, _)| read.elapsed() < SCOPES).map(|(_, credential)| credential)
    }

    pub(crate) fn keep_credential(&self, key: Digest, credential: Credential) {
        self.credentials.keep(key, (Instant::now(), credential));
    }

    /// The run that an equal call began.
    pub(crate) fn run(&self, call: Digest) -> Option<TrackingToken> {
        self.runs.get(call)
    }

    pub(crate) fn keep_run(&self, call: Digest, token: TrackingToken) {
        self.runs.keep(call, token);
    }

    /// The operation that an equal call asked for.
    pub(crate) fn operation(&self, call: Digest) -> Option<OperationId> {
        self.operations.get(call)
    }

    /// The lock under which an operation is looked for and asked for, so that two equal calls ask once.
    pub(crate) fn asking(&self, call: Digest) -> &tokio::sync::Mutex<()> {
        &self.asking[usize::from(call.bytes()[0]) % ASKING]
    }

    pub(crate) fn keep_operation(&self, call: Digest, operation: OperationId) {
        self.operations.keep(call, operation);
    }

    /// The state of the project after an equal publish.
    pub(crate) fn publish(&self, call: Digest) -> Option<String> {
        self.publishes.get(call)
    }

    pub(crate) fn keep_publish(&self, call: Digest, state: String) {
        self.publishes.keep(call, state);
    }
}
