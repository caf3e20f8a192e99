//! Facts that a process remembers between calls. What it forgets is asked anew.
//!
//! A server may serve keys of many tenants. When its memory is full, the key that fills the most of it loses its oldest fact, so
//! that no key drives out the facts of the others.

use std::collections::{HashMap, VecDeque};
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

/// A fact about a call, made with a key.
#[derive(Debug)]
struct Fact<T> {
    key: Digest,
    call: Digest,
    fact: T,
}

/// Facts of one kind, oldest first.
#[derive(Debug)]
struct FactStore<T>(Mutex<VecDeque<Fact<T>>>);

impl<T> Default for FactStore<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> FactStore<T> {
    fn get(&self, call: Digest) -> Option<T> {
        let facts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        facts.iter().rev().find(|known| known.call == call).map(|known| known.fact.clone())
    }

    fn keep(&self, key: Digest, call: Digest, fact: T) {
        let mut facts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        facts.retain(|known| known.call != call);
        facts.push_back(Fact { key, call, fact });
        if facts.len() > LONGEST
            && let Some(at) = oldest_of_the_busiest(&facts)
        {
            facts.remove(at);
        }
    }
}

/// The oldest fact of the key that has the most. Of keys with equally many, the one whose fact is the oldest counts.
fn oldest_of_the_busiest<T>(facts: &VecDeque<Fact<T>>) -> Option<usize> {
    let mut numbers: HashMap<Digest, usize> = HashMap::new();
    for fact in facts {
        *numbers.entry(fact.key).or_default() += 1;
    }
    let most = numbers.values().max()?;
    facts.iter().position(|fact| numbers.get(&fact.key) == Some(most))
}

/// The memory of a process. Keys are told apart by their hashes, which are part of every digest.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    projects: FactStore<ProjectId>,
    credentials: FactStore<(Instant, Credential)>,
    runs: FactStore<TrackingToken>,
    operations: FactStore<OperationId>,
    sent: FactStore<OperationId>,
    publishes: FactStore<String>,
    asking: [tokio::sync::Mutex<()>; ASKING],
}

impl Memory {
    pub(crate) fn project(&self, name: Digest) -> Option<ProjectId> {
        self.projects.get(name)
    }

    pub(crate) fn keep_project(&self, key: Digest, name: Digest, id: ProjectId) {
        self.projects.keep(key, name, id);
    }

    pub(crate) fn credential(&self, key: Digest) -> Option<Credential> {
        self.credentials.get(key).filter(|(read, _)| read.elapsed() < SCOPES).map(|(_, credential)| credential)
    }

    pub(crate) fn keep_credential(&self, key: Digest, credential: Credential) {
        self.credentials.keep(key, key, (Instant::now(), credential));
    }

    /// The run that an equal call began.
    pub(crate) fn run(&self, call: Digest) -> Option<TrackingToken> {
        self.runs.get(call)
    }

    pub(crate) fn keep_run(&self, key: Digest, call: Digest, token: TrackingToken) {
        self.runs.keep(key, call, token);
    }

    /// The operation that an equal call asked for.
    pub(crate) fn operation(&self, call: Digest) -> Option<OperationId> {
        self.operations.get(call)
    }

    /// The lock under which an operation is looked for and asked for, so that two equal calls ask once.
    pub(crate) fn asking(&self, call: Digest) -> &tokio::sync::Mutex<()> {
        &self.asking[usize::from(call.bytes()[0]) % ASKING]
    }

    pub(crate) fn keep_operation(&self, key: Digest, call: Digest, operation: OperationId) {
        self.operations.keep(key, call, operation);
    }

    /// The approved operation with which an equal call was sent, its texts included.
    pub(crate) fn sent(&self, call: Digest) -> Option<OperationId> {
        self.sent.get(call)
    }

    pub(crate) fn keep_sent(&self, key: Digest, call: Digest, operation: OperationId) {
        self.sent.keep(key, call, operation);
    }

    /// The state of the project after an equal publish.
    pub(crate) fn publish(&self, call: Digest) -> Option<String> {
        self.publishes.get(call)
    }

    pub(crate) fn keep_publish(&self, key: Digest, call: Digest, state: String) {
        self.publishes.keep(key, call, state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_with_many_facts_drives_out_its_own() {
        let digest = |name: String| Digest::of([name.as_bytes()]);
        let (quiet, busy) = (digest("quiet".into()), digest("busy".into()));
        let facts = FactStore::default();
        for number in 0..3 {
            facts.keep(quiet, digest(format!("quiet {number}")), number);
        }
        for number in 0..3 * LONGEST {
            facts.keep(busy, digest(format!("busy {number}")), number);
        }
        for number in 0..3 {
            assert_eq!(facts.get(digest(format!("quiet {number}"))), Some(number));
        }
        assert_eq!(facts.get(digest("busy 0".into())), None, "the busy key lost its oldest");
        assert!(facts.get(digest(format!("busy {}", 3 * LONGEST - 1))).is_some());
        assert_eq!(facts.0.lock().unwrap().len(), LONGEST);
    }
}
