//! The store on both engines.

mod engine;
mod fixtures;
mod schema;
mod statements;
mod tables;
