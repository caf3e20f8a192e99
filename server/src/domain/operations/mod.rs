//! Operations: an agent's requests for a person's approval (§5.7, §4).
//!
//! `state` has the rules of their states, `create` and `read` serve the API, `decide` serves the person.
//! `domain::approval` checks calls against their approvals. No key can decide: there is no route for it.

mod create;
mod decide;
mod list;
mod read;
pub mod state;

pub(crate) use create::create;
pub use decide::{DecideError, Decider, DecisionParts, OperationDecision, decide, decide_as};
pub use list::{MOST_COUNTED, OperationLists, OperationsPart, count_pending, find, list, of_project, open_of_key};
pub(crate) use read::wait;

use l10n_api_types::operations::{Operation, RequestedBy};
use l10n_api_types::{DocumentId, RequestId, WholeCredits};

use self::state::OperationState;
use crate::clock::Timestamp;
use crate::config::Settings;
use crate::store::operations as rows;

/// Longest note and longest reason, in Unicode scalar values.
pub(crate) const LONGEST_OPERATION_NOTE: usize = 1_000;

impl From<&rows::Operation> for OperationState {
    fn from(row: &rows::Operation) -> Self {
        Self { status: row.status, expires_at: row.expires_at }
    }
}

/// An operation as the API shows it at `now`.
fn entry(settings: &Settings, row: rows::Operation, now: Timestamp) -> Operation {
    Operation {
        status: OperationState::from(&row).seen(now),
        approval_url: format!("{}/operations/{}", settings.dashboard_url(), row.id),
        operation_id: row.id.into(),
        kind: row.kind,
        target: row.target,
        max_credits: row.max_credits.map(whole),
        max_archived_keys: row.max_archived_keys.map(keys),
        version_id: row.version_id,
        doc_id: row.document_id.map(DocumentId::new),
        languages: row.languages.map(|languages| languages.0),
        note: row.note,
        requested_by: RequestedBy { label: row.label },
        decided_by: row.decided_by,
        decided_at: row.decided_at,
        reason: row.reason,
        request_id: row.request_id.map(RequestId::new),
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}

/// The column `max_credits` as a number of the API, from which it came.
pub(super) fn whole(credits: i64) -> WholeCredits {
    WholeCredits(u32::try_from(credits).unwrap_or_default())
}

/// The column `max_archived_keys` as a number of the API, from which it came.
pub(super) fn keys(count: i64) -> u32 {
    u32::try_from(count).unwrap_or_default()
}

/// Returns whether a text may be shown to a person: it is short, and has no characters that move a terminal's cursor.
fn is_showable(text: &str) -> bool {
    text.chars().count() <= LONGEST_OPERATION_NOTE && !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
}
