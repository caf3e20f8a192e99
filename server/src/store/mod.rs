//! The only SQL of the server. Portability rules: `README.md` beside this file.

#[macro_use]
mod macros;

mod after_commit;
pub(crate) mod backup;
pub mod engine;
mod error;
mod migrate;
pub(crate) mod postgres;
mod pulse;
pub mod readiness;
pub mod row;
pub mod statements;
mod turns;
mod wal;

pub(crate) use engine::HeldTurn;
pub use engine::{Store, Tx};
pub use error::StoreError;

// One line per table file. A file named here must declare its statements with `statements!`, so that none escapes the test
// that prepares them all on both engines.
tables! {
    api_keys,
    blobs,
    code_changes,
    counters,
    daily_counts,
    deliveries,
    document_sources,
    document_versions,
    documents,
    due,
    events,
    expired,
    holds,
    idempotency_keys,
    integrity,
    jobs,
    key_pages,
    keys,
    languages,
    ledger,
    lifecycle,
    live_generations,
    lock,
    memory,
    operations,
    output_formats,
    overview,
    pending_items,
    projects,
    pruning,
    purge,
    request_windows,
    requests,
    retention,
    segment_translations,
    segments,
    server_processes,
    source_files,
    staged_blobs,
    staged_runs,
    translations,
    version_files,
    versions,
    webhooks,
    workspaces,
}
