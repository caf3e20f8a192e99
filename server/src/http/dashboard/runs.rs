//! Runs: the list of a project's translation jobs, and one with its progress and failures.

use std::hash::Hash;

use l10n_api_types::TrackingToken;
use l10n_api_types::translations::JobStatus;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::poll::state_of;
use super::view::hostile::{block, quoted};
use super::view::parts::{self, Tone, badge, bar, card, facts, head, polled};
use super::view::table::{Column, pager, table};
use super::view::time::{money, time};
use super::visit::Visit;
use crate::domain::access::Action;
use crate::domain::differences::said;
use crate::domain::jobs::show::{self, NEWEST, ShownFailure, ShownJob};
use crate::domain::{ServiceError, pages};
use crate::store::job_chunks::JobLanguageProgress;
use crate::store::job_engines::EngineShare;
use crate::store::jobs::Job;

/// Runs, and failures of a run, of a page.
const PAGE: usize = 50;
/// The part of both pages that the script loads anew.
const STATE: &str = "state";

/// `GET /dashboard/@{handle}/{slug}/runs`
pub(super) async fn list(visit: Visit) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let before = visit.query.id("after").unwrap_or(NEWEST);
    let mut tx = visit.service.store.begin_read().await?;
    let mut found = show::newest(&mut tx, &project.id, before, PAGE + 1).await?;
    tx.rollback().await?;
    let next = pages::cut(&mut found, PAGE, |last| last.tracking_token.clone());
    let listed = if found.is_empty() {
        parts::empty(&visit.t("runs.empty.title"), &html! { (visit.t("runs.empty.text")) })
    } else {
        list_of(&visit, &found)
    };
    let state = state_of(&found.iter().map(told).collect::<Vec<_>>());
    if visit.fragment() == Some(STATE) {
        return Ok(PageResponse::polled(listed, &state));
    }
    let content = html! {
        (head(&visit.t("runs.title"), &visit.t("runs.lead"), &html! {
            (reload(&visit))
            @if visit.may(Action::Translate) { a.button href=(visit.in_project("/runs/new")) { (visit.t("run.title")) } }
        }))
        (polled(STATE, &state, &listed))
        (pager(&visit, &visit.path, next.as_ref().map(TrackingToken::as_str)))
    };
    Ok(PageResponse::page(visit.t("runs.title"), content))
}

/// The values of a run that change.
pub(super) fn told(run: &Job) -> impl Hash {
    let Job { tracking_token, status, total, done, failed, needs_review, charged, .. } = run;
    (tracking_token.as_str().to_owned(), status.as_str(), *total, *done, *failed, *needs_review, charged.0)
}

fn reload(visit: &Visit) -> Markup {
    html! { a.button.secondary href=(visit.here()) { (visit.t("common.reload")) } }
}

/// The path of a run.
fn path(visit: &Visit, token: &TrackingToken) -> String {
    visit.in_project(&format!("/runs/{token}"))
}

/// A table of runs.
pub(super) fn list_of(visit: &Visit, runs: &[Job]) -> Markup {
    let columns = [
        Column::new(visit.t("runs.run")),
        Column::new(visit.t("runs.status")),
        Column::new(visit.t("runs.progress")),
        Column::number(visit.t("runs.failed")),
        Column::number(visit.t("runs.charged")),
    ];
    let row = |run: &Job| {
        vec![
            html! { a href=(path(visit, &run.tracking_token)) { (kind(visit, run)) " " (time(visit, run.created_at)) } },
            status(visit, run.status),
            progress(visit, run),
            failed(visit, run.failed),
            money(visit, run.charged),
        ]
    };
    let rows: Vec<Vec<Markup>> = runs.iter().map(row).collect();
    table(&visit.t("runs.title"), &columns, &rows)
}

fn kind(visit: &Visit, run: &Job) -> String {
    visit.t(if run.document_id.is_some() { "runs.document" } else { "runs.strings" })
}

fn status(visit: &Visit, status: JobStatus) -> Markup {
    let tone = match status {
        JobStatus::Completed => Tone::Good,
        JobStatus::Partial => Tone::Warn,
        JobStatus::Failed => Tone::Bad,
        JobStatus::Queued | JobStatus::Running => Tone::Info,
        // `Canceled`. The store holds no status that this server does not know.
        _ => Tone::Plain,
    };
    badge(tone, &visit.t(&format!("runs.state.{}", status.as_str())))
}

