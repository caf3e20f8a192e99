//! Finding a project.

mod resolve;

pub use resolve::{Project, Resolve, ResolveQuery};
