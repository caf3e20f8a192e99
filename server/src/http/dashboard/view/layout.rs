//! The frame around every page: head, top bar, navigation, content.

use maud::{DOCTYPE, Markup, html};

use super::super::cookies::Preferences;
use super::super::routes::{self, NavEntry, OF_PROJECT, OF_WORKSPACE};
use super::super::texts::LanguageTexts;
use super::super::visit::Visit;
use super::super::{PATH, approvals, assets};

/// A letter on a square, as browsers show it in tabs.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' \
    height='32' rx='7' fill='%232f5fd0'/%3E%3Cpath d='M8 9h10M13 7v2c0 5-2 9-6 11M10 13c1 3 4 6 7 7M15 26l5-12 5 12M17 22h6' \
    fill='none' stroke='%23fff' stroke-width='2.2' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/// A page of a visit.
pub(in crate::http::dashboard) fn page(visit: &Visit, title: &str, content: &Markup) -> Markup {
    let navigation = navigation(visit);
    let has_navigation = navigation.is_some();
    let body = html! {
        a.skip href="#content" { (visit.t("nav.skip")) }
        (top_bar(visit))
        div.shell .with-nav[has_navigation] {
            @if let Some(navigation) = navigation { (navigation) }
            main id="content" tabindex="-1" data-answer[visit.is_answer] {
                (done(visit))
                (content)
            }
        }
    };
    document(visit.texts, &visit.looks, title, &body)
}

/// A page without anything around its content.
pub(in crate::http::dashboard) fn bare(
    texts: &LanguageTexts,
    looks: &Preferences,
    title: &str,
    content: &Markup,
) -> Markup {
    let body = html! { div.shell { main id="content" { (content) } } };
    document(texts, looks, title, &body)
}

fn document(texts: &LanguageTexts, looks: &Preferences, title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(texts.language) dir=(texts.direction()) data-scheme=(looks.scheme.as_str())
            data-shortcuts[!looks.no_shortcuts] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (self::title(texts, title)) }
                link rel="icon" href=(ICON);
                link rel="stylesheet" href=(assets::style());
                script type="module" src=(assets::script()) {}
            }
            body { (body) }
        }
    }
}

/// The whole title of a page.
pub(in crate::http::dashboard) fn title(texts: &LanguageTexts, title: &str) -> String {
    format!("{title} · {}", texts.text("product.name", &[]))
}

fn top_bar(visit: &Visit) -> Markup {
    let handle = visit.membership.as_ref().map(|membership| membership.handle.as_str());
    let project = visit.of_project.as_ref().map(|project| project.name.as_str());
    html! {
        header.top {
            a.brand href=(PATH) { (mark()) span { (visit.t("product.name")) } }
            @if let Some(handle) = handle {
                nav.crumbs aria-label=(visit.t("nav.where")) {
                    ol {
                        li { a href=(visit.in_workspace("")) { bdi { (handle) } } }
                        @if let Some(project) = project { li { a href=(project_path(visit)) { bdi { (project) } } } }
                    }
                }
            }
            @if let Some(session) = &visit.session {
                details.menu data-menu {
                    summary {
                        span.avatar aria-hidden="true" { (initial(&session.person.name, &session.person.email)) }
                        span.menu-name { bdi { (name(&session.person.name, &session.person.email)) } }
                    }
                    div.menu-list {
                        p.menu-who { bdi { (session.person.email) } }
                        a href="/dashboard/account" { (visit.t("nav.account")) }
                        form method="post" action="/dashboard/logout" { button.plain type="submit" { (visit.t("nav.logout")) } }
                    }
                }
            }
        }
    }
}

/// The picture of [`ICON`], in the colours of the page.
fn mark() -> Markup {
    html! {
        svg.mark viewBox="0 0 32 32" aria-hidden="true" {
            rect width="32" height="32" rx="7" {}
            path d="M8 9h10M13 7v2c0 5-2 9-6 11M10 13c1 3 4 6 7 7M15 26l5-12 5 12M17 22h6" {}
        }
    }
}

/// The first page of the project that there is for this person.
fn project_path(visit: &Visit) -> String {
    OF_PROJECT.iter().find_map(|entry| routes::link(visit, entry.path)).unwrap_or_else(|| visit.in_workspace(""))
}

fn name<'a>(name: &'a str, email: &'a str) -> &'a str {
    if name.is_empty() { email } else { name }
}

fn initial(name: &str, email: &str) -> String {
    self::name(name, email)
        .chars()
        .find(|character| character.is_alphanumeric())
        .map_or_else(String::new, |first| first.to_uppercase().collect())
}

/// The navigation of the project, or else of the workspace; none on pages of the person.
fn navigation(visit: &Visit) -> Option<Markup> {
    let membership = visit.membership.as_ref()?;
    let of_project = visit.of_project.as_ref().map(|project| {
        let label = visit.t("nav.project");
        section(visit, &label, &project.name, OF_PROJECT)
    });
    let of_workspace = section(visit, &visit.t("nav.workspace"), &membership.handle, OF_WORKSPACE);
    Some(html! {
        details.side data-side {
            summary { (visit.t("nav.menu")) }
            nav aria-label=(visit.t("nav.main")) {
                @if let Some(of_project) = of_project { (of_project) }
                (of_workspace)
            }
        }
    })
}

fn section(visit: &Visit, label: &str, name: &str, entries: &[NavEntry]) -> Markup {
    let links: Vec<_> =
        entries.iter().filter_map(|entry| Some((entry.text, routes::link(visit, entry.path)?))).collect();
    // The longest path that the visit lies under is the one that is shown as current.
    let current = links
        .iter()
        .map(|(_, path)| path.as_str())
        .filter(|path| is_within(&visit.path, path))
        .max_by_key(|path| path.len())
        // The pages of a project lie under the path of its workspace's projects.
        .filter(|path| visit.of_project.is_none() || path.len() > visit.in_workspace("").len());
    html! {
        div.side-part {
            p.side-head { (label) " " bdi { (name) } }
            ul {
                @for (text, path) in &links {
                    li {
                        a href=(path) data-go=[go(text)] aria-current=[(current == Some(path.as_str())).then_some("page")] {
                            (visit.t(text))
                            @if *text == "nav.approvals" { (pending(visit)) }
                        }
                    }
                }
            }
        }
    }
}

/// The number of requests that wait for a decision, for the eye and for the ear.
fn pending(visit: &Visit) -> Markup {
    let number = approvals::shown(visit, visit.pending);
    html! {
        " "
        span.count role="img" aria-label=(approvals::label(visit, &number)) data-pending hidden[visit.pending == 0] { (number) }
    }
}

/// The key that leads to a page after `g`.
fn go(text: &str) -> Option<&'static str> {
    match text {
        "nav.publish" => Some("p"),
        "nav.webhooks" => Some("w"),
        "nav.approvals" => Some("a"),
        "nav.versions" => Some("v"),
        "nav.settings" => Some("s"),
        _ => None,
    }
}

fn is_within(path: &str, page: &str) -> bool {
    path.strip_prefix(page).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The message about what was done, after a form has led here: `?done=keys.revoked` shows the text `keys.done.revoked`.
fn done(visit: &Visit) -> Markup {
    let key =
        visit.query.get("done").and_then(|done| done.split_once('.')).map(|(page, what)| format!("{page}.done.{what}"));
    match key.filter(|key| visit.texts.has(key)) {
        Some(key) => html! { div.notice.good role="status" tabindex="-1" data-focus { (visit.t(&key)) } },
        None => Markup::default(),
    }
}
