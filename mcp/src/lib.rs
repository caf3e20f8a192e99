#![doc = include_str!("../README.md")]

mod account;
mod answer;
mod approval;
mod arguments;
mod bound;
mod call;
mod credits;
mod digest;
mod failure;
mod http_server;
mod http_service;
mod memory;
mod nearest;
mod options;
mod progress;
mod random;
mod schema;
mod seal;
mod server;
mod stdio;
mod tool;
mod tools;
mod wait;
mod what_to_do;
mod write;

pub use account::{Account, ProjectName};
pub use http_server::serve_http;
pub use http_service::{HttpBody, HttpOptions, HttpService};
pub use options::{Options, ToolChoice, UnknownTool};
pub use seal::Seal;
pub use server::Server;
pub use stdio::{StdioError, serve_stdio};
