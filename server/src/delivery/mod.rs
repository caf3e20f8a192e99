//! The parts of a published version and the way in which it is read: paths, files, manifest. No SQL, no routes; pure
//! functions but for the contents that are kept in memory.

pub mod at_rest;
pub mod blob_cache;
pub mod coding;
pub mod derived;
pub mod etag;
pub mod keys;
pub mod manifest;
pub mod media_type;
pub mod paths;
pub mod plan;
pub mod render;
