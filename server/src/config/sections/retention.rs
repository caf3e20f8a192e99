//! The section `[retention]`.

use confique::Config;

use crate::config::values::between;

/// Retention of records, in days. 0 means for ever, unless a setting says otherwise. Records are deleted in small
/// batches. The ledger is kept as long as its workspace, and the last 50 deliveries of a webhook as long as the webhook.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub struct Retention {
    /// Days to keep receipts of writes (GET /requests), at least 7; 0: for ever.
    #[config(default = 7, validate = days, validate(!(1..7).contains(receipts_days), "the API promises 7 days; it takes 7 and more, or 0"))]
    pub receipts_days: u32,
    /// Days to keep translation jobs after they ended; 0: for ever.
    #[config(default = 30, validate = days)]
    pub jobs_days: u32,
    /// Days to keep operations that expired unused; 0: for ever.
    #[config(default = 30, validate = days)]
    pub unused_operations_days: u32,
    /// Days to keep used operations after the decision; 0: for ever. They record who allowed what.
    #[config(default = 400, validate = days)]
    pub used_operations_days: u32,
    /// Days to keep entries of the audit log, which tells who did what in a workspace; 0: for ever.
    #[config(default = 400, validate = days)]
    pub audit_log_days: u32,
    /// Days to keep captured keys that nobody has decided about; 0: for ever. An app that still misses one reports it
    /// again.
    #[config(default = 90, validate = days)]
    pub captured_keys_days: u32,
    /// Days to keep replaced sources of documents; 0: for ever. Sources that a published version names are kept.
    #[config(default = 30, validate = days)]
    pub document_sources_days: u32,
    /// Days to keep texts that no document contains any more, with their translations; 0: for ever. A paragraph that
    /// comes back within this time is free. Uses are noted once a week.
    #[config(default = 90, validate = days)]
    pub segments_days: u32,
    /// Days to keep translation memory after its last use; 0: for ever. Uses are noted once a week.
    #[config(default = 365, validate = days)]
    pub memory_days: u32,
    /// Days to keep versions that are not live; 0: for ever. This holds for keys and documents, and for the files that
    /// no other version names. Apps that read a version by its URL lose it.
    #[config(default = 0, validate = days)]
    pub versions_days: u32,
    /// Days in which the deletion of a project, workspace or document can be undone; 0: none. Until then
    /// `l10n-server … restore` brings it back.
    #[config(default = 30, validate = days)]
    pub deletion_grace_days: u32,
}

fn days(days: &u32) -> Result<(), String> {
    between::<0, 36_500, _>(days)
}
