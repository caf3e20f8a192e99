//! The first page of a project: its progress by language, what is live, the last runs; the first commands while it is empty.

use l10n_api_types::Millicredits;
use l10n_formats::locales;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::poll::state_of;
use super::routes;
use super::runs;
use super::versions;
use super::view::parts::{self, bar, copyable, figure, head, polled};
use super::view::table::{Column, table};
use super::view::time::money;
use super::visit::{Visit, nothing_here};
use crate::domain::access::Action;
use crate::domain::progress::{self, LanguageProgress};
use crate::domain::versions as published;
use crate::domain::{ServiceError, jobs, workspaces};
use crate::store::jobs::Job;
use crate::store::projects::{self, Project};
use crate::store::versions::Version;

/// The part of the page that the script loads anew.
const STATE: &str = "state";
/// Runs that are shown.
const RUNS: usize = 5;

/// All that the page tells.
struct Overview {
    project: Project,
    live: Option<Version>,
    languages: Vec<LanguageProgress>,
    runs: Vec<Job>,
    balance: Millicredits,
}

impl Overview {
    /// Another one when something else is to be told.
    fn state(&self) -> String {
        let Self { project, live, languages, runs, balance } = self;
        let live = live.as_ref().map(|version| version.id.as_str());
        let runs: Vec<_> = runs.iter().map(runs::told).collect();
        state_of(&(project.key_count, project.changes_since_publish, live, languages, runs, balance.0))
    }
}

/// `GET /dashboard/@{handle}/{slug}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let overview = read(&visit).await?;
    let (shown, state) = (state(&visit, &overview), overview.state());
    if visit.fragment() == Some(STATE) {
        return Ok(PageResponse::polled(shown, &state));
    }
    let project = &overview.project;
    let content = html! {
        (head(&project.name, "", &actions(&visit, project)))
        (polled(STATE, &state, &shown))
        @if project.key_count == 0 { (first_steps(&visit, &overview)) }
    };
    Ok(PageResponse::page(project.name.clone(), content))
}

async fn read(visit: &Visit) -> Result<Overview, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    // Its counts are those of the same moment as the others.
    let project = projects::find(&mut tx, &visit.project()?.id).await?.ok_or_else(nothing_here)?;
    let live = match &project.live_version_id {
        Some(id) => Some(published::existing(&mut tx, &project.id, id).await?),
        None => None,
    };
    let languages = progress::of_project(&mut tx, &project).await?;
    let runs = jobs::show::newest(&mut tx, &project.id, jobs::show::NEWEST, RUNS).await?;
    let balance = workspaces::find(&mut tx, project.workspace_id.as_str()).await?.balance;
    tx.rollback().await?;
    Ok(Overview { project, live, languages, runs, balance })
}

fn actions(visit: &Visit, project: &Project) -> Markup {
    let publish = routes::link(visit, "/dashboard/@{handle}/{slug}/publish").filter(|_| project.key_count > 0);
    html! {
        @if let Some(publish) = publish {
            a.button href=(publish) { (visit.t("publish.title")) }
        }
    }
}

fn state(visit: &Visit, overview: &Overview) -> Markup {
    let Overview { project, languages, runs, balance, .. } = overview;
    html! {
        div.stack {
            div.figures {
                (figure(&visit.t("overview.keys"), &html! { (visit.texts.number(project.key_count)) }))
                (figure(&visit.t("overview.changes"), &changes(visit, project)))
                (figure(&visit.t("overview.live"), &versions::live(visit, overview.live.as_ref())))
                @if visit.may(Action::SeeCredits) {
                    (figure(&visit.t("workspace.balance"), &html! { (money(visit, *balance)) " " (visit.t("common.credits")) }))
                }
            }
            section.stack {
                h2 { (visit.t("overview.languages")) }
                @if languages.is_empty() {
                    (parts::empty(&visit.t("overview.no-languages.title"), &html! { (visit.t("overview.no-languages.text")) }))
                } @else if project.key_count > 0 {
                    (progress_table(visit, project.key_count, languages))
                } @else {
                    p { @for language in languages { (named(&language.language)) " " } }
                }
            }
            @if !runs.is_empty() {
                section.stack {
                    h2 { (visit.t("overview.runs")) }
                    (runs::list_of(visit, runs))
                    @if let Some(all) = routes::link(visit, "/dashboard/@{handle}/{slug}/runs") {
                        p { a href=(all) { (visit.t("overview.all-runs")) } }
                    }
                }
            }
        }
    }
}

