//! The first page: workspaces with their projects, and what is waiting for the person.

use l10n_api_types::WorkspaceId;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::routes;
use super::view::parts::{self, Tone, badge, head};
use super::view::time::money;
use super::visit::Visit;
use super::workspace::{project_tile, projects_path};
use crate::domain::access::Action;
use crate::domain::operations::MOST_COUNTED;
use crate::domain::people::memberships::{self, Membership};
use crate::domain::people::passwords::{self, NeededProof};
use crate::domain::people::sessions::SignInMethod;
use crate::domain::{ServiceError, pages, projects, workspaces};
use crate::store::overview::ProjectOverview;
use crate::store::workspaces::Workspace;

/// Workspaces that are shown with their projects.
const WORKSPACES: usize = 20;
/// Projects of a workspace that are looked through for what is waiting.
const LOOKED_AT: usize = 100;
/// Projects of a workspace that are shown.
const SHOWN: usize = 6;

/// The first page of a project.
const PROJECT: &str = "/dashboard/@{handle}/{slug}";

/// A workspace of the person.
struct OwnWorkspace {
    membership: Membership,
    workspace: Workspace,
    /// The first of its projects.
    projects: Vec<ProjectOverview>,
    /// True if it has others.
    has_more: bool,
}

/// `GET /dashboard`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let person = visit.person()?.clone();
    let mut memberships = memberships::workspaces(visit.service.people(), &person).await?;
    let others = memberships.split_off(memberships.len().min(WORKSPACES));
    let own = read(&visit, memberships).await?;
    let session = visit.session()?;
    let is_by_link = session.method == SignInMethod::Link
        && passwords::needed_proof(visit.service.people(), session).await? != NeededProof::Password;
    let hello = visit.tf("home.hello", &[("name", Value::Text(&person.name))]);
    let content = html! {
        (head(&hello, &visit.t("home.lead"), &Markup::default()))
        @if is_by_link { (parts::notice(Tone::Info, &by_link(&visit))) }
        @if own.is_empty() {
            (parts::empty(&visit.t("home.empty.title"), &html! { (visit.t("home.empty.text")) }))
        } @else {
            (waiting(&visit, &own, !others.is_empty()))
            @for own in &own { (workspace(&visit, own)) }
            @if !others.is_empty() { (further(&visit, &others)) }
        }
    };
    Ok(PageResponse::page(visit.t("home.title"), content))
}

fn by_link(visit: &Visit) -> Markup {
    let link = html! { a href="/dashboard/account#f-password-new-password" { (visit.t("home.by-link.link")) } };
    html! { p { (visit.rich("home.by-link.text", &[("link", link)])) } }
}

async fn read(visit: &Visit, memberships: Vec<Membership>) -> Result<Vec<OwnWorkspace>, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let mut own = Vec::new();
    for membership in memberships {
        let id: &WorkspaceId = &membership.workspace;
        let workspace = workspaces::find(&mut tx, id.as_str()).await?;
        let mut projects = projects::overview(&mut tx, id, "", pages::one_more(LOOKED_AT), visit.now).await?;
        let has_more = pages::cut(&mut projects, LOOKED_AT, |_| ()).is_some();
        own.push(OwnWorkspace { membership, workspace, projects, has_more });
    }
    tx.rollback().await?;
    Ok(own)
}

/// One line of what is waiting: its number in words, the project, and the page that deals with it.
struct PendingWork {
    text: String,
    project: String,
    handle: String,
    path: String,
}

/// The numbers that people of this role can do something about. Where there is no page for it, the project's first page tells
/// more.
fn waiting(visit: &Visit, own: &[OwnWorkspace], has_others: bool) -> Markup {
    let mut found = Vec::new();
    for OwnWorkspace { membership, projects, .. } in own {
        for project in projects {
            let counts = [
                ("home.approvals", project.approvals, Action::Decide, "approvals"),
                ("home.webhooks", project.failing_webhooks, Action::ManageWebhooks, "webhooks"),
                ("home.captured", project.captured, Action::ManageCaptured, "captured"),
                ("home.review", project.needs_review, Action::Review, "translations"),
            ];
            for (text, number, action, page) in counts {
                let template = format!("/dashboard/@{{handle}}/{{slug}}/{page}");
                if number > 0 && membership.may(action) {
                    let template = if routes::page(&template).is_some() { &template } else { PROJECT };
                    let text = match number {
                        MOST_COUNTED.. if action == Action::Decide => {
                            visit.tf("home.approvals-many", &[("n", Value::Number(MOST_COUNTED - 1))])
                        }
                        _ => visit.tf(text, &[("n", Value::Number(number))]),
                    };
                    found.push(PendingWork {
                        text,
                        project: project.name.clone(),
                        handle: membership.handle.clone(),
                        path: template.replace("{handle}", &membership.handle).replace("{slug}", &project.slug),
                    });
                }
            }
        }
    }
    html! {
        section.card {
            h2 { (visit.t("home.waiting")) }
            @if found.is_empty() {
                p.muted { (visit.t("home.nothing")) }
            } @else {
                ul.list {
                    @for item in &found {
                        li {
                            a href=(item.path) { (item.text) }
                            " " span.muted { bdi { (item.project) } " · " bdi { (item.handle) } }
                        }
                    }
                }
            }
            @for own in own.iter().filter(|own| own.has_more) {
                p.muted {
                    (visit.tf("home.looked-at", &[("n", Value::Number(i64::try_from(LOOKED_AT).unwrap_or(i64::MAX)))])) " "
                    a href=(projects_path(&own.membership.handle)) { bdi { (own.membership.handle) } }
                }
            }
            @if has_others { p.muted { (visit.t("home.others-not-looked-at")) } }
        }
    }
}

/// Workspaces beyond those that are shown with their projects.
fn further(visit: &Visit, others: &[Membership]) -> Markup {
    html! {
        section.stack {
            h2 { (visit.t("home.others")) }
            ul.list {
                @for membership in others {
                    li { a href=(projects_path(&membership.handle)) { bdi { (membership.handle) } } }
                }
            }
        }
    }
}

fn workspace(visit: &Visit, own: &OwnWorkspace) -> Markup {
    let OwnWorkspace { membership, workspace, projects, has_more } = own;
    let more = i64::try_from(projects.len().saturating_sub(SHOWN)).unwrap_or(i64::MAX);
    let how_many = if *has_more { "home.more-than" } else { "home.more" };
    let path = projects_path(&membership.handle);
    html! {
        section.stack {
            div.section-head {
                h2 { a href=(path) { bdi { (membership.handle) } } }
                (badge(Tone::Plain, &visit.t(&format!("role.{}", membership.role.as_str()))))
                span.muted { (visit.t("workspace.balance")) " " (money(visit, workspace.balance)) " " (visit.t("common.credits")) }
            }
            @if projects.is_empty() {
                (parts::empty(&visit.t("workspace.empty.title"), &html! { (visit.t("workspace.empty.text")) }))
            } @else {
                ul.grid {
                    @for project in projects.iter().take(SHOWN) { li { (project_tile(visit, &membership.handle, project)) } }
                }
            }
            @if more > 0 { p { a href=(path) { (visit.tf(how_many, &[("n", Value::Number(more))])) } } }
        }
    }
}
