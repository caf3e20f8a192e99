//! Glossaries that translation services keep for this one. A row begins before its glossary is made, so that one process alone
//! makes it, and goes after it is removed, so that none is forgotten at a service.

use super::glossary::GlossaryRevision;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

text_enum! {
    /// The state of a glossary at a service.
    pub enum ServiceGlossaryState {
        /// A process makes it, until its time is over.
        Making = "making",
        /// It is there.
        Made = "made",
        /// It could not be made; later it may.
        Failed = "failed",
        /// It is to be removed.
        Removing = "removing",
    }
}

row! {
    /// A glossary at a service.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ServiceGlossary {
        /// `sgl_…`; another one for each try to make it
        pub id: String,
        /// Its state
        pub state: ServiceGlossaryState,
        /// Its name at the service, once it is made
        pub service_id: Option<String>,
        /// The time before which nobody tries again to make it
        pub next_at: Timestamp,
    }
}

row! {
    /// A glossary to remove.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ObsoleteGlossary {
        /// `sgl_…`
        pub id: String,
        /// The engine whose service has it
        pub engine: String,
        /// Its name there
        pub service_id: String,
        /// Tries so far
        pub attempts: i64,
    }
}

/// The terms that a glossary is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlossaryTermsKey<'a> {
    /// The engine whose service has it
    pub engine: &'a str,
    /// The project or workspace whose list it is
    pub owner: &'a str,
    /// The language of texts
    pub source_language: &'a str,
    /// The language of translations
    pub language: &'a str,
    /// The state of the list; that of a workspace has no other list beside it, and `own` is 0
    pub revision: GlossaryRevision,
}

statements! {
    FIND = "SELECT id, state, service_id, next_at FROM service_glossaries WHERE owner_id = $1 AND engine = $2 \
        AND source_language = $3 AND language = $4 AND own_revision = $5 AND shared_revision = $6";
    CLAIM = "INSERT INTO service_glossaries (id, engine, owner_id, source_language, language, own_revision, shared_revision, \
        state, attempts, next_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'making', 0, $8) \
        ON CONFLICT (owner_id, engine, source_language, language, own_revision, shared_revision) \
        DO UPDATE SET id = excluded.id, state = 'making', next_at = excluded.next_at \
        WHERE service_glossaries.state IN ('making', 'failed') AND service_glossaries.next_at <= $9";
    MADE = "UPDATE service_glossaries SET state = 'made', service_id = $2 WHERE id = $1 AND state = 'making'";
    FAILED = "UPDATE service_glossaries SET state = 'failed', next_at = $2 WHERE id = $1 AND state = 'making'";
    FORGET = "DELETE FROM service_glossaries WHERE engine = $1 AND service_id = $2 AND state = 'made'";
    RETIRE = "UPDATE service_glossaries SET state = 'removing', next_at = $1 WHERE state = 'made' \
        AND NOT EXISTS (SELECT 1 FROM projects p JOIN workspaces w ON w.id = p.workspace_id \
            WHERE p.id = service_glossaries.owner_id AND p.glossary_revision = service_glossaries.own_revision \
            AND w.glossary_revision = service_glossaries.shared_revision) \
        AND NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = service_glossaries.owner_id \
            AND w.glossary_revision = service_glossaries.shared_revision)";
    DROP_UNMADE = "DELETE FROM service_glossaries WHERE state IN ('making', 'failed') AND next_at <= $1";
    DUE = "SELECT id, engine, service_id, attempts FROM service_glossaries WHERE state = 'removing' AND next_at <= $1 \
        ORDER BY next_at, id LIMIT $2";
    POSTPONE = "UPDATE service_glossaries SET attempts = attempts + 1, next_at = $3 WHERE id = $1 AND attempts = $2";
    REMOVED = "DELETE FROM service_glossaries WHERE id = $1 AND state = 'removing'";
}

/// The glossary of a list at this revision, in whatever state it is.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, list: GlossaryTermsKey<'_>) -> Result<Option<ServiceGlossary>, StoreError> {
    let GlossaryRevision { own, shared } = list.revision;
    let GlossaryTermsKey { engine, owner, source_language, language, .. } = list;
    fetch_optional!(tx, ServiceGlossary, FIND, owner, engine, source_language, language, own, shared)
}

/// Begins to make a glossary, which is this caller's until `until`; false if another one makes it, has made it or has failed not
/// long ago.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn claim(
    tx: &mut Tx,
    id: &str,
    list: GlossaryTermsKey<'_>,
    until: Timestamp,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let GlossaryRevision { own, shared } = list.revision;
    let GlossaryTermsKey { engine, owner, source_language, language, .. } = list;
    let (until, now) = (until.as_millis(), now.as_millis());
    Ok(execute!(tx, CLAIM, id, engine, owner, source_language, language, own, shared, until, now)? == 1)
}

/// Notes that a glossary is made; false if it is another one's by now, or is not wanted any more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn made(tx: &mut Tx, id: &str, service_id: &str) -> Result<bool, StoreError> {
    Ok(execute!(tx, MADE, id, service_id)? == 1)
}

/// Notes that a glossary could not be made, and is not to be tried before `next`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn failed(tx: &mut Tx, id: &str, next: Timestamp) -> Result<(), StoreError> {
    execute!(tx, FAILED, id, next.as_millis()).map(drop)
}

/// Forgets a glossary that its service does not have any more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn forget(tx: &mut Tx, engine: &str, service_id: &str) -> Result<(), StoreError> {
    execute!(tx, FORGET, engine, service_id).map(drop)
}

/// Has those removed whose list has changed since or is gone, and forgets those that were never made.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn retire(tx: &mut Tx, now: Timestamp) -> Result<u64, StoreError> {
    execute!(tx, DROP_UNMADE, now.as_millis())?;
    execute!(tx, RETIRE, now.as_millis())
}

/// Some glossaries to remove now.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn due(tx: &mut Tx, now: Timestamp, limit: i64) -> Result<Vec<ObsoleteGlossary>, StoreError> {
    fetch_all!(tx, ObsoleteGlossary, DUE, now.as_millis(), limit)
}

/// Counts a try to remove a glossary, before it begins; false if another process tries it.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn postpone(tx: &mut Tx, one: &ObsoleteGlossary, next: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, POSTPONE, one.id.as_str(), one.attempts, next.as_millis())? == 1)
}

/// Forgets a glossary that is removed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn removed(tx: &mut Tx, id: &str) -> Result<(), StoreError> {
    execute!(tx, REMOVED, id).map(drop)
}
