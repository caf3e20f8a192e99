//! Overviews: the version in `GET /meta`, and the projects of a workspace with what is waiting in them.

use l10n_api_types::{ProjectId, VersionId, WorkspaceId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// The version that the manifest shows.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LiveVersion {
        /// `ver_…`
        pub id: VersionId,
        /// For people
        pub label: String,
        /// The time of its publish
        pub published_at: Timestamp,
    }
}

row! {
    /// A project with its counts, which triggers keep, and with what is waiting for a person.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ProjectOverview {
        /// `prj_…`
        pub id: ProjectId,
        /// The name in addresses
        pub slug: String,
        /// The name for people
        pub name: String,
        /// BCP 47
        pub base_language: String,
        /// Active keys
        pub key_count: i64,
        /// Changes since the latest publish
        pub changes_since_publish: i64,
        /// The time of the publish that is live
        pub live_since: Option<Timestamp>,
        /// Languages, the base included
        pub languages: i64,
        /// Up-to-date translations in all languages that a person has reviewed
        pub reviewed: i64,
        /// Those that are translated and not reviewed
        pub translated: i64,
        /// Those that need review
        pub needs_review: i64,
        /// Translations of an earlier source, whatever their state
        pub stale: i64,
        /// Operations that wait for a decision, counted up to a number
        pub approvals: i64,
        /// Captured keys that wait for a decision
        pub captured: i64,
        /// Webhooks that were disabled, or whose last delivery failed
        pub failing_webhooks: i64,
    }
}

statements! {
    OF_WORKSPACE = "SELECT p.id, p.slug, p.name, p.base_language, p.key_count, p.changes_since_publish, \
        v.published_at AS live_since, \
        (SELECT COUNT(*) FROM languages l WHERE l.project_id = p.id) AS languages, \
        (SELECT CAST(COALESCE(SUM(c.number - c.stale), 0) AS BIGINT) FROM languages l JOIN translation_counts c \
        ON c.project_id = l.project_id AND c.language = l.code AND c.state = 'reviewed' WHERE l.project_id = p.id) AS reviewed, \
        (SELECT CAST(COALESCE(SUM(c.number - c.stale), 0) AS BIGINT) FROM languages l JOIN translation_counts c \
        ON c.project_id = l.project_id AND c.language = l.code AND c.state = 'translated' WHERE l.project_id = p.id) AS translated, \
        (SELECT CAST(COALESCE(SUM(c.number - c.stale), 0) AS BIGINT) FROM languages l JOIN translation_counts c \
        ON c.project_id = l.project_id AND c.language = l.code AND c.state = 'needs_review' WHERE l.project_id = p.id) AS needs_review, \
        (SELECT CAST(COALESCE(SUM(c.stale), 0) AS BIGINT) FROM languages l JOIN translation_counts c \
        ON c.project_id = l.project_id AND c.language = l.code WHERE l.project_id = p.id) AS stale, \
        (SELECT COUNT(*) FROM (SELECT 1 FROM operations o \
        WHERE o.project_id = p.id AND o.status = 'pending' AND o.expires_at > $4 LIMIT $5) few) AS approvals, \
        (SELECT CAST(COALESCE(SUM(k.number), 0) AS BIGINT) FROM key_counts k \
        WHERE k.project_id = p.id AND k.state = 'captured') AS captured, \
        (SELECT COUNT(*) FROM webhooks h WHERE h.project_id = p.id \
        AND (h.disabled_reason IS NOT NULL OR h.consecutive_failures > 0)) AS failing_webhooks \
        FROM projects p LEFT JOIN versions v ON v.id = p.live_version_id \
        WHERE p.workspace_id = $1 AND p.archived_at IS NULL AND p.slug > $2 ORDER BY p.slug LIMIT $3";
    LIVE = "SELECT v.id, v.label, v.published_at FROM versions v JOIN projects p ON p.live_version_id = v.id WHERE p.id = $1";
}

/// The live version, once there is one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn live_version(tx: &mut Tx, project_id: &ProjectId) -> Result<Option<LiveVersion>, StoreError> {
    fetch_optional!(tx, LiveVersion, LIVE, project_id.as_str())
}

/// At most `most` projects of a workspace that are not archived, by slug, those after the slug `after`. Operations that wait are
/// counted up to `most_pending`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_workspace(
    tx: &mut Tx,
    workspace_id: &WorkspaceId,
    after: &str,
    most: i64,
    now: Timestamp,
    most_pending: i64,
) -> Result<Vec<ProjectOverview>, StoreError> {
    fetch_all!(tx, ProjectOverview, OF_WORKSPACE, workspace_id.as_str(), after, most, now.as_millis(), most_pending)
}
