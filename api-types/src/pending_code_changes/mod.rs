//! Pending code changes: what people changed on the source side that the code lacks.

mod list;

pub use list::{ChangeKind, CodeChange, CodeChanges, List, ListQuery, Side};
