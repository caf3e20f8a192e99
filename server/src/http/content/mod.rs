//! Documents.

pub(super) mod create;
pub(super) mod list;
pub(super) mod read;
pub(super) mod run;
pub(super) mod update;
