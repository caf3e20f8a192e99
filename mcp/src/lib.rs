#![doc = include_str!("../README.md")]

mod account;
mod answer;
mod approval;
mod arguments;
mod bound;
mod call;
mod cancel;
mod complete;
mod completions;
mod credits;
mod digest;
mod failure;
mod http_server;
mod http_service;
mod introduction;
mod memory;
mod nearest;
mod options;
mod progress;
mod prompt;
mod prompts;
mod random;
mod reading;
mod resource;
mod resources;
mod rights;
mod schema;
mod seal;
mod server;
mod stdio;
mod tool;
mod tools;
mod uri;
mod views;
mod wait;
mod what_to_do;
mod words;
mod write;

pub use account::{Account, ProjectName};
pub use http_server::serve_http;
pub use http_service::{HttpBody, HttpOptions, HttpService};
// For the command line, whose messages have the same words; no part of this crate's interface.
#[doc(hidden)]
pub use nearest::nearest;
pub use options::{Options, ToolChoice, UnknownTool};
pub use seal::Seal;
pub use server::Server;
pub use stdio::{StdioError, serve_stdio};
#[doc(hidden)]
pub use words::counted;
