//! The engines of a server, in the order in which they are asked.

use std::sync::Arc;

use super::pace::{Paced, PacedEngine};
use super::{SupportedHints, Translator};

/// One engine or more. The first is asked for everything, each later one for what those before it could not do.
#[derive(Clone)]
pub struct Engines {
    members: Arc<[Arc<Paced>]>,
    name: Arc<str>,
}

impl Engines {
    /// A chain of these engines.
    #[must_use]
    pub fn new(members: Vec<Arc<dyn Translator>>) -> Self {
        Self::of_paced(members.into_iter().map(Paced::new).collect())
    }

    /// A chain of engines that have their pace already.
    pub(super) fn of_paced(members: Vec<Arc<Paced>>) -> Self {
        let name = members.iter().map(|paced| paced.engine.name()).collect::<Vec<_>>().join(",").into();
        Self { members: members.into(), name }
    }

    /// Returns the engines in their order, to be members of other chains.
    pub(super) fn paced(&self) -> impl Iterator<Item = Arc<Paced>> {
        self.members.iter().map(Arc::clone)
    }

    /// Returns the engines in their order, as work asks them.
    pub(super) fn members(&self) -> impl Iterator<Item = PacedEngine<'_>> {
        self.members.iter().map(|paced| PacedEngine::Paced(paced))
    }

    /// Returns the name that `GET /meta` and jobs show: the names of all, separated by commas.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the engines in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &dyn Translator> {
        self.members.iter().map(|paced| &*paced.engine)
    }

    /// Returns their names, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(Translator::name)
    }

    /// Returns the most hints that one of them makes use of.
    #[must_use]
    pub fn supported_hints(&self) -> SupportedHints {
        self.iter().map(Translator::supported_hints).max().unwrap_or(SupportedHints::Nothing)
    }

    /// Returns the reason why one of them cannot work as it is configured, if that is known without asking it.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        self.iter()
            .find_map(|engine| Some(format!("the engine `{}` cannot work: {}", engine.name(), engine.problem()?)))
    }
}

impl From<Arc<dyn Translator>> for Engines {
    fn from(engine: Arc<dyn Translator>) -> Self {
        Self::new(vec![engine])
    }
}

impl std::fmt::Debug for Engines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Engines").field(&self.name).finish()
    }
}
