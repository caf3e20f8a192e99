//! Unpublished changes: how a publish now would differ from the live version.

mod list;

pub use list::{ChangeClass, LanguageChanges, List, ListQuery, UnpublishedChange, UnpublishedChanges};
