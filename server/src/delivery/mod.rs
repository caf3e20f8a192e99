//! What a published version consists of and how it is read: paths, files, manifest. Pure functions: no SQL, no HTTP.

pub mod derived;
pub mod etag;
pub mod manifest;
pub mod media_type;
pub mod paths;
pub mod plan;
pub mod render;
pub mod template;
