//! The engines of a server by their names, from which projects choose.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::missing::MissingEngine;
use super::pace::Paced;
use super::{Engines, Translator};

/// The engines of a server. Each is there once, so that all chains share its seats and pauses.
#[derive(Clone)]
pub struct EngineRegistry {
    standard: Engines,
    known: Arc<BTreeMap<String, Arc<Paced>>>,
}

impl EngineRegistry {
    /// The engines of the chain that projects have which choose none, and others that they may choose.
    #[must_use]
    pub fn new(standard: Engines, others: Vec<Arc<dyn Translator>>) -> Self {
        let named = |paced: Arc<Paced>| (paced.engine.name().to_owned(), paced);
        let mut known: BTreeMap<_, _> = others.into_iter().map(Paced::new).map(named).collect();
        known.extend(standard.paced().map(named));
        Self { standard, known: Arc::new(known) }
    }

    /// Returns the chain of projects that choose none.
    #[must_use]
    pub const fn standard(&self) -> &Engines {
        &self.standard
    }

    /// Returns the names of all engines, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// Returns true if there is an engine of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Returns the engine of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<dyn Translator>> {
        self.known.get(name).map(|paced| Arc::clone(&paced.engine))
    }

    /// Returns the chain of the engines of these names. One that is not there translates nothing.
    #[must_use]
    pub fn chain(&self, names: &[String]) -> Engines {
        let missing = |name: &String| Paced::new(Arc::new(MissingEngine(name.clone())));
        let member = |name: &String| self.known.get(name).map_or_else(|| missing(name), Arc::clone);
        Engines::of_paced(names.iter().map(member).collect())
    }
}

impl From<Engines> for EngineRegistry {
    fn from(standard: Engines) -> Self {
        Self::new(standard, Vec::new())
    }
}

impl std::fmt::Debug for EngineRegistry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("EngineRegistry").field(&self.standard).field(&self.known.keys()).finish()
    }
}
