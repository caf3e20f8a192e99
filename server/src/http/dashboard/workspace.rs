//! A workspace: its projects, and a form for a new one.

use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::PATH;
use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::routes;
use super::view::field::FormView;
use super::view::parts::{self, Tone, badge, bar, head};
use super::view::table::pager;
use super::view::time::{money, time};
use super::visit::Visit;
use crate::domain::access::Action;
use crate::domain::projects::{self, CreateError, ProjectRequest};
use crate::domain::{ServiceError, pages, workspaces};
use crate::store::overview::ProjectOverview;

/// Projects of a page.
const PAGE: usize = 50;

/// The path of a workspace's projects.
pub(super) fn projects_path(handle: &str) -> String {
    format!("{PATH}/@{handle}")
}

/// `GET /dashboard/@{handle}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let membership = visit.membership()?;
    let mut tx = visit.service.store.begin_read().await?;
    let workspace = workspaces::find(&mut tx, membership.workspace.as_str()).await?;
    let after = visit.query.get("after").unwrap_or_default();
    let mut found = projects::overview(&mut tx, &membership.workspace, after, pages::one_more(PAGE), visit.now).await?;
    tx.rollback().await?;
    let next = pages::cut(&mut found, PAGE, |last| last.slug.clone());
    let may_create = visit.may(Action::CreateProject);
    let role = html! { (visit.t(&format!("role.{}", membership.role.as_str()))) };
    let content = html! {
        (head(&membership.handle, "", &html! {
            @if may_create { a.button href="#new" { (visit.t("workspace.new.title")) } }
        }))
        div.figures {
            (parts::figure(&visit.t("workspace.balance"), &html! { (money(visit, workspace.balance)) " " (visit.t("common.credits")) }))
            (parts::figure(&visit.t("workspace.role"), &role))
        }
        section.stack {
            h2 { (visit.t("workspace.projects")) }
            @if found.is_empty() {
                (parts::empty(&visit.t("workspace.empty.title"), &html! { (visit.t("workspace.empty.text")) }))
            } @else {
                ul.grid { @for project in &found { li { (project_tile(visit, &membership.handle, project)) } } }
            }
            (pager(visit, &visit.path, next.as_deref()))
        }
        @if may_create { (form(visit, errors)) }
    };
    Ok(PageResponse::page(visit.tf("workspace.of", &[("name", Value::Text(&membership.handle))]), content))
}

/// A project in short: name, bar of its translations, and whether all changes are live.
pub(super) fn project_tile(visit: &Visit, handle: &str, project: &ProjectOverview) -> Markup {
    let targets = (project.languages - 1).max(0);
    let all = project.key_count.saturating_mul(targets);
    let done = project.reviewed + project.translated;
    let label = visit.tf("workspace.progress", &[("translated", Value::Number(done)), ("all", Value::Number(all))]);
    let shares = [
        ("reviewed", project.reviewed),
        ("translated", project.translated),
        ("review", project.needs_review),
        ("stale", project.stale),
        ("missing", (all - done - project.needs_review - project.stale).max(0)),
    ];
    let changes = visit.tf("workspace.unpublished", &[("n", Value::Number(project.changes_since_publish))]);
    let tone = if project.changes_since_publish == 0 { Tone::Good } else { Tone::Info };
    let content = html! {
        p.tile-title { bdi { (project.name) } }
        p.muted.small { code { (handle) "/" (project.slug) } }
        @if all > 0 { (bar(&label, &shares)) p.muted.small { (label) } }
        p.muted.small {
            (visit.tf("workspace.keys", &[("n", Value::Number(project.key_count))])) " · "
            (visit.tf("workspace.languages", &[("n", Value::Number(project.languages))]))
        }
        p.small {
            @match project.live_since {
                Some(at) => { (badge(tone, &changes)) " " span.muted { (visit.t("workspace.live")) " " (time(visit, at)) } },
                None => (badge(Tone::Plain, &visit.t("workspace.never"))),
            }
        }
    };
    let template = "/dashboard/@{handle}/{slug}";
    match routes::page(template) {
        Some(_) => {
            let path = template.replace("{handle}", handle).replace("{slug}", &project.slug);
            html! { a.card.tile href=(path) { (content) } }
        }
        None => html! { div.card.tile { (content) } },
    }
}

fn form(visit: &Visit, errors: &FieldErrors) -> Markup {
    let form = FormView::new(visit, errors);
    html! {
        section.card id="new" {
            h2 { (visit.t("workspace.new.title")) }
            form method="post" action=(visit.in_workspace("")) novalidate {
                (form.summary())
                (form.field("name", "workspace.new.name").hint("workspace.new.name-hint").longest(projects::LONGEST_PROJECT_NAME))
                (form.field("slug", "workspace.new.slug").hint("workspace.new.slug-hint").longest(63).code())
                (form.field("base", "workspace.new.base").hint("workspace.new.base-hint").initial("en").longest(64).code())
                (form.field("languages", "workspace.new.languages").hint("workspace.new.languages-hint").optional()
                    .longest(2_000).code())
                (form.submit("workspace.new.submit"))
            }
        }
    }
}

/// `POST /dashboard/@{handle}`
pub(super) async fn make_project(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let name = visit.form.line("name", 1..=projects::LONGEST_PROJECT_NAME, &mut errors);
    let slug = visit.form.line("slug", 1..=63, &mut errors);
    let base_language = visit.form.line("base", 1..=64, &mut errors);
    let languages = visit.form.line("languages", 0..=2_000, &mut errors);
    let languages: Vec<&str> =
        languages.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|code| !code.is_empty()).collect();
    if errors.is_empty() {
        let new = ProjectRequest { name: &name, slug: &slug, base_language: &base_language, languages: &languages };
        match create(&visit, new).await {
            Ok(slug) => return Ok(PageResponse::done(&made(&visit, &slug), "workspace.made")),
            Err(CreateError::Name(words)) => errors.say("name", words),
            Err(CreateError::Slug(_)) => errors.add("slug", "workspace.new.slug-wrong", None),
            Err(CreateError::Taken) => errors.add("slug", "workspace.new.taken", None),
            Err(CreateError::BaseLanguage(words)) => errors.say("base", words),
            Err(CreateError::Languages(words)) => errors.say("languages", words),
            Err(CreateError::Service(error)) => errors.refused(error)?,
        }
    }
    Ok(page(&visit, &errors).await?.invalid())
}

async fn create(visit: &Visit, new: ProjectRequest<'_>) -> Result<String, CreateError> {
    let (clock, settings) = (visit.service.clock.as_ref(), &visit.service.settings);
    let (membership, person) = (visit.membership()?, visit.person()?);
    let mut tx = visit.service.store.begin_write_of(&membership.workspace).await.map_err(ServiceError::from)?;
    let project = projects::create(&mut tx, clock, settings, &membership.workspace, &person.actor(), new).await?;
    tx.commit().await.map_err(ServiceError::from)?;
    Ok(project.slug)
}

/// The page of a new project, or of its workspace where there is none.
fn made(visit: &Visit, slug: &str) -> String {
    match routes::page("/dashboard/@{handle}/{slug}") {
        Some(_) => visit.in_workspace(&format!("/{slug}")),
        None => visit.in_workspace(""),
    }
}
