//! The audit log of a workspace. Rows are written once and never changed.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

text_enum! {
    /// The kind of an actor.
    pub enum ActorKind {
        /// Somebody who has signed in
        Person = "person",
        /// An API key
        Key = "key",
        /// Somebody at the server's command line
        Operator = "operator",
    }
}

/// Declares the actions, with the list of them.
macro_rules! actions {
    ($($(#[$meta:meta])* $action:ident = $name:literal,)+) => {
        text_enum! {
            /// An action that the log tells of.
            pub enum AuditAction { $($(#[$meta])* $action = $name,)+ }
        }

        impl AuditAction {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$action,)+];

            /// The action of this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|action| action.as_str() == name)
            }
        }
    };
}

actions! {
    /// A person became a member.
    MemberAdded = "member_added",
    /// A member's role or languages changed.
    MemberChanged = "member_changed",
    /// A person is no member any more.
    MemberRemoved = "member_removed",
    /// A person was invited.
    Invited = "invited",
    /// An invitation was withdrawn.
    InvitationWithdrawn = "invitation_withdrawn",
    /// A member can no longer sign in.
    UserDisabled = "user_disabled",
    /// A member can sign in again.
    UserEnabled = "user_enabled",
    /// A person linked an account at an identity provider
    IdentityLinked = "identity_linked",
    /// A person took away the link to an identity provider
    IdentityUnlinked = "identity_unlinked",
    /// A link that signs a member in was made.
    SignInLinkMade = "sign_in_link_made",
    /// An API key was made.
    KeyCreated = "key_created",
    /// An API key was revoked.
    KeyRevoked = "key_revoked",
    /// Keys were published.
    Published = "published",
    /// An earlier version of the keys was made live.
    Restored = "restored",
    /// Documents were published.
    DocumentsPublished = "documents_published",
    /// An earlier version of a document was made live.
    DocumentRestored = "document_restored",
    /// An agent's request was approved.
    OperationApproved = "operation_approved",
    /// An agent's request was denied.
    OperationDenied = "operation_denied",
    /// A webhook was registered.
    WebhookCreated = "webhook_created",
    /// A webhook was changed.
    WebhookChanged = "webhook_changed",
    /// A webhook got a new secret.
    WebhookSecretRotated = "webhook_secret_rotated",
    /// A webhook was deleted.
    WebhookDeleted = "webhook_deleted",
    /// A delivery was sent again on request.
    DeliveryResent = "delivery_resent",
    /// A project was made.
    ProjectCreated = "project_created",
    /// The settings of a project were changed.
    ProjectChanged = "project_changed",
    /// A project was archived.
    ProjectArchived = "project_archived",
    /// A project was restored.
    ProjectRestored = "project_restored",
    /// Languages were added.
    LanguagesAdded = "languages_added",
    /// A language was removed.
    LanguageRemoved = "language_removed",
    /// The output formats were changed.
    OutputFormatsChanged = "output_formats_changed",
    /// The glossary of a project was changed.
    GlossaryChanged = "glossary_changed",
    /// A translation run was started.
    RunStarted = "run_started",
    /// Captured keys were accepted.
    CapturedAccepted = "captured_accepted",
    /// Captured keys were discarded.
    CapturedDiscarded = "captured_discarded",
    /// A key was changed on the source side; the code has to follow.
    CodeChangeMade = "code_change_made",
    /// A pending change of the code was withdrawn.
    CodeChangeWithdrawn = "code_change_withdrawn",
    /// The monthly spending cap was changed.
    SpendingCapChanged = "spending_cap_changed",
}

row! {
    /// An entry.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AuditEntry {
        /// `aud_…`
        pub id: String,
        /// The project, if it is about one; it may be gone
        pub project_id: Option<ProjectId>,
        /// The project's name in addresses; `None` where it is gone
        pub project_slug: Option<String>,
        /// The kind of the actor
        pub actor_kind: ActorKind,
        /// `usr_…` or `key_…`; `None` for an operator
        pub actor_id: Option<String>,
        /// The person's address, the label of the key, or the operator's name
        pub actor: String,
        /// The action
        pub action: AuditAction,
        /// Id or name of the thing that it was done to
        pub subject: Option<String>,
        /// More about it, for people
        pub detail: Option<String>,
        /// The time of it
        pub created_at: Timestamp,
    }
}

/// A page of a log that goes back in time. Without being told the index, SQLite may walk through the whole log of a workspace
/// for the few entries of an actor.
macro_rules! page {
    ($index:literal, $narrowed:literal) => {
        concat!(
            "SELECT a.id, a.project_id, p.slug AS project_slug, a.actor_kind, a.actor_id, a.actor, a.action, a.subject, \
            a.detail, a.created_at FROM audit_log AS a ",
            $index,
            " LEFT JOIN projects p ON p.id = a.project_id \
            WHERE a.workspace_id = $1 AND (a.created_at, a.id) < ($2, $3) AND a.created_at >= $4",
            $narrowed,
            " ORDER BY a.created_at DESC, a.id DESC LIMIT $5"
        )
    };
}

statements! {
    // No id but a key's is the id of a key.
    INSERT = "INSERT INTO audit_log (id, workspace_id, project_id, actor_kind, actor_id, actor, action, subject, detail, \
        created_at) VALUES ($1, $2, $3, $4, $5, COALESCE((SELECT label FROM api_keys WHERE api_keys.id = $5), $6), $7, $8, \
        $9, $10)";
    LIST = page!("", "");
    LIST_OF_ACTOR = sqlite page!("INDEXED BY audit_log_by_actor", " AND a.actor_id = $6"),
        postgres page!("", " AND a.actor_id = $6");
    LIST_OF_ACTION = sqlite page!("INDEXED BY audit_log_by_action", " AND a.action = $6"),
        postgres page!("", " AND a.action = $6");
    LIST_OF_ACTOR_AND_ACTION = sqlite page!("INDEXED BY audit_log_by_actor", " AND a.actor_id = $6 AND a.action = $7"),
        postgres page!("", " AND a.actor_id = $6 AND a.action = $7");
    EXPIRED = sqlite "DELETE FROM audit_log WHERE id IN \
            (SELECT id FROM audit_log WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
        postgres "DELETE FROM audit_log WHERE id IN \
            (SELECT id FROM audit_log WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
}

/// The data of a new entry.
#[derive(Debug, Clone, Copy)]
pub struct NewEntry<'a> {
    /// `aud_…`
    pub id: &'a str,
    /// The workspace
    pub workspace_id: &'a WorkspaceId,
    /// The project, if it is about one
    pub project_id: Option<&'a ProjectId>,
    /// The kind of the actor
    pub actor_kind: ActorKind,
    /// `usr_…` or `key_…`
    pub actor_id: Option<&'a str>,
    /// The actor's name
    pub actor: &'a str,
    /// The action
    pub action: AuditAction,
    /// Id or name of the thing that it was done to
    pub subject: Option<&'a str>,
    /// More about it, for people
    pub detail: Option<&'a str>,
    /// Now
    pub created_at: Timestamp,
}

