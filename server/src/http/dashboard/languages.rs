//! The languages of a project: added, and removed with their translations kept for a while.

use l10n_api_types::languages::{Direction, Language};
use l10n_formats::locales;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::settings::tabs;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, badge, head};
use super::view::table::{Column, table};
use super::view::time::time;
use super::visit::{Visit, nothing_here};
use crate::domain::ServiceError;
use crate::domain::languages::{self, AddError, KEPT_DAYS, Removal, RemoveError};
use crate::store::languages::Language as Row;

/// The path of the list, below the project's.
const LIST: &str = "/settings/languages";

/// `GET /dashboard/@{handle}/{slug}/settings/languages`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let mut tx = visit.service.store.begin_read().await?;
    let all = languages::list(&mut tx, &project.id).await?;
    let removed = languages::removed(&mut tx, &project.id).await?;
    tx.rollback().await?;
    let form = FormView::new(visit, errors);
    let content = html! {
        (head(&visit.t("languages.title"), &visit.t("languages.lead"), &Markup::default()))
        (tabs(visit))
        form.card method="post" action=(visit.in_project(LIST)) novalidate {
            h2 { (visit.t("languages.add.title")) }
            (form.summary())
            (form.field("code", "languages.add.code").hint("languages.add.hint").longest(64).code())
            (form.submit("languages.add.submit"))
        }
        (table(&visit.t("languages.title"), &columns(visit), &all.iter().map(|one| row(visit, one)).collect::<Vec<_>>()))
        @if !removed.is_empty() { (removals(visit, &removed)) }
    };
    Ok(PageResponse::page(visit.t("languages.title"), content))
}

fn columns(visit: &Visit) -> Vec<Column> {
    let say = |key: &str| visit.t(&format!("languages.column.{key}"));
    vec![
        Column::new(say("language")),
        Column::number(say("reviewed")),
        Column::number(say("translated")),
        Column::number(say("review")),
        Column::number(say("missing")),
        Column::actions(visit.t("common.actions")),
    ]
}

fn row(visit: &Visit, language: &Language) -> Vec<Markup> {
    let count = |number: u64| match language.is_base {
        // It is what keys are written in.
        true => html! { span.muted { "–" } },
        false => html! { (visit.texts.number(i64::try_from(number).unwrap_or(i64::MAX))) },
    };
    vec![
        html! {
            div {
                (named(language.code.as_str(), &language.name))
                @if language.is_base { " " (badge(Tone::Info, &visit.t("languages.base"))) }
                @if language.direction == Direction::Rtl { " " (badge(Tone::Plain, &visit.t("languages.rtl"))) }
            }
        },
        count(language.reviewed),
        count(language.translated),
        count(language.needs_review),
        count(language.missing),
        html! {
            @if !language.is_base {
                a.button.small.secondary href=(removal_path(visit, language.code.as_str()))
                    aria-label=(visit.tf("languages.remove.of", &[("language", Value::Text(&language.name))])) {
                    (visit.t("languages.remove.button"))
                }
            }
        },
    ]
}

/// A language by its name and code.
fn named(code: &str, name: &str) -> Markup {
    html! { bdi { (name) } " " code.muted.small { (code) } }
}

fn removal_path(visit: &Visit, code: &str) -> String {
    visit.in_project(&format!("{LIST}/{code}/remove"))
}

/// Languages whose translations are kept.
fn removals(visit: &Visit, removed: &[Removal]) -> Markup {
    let say = |key: &str| visit.t(&format!("languages.removed.{key}"));
    let columns = [
        Column::new(visit.t("languages.column.language")),
        Column::number(say("translations")),
        Column::new(say("when")),
        Column::new(say("until")),
        Column::actions(visit.t("common.actions")),
    ];
    let rows = removed.iter().map(|removal| {
        let name = locales::name(&removal.row.code);
        vec![
            html! { div { (named(&removal.row.code, &name)) } },
            html! { (visit.texts.number(removal.translations)) },
            html! {
                div { (time(visit, removal.row.removed_at)) br; span.muted.small { (quoted(&removal.row.removed_by)) } }
            },
            time(visit, removal.kept_until),
            html! {
                form.inline method="post" action=(visit.in_project(LIST)) {
                    input type="hidden" name="code" value=(removal.row.code);
                    button.small.secondary type="submit"
                        aria-label=(visit.tf("languages.removed.again-of", &[("language", Value::Text(&name))])) {
                        (say("again"))
                    }
                }
            },
        ]
    });
    let rows: Vec<Vec<Markup>> = rows.collect();
    html! {
        section.stack {
            h2 { (say("title")) }
            p.muted { (visit.tf("languages.removed.lead", &[("n", Value::Number(KEPT_DAYS.into()))])) }
            (table(&say("title"), &columns, &rows))
        }
    }
}

