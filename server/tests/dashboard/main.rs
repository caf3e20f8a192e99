//! The dashboard: its guards, every page for everybody, flows without script, and pages in a browser.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod account;
mod api_keys;
mod approvals;
mod audit;
mod browser;
mod captured;
mod changes;
mod credits;
mod credits_cap;
mod deliveries;
mod document_approvals;
mod formats;
mod glossary;
mod guards;
mod hostile;
mod interruptions;
mod invite;
mod languages;
mod members;
mod neighbours;
mod oidc;
mod overview;
mod run_new;
mod runs;
mod settings;
mod sign_in;
mod support;
mod versions;
mod walk;
mod webhooks;
mod workspace;
