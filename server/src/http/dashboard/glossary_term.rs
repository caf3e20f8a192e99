//! One term of a glossary: added, changed, removed.

use std::collections::BTreeMap;

use l10n_api_types::LanguageCode;
use l10n_api_types::glossary::{GlossaryRule, NewGlossaryTerm};
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::glossary::{level, list_of, path, rule, translations};
use super::gone;
use super::poll::state_of;
use super::view::field::FormView;
use super::view::hostile::{block, quoted};
use super::view::parts::{card, facts, head};
use super::visit::{Visit, nothing_here};
use crate::domain::ServiceError;
use crate::domain::glossary::{self, DisplayedTerm, LONGEST_TERM, LONGEST_TERM_NOTE, TermError, TermUpdate};
use crate::store::glossary::Term;

/// `GET …/glossary/new`
pub(super) async fn show_new(visit: Visit) -> Result<PageResponse, ServiceError> {
    Ok(page(&visit, &FieldErrors::default(), None))
}

/// `GET …/glossary/{termId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let term = find(&visit).await?.ok_or_else(nothing_here)?;
    Ok(page(&visit, &FieldErrors::default(), Some(&term)))
}

async fn find(visit: &Visit) -> Result<Option<Term>, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let found = glossary::find(&mut tx, list_of(visit)?, visit.value("termId")?).await?;
    tx.rollback().await?;
    Ok(found)
}

/// The state of a term that a form is about.
fn state(term: &Term) -> String {
    let Term { id, language, term, rule, case_sensitive, translations, note } = term;
    state_of(&(id, language, term, rule.as_str(), case_sensitive, &translations.0, note))
}

fn page(visit: &Visit, errors: &FieldErrors, term: Option<&Term>) -> PageResponse {
    page_with(visit, errors, term, &Markup::default())
}

/// The page with a part before its form.
fn page_with(visit: &Visit, errors: &FieldErrors, term: Option<&Term>, before: &Markup) -> PageResponse {
    let title = visit.t(if term.is_some() { "glossary.edit.title" } else { "glossary.new.title" });
    let action = path(visit, &term.map_or_else(|| "/new".to_owned(), |term| format!("/{}", term.id)));
    let form = FormView::new(visit, errors);
    let content = html! {
        (head(&title, &visit.t(&format!("glossary.{}.holds", level(visit))), &Markup::default()))
        (before)
        form.card method="post" action=(action) novalidate { (fields(visit, &form, term)) }
        @if let Some(term) = term {
            (card(&visit.t("glossary.remove.title"), &html! {
                p { (visit.t("glossary.remove.text")) }
                form method="post" action=(path(visit, &format!("/{}/remove", term.id))) {
                    (form.shown("seen", &state(term)))
                    button.danger type="submit" { (visit.t("glossary.remove.submit")) }
                }
            }))
        }
        p { a href=(path(visit, "")) { (visit.t("glossary.back")) } }
    };
    PageResponse::page(title, content)
}

fn fields(visit: &Visit, form: &FormView<'_>, term: Option<&Term>) -> Markup {
    let of = |read: fn(&Term) -> String| term.map(read).unwrap_or_default();
    let rule = term.map_or(GlossaryRule::Translate, |term| term.rule);
    let rules = html! {
        @for known in GlossaryRule::ALL {
            (form.radio("rule", known.as_str(), &visit.t(&format!("glossary.rule.{}", known.as_str())),
                &visit.t(&format!("glossary.rule-hint.{}", known.as_str())), *known == rule))
        }
    };
    let case = form.checkbox(
        "case",
        "yes",
        &visit.t("glossary.field.case"),
        &visit.t("glossary.field.case-hint"),
        term.is_some_and(|term| term.case_sensitive),
    );
    let language = form.field("language", "glossary.field.language").longest(35).code();
    let language = match visit.of_project {
        Some(_) => language.hint("glossary.field.language-hint").optional(),
        None => language.hint("glossary.field.language-needed"),
    };
    html! {
        (form.summary())
        @if let Some(term) = term { (form.shown("seen", &state(term))) }
        (form.field("term", "glossary.field.term").longest(LONGEST_TERM).initial(of(|term| term.term.clone())))
        (language.initial(of(|term| term.language.clone())))
        (form.group("rule", &visit.t("glossary.field.rule"), &rules))
        (form.field("translations", "glossary.field.translations").hint("glossary.field.translations-hint").optional().lines(5)
            .initial(of(|term| {
                term.translations.0.iter().map(|(code, text)| format!("{code}: {text}")).collect::<Vec<_>>().join("\n")
            })))
        (form.group("case", &visit.t("glossary.field.capitals"), &case))
        (form.field("note", "glossary.field.note").optional().longest(LONGEST_TERM_NOTE).lines(3)
            .initial(of(|term| term.note.clone().unwrap_or_default())))
        (form.submit("glossary.save"))
    }
}

