//! The HTTP layer: from a request to a rule and back.
//!
//! `correlation` is the entry of every request, `router` is the table of contents, `pipeline` holds the order of checks that
//! all routes share (written down once, in its documentation), `error` is the only file that turns errors into status codes.
//! A handler is a file `<resource>/<verb>.rs`: it opens a transaction, calls a rule, commits, and says what to answer.

mod access_log;
mod auth;
mod body;
mod client_address;
mod concurrency;
mod connections;
mod correlation;
mod cors;
mod dry_run;
mod endpoints;
mod error;
mod framing;
mod gate;
mod idempotency;
mod known_keys;
mod lookups;
mod mount;
mod path;
mod pipeline;
mod query;
mod reply;
mod request;
mod rerun;
mod router;
mod serve;
mod strict;
mod unsent;
mod wire;
mod write_turns;

mod capture;
mod content;
mod credential;
pub(crate) mod dashboard;
mod deliveries;
mod delivery;
mod glossary;
mod health;
mod languages;
mod mcp;
mod memory;
mod meta;
mod openapi;
mod operations;
mod output_formats;
mod pending_code_changes;
mod probes;
mod projects;
mod publish;
mod requests;
mod translations;
mod unpublished_changes;
mod versions;
mod webhooks;

pub(crate) use access_log::TARGET as ACCESS_LOG;
pub use connections::Connections;
pub(crate) use endpoints::Endpoints;
pub(crate) use gate::Gate;
pub(crate) use mount::{public, read, write};
pub(crate) use reply::Reply;
pub(crate) use request::{Committed, Context, PublicContext, Request, resource};
pub(crate) use router::{router, whole};
pub(crate) use serve::serve_whole;
pub use serve::{ConnectionTimeouts, serve};

/// The API's path under the server's address: the version segment (§9).
pub(crate) const BASE_PATH: &str = "/v1";
