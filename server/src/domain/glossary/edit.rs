//! One term: added, changed, removed by a person.

use l10n_api_types::glossary::{MOST_GLOSSARY_TERMS, NewGlossaryTerm, Set};
use l10n_api_types::{Endpoint as _, ProjectId, WorkspaceId};

use super::{all, describe, given, some};
use crate::clock::Timestamp;
use crate::domain::people::audit;
use crate::domain::{Actor, ServiceError};
use crate::fold::folded;
use crate::ids::{IdKind, new_id};
use crate::store::audit_log::AuditAction;
use crate::store::glossary::{self as rows, GlossaryOwner, Term};
use crate::store::{StoreError, Tx, glossary_checks, lock, projects};

/// Most bytes of a list: those of a body that states one, so that every list can be stated anew.
const MOST_BYTES: usize = Set::BODY_CAP;

/// The list that a person looks at: a project's own, or that of a workspace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TermList<'a> {
    /// The project; `None` for the workspace's list.
    pub project: Option<&'a ProjectId>,
    /// The workspace.
    pub workspace: &'a WorkspaceId,
}

/// A change of a list. What a person was shown counts: a term that has changed since stays as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TermUpdate<'a> {
    /// A new term.
    Add(&'a NewGlossaryTerm),
    /// Another form of a term.
    Change(DisplayedTerm<'a>, &'a NewGlossaryTerm),
    /// A term goes.
    Remove(DisplayedTerm<'a>),
}

/// A term as a person was shown it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DisplayedTerm<'a> {
    /// Its id.
    pub id: &'a str,
    /// The term; `None` where it is known to have changed since.
    pub term: Option<&'a Term>,
}

/// The reason why a list was not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TermError {
    /// The term is not there any more.
    #[error("somebody has removed the term meanwhile")]
    Gone,
    /// The term is another one than the person was shown.
    #[error("somebody has changed the term meanwhile")]
    Moved,
    /// The list has as many terms as it can.
    #[error("the list has {} terms, and can have no more", MOST_GLOSSARY_TERMS)]
    TooMany,
    /// The list would have more bytes than the API takes.
    #[error("the list would have more than {} bytes: shorten the term, or remove others", MOST_BYTES)]
    TooLarge,
    /// Another term says the same in the same language.
    #[error("the list has this term already, in the same language")]
    Taken,
    /// A field, and the sentence about it that follows its name.
    #[error("`{0}` {1}")]
    Wrong(String, String),
    /// Anything else.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl From<StoreError> for TermError {
    fn from(error: StoreError) -> Self {
        Self::Service(error.into())
    }
}

impl<'a> TermList<'a> {
    fn owner(self) -> GlossaryOwner<'a> {
        match self.project {
            Some(project) => GlossaryOwner::Project(project),
            None => GlossaryOwner::Workspace(self.workspace),
        }
    }
}

/// At most `most` terms after the term `after` of a language that have a text in term, translations or note, in any case. All
/// have the empty text.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn search(
    tx: &mut Tx,
    list: TermList<'_>,
    text: &str,
    after: (&str, &str),
    most: usize,
) -> Result<Vec<Term>, ServiceError> {
    let owner = list.owner();
    if text.is_empty() {
        return some(tx, owner, after, most).await;
    }
    let wanted = folded(text);
    let has = |text: &str| folded(text).contains(&wanted);
    let found = |term: &Term| {
        has(&term.term) || term.translations.0.values().any(|text| has(text)) || term.note.as_deref().is_some_and(has)
    };
    let rest = some(tx, owner, after, MOST_GLOSSARY_TERMS).await?;
    Ok(rest.into_iter().filter(found).take(most).collect())
}

/// The term of a list with this id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn find(tx: &mut Tx, list: TermList<'_>, id: &str) -> Result<Option<Term>, ServiceError> {
    Ok(all(tx, list.owner()).await?.into_iter().find(|term| term.id == id))
}