fn failed(visit: &Visit, number: i64) -> Markup {
    match number {
        0 => html! { "0" },
        number => badge(Tone::Bad, &visit.texts.number(number)),
    }
}

fn progress(visit: &Visit, run: &Job) -> Markup {
    html! { (visit.tf("runs.of", &[("done", Value::Number(run.done)), ("all", Value::Number(run.total))])) }
}

/// `GET /dashboard/@{handle}/{slug}/runs/{token}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let (project, token) = (visit.project()?, TrackingToken::from(visit.value("token")?));
    let after = visit.query.get("after").and_then(|after| after.parse().ok()).unwrap_or(-1);
    let mut tx = visit.service.store.begin_read().await?;
    let run = show::show(&mut tx, &project.id, &token, after, PAGE).await?;
    tx.rollback().await?;
    let next = run.next.map(|place| place.to_string());
    let shown = state(&visit, &run);
    let state = state_of(&(told(&run.job), &run.languages, &run.engines));
    if visit.fragment() == Some(STATE) {
        return Ok(PageResponse::polled(shown, &state));
    }
    let is_over = run.job.status.is_final();
    let title = kind(&visit, &run.job);
    let content = html! {
        (head(&title, "", &html! { @if !is_over { (reload(&visit)) } }))
        // What has ended never changes again.
        @if is_over { (shown) } @else { (polled(STATE, &state, &shown)) }
        (pager(&visit, &visit.path, next.as_deref()))
    };
    Ok(PageResponse::page(title, content))
}

fn state(visit: &Visit, run: &ShownJob) -> Markup {
    html! {
        div.stack {
            (card(&visit.t("runs.about"), &html! { (whole(visit, &run.job)) (about(visit, run)) }))
            @if let Some(languages) = &run.languages {
                section.stack {
                    h2 { (visit.t("runs.languages")) }
                    (languages_table(visit, languages))
                }
            }
            @if !run.engines.is_empty() {
                section.stack {
                    h2 { (visit.t("runs.engines")) }
                    (engines_table(visit, &run.engines))
                }
            }
            @if run.job.failed > 0 {
                section.stack {
                    h2 { (visit.t("runs.failures")) }
                    p { (visit.t("runs.failures-text")) }
                    @if run.job.status.is_final() && (run.job.document_id.is_none() || run.document.is_some()) && visit.may(Action::Translate) {
                        p { a.button.secondary href={ (path(visit, &run.job.tracking_token)) "/retry" } { (visit.t("run.retry")) } }
                    }
                    (failures_table(visit, &run.failures))
                }
            }
        }
    }
}

/// The share of each engine, and its price for those who may know it.
fn engines_table(visit: &Visit, engines: &[EngineShare]) -> Markup {
    let sees_prices = visit.may(Action::SeeCredits);
    let mut columns = vec![Column::new(visit.t("runs.engine")), Column::number(visit.t("runs.translated"))];
    if sees_prices {
        columns.push(Column::number(visit.t("runs.charged")));
    }
    let row = |share: &EngineShare| {
        let mut cells = vec![html! { (share.engine) }, html! { (visit.texts.number(share.texts)) }];
        if sees_prices {
            cells.push(money(visit, share.charged));
        }
        cells
    };
    table(&visit.t("runs.engines"), &columns, &engines.iter().map(row).collect::<Vec<_>>())
}

fn whole(visit: &Visit, job: &Job) -> Markup {
    let good = job.done - job.needs_review;
    let shares = [
        ("translated", good),
        ("review", job.needs_review),
        ("failed", job.failed),
        ("missing", (job.total - job.done - job.failed).max(0)),
    ];
    let label = visit.tf("runs.of", &[("done", Value::Number(job.done)), ("all", Value::Number(job.total))]);
    html! { (bar(&label, &shares)) }
}

