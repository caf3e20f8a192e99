//! Published versions of the keys.

mod list;
mod restore;

pub use list::{List, ListQuery, Version, Versions};
pub use restore::{Restore, RestoreBody, VersionPath};