/// Changes a list. What is there already as it is wanted is not written again, so that a form may be sent twice.
///
/// # Errors
///
/// [`TermError`]; nothing is written then.
pub(crate) async fn update(
    tx: &mut Tx,
    list: TermList<'_>,
    by: &Actor,
    now: Timestamp,
    update: TermUpdate<'_>,
) -> Result<(), TermError> {
    let base = match list.project {
        Some(project) => {
            lock::project(tx, project).await?;
            projects::find(tx, project).await?.map(|project| project.base_language)
        }
        None => {
            lock::workspace(tx, list.workspace).await?;
            None
        }
    };
    let present = all(tx, list.owner()).await?;
    let read = |new| given::read_one(new, base.as_deref()).map_err(|(field, what)| TermError::Wrong(field, what));
    let detail = match update {
        TermUpdate::Add(new) => {
            let wanted = read(new)?;
            if let Some(held) = present.iter().find(|held| is_named_as(held, &wanted)) {
                return if is_the_same(held, &wanted) { Ok(()) } else { Err(TermError::Taken) };
            }
            if present.len() >= MOST_GLOSSARY_TERMS {
                return Err(TermError::TooMany);
            }
            check_size(&present, None, &wanted)?;
            put(tx, list, new_id(IdKind::GlossaryTerm, now), wanted).await?;
            "1 added, 0 changed, 0 removed"
        }
        TermUpdate::Change(shown, new) => {
            let (held, wanted) = (held(&present, shown.id)?, read(new)?);
            if is_the_same(held, &wanted) {
                return Ok(());
            }
            if shown.term != Some(held) {
                return Err(TermError::Moved);
            }
            check_size(&present, Some(held), &wanted)?;
            if is_named_as(held, &wanted) {
                put(tx, list, held.id.clone(), wanted).await?;
            } else if present.iter().any(|other| is_named_as(other, &wanted)) {
                return Err(TermError::Taken);
            } else {
                // A term keeps its id while term and language stay.
                rows::delete(tx, list.owner(), &[held.id.as_str()]).await?;
                put(tx, list, new_id(IdKind::GlossaryTerm, now), wanted).await?;
            }
            "0 added, 1 changed, 0 removed"
        }
        TermUpdate::Remove(shown) => {
            let held = held(&present, shown.id)?;
            if shown.term != Some(held) {
                return Err(TermError::Moved);
            }
            rows::delete(tx, list.owner(), &[held.id.as_str()]).await?;
            "0 added, 0 changed, 1 removed"
        }
    };
    match list.project {
        Some(project) => glossary_checks::request(tx, project).await?,
        None => glossary_checks::request_all(tx, list.workspace).await?,
    }
    let (project, action) = (list.project, AuditAction::GlossaryChanged);
    let record = audit::Record { project, action, subject: None, detail: Some(detail) };
    audit::write(tx, list.workspace, by, now, record).await?;
    Ok(())
}

fn held<'a>(present: &'a [Term], id: &str) -> Result<&'a Term, TermError> {
    present.iter().find(|term| term.id == id).ok_or(TermError::Gone)
}

/// Bounds the list with one term more, or with one in the place of another.
fn check_size(present: &[Term], before: Option<&Term>, wanted: &Term) -> Result<(), TermError> {
    let bytes = |term: &Term| serde_json::to_string(&describe(term.clone())).map_or(0, |text| text.len());
    let others = present.iter().filter(|term| before.is_none_or(|before| before.id != term.id));
    let sum = others.map(bytes).sum::<usize>() + bytes(wanted);
    if sum > MOST_BYTES { Err(TermError::TooLarge) } else { Ok(()) }
}

async fn put(tx: &mut Tx, list: TermList<'_>, id: String, term: Term) -> Result<(), StoreError> {
    rows::put(tx, list.owner(), &[&Term { id, ..term }]).await
}

fn is_named_as(one: &Term, other: &Term) -> bool {
    one.language == other.language && one.term == other.term
}

/// Returns whether two terms say the same, whatever their ids.
fn is_the_same(one: &Term, other: &Term) -> bool {
    let Term { id: _, language, term, rule, case_sensitive, translations, note } = one;
    (language, term, *rule, *case_sensitive, translations, note)
        == (&other.language, &other.term, other.rule, other.case_sensitive, &other.translations, &other.note)
}