/// `POST /dashboard/@{handle}/{slug}/settings/languages`
pub(super) async fn add(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let code = visit.form.line("code", 1..=64, &mut errors);
    if errors.is_empty() {
        match carry_out_add(&visit, &code).await {
            Ok(is_back) => {
                let done = if is_back { "languages.back" } else { "languages.added" };
                return Ok(PageResponse::done(&visit.in_project(LIST), done));
            }
            Err(AddError::Code(words)) => errors.say("code", words),
            Err(AddError::Existing) => errors.add("code", "languages.add.existing", None),
            Err(AddError::Service(error)) => errors.refused_field("code", error)?,
        }
    }
    Ok(page(&visit, &errors).await?.invalid())
}

async fn carry_out_add(visit: &Visit, code: &str) -> Result<bool, AddError> {
    let by = visit.person()?.actor();
    let change = visit.change(&by)?;
    let store = &visit.service.store;
    let mut tx = store.begin_write_in(change.workspace, change.project).await.map_err(ServiceError::from)?;
    let is_back = languages::add_one(&mut tx, change, code).await?;
    tx.commit().await.map_err(ServiceError::from)?;
    Ok(is_back)
}

/// `GET …/settings/languages/{code}/remove`
pub(super) async fn ask(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let found = languages::before_removal(&mut tx, &visit.project()?.id, visit.value("code")?).await;
    tx.rollback().await?;
    match found {
        Ok((language, translations)) => Ok(removal(&visit, &language, translations)),
        Err(error) => refused(&visit, error),
    }
}

/// The page that asks.
fn removal(visit: &Visit, language: &Row, translations: i64) -> PageResponse {
    let name = locales::name(&language.code);
    let title = visit.tf("languages.remove.title", &[("language", Value::Text(&name))]);
    let days = Value::Number(KEPT_DAYS.into());
    let content = html! {
        (head(&title, "", &Markup::default()))
        section.card {
            p { (named(&language.code, &name)) }
            p.strong { (visit.tf("languages.remove.translations", &[("n", Value::Number(translations))])) }
            ul.bullets {
                li { (visit.t("languages.remove.gone")) }
                li { (visit.t("languages.remove.versions")) }
                li { (visit.tf("languages.remove.kept", &[("n", days)])) }
            }
            form method="post" action=(removal_path(visit, &language.code)) {
                div.form-end { button.danger type="submit" { (visit.t("languages.remove.submit")) } }
            }
            p { a href=(visit.in_project(LIST)) { (visit.t("common.cancel")) } }
        }
    };
    PageResponse::page(title, content)
}

/// `POST …/settings/languages/{code}/remove`
pub(super) async fn remove(visit: Visit) -> Result<PageResponse, ServiceError> {
    match carry_out_removal(&visit).await {
        Ok(()) => Ok(PageResponse::done(&visit.in_project(LIST), "languages.removed")),
        Err(error) => refused(&visit, error),
    }
}

async fn carry_out_removal(visit: &Visit) -> Result<(), RemoveError> {
    let by = visit.person()?.actor();
    let change = visit.change(&by)?;
    let mut tx = visit.service.store.begin_write_in(change.workspace, change.project).await?;
    languages::remove(&mut tx, change, visit.value("code")?).await?;
    tx.commit().await?;
    Ok(())
}

/// The page about a language that cannot be removed.
fn refused(visit: &Visit, error: RemoveError) -> Result<PageResponse, ServiceError> {
    let text = match error {
        RemoveError::Unknown => return Err(nothing_here()),
        RemoveError::Base => "languages.remove.is-base",
        RemoveError::Removed => "languages.remove.is-removed",
        RemoveError::Service(error) => return Err(error),
    };
    let content = html! {
        (head(&visit.t("languages.remove.refused"), "", &Markup::default()))
        (parts::notice(Tone::Info, &html! { p { (visit.t(text)) } }))
        p { a href=(visit.in_project(LIST)) { (visit.t("languages.remove.to-list")) } }
    };
    Ok(PageResponse::page(visit.t("languages.remove.refused"), content).conflict())
}
