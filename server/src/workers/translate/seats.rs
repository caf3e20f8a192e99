//! The room of engines for chunks: some more are begun than there are seats, so that the next request is ready once a seat gets
//! free. A chunk that is translated and waits for its project takes no room from others.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use l10n_api_types::{ProjectId, WorkspaceId};
use tokio::sync::Notify;

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

/// Those whose chunk it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChunkOwner {
    pub(super) workspace: WorkspaceId,
    pub(super) project: ProjectId,
}

/// Chunks under way, by their engines. All clones share them.
#[derive(Debug, Clone)]
pub(super) struct ChunksInFlight(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    ahead: usize,
    engines: Mutex<HashMap<Arc<str>, EngineChunks>>,
    /// Told when a chunk gives its place back before it ends.
    freed: Notify,
}

#[derive(Debug, Default)]
struct EngineChunks {
    /// Those that are begun and not translated yet.
    asking: HashMap<WorkspaceId, usize>,
    /// All, with those that are translated and wait to be committed.
    of_projects: HashMap<ProjectId, usize>,
}

impl ChunksInFlight {
    /// Room for so many chunks more than an engine has seats, and at most twice as many.
    pub(super) fn new(ahead: usize) -> Self {
        Self(Arc::new(Shared { ahead, engines: Mutex::default(), freed: Notify::new() }))
    }

    /// Returns true if a chunk of this owner may be begun. A workspace that has none under way waits for none of another one's to
    /// end, within twice the room. A project that holds up its own chunks has no more of them than there is room for.
    pub(super) fn has_place(&self, engine: &FirstEngine, owner: &ChunkOwner) -> bool {
        let engines = self.lock();
        let Some(chunks) = engines.get(&engine.name) else { return true };
        let (asking, most): (usize, usize) = (chunks.asking.values().sum(), engine.most(self.0.ahead));
        let has_room = asking < most || (!chunks.asking.contains_key(&owner.workspace) && asking < 2 * most);
        has_room && chunks.of_projects.get(&owner.project).is_none_or(|own| *own < most)
    }

    /// Takes a place.
    pub(super) fn enter(&self, engine: &FirstEngine, owner: &ChunkOwner) -> Place {
        let mut engines = self.lock();
        let chunks = engines.entry(Arc::clone(&engine.name)).or_default();
        *chunks.asking.entry(owner.workspace.clone()).or_default() += 1;
        *chunks.of_projects.entry(owner.project.clone()).or_default() += 1;
        Place { room: self.clone(), engine: Arc::clone(&engine.name), owner: owner.clone(), is_asking: true }
    }

    /// Waits until a chunk has given its place back before its end.
    pub(super) async fn freed(&self) {
        self.0.freed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, EngineChunks>> {
        self.0.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a chunk, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    room: ChunksInFlight,
    engine: Arc<str>,
    owner: ChunkOwner,
    is_asking: bool,
}

impl Place {
    /// Gives it to others: the chunk asks the engine for nothing more. It still counts as one of its project.
    pub(super) fn give_back(&mut self) {
        if std::mem::take(&mut self.is_asking) {
            if let Some(chunks) = self.room.lock().get_mut(&self.engine) {
                count_down(&mut chunks.asking, &self.owner.workspace);
            }
            self.room.0.freed.notify_one();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut engines = self.room.lock();
        let Some(chunks) = engines.get_mut(&self.engine) else { return };
        if self.is_asking {
            count_down(&mut chunks.asking, &self.owner.workspace);
        }
        count_down(&mut chunks.of_projects, &self.owner.project);
        if chunks.of_projects.is_empty() {
            engines.remove(&self.engine);
        }
    }
}

fn count_down<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only project of a workspace.
    fn owner(name: &str) -> ChunkOwner {
        ChunkOwner { workspace: name.into(), project: name.into() }
    }

    fn engine(name: &str) -> FirstEngine {
        FirstEngine { name: name.into(), at_once: 2 }
    }

    #[test]
    fn an_engine_has_room_for_a_bounded_number_of_chunks_and_one_of_each_who_has_none() {
        let (slow, other, large, small) = (engine("slow"), engine("other"), owner("large"), owner("small"));
        let room = ChunksInFlight::new(1);
        let mut places = Vec::new();
        for _ in 0..3 {
            assert!(room.has_place(&slow, &large));
            places.push(room.enter(&slow, &large));
        }
        assert!(!room.has_place(&slow, &large));
        assert!(room.has_place(&other, &large), "an engine that is full fills no other");
        assert!(room.has_place(&slow, &small));
        let _small = room.enter(&slow, &small);
        assert!(!room.has_place(&slow, &small));
        let _others = ["0", "1"].map(|name| room.enter(&slow, &owner(name)));
        assert!(!room.has_place(&slow, &owner("third")));
        places.clear();
        assert!(!room.has_place(&slow, &small) && room.has_place(&slow, &large));
    }

    #[tokio::test]
    async fn a_chunk_that_waits_for_its_project_leaves_its_place_to_others() {
        let (slow, held, other) = (engine("slow"), owner("held"), owner("other"));
        let room = ChunksInFlight::new(0);
        let mut places = [room.enter(&slow, &held), room.enter(&slow, &held)];
        let others = room.enter(&slow, &other);
        assert!(!room.has_place(&slow, &other));
        places.iter_mut().for_each(Place::give_back);
        room.freed().await;
        assert!(room.has_place(&slow, &other));
        assert!(!room.has_place(&slow, &held), "what it has to wait for does not become more");
        let beside = ChunkOwner { project: "beside".into(), ..held.clone() };
        assert!(room.has_place(&slow, &beside), "another project of the workspace is not held");
        drop(places);
        assert!(room.has_place(&slow, &held));
        drop(others);
        assert!(room.lock().is_empty());
    }
}
