//! The SDK's client against this server and the real service.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod approval;
mod approved_once;
mod arguments;
mod cancel;
mod cancel_refused;
mod completion;
mod failures;
mod foreign_texts;
mod http;
mod journey;
mod list;
mod lost_answers;
mod offers;
mod once;
mod patience;
mod person;
mod prompts;
mod proxy;
mod resources;
mod support;
mod transcripts;