/// The number of changes that are not live, which leads to the page that publishes them.
fn changes(visit: &Visit, project: &Project) -> Markup {
    let number = visit.texts.number(project.changes_since_publish);
    match routes::link(visit, "/dashboard/@{handle}/{slug}/publish").filter(|_| project.changes_since_publish > 0) {
        Some(publish) => html! { a href=(publish) { (number) } },
        None => html! { (number) },
    }
}

/// A language by its name and its code.
fn named(code: &str) -> Markup {
    let name = locales::name(code);
    html! {
        span {
            bdi { (name) }
            @if name != code { " " code.muted { (code) } }
        }
    }
}

/// A row for each language: its bar, and the same in numbers.
fn progress_table(visit: &Visit, keys: i64, languages: &[LanguageProgress]) -> Markup {
    let columns = [
        Column::new(visit.t("overview.language")),
        Column::new(visit.t("overview.progress")),
        Column::number(visit.t("overview.reviewed")),
        Column::number(visit.t("overview.translated")),
        Column::number(visit.t("overview.review")),
        Column::number(visit.t("overview.stale")),
        Column::number(visit.t("overview.missing")),
    ];
    let rows: Vec<Vec<Markup>> = languages.iter().map(|language| row(visit, keys, language)).collect();
    table(&visit.t("overview.languages"), &columns, &rows)
}

fn row(visit: &Visit, keys: i64, language: &LanguageProgress) -> Vec<Markup> {
    let LanguageProgress { language: code, reviewed, translated, needs_review, stale, missing } = language;
    let number = |class: &str, number: &i64| {
        html! { span { span.dot.(class) aria-hidden="true" {} " " (visit.texts.number(*number)) } }
    };
    let shares = [
        ("reviewed", *reviewed),
        ("translated", *translated),
        ("review", *needs_review),
        ("stale", *stale),
        ("missing", *missing),
    ];
    let done = [("translated", Value::Number(reviewed + translated)), ("all", Value::Number(keys))];
    vec![
        named(code),
        html! { div.progress { (bar(&visit.tf("workspace.progress", &done), &shares)) } },
        number("reviewed", reviewed),
        number("translated", translated),
        number("review", needs_review),
        number("stale", stale),
        number("missing", missing),
    ]
}

/// The commands that bring the first texts, with the project's own names in them.
fn first_steps(visit: &Visit, overview: &Overview) -> Markup {
    let (copy, copied) = (visit.t("common.copy"), visit.t("common.copied"));
    let handle = visit.membership.as_ref().map_or("", |membership| &membership.handle);
    let project = &overview.project;
    let (base, slug) = (visit.service.settings.base_url.as_str(), &project.slug);
    let steps = [
        ("key", format!("export L10N_BASE_URL={base} L10N_PROJECT={handle}/{slug} L10N_API_KEY=eik_…")),
        ("init", format!("l10n init --base-language {}", project.base_language)),
        ("languages", "l10n languages add de fr".to_owned()),
        ("price", "l10n sync --dry-run".to_owned()),
        ("sync", "l10n sync".to_owned()),
        ("publish", "l10n publish".to_owned()),
        ("pull", "l10n pull".to_owned()),
    ];
    let has_languages = !overview.languages.is_empty();
    let make_key = routes::link(visit, "/dashboard/@{handle}/{slug}/settings/keys/new");
    html! {
        section.card {
            h2 { (visit.t("overview.first.title")) }
            p { (visit.t("overview.first.text")) }
            ol.steps {
                @for (name, command) in steps.iter().filter(|(name, _)| *name != "languages" || !has_languages) {
                    li {
                        p {
                            (visit.t(&format!("overview.first.{name}")))
                            @if let Some(make_key) = make_key.as_ref().filter(|_| *name == "key") {
                                " " a href=(make_key) { (visit.t("overview.first.make-key")) }
                            }
                        }
                        (copyable(command, &copy, &copied))
                    }
                }
            }
        }
    }
}
