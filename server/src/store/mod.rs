//! The only SQL of the server. Portability rules: `README.md` beside this file.

#[macro_use]
mod macros;

mod after_commit;
pub(crate) mod backup;
pub(crate) mod begin;
mod checkpoints;
pub mod engine;
mod error;
mod foreground;
mod lost_connections;
mod migrate;
pub(crate) mod postgres;
mod pulse;
pub mod readiness;
pub mod row;
pub(crate) mod sqlite;
pub mod statements;
pub mod transaction;
mod wal;
mod writer_queues;

pub use begin::HeldTurn;
pub use engine::Store;
pub use error::StoreError;
#[cfg(feature = "testing")]
pub(crate) use migrate::fingerprint;
pub use transaction::Tx;

// One line per table file. A file named here must declare its statements with `statements!`, so that none escapes the test
// that prepares them all on both engines.
tables! {
    api_keys,
    audit_log,
    blobs,
    code_changes,
    common_tokens,
    counters,
    daily_counts,
    deliveries,
    delivery_attempts,
    document_sources,
    document_versions,
    documents,
    due,
    engine_choices,
    events,
    expired,
    glossary,
    glossary_checks,
    holds,
    idempotency_keys,
    identities,
    integrity,
    invitations,
    job_chunks,
    job_engines,
    job_failures,
    jobs,
    key_pages,
    keys,
    languages,
    ledger,
    lifecycle,
    live_generations,
    lock,
    memberships,
    memory,
    memory_index,
    memory_sources,
    missing,
    neighbours,
    operations,
    output_formats,
    overview,
    pending_items,
    projects,
    pruning,
    purge,
    removed_languages,
    request_windows,
    requests,
    retention,
    search,
    segment_translations,
    segments,
    server_processes,
    service_glossaries,
    sessions,
    sign_in_failures,
    sign_in_links,
    source_files,
    staged_blobs,
    staged_changes,
    staged_runs,
    staged_translations,
    translations,
    used_sign_ins,
    users,
    version_files,
    versions,
    webhooks,
    workspace_months,
    workspaces,
}
