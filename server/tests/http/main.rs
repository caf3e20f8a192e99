//! The HTTP layer, over real connections, on both engines.

mod auth;
mod bodies;
mod budget;
mod conventions;
mod framing;
mod resources;
