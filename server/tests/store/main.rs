//! The store on both engines.

mod statements;
