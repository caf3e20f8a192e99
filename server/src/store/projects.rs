//! Projects, with the counters that a publish and `GET /meta` show.

use l10n_api_types::{ProjectId, VersionId, WorkspaceId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

text_enum! {
    /// The project's use of translation memory.
    pub enum MemorySetting {
        /// It shares what engines translated and people reviewed with the other projects of its workspace.
        Workspace = "workspace",
        /// It keeps a memory of its own.
        Project = "project",
        /// It neither gives nor takes.
        Off = "off",
    }
}

impl MemorySetting {
    /// Every setting.
    pub const ALL: [Self; 3] = [Self::Workspace, Self::Project, Self::Off];

    /// The setting of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.as_str() == name)
    }
}

row! {
    /// A project.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Project {
        /// `prj_…`
        pub id: ProjectId,
        /// Its workspace
        pub workspace_id: WorkspaceId,
        /// The name in `/@handle/slug/…`, unique in the workspace
        pub slug: String,
        /// The name for people
        pub name: String,
        /// BCP 47
        pub base_language: String,
        /// The version that the manifest shows
        pub live_version_id: Option<VersionId>,
        /// Number of the latest version, 0 before the first
        pub version_seq: i64,
        /// Active keys
        pub key_count: i64,
        /// Changes since the latest publish, of which the next one makes other files
        pub changes_since_publish: i64,
        /// Counts changes that affect the plan of a run
        pub change_seq: i64,
        /// Its use of translation memory
        pub memory: MemorySetting,
        /// The label of versions whose publisher gives none, where the project has one of its own
        pub default_label: Option<String>,
        /// Since when it is hidden
        pub archived_at: Option<Timestamp>,
        /// The time at which it was made
        pub created_at: Timestamp,
    }
}

statements! {
    INSERT = "INSERT INTO projects (id, workspace_id, slug, name, base_language, live_version_id, version_seq, key_count, \
        changes_since_publish, created_at) VALUES ($1, $2, $3, $4, $5, NULL, 0, 0, 0, $6)";
    FIND = "SELECT id, workspace_id, slug, name, base_language, live_version_id, version_seq, key_count, \
        changes_since_publish, change_seq, memory, default_label, archived_at, created_at FROM projects WHERE id = $1";
    SIZE = "SELECT key_count, (SELECT COUNT(*) FROM languages l WHERE l.project_id = $1) FROM projects WHERE id = $1";
    LOCKED = sqlite "SELECT id, workspace_id, slug, name, base_language, live_version_id, version_seq, key_count, \
        changes_since_publish, change_seq, memory, default_label, archived_at, created_at FROM projects WHERE id = $1",
        postgres "SELECT id, workspace_id, slug, name, base_language, live_version_id, version_seq, key_count, \
        changes_since_publish, change_seq, memory, default_label, archived_at, created_at FROM projects WHERE id = $1 \
        FOR NO KEY UPDATE";
    FIND_BY_SLUG = "SELECT id, workspace_id, slug, name, base_language, live_version_id, version_seq, key_count, \
        changes_since_publish, change_seq, memory, default_label, archived_at, created_at FROM projects \
        WHERE workspace_id = $1 AND slug = $2";
    FIND_BY_HANDLE_AND_SLUG = "SELECT p.id, p.workspace_id, p.slug, p.name, p.base_language, p.live_version_id, \
        p.version_seq, p.key_count, p.changes_since_publish, p.change_seq, p.memory, p.default_label, \
        p.archived_at, p.created_at FROM projects p JOIN workspaces w ON w.id = p.workspace_id WHERE w.handle = $1 AND p.slug = $2";
    EXISTING = values "SELECT id FROM projects WHERE id IN (" each "?" then ")";
    NAMED = values "SELECT w.handle, p.slug, p.id FROM (VALUES" each "(?, ?)" then ") AS v \
        JOIN workspaces w ON w.handle = v.column1 JOIN projects p ON p.workspace_id = w.id AND p.slug = v.column2";
    LIST = "SELECT id, workspace_id, slug, name, base_language, live_version_id, version_seq, key_count, \
        changes_since_publish, change_seq, memory, default_label, archived_at, created_at FROM projects \
        WHERE workspace_id = $1 ORDER BY id";
    SLUGS = "SELECT slug FROM projects WHERE workspace_id = $1 ORDER BY slug LIMIT $2";
    RENAME = "UPDATE projects SET name = $2 WHERE id = $1";
    SET_DEFAULT_LABEL = "UPDATE projects SET default_label = $2 WHERE id = $1";
    STYLE_NOTE = "SELECT style_note FROM projects WHERE id = $1";
    SET_STYLE_NOTE = "UPDATE projects SET style_note = $2 WHERE id = $1";
    SET_MEMORY = "UPDATE projects SET memory = $2, change_seq = change_seq + 1 WHERE id = $1";
    SET_LIVE_VERSION = "UPDATE projects SET live_version_id = $2, changes_since_publish = \
        CASE WHEN changes_since_publish + $3 > 0 THEN changes_since_publish + $3 ELSE 0 END WHERE id = $1";
    LAND_VERSION = "UPDATE projects SET version_seq = $2, live_version_id = $3, changes_since_publish = \
        CASE WHEN changes_since_publish > $4 THEN changes_since_publish - $4 ELSE 0 END WHERE id = $1";
    COUNT_CHANGE_OF_FILES = "UPDATE projects SET changes_since_publish = changes_since_publish + 1 \
        WHERE id = $1 AND live_version_id IS NOT NULL";
    ADD_COUNTS = "UPDATE projects SET key_count = key_count + $2, changes_since_publish = changes_since_publish + $3 \
        WHERE id = $1 RETURNING key_count";
}

