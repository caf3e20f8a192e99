//! The room of engines for chunks: some more are begun than there are seats, so that the next request is ready once a seat gets
//! free.

use std::collections::HashMap;
use std::sync::Arc;

use l10n_api_types::WorkspaceId;

use crate::engines::Engines;

/// The engine that is asked first for a chunk, and its seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FirstEngine {
    name: Arc<str>,
    at_once: usize,
}

impl FirstEngine {
    pub(super) fn of(engines: &Engines) -> Self {
        let first = engines.iter().next();
        let (name, at_once) = first.map_or(("", 1), |engine| (engine.name(), engine.at_once().max(1)));
        Self { name: name.into(), at_once }
    }

    /// The chunks that are begun at a time: so many more than it has seats, and at most twice as many.
    pub(super) fn most(&self, ahead: usize) -> usize {
        self.at_once + ahead.min(self.at_once)
    }
}

/// Chunks under way, by their engines and workspaces.
#[derive(Debug)]
pub(super) struct ChunksInFlight {
    ahead: usize,
    engines: HashMap<Arc<str>, HashMap<WorkspaceId, usize>>,
}

impl ChunksInFlight {
    /// Room for so many chunks more than an engine has seats, and at most twice as many.
    pub(super) fn new(ahead: usize) -> Self {
        Self { ahead, engines: HashMap::new() }
    }

    /// Returns true if a chunk of this workspace may be begun. One that has none under way waits for none of another one's to end,
    /// within twice the room.
    pub(super) fn has_place(&self, engine: &FirstEngine, workspace: &WorkspaceId) -> bool {
        let Some(under_way) = self.engines.get(&engine.name) else { return true };
        let all: usize = under_way.values().sum();
        let most = engine.most(self.ahead);
        all < most || (!under_way.contains_key(workspace) && all < 2 * most)
    }

    pub(super) fn enter(&mut self, engine: &FirstEngine, workspace: &WorkspaceId) {
        let under_way = self.engines.entry(Arc::clone(&engine.name)).or_default();
        *under_way.entry(workspace.clone()).or_default() += 1;
    }

    pub(super) fn leave(&mut self, engine: &FirstEngine, workspace: &WorkspaceId) {
        let Some(under_way) = self.engines.get_mut(&engine.name) else { return };
        if let Some(count) = under_way.get_mut(workspace) {
            *count -= 1;
            if *count == 0 {
                under_way.remove(workspace);
            }
        }
        if under_way.is_empty() {
            self.engines.remove(&engine.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_has_room_for_a_bounded_number_of_chunks_and_one_of_each_who_has_none() {
        let (slow, other) = (["slow", "other"].map(|name| FirstEngine { name: name.into(), at_once: 2 })).into();
        let (large, small) = (WorkspaceId::from("large".to_owned()), WorkspaceId::from("small".to_owned()));
        let mut room = ChunksInFlight::new(1);
        for _ in 0..3 {
            assert!(room.has_place(&slow, &large));
            room.enter(&slow, &large);
        }
        assert!(!room.has_place(&slow, &large));
        assert!(room.has_place(&other, &large), "an engine that is full fills no other");
        assert!(room.has_place(&slow, &small));
        room.enter(&slow, &small);
        assert!(!room.has_place(&slow, &small));
        for n in 0..2 {
            room.enter(&slow, &WorkspaceId::from(n.to_string()));
        }
        assert!(!room.has_place(&slow, &WorkspaceId::from("third".to_owned())));
        for _ in 0..3 {
            room.leave(&slow, &large);
        }
        assert!(!room.has_place(&slow, &small) && room.has_place(&slow, &large));
    }
}