/// The term that was typed.
fn typed(visit: &Visit, errors: &mut FieldErrors) -> Option<NewGlossaryTerm> {
    let term = visit.form.line("term", 1..=LONGEST_TERM, errors);
    let language = visit.form.line("language", 0..=35, errors);
    let lines = visit.form.text("translations", 0..=60_000, errors);
    let note = visit.form.text("note", 0..=LONGEST_TERM_NOTE, errors);
    let rule = visit.form.value("rule").parse::<GlossaryRule>().ok();
    if rule.is_none() {
        errors.add("rule", "glossary.wrong-rule", None);
    }
    let mut translations = BTreeMap::new();
    for (at, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let read = line.split_once(':').map(|(code, text)| (LanguageCode::new(code.trim()), text.trim().to_owned()));
        let is_new = read
            .filter(|(code, _)| !code.as_str().is_empty())
            .map(|(code, text)| translations.insert(code, text).is_none());
        if is_new != Some(true) {
            errors.add("translations", "glossary.wrong-translation", Some(at + 1));
            break;
        }
    }
    Some(NewGlossaryTerm {
        term,
        language: Some(language).filter(|language| !language.is_empty()).map(LanguageCode::new),
        translations,
        rule: Some(rule?),
        case_sensitive: Some(visit.form.has("case")),
        note: Some(note).filter(|note| !note.is_empty()),
    })
}

/// `POST …/glossary/new`
pub(super) async fn add(visit: Visit) -> Result<PageResponse, ServiceError> {
    sent(&visit, None).await
}

/// `POST …/glossary/{termId}`
pub(super) async fn save(visit: Visit) -> Result<PageResponse, ServiceError> {
    match find(&visit).await? {
        Some(term) => sent(&visit, Some(&term)).await,
        None => Ok(gone(&visit)),
    }
}

async fn sent(visit: &Visit, term: Option<&Term>) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    if let Some(new) = typed(visit, &mut errors).filter(|_| errors.is_empty()) {
        let update = term.map_or(TermUpdate::Add(&new), |term| TermUpdate::Change(shown(visit, term), &new));
        match carry_out(visit, update).await {
            Ok(()) => return Ok(PageResponse::done(&path(visit, ""), "glossary.saved")),
            Err(TermError::Gone) => return Ok(gone(visit)),
            Err(TermError::Moved) => return moved(visit).await,
            Err(error) => note(error, &mut errors)?,
        }
    }
    Ok(page(visit, &errors, term).invalid())
}

/// A term that the form was about, if it is still the one that the person was shown.
fn shown<'a>(visit: &Visit, term: &'a Term) -> DisplayedTerm<'a> {
    DisplayedTerm { id: &term.id, term: Some(term).filter(|term| visit.form.value("seen") == state(term)) }
}

/// The form once more, with what was typed, beside the term as somebody has saved it meanwhile.
async fn moved(visit: &Visit) -> Result<PageResponse, ServiceError> {
    let Some(term) = find(visit).await? else { return Ok(gone(visit)) };
    let mut errors = FieldErrors::default();
    errors.moved("glossary.moved.text");
    let say = |key: &str| visit.t(&format!("glossary.{key}"));
    let now = facts(&[
        (say("column.term"), quoted(&term.term)),
        (say("column.language"), html! { code { (term.language) } }),
        (say("column.rule"), rule(visit, &term)),
        (say("column.translations"), translations(&term)),
        (say("field.note"), html! { @if let Some(note) = &term.note { (block(note, &visit.t("common.more"))) } }),
    ]);
    Ok(page_with(visit, &errors, Some(&term), &card(&say("moved.now"), &now)).conflict())
}

async fn carry_out(visit: &Visit, update: TermUpdate<'_>) -> Result<(), TermError> {
    let by = visit.person()?.actor();
    let list = list_of(visit)?;
    let store = &visit.service.store;
    let mut tx = match list.project {
        Some(project) => store.begin_write_in(list.workspace, project).await?,
        None => store.begin_write_of(list.workspace).await?,
    };
    glossary::update(&mut tx, list, &by, visit.now, update).await?;
    tx.commit().await?;
    Ok(())
}

/// Notes why a term was not saved, beside its field.
fn note(error: TermError, errors: &mut FieldErrors) -> Result<(), ServiceError> {
    let field = match &error {
        TermError::Wrong(field, _) => match field.split('.').next().unwrap_or_default() {
            "language" => "language",
            "translations" => "translations",
            "note" => "note",
            _ => "term",
        },
        TermError::Taken => "term",
        TermError::TooMany | TermError::TooLarge | TermError::Gone | TermError::Moved | TermError::Service(_) => "",
    };
    match error {
        TermError::Service(error) => return errors.refused(error),
        error if field.is_empty() => errors.say_whole(error.to_string()),
        error => errors.say(field, error.to_string()),
    }
    Ok(())
}

/// The page about a term that is not as it was shown, or not there any more.
fn gone(visit: &Visit) -> PageResponse {
    gone::page(visit, "glossary.gone.title", "glossary.gone.text", (&path(visit, ""), "glossary.back"))
}

/// `POST …/glossary/{termId}/remove`
pub(super) async fn remove(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some(term) = find(&visit).await? else { return Ok(gone(&visit)) };
    match carry_out(&visit, TermUpdate::Remove(shown(&visit, &term))).await {
        Ok(()) => Ok(PageResponse::done(&path(&visit, ""), "glossary.removed")),
        Err(TermError::Service(error)) => Err(error),
        Err(_) => Ok(gone(&visit)),
    }
}
