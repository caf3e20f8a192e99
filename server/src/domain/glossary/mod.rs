//! The glossary of a project: its own terms, and those of its workspace.

mod between;
mod edit;
mod given;
mod kept;
mod of_services;
mod recheck;
mod recheck_segments;

use std::collections::HashMap;

use l10n_api_types::glossary::{
    Glossary, GlossaryLevel, GlossarySet, GlossaryTerm, ListQuery, MOST_GLOSSARY_TERMS, NewGlossaryTerm, SetGlossary,
};
use l10n_api_types::{LanguageCode, WorkspaceId};

pub(crate) use self::between::holds_for;
pub(crate) use self::edit::{DisplayedTerm, TermError, TermList, TermUpdate, find, search, update};
use self::given::read;
pub(crate) use self::given::{LONGEST_TERM, LONGEST_TERM_NOTE};
pub(crate) use self::kept::Glossaries;
pub(crate) use self::of_services::{ServiceGlossaries, sweep as sweep_services};
pub(crate) use self::recheck::{check_some, next_check};
use super::pages::{self, Cursor};
use super::people::audit;
use super::{Caller, ProjectChange, ServiceError};
use crate::clock::Timestamp;
use crate::ids::{IdKind, new_id};
use crate::store::audit_log::AuditAction;
use crate::store::glossary::{self as rows, GlossaryOwner, Term};
use crate::store::{Tx, glossary_checks, lock, projects};

/// A page of the project's own terms, or of its workspace's.
///
/// # Errors
///
/// 400 for a limit out of range and a cursor that no page gave.
pub(crate) async fn list(tx: &mut Tx, caller: &Caller, query: &ListQuery) -> Result<Glossary, ServiceError> {
    let limit = pages::limit(query.limit)?;
    let after = place(query.cursor.as_deref())?;
    let owner = match query.level.unwrap_or(GlossaryLevel::Project) {
        GlossaryLevel::Project => GlossaryOwner::Project(&caller.project),
        GlossaryLevel::Workspace => GlossaryOwner::Workspace(&caller.workspace),
    };
    let mut found = rows::list(tx, owner, (&after.0, &after.1), pages::one_more(limit)).await?;
    // Neither a language nor a term has a line break.
    let place = |last: &Term| Cursor::After(format!("{}\n{}", last.language, last.term)).encode();
    let next_cursor = pages::cut_long(&mut found, limit, bytes, place);
    Ok(Glossary { terms: found.into_iter().map(describe).collect(), next_cursor })
}

/// Bytes of a term's texts. They are bounded, so that a page of terms may be read before it is cut.
fn bytes(term: &Term) -> i64 {
    let translations: usize = term.translations.0.iter().map(|(language, text)| language.len() + text.len()).sum();
    let others = term.term.len() + term.note.as_deref().map_or(0, str::len);
    i64::try_from(translations + others).unwrap_or(i64::MAX)
}

/// The language and term after which a page begins.
fn place(cursor: Option<&str>) -> Result<(String, String), ServiceError> {
    let other = ServiceError::cursor_of_another_list;
    match cursor.map(Cursor::decode).transpose()? {
        None => Ok((String::new(), String::new())),
        Some(Cursor::After(place)) => {
            let (language, term) = place.split_once('\n').ok_or_else(other)?;
            Ok((language.to_owned(), term.to_owned()))
        }
        Some(_) => Err(other()),
    }
}

/// States the whole list of a project. Where it differs, a worker checks anew what is translated. A term keeps its id while it
/// stays, whatever its rule.
///
/// # Errors
///
/// 400 for what no term can be, and for a term that is there twice.
pub(crate) async fn set(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    request: &SetGlossary,
) -> Result<GlossarySet, ServiceError> {
    let (project, now) = (change.project, change.clock.now());
    lock::project(tx, project).await?;
    let held = projects::find(tx, project).await?;
    let held = held.ok_or_else(ServiceError::no_such_project)?;
    let wanted = read(&request.terms, Some(&held.base_language), "terms")?;
    let set = replace(tx, GlossaryOwner::Project(project), wanted, now).await?;
    let GlossarySet { added, changed, removed, .. } = set;
    if added + changed + removed > 0 {
        glossary_checks::request(tx, project).await?;
        let detail = format!("{added} added, {changed} changed, {removed} removed");
        let (project, action) = (Some(project), AuditAction::GlossaryChanged);
        let record = audit::Record { project, action, subject: None, detail: Some(&detail) };
        audit::write(tx, change.workspace, change.by, now, record).await?;
    }
    Ok(set)
}

/// States the whole list of a workspace, which its caller has locked. `place` is where the list stands, for messages.
///
/// # Errors
///
/// 400 for what no term can be, and for a term that is there twice.
pub(crate) async fn set_of_workspace(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    terms: &[NewGlossaryTerm],
    place: &str,
    now: Timestamp,
) -> Result<GlossarySet, ServiceError> {
    let set = replace(tx, GlossaryOwner::Workspace(workspace), read(terms, None, place)?, now).await?;
    if set.added + set.changed + set.removed > 0 {
        glossary_checks::request_all(tx, workspace).await?;
    }
    Ok(set)
}

/// Writes what differs between the list that is there and the one that is wanted.
async fn replace(
    tx: &mut Tx,
    owner: GlossaryOwner<'_>,
    mut wanted: Vec<Term>,
    now: Timestamp,
) -> Result<GlossarySet, ServiceError> {
    let present = all(tx, owner).await?;
    let mut before: HashMap<(&str, &str), &Term> =
        present.iter().map(|term| ((term.language.as_str(), term.term.as_str()), term)).collect();
    let mut set = GlossarySet { added: 0, changed: 0, removed: 0, unchanged: 0 };
    let mut put = Vec::new();
    for (at, term) in wanted.iter_mut().enumerate() {
        match before.remove(&(term.language.as_str(), term.term.as_str())) {
            Some(held) => {
                term.id.clone_from(&held.id);
                if term == held {
                    set.unchanged += 1;
                    continue;
                }
                set.changed += 1;
            }
            None => {
                term.id = new_id(IdKind::GlossaryTerm, now);
                set.added += 1;
            }
        }
        put.push(at);
    }
    let gone: Vec<&str> = before.into_values().map(|term| term.id.as_str()).collect();
    set.removed = gone.len() as u64;
    rows::delete(tx, owner, &gone).await?;
    let put: Vec<&Term> = put.into_iter().filter_map(|at| wanted.get(at)).collect();
    rows::put(tx, owner, &put).await?;
    Ok(set)
}

/// All terms of a list.
async fn all(tx: &mut Tx, owner: GlossaryOwner<'_>) -> Result<Vec<Term>, ServiceError> {
    some(tx, owner, ("", ""), MOST_GLOSSARY_TERMS).await
}

/// At most `most` terms of a list after the term `after` of a language.
async fn some(
    tx: &mut Tx,
    owner: GlossaryOwner<'_>,
    after: (&str, &str),
    most: usize,
) -> Result<Vec<Term>, ServiceError> {
    Ok(rows::list(tx, owner, after, i64::try_from(most).unwrap_or(i64::MAX)).await?)
}

fn describe(row: Term) -> GlossaryTerm {
    GlossaryTerm {
        term_id: row.id.into(),
        term: row.term,
        language: LanguageCode::new(row.language),
        translations: row.translations.0.into_iter().map(|(code, text)| (LanguageCode::new(code), text)).collect(),
        rule: row.rule,
        case_sensitive: row.case_sensitive,
        note: row.note,
    }
}
