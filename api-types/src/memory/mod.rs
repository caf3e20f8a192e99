//! Translation memory: earlier translations of a project and its workspace. An addition to §4.

mod suggest;

pub use suggest::{LONGEST_TEXT, MemoryMatch, MemoryMatches, Suggest, SuggestQuery};
