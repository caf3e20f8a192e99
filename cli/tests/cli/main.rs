//! The real binary against a real server.

mod exit_codes;
mod offline;
mod output;
mod project;
mod support;
