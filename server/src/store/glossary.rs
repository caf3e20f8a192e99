//! Terms of the glossaries of projects and workspaces.

use std::collections::BTreeMap;

use l10n_api_types::glossary::GlossaryRule;
use l10n_api_types::{ProjectId, WorkspaceId};

use super::row::{Json, to_json};
use super::{StoreError, Tx};

row! {
    /// A term.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Term {
        /// `trm_…`
        pub id: String,
        /// BCP 47, canonical
        pub language: String,
        /// The term, as texts have it
        pub term: String,
        /// The rule that it states
        pub rule: GlossaryRule,
        /// True if capitals count
        pub case_sensitive: bool,
        /// Its translations, by language
        pub translations: Json<BTreeMap<String, String>>,
        /// A note for those who translate
        pub note: Option<String>,
    }
}

/// The owner of a glossary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlossaryOwner<'a> {
    /// A workspace, whose terms hold for all of its projects
    Workspace(&'a WorkspaceId),
    /// A project
    Project(&'a ProjectId),
}

row! {
    /// The state of the lists that hold for a project. Each change of a list has another one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct GlossaryRevision {
        /// Of its own list
        pub own: i64,
        /// Of its workspace's
        pub shared: i64,
    }
}

statements! {
    LIST_OF_PROJECT = "SELECT id, language, term, rule, case_sensitive, translations, note FROM glossary_terms \
        WHERE project_id = $1 AND (language, term) > ($2, $3) ORDER BY language, term LIMIT $4";
    LIST_OF_WORKSPACE = "SELECT id, language, term, rule, case_sensitive, translations, note FROM glossary_terms \
        WHERE workspace_id = $1 AND (language, term) > ($2, $3) ORDER BY language, term LIMIT $4";
    PUT = values "INSERT INTO glossary_terms (id, workspace_id, project_id, language, term, rule, case_sensitive, \
        translations, note) VALUES"
        each "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (id) DO UPDATE SET rule = excluded.rule, case_sensitive = excluded.case_sensitive, \
            translations = excluded.translations, note = excluded.note";
    DELETE = values "DELETE FROM glossary_terms WHERE id IN (" each "?" then ")";
    REVISION = "SELECT p.glossary_revision AS own, w.glossary_revision AS shared FROM projects p \
        JOIN workspaces w ON w.id = p.workspace_id WHERE p.id = $1";
    RAISE_OF_PROJECT = "UPDATE projects SET glossary_revision = glossary_revision + 1 WHERE id = $1";
    RAISE_OF_WORKSPACE = "UPDATE workspaces SET glossary_revision = glossary_revision + 1 WHERE id = $1";
}

/// At most `limit` terms after the term `after` of a language, by language and term.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    owner: GlossaryOwner<'_>,
    after: (&str, &str),
    limit: i64,
) -> Result<Vec<Term>, StoreError> {
    match owner {
        GlossaryOwner::Project(id) => fetch_all!(tx, Term, LIST_OF_PROJECT, id.as_str(), after.0, after.1, limit),
        GlossaryOwner::Workspace(id) => fetch_all!(tx, Term, LIST_OF_WORKSPACE, id.as_str(), after.0, after.1, limit),
    }
}

/// Adds terms; those whose id is there already get rule, translations and note.
///
/// # Errors
///
/// [`StoreError::Unique`] if the owner has a term of another id in the same language.
pub async fn put(tx: &mut Tx, owner: GlossaryOwner<'_>, terms: &[&Term]) -> Result<(), StoreError> {
    let (workspace, project) = match owner {
        GlossaryOwner::Workspace(id) => (Some(id.as_str()), None),
        GlossaryOwner::Project(id) => (None, Some(id.as_str())),
    };
    let mut rows = Vec::with_capacity(terms.len());
    for term in terms {
        rows.push((term, to_json("glossary_terms.translations", &term.translations.0)?));
    }
    execute_values!(tx, PUT, [], rows, |(term, translations)| [
        &term.id,
        workspace,
        project,
        &term.language,
        &term.term,
        term.rule.as_str(),
        term.case_sensitive,
        translations,
        &term.note,
    ])?;
    raise(tx, owner, terms.len()).await
}

/// Deletes terms of an owner by their ids.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, owner: GlossaryOwner<'_>, ids: &[&str]) -> Result<(), StoreError> {
    execute_values!(tx, DELETE, [], ids, |id| [*id])?;
    raise(tx, owner, ids.len()).await
}

/// Raises the revision of a list of which so many terms have changed.
async fn raise(tx: &mut Tx, owner: GlossaryOwner<'_>, changed: usize) -> Result<(), StoreError> {
    if changed == 0 {
        return Ok(());
    }
    let raised = match owner {
        GlossaryOwner::Project(id) => execute!(tx, RAISE_OF_PROJECT, id.as_str())?,
        GlossaryOwner::Workspace(id) => execute!(tx, RAISE_OF_WORKSPACE, id.as_str())?,
    };
    StoreError::exactly_one(raised)
}

/// The revisions of the lists that hold for a project. Who holds the project and its workspace knows that no list changes before
/// the end of the transaction.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn revision(tx: &mut Tx, project: &ProjectId) -> Result<GlossaryRevision, StoreError> {
    fetch_one!(tx, GlossaryRevision, REVISION, project.as_str())
}
