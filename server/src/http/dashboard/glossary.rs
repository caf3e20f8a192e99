//! The glossary: a project's own list, and that of a workspace, which holds for all of its projects. `glossary_term` changes one
//! term.

use l10n_api_types::glossary::GlossaryRule;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::hostile::{plain, quoted};
use super::view::parts::{self, Tone, badge, head};
use super::view::table::{Column, pager, table};
use super::visit::Visit;
use crate::domain::access::Action;
use crate::domain::glossary::{self, TermList};
use crate::domain::{ServiceError, pages};
use crate::store::glossary::Term;

/// Terms of a page.
const PAGE: usize = 50;
/// Most characters of a text to search for.
const LONGEST_QUERY: usize = 256;

/// `GET /dashboard/@{handle}/{slug}/glossary` and `GET /dashboard/@{handle}/-/glossary`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let text = visit.query.line("q", 0..=LONGEST_QUERY, &mut errors);
    let after = visit.query.value("after").split_once(' ').unwrap_or_default();
    let mut terms = Vec::new();
    if errors.is_empty() {
        let mut tx = visit.service.store.begin_read().await?;
        terms = glossary::search(&mut tx, list_of(&visit)?, &text, after, PAGE + 1).await?;
        tx.rollback().await?;
    }
    // A language has no blank.
    let next = pages::cut(&mut terms, PAGE, |last| format!("{} {}", last.language, last.term));
    let is_empty = terms.is_empty() && text.is_empty() && after == ("", "") && errors.is_empty();
    let say = |key: &str| visit.t(&format!("glossary.{}.{key}", level(&visit)));
    let new = html! {
        @if visit.may(Action::EditGlossary) { a.button href=(path(&visit, "/new")) { (visit.t("glossary.new.title")) } }
    };
    let content = html! {
        (head(&say("title"), &say("lead"), &new))
        @if is_empty {
            (parts::empty(&visit.t("glossary.empty.title"), &html! { (visit.t("glossary.empty.text")) }))
        } @else {
            (search_form(&visit, &errors, &text))
            @if terms.is_empty() && errors.is_empty() {
                (parts::empty(&visit.t("glossary.none.title"), &html! { (visit.t("glossary.none.text")) }))
            } @else if !terms.is_empty() {
                (list(&visit, &say("title"), &terms))
            }
        }
        (pager(&visit, &visit.path, next.as_deref()))
    };
    let answer = PageResponse::page(say("title"), content);
    Ok(if errors.is_empty() { answer } else { answer.invalid() })
}

/// The list that the path is about.
pub(super) fn list_of(visit: &Visit) -> Result<TermList<'_>, ServiceError> {
    let project = visit.of_project.as_ref().map(|project| &project.id);
    Ok(TermList { project, workspace: &visit.membership()?.workspace })
}

/// The block of texts of the list that the path is about.
pub(super) fn level(visit: &Visit) -> &'static str {
    if visit.of_project.is_some() { "project" } else { "workspace" }
}

/// A path below that of the list.
pub(super) fn path(visit: &Visit, rest: &str) -> String {
    match visit.of_project {
        Some(_) => visit.in_project(&format!("/glossary{rest}")),
        None => visit.in_workspace(&format!("/-/glossary{rest}")),
    }
}

fn search_form(visit: &Visit, errors: &FieldErrors, text: &str) -> Markup {
    let form = FormView::of_query(visit, errors);
    html! {
        form.card method="get" action=(path(visit, "")) novalidate {
            (form.summary_titled("common.filter-wrong"))
            (form.field("q", "glossary.search").longest(LONGEST_QUERY))
            div.form-end {
                button type="submit" { (visit.t("common.filter")) }
                @if !text.is_empty() { a.button.secondary href=(path(visit, "")) { (visit.t("common.all")) } }
            }
        }
    }
}

fn list(visit: &Visit, title: &str, terms: &[Term]) -> Markup {
    let say = |key: &str| Column::new(visit.t(&format!("glossary.column.{key}")));
    let mut columns = vec![say("term"), say("language"), say("rule"), say("translations")];
    let may = visit.may(Action::EditGlossary);
    if may {
        columns.push(Column::actions(visit.t("common.actions")));
    }
    let rows = terms.iter().map(|term| {
        let mut row = row(visit, term);
        if may {
            let name = visit.tf("glossary.edit.of", &[("term", Value::Text(&plain(&term.term)))]);
            row.push(html! {
                a.button.small.secondary href=(path(visit, &format!("/{}", term.id))) aria-label=(name) {
                    (visit.t("glossary.edit.button"))
                }
            });
        }
        row
    });
    table(title, &columns, &rows.collect::<Vec<_>>())
}

fn row(visit: &Visit, term: &Term) -> Vec<Markup> {
    vec![
        html! {
            (quoted(&term.term))
            @if let Some(note) = &term.note { p.muted.small { (quoted(note)) } }
        },
        html! { code { (term.language) } },
        rule(visit, term),
        translations(term),
    ]
}

/// The rule of a term, and whether capitals count.
pub(super) fn rule(visit: &Visit, term: &Term) -> Markup {
    let tone = if term.rule == GlossaryRule::Forbidden { Tone::Warn } else { Tone::Plain };
    html! {
        div {
            (badge(tone, &visit.t(&format!("glossary.rule.{}", term.rule.as_str()))))
            @if term.case_sensitive { p.muted.small { (visit.t("glossary.as-written")) } }
        }
    }
}

/// The translations of a term.
pub(super) fn translations(term: &Term) -> Markup {
    html! {
        div { @for (language, text) in &term.translations.0 { div { code { (language) } " " (quoted(text)) } } }
    }
}