fn about(visit: &Visit, run: &ShownJob) -> Markup {
    let job = &run.job;
    let mut rows = vec![
        (visit.t("runs.status"), status(visit, job.status)),
        (visit.t("runs.progress"), progress(visit, job)),
        (visit.t("runs.needs-review"), html! { (visit.texts.number(job.needs_review)) }),
        (visit.t("runs.failed"), failed(visit, job.failed)),
        (visit.t("runs.started"), time(visit, job.created_at)),
    ];
    if let Some(at) = job.finished_at {
        rows.push((visit.t("runs.ended"), time(visit, at)));
    }
    if let Some(document) = &run.document {
        rows.push((visit.t("runs.of-document"), quoted(document.name())));
    }
    if visit.may(Action::SeeCredits) {
        rows.push((visit.t("runs.estimated"), html! { (money(visit, job.estimated)) " " (visit.t("common.credits")) }));
        rows.push((visit.t("runs.charged"), html! { (money(visit, job.charged)) " " (visit.t("common.credits")) }));
    }
    rows.push((visit.t("runs.engine"), html! { (job.engine) }));
    rows.push((visit.t("runs.token"), html! { code { (job.tracking_token) } }));
    facts(&rows)
}

fn languages_table(visit: &Visit, languages: &[JobLanguageProgress]) -> Markup {
    let columns = [
        Column::new(visit.t("runs.language")),
        Column::new(visit.t("runs.progress")),
        Column::number(visit.t("runs.translated")),
        Column::number(visit.t("runs.failed")),
    ];
    let row = |language: &JobLanguageProgress| {
        let percent = language.ended.saturating_mul(100) / language.chunks.max(1);
        let label = visit.tf("runs.percent", &[("n", Value::Number(percent))]);
        vec![
            html! { bdi { (language.language) } },
            html! { div.progress { (bar(&label, &shares(language))) span.small.muted { (label) } } },
            html! { (visit.texts.number(language.done)) },
            failed(visit, language.failed),
        ]
    };
    let rows: Vec<Vec<Markup>> = languages.iter().map(row).collect();
    table(&visit.t("runs.languages"), &columns, &rows)
}

/// The parts of a language's bar: of the chunks that have ended, as much failed as of their texts.
fn shares(language: &JobLanguageProgress) -> [(&'static str, i64); 3] {
    const CHUNK: i64 = 1_000;
    let ended = language.ended.saturating_mul(CHUNK);
    let failed = ended.saturating_mul(language.failed) / (language.done + language.failed).max(1);
    [("translated", ended - failed), ("failed", failed), ("missing", (language.chunks - language.ended) * CHUNK)]
}

/// The texts that failed, with their reasons. What is said of them may repeat the words of an engine.
fn failures_table(visit: &Visit, failures: &[ShownFailure]) -> Markup {
    let columns = [
        Column::new(visit.t("runs.key")),
        Column::new(visit.t("runs.language")),
        Column::new(visit.t("runs.text")),
        Column::new(visit.t("runs.reason")),
    ];
    let more = visit.t("common.more");
    let row = |shown: &ShownFailure| {
        vec![
            html! { code { (quoted(&shown.failure.name)) } },
            html! { bdi { (shown.failure.language) } },
            match &shown.text {
                Some(text) => block(&said(text), &more),
                None => html! { span.muted { (visit.t("runs.gone")) } },
            },
            html! { (quoted(&shown.failure.message)) br; code.muted.small { (quoted(&shown.failure.error)) } },
        ]
    };
    let rows: Vec<Vec<Markup>> = failures.iter().map(row).collect();
    table(&visit.t("runs.failures"), &columns, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_a_part_of_its_languages_bar() {
        let progress =
            |done, failed| JobLanguageProgress { language: "de".to_owned(), chunks: 4, ended: 3, done, failed };
        assert_eq!(shares(&progress(30, 0)), [("translated", 3_000), ("failed", 0), ("missing", 1_000)]);
        assert_eq!(shares(&progress(20, 10)), [("translated", 2_000), ("failed", 1_000), ("missing", 1_000)]);
        assert_eq!(shares(&progress(0, 30)), [("translated", 0), ("failed", 3_000), ("missing", 1_000)]);
        assert_eq!(shares(&progress(0, 0)), [("translated", 3_000), ("failed", 0), ("missing", 1_000)]);
    }
}
