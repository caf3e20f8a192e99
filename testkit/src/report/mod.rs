//! Reports of a run.

mod text;

pub use self::text::text;
