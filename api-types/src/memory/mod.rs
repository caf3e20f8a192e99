//! Translation memory: earlier translations of a project and its workspace. An addition to §4.

mod export;
mod import;
mod suggest;

pub use export::{Export, TmxFile};
pub use import::{Import, ImportMemory, MOST_IMPORTED, MOST_REFUSED, MemoryImport, RefusedUnit, TMX_CAP};
pub use suggest::{LONGEST_TEXT, MemoryMatch, MemoryMatches, Suggest, SuggestQuery};
