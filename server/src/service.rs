//! What every rule and worker works with: the store, the clock, the settings and the engine.

use std::sync::Arc;

use tokio::sync::Notify;

use crate::clock::Clock;
use crate::config::Settings;
use crate::engines::Translator;
use crate::store::Store;

/// The parts that a running server is made of. Cheap to clone; all clones share them.
#[derive(Clone)]
pub struct Service {
    /// The datastore.
    pub store: Store,
    /// The only source of time.
    pub clock: Arc<dyn Clock>,
    /// Settings.
    pub settings: Arc<Settings>,
    /// The engine that translates.
    pub engine: Arc<dyn Translator>,
    /// Tells the translation worker of this process that work may be due: a hint, never needed for progress.
    pub work_queued: Arc<Notify>,
    /// Tells those who wait for a job of this process that one has moved: a hint, never needed for progress.
    pub job_moved: Arc<Notify>,
}

impl Service {
    /// Puts the parts together.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>, settings: Settings, engine: Arc<dyn Translator>) -> Self {
        let (work_queued, job_moved) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        Self { store, clock, settings: Arc::new(settings), engine, work_queued, job_moved }
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("store", &self.store).finish_non_exhaustive()
    }
}
