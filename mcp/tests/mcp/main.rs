//! The SDK's client against this server and the real service.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod approval;
mod arguments;
mod failures;
mod foreign_texts;
mod http;
mod journey;
mod list;
mod lost_answers;
mod once;
mod patience;
mod person;
mod proxy;
mod support;
mod transcripts;
