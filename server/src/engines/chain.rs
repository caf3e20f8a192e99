//! The engines of a server, in the order in which they are asked.

use std::sync::Arc;

use super::Translator;

/// One engine or more. The first is asked for everything, each later one for what those before it could not do.
#[derive(Clone)]
pub struct Engines {
    members: Arc<[Arc<dyn Translator>]>,
    name: Arc<str>,
}

impl Engines {
    /// A chain of these engines, with `name` for all of them together.
    #[must_use]
    pub fn new(name: &str, members: Vec<Arc<dyn Translator>>) -> Self {
        Self { members: members.into(), name: name.into() }
    }

    /// Returns the name that `GET /meta` and jobs show: the names of all, separated by commas.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the engines in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &dyn Translator> {
        self.members.iter().map(AsRef::as_ref)
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
        let name: Arc<str> = engine.name().into();
        Self { members: Arc::new([engine]), name }
    }
}

impl std::fmt::Debug for Engines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Engines").field(&self.name).finish()
    }
}
