//! The parts of a published version and the way in which it is read: paths, files, manifest. No SQL, no routes; pure
//! functions but for what is kept in memory of published files.

pub(crate) mod at_rest;
pub(crate) mod blob_cache;
pub(crate) mod coding;
pub(crate) mod derived;
pub(crate) mod etag;
pub(crate) mod file_count;
mod homes;
pub(crate) mod keys;
pub(crate) mod manifest;
pub(crate) mod paths;
pub(crate) mod places;
pub(crate) mod plan;
pub(crate) mod published;
pub(crate) mod render;
