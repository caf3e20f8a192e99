//! Pending code changes: people's changes of source texts that the code lacks.

mod list;

pub use list::{ChangeKind, CodeChange, CodeChanges, List, ListQuery, Side};