/// A selection of entries.
#[derive(Debug, Clone, Copy)]
pub struct AuditSelection<'a> {
    /// Entries before this time and, of the same time, before this id
    pub before: (Timestamp, &'a str),
    /// Entries of this time and later
    pub since: Timestamp,
    /// Entries of this person or key alone
    pub actor_id: Option<&'a str>,
    /// Entries of this action alone
    pub action: Option<AuditAction>,
}

/// Adds an entry.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewEntry<'_>) -> Result<(), StoreError> {
    execute!(
        tx,
        INSERT,
        new.id,
        new.workspace_id.as_str(),
        new.project_id.map(ProjectId::as_str),
        new.actor_kind.as_str(),
        new.actor_id,
        new.actor,
        new.action.as_str(),
        new.subject,
        new.detail,
        new.created_at.as_millis(),
    )
    .map(drop)
}

/// At most `most` entries of a workspace, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    of: AuditSelection<'_>,
    most: i64,
) -> Result<Vec<AuditEntry>, StoreError> {
    let (workspace, since) = (workspace.as_str(), of.since.as_millis());
    let (time, id) = (of.before.0.as_millis(), of.before.1);
    match (of.actor_id, of.action.map(AuditAction::as_str)) {
        (None, None) => fetch_all!(tx, AuditEntry, LIST, workspace, time, id, since, most),
        (Some(actor), None) => fetch_all!(tx, AuditEntry, LIST_OF_ACTOR, workspace, time, id, since, most, actor),
        (None, Some(action)) => fetch_all!(tx, AuditEntry, LIST_OF_ACTION, workspace, time, id, since, most, action),
        (Some(actor), Some(action)) => {
            fetch_all!(tx, AuditEntry, LIST_OF_ACTOR_AND_ACTION, workspace, time, id, since, most, actor, action)
        }
    }
}

/// Deletes entries from before a time, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn expired(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, EXPIRED, before.as_millis(), most)
}