/// The data of a new project.
#[derive(Debug, Clone, Copy)]
pub struct NewProject<'a> {
    /// `prj_…`
    pub id: &'a ProjectId,
    /// Its workspace
    pub workspace_id: &'a WorkspaceId,
    /// The name in `/@handle/slug/…`
    pub slug: &'a str,
    /// The name for people
    pub name: &'a str,
    /// BCP 47, canonical
    pub base_language: &'a str,
    /// Now
    pub created_at: Timestamp,
}

/// Adds a project. Its base language is not added to its languages by this.
///
/// # Errors
///
/// [`StoreError::Unique`] when the workspace has a project with this slug.
pub async fn insert(tx: &mut Tx, new: NewProject<'_>) -> Result<(), StoreError> {
    let created_at = new.created_at.as_millis();
    execute!(tx, INSERT, new.id.as_str(), new.workspace_id.as_str(), new.slug, new.name, new.base_language, created_at).map(drop)
}

/// The project `id`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, id: &ProjectId) -> Result<Option<Project>, StoreError> {
    fetch_optional!(tx, Project, FIND, id.as_str())
}

/// The numbers of active keys and of languages of the project `id`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn size(tx: &mut Tx, id: &ProjectId) -> Result<Option<(i64, i64)>, StoreError> {
    fetch_optional!(tx, (i64, i64), SIZE, id.as_str())
}

/// The project `id`, once no other transaction holds it; held to the end of `tx`.
///
/// # Errors
///
/// Returns an error if the datastore fails; waiting too long is [`StoreError::Unavailable`].
pub async fn locked(tx: &mut Tx, id: &ProjectId) -> Result<Option<Project>, StoreError> {
    fetch_optional!(tx, Project, LOCKED, id.as_str())
}

/// The project `slug` of a workspace.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_slug(tx: &mut Tx, workspace_id: &WorkspaceId, slug: &str) -> Result<Option<Project>, StoreError> {
    fetch_optional!(tx, Project, FIND_BY_SLUG, workspace_id.as_str(), slug)
}

/// The project that `/@handle/slug` names.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_handle_and_slug(tx: &mut Tx, handle: &str, slug: &str) -> Result<Option<Project>, StoreError> {
    fetch_optional!(tx, Project, FIND_BY_HANDLE_AND_SLUG, handle, slug)
}

