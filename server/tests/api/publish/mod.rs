//! Publish, restore, versions and public delivery, through the server on both engines.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod ahead;
mod at_rest;
mod budgets;
mod caching;
mod counted;
mod delivery;
mod fixtures;
mod formats;
mod long_texts;
mod memory;
mod publishes;
mod races;
mod unpublished;
mod version_files;
mod versions;
