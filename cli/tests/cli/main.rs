//! The real binary against a real server.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod approvals;
mod changes;
mod content;
mod convert;
mod cut;
mod dashboard;
mod exit_codes;
mod glossary;
mod journey;
mod kept;
mod lint;
mod local_texts;
mod lost_answers;
mod mcp;
mod mcp_install;
mod mcp_process;
mod migration;
mod migration_bases;
mod migration_platforms;
mod noted;
mod offline;
mod old_languages;
mod once;
mod operations;
mod output;
mod person;
mod project;
mod read_only;
mod receivers;
mod search;
// The system tells which signals a program catches.
#[cfg(target_os = "linux")]
mod signals;
mod support;
mod tables;
mod terminal;
mod webhook_listen;
mod webhooks;
mod xcstrings;