/// Those of these ids that are projects'.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn existing(tx: &mut Tx, ids: &[&str]) -> Result<Vec<(String,)>, StoreError> {
    fetch_values!(tx, (String,), EXISTING, [], ids, |id| [*id])
}

/// Handle, slug and id of the projects that these handles and slugs name.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn named(tx: &mut Tx, names: &[(&str, &str)]) -> Result<Vec<(String, String, String)>, StoreError> {
    fetch_values!(tx, (String, String, String), NAMED, [], names, |(handle, slug)| [*handle, *slug])
}

/// Every project of a workspace, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, workspace_id: &WorkspaceId) -> Result<Vec<Project>, StoreError> {
    fetch_all!(tx, Project, LIST, workspace_id.as_str())
}

/// Changes the name for people.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn rename(tx: &mut Tx, id: &ProjectId, name: &str) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, RENAME, id.as_str(), name)?)
}

/// Changes the label of versions whose publisher gives none.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn set_default_label(tx: &mut Tx, id: &ProjectId, label: Option<&str>) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_DEFAULT_LABEL, id.as_str(), label)?)
}

/// The note on the style of a project's translations; `None` where there is none.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn style_note(tx: &mut Tx, id: &ProjectId) -> Result<Option<String>, StoreError> {
    let (note,) = fetch_one!(tx, (Option<String>,), STYLE_NOTE, id.as_str())?;
    Ok(note)
}

/// Changes the note on the style of a project's translations.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn set_style_note(tx: &mut Tx, id: &ProjectId, note: Option<&str>) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_STYLE_NOTE, id.as_str(), note)?)
}

/// Changes what the project gives to translation memory and takes from it. Lock the project before: a run that has read the
/// setting ends first.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn set_memory(tx: &mut Tx, id: &ProjectId, memory: MemorySetting) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_MEMORY, id.as_str(), memory.as_str())?)
}

/// Makes `version_id` the live one, and counts so many changes more; fewer where `changes` is negative.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project or version.
pub async fn set_live_version(
    tx: &mut Tx,
    id: &ProjectId,
    version_id: &VersionId,
    changes: i64,
) -> Result<(), StoreError> {
    tx.moves_live();
    StoreError::exactly_one(execute!(tx, SET_LIVE_VERSION, id.as_str(), version_id.as_str(), changes)?)
}

/// Makes a new version with the number `seq` the live one. `changes` are in it and counted no longer; those that came while
/// it rendered stay counted. Lock the project before, so that numbers have no gaps.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project or version.
pub async fn land_version(
    tx: &mut Tx,
    id: &ProjectId,
    seq: i64,
    version_id: &VersionId,
    changes: i64,
) -> Result<(), StoreError> {
    tx.moves_live();
    StoreError::exactly_one(execute!(tx, LAND_VERSION, id.as_str(), seq, version_id.as_str(), changes)?)
}

/// Adds to the counters (`keys` may be negative) and returns the new number of active keys.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn add_counts(tx: &mut Tx, id: &ProjectId, keys: i64, changes: i64) -> Result<i64, StoreError> {
    let (key_count,) = fetch_one!(tx, (i64,), ADD_COUNTS, id.as_str(), keys, changes)?;
    Ok(key_count)
}

/// Counts one change if something is live: the files of the next publish differ from it, although no key and no translation has
/// changed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count_change_of_files(tx: &mut Tx, id: &ProjectId) -> Result<(), StoreError> {
    execute!(tx, COUNT_CHANGE_OF_FILES, id.as_str()).map(drop)
}

/// Names in addresses of at most `most` projects of a workspace, in order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn slugs(tx: &mut Tx, workspace: &WorkspaceId, most: i64) -> Result<Vec<String>, StoreError> {
    let found = fetch_all!(tx, (String,), SLUGS, workspace.as_str(), most)?;
    Ok(found.into_iter().map(|(slug,)| slug).collect())
}
