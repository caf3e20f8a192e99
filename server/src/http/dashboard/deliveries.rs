//! The deliveries of a webhook: the list, and sending again what has failed. `delivery` shows one.

use std::hash::Hash;
use std::iter;

use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::{Delivery, DeliveryStatus};
use l10n_api_types::events::EventType;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::poll::state_of;
use super::view::field::FormView;
use super::view::parts::{self, Tone, badge, head};
use super::view::table::{Column, pager, table};
use super::view::time::time;
use super::visit::Visit;
use super::webhooks::{id_of, path_of};
use crate::clock::Timestamp;
use crate::domain::deliveries::{self, DeliveryFilter, ResendParts, Resender};
use crate::domain::{ServiceError, webhooks};

/// Deliveries of a page.
const PAGE: usize = 50;

/// The part of the page that the script loads anew.
const LIST: &str = "list";

/// Hours back to which failed deliveries are sent again; 0 for all that the log keeps.
const SINCE: [&str; 4] = ["1", "24", "168", "0"];

/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1_000;

/// `GET …/webhooks/{webhookId}/deliveries`
pub(super) async fn list(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let id = id_of(visit)?;
    let filter = DeliveryFilter {
        status: visit.query.get("status").and_then(|status| status.parse().ok()),
        event: visit.query.get("event").and_then(|event| event.parse().ok()),
    };
    let mut tx = visit.service.store.begin_read().await?;
    let host = webhooks::find(&mut tx, &visit.project()?.id, &id).await?.host;
    let (found, next) = deliveries::page(&mut tx, &id, filter, visit.query.id("after"), PAGE).await?;
    tx.rollback().await?;
    let listed = rows(visit, &id, &found, filter);
    let state = state_of(&found.iter().map(told).collect::<Vec<_>>());
    if visit.fragment() == Some(LIST) {
        return Ok(PageResponse::polled(listed, &state));
    }
    let title = visit.tf("deliveries.of", &[("host", Value::Text(&host))]);
    let back = html! {
        a.button.secondary href={ (path_of(visit, &id, "/deliveries")) (visit.query.with("resent", None)) } { (visit.t("common.reload")) }
        a.button.secondary href=(path_of(visit, &id, "")) { (visit.t("deliveries.webhook")) }
    };
    let content = html! {
        (head(&title, &visit.t("deliveries.lead"), &back))
        (resent(visit))
        (filters(visit, errors, &id))
        (parts::polled(LIST, &state, &listed))
        (pager(visit, &path_of(visit, &id, "/deliveries"), next.as_deref()))
        (resend_form(visit, errors, &id))
    };
    Ok(PageResponse::page(title, content))
}

/// The values of a delivery that change.
pub(super) fn told(delivery: &Delivery) -> impl Hash {
    let next = delivery.next_attempt_at.map(Timestamp::as_millis);
    (delivery.delivery_id.as_str().to_owned(), delivery.status.as_str(), delivery.attempts, next)
}

fn filters(visit: &Visit, errors: &FieldErrors, id: &WebhookId) -> Markup {
    let form = FormView::of_query(visit, errors);
    let all = (String::new(), visit.t("deliveries.all"));
    let statuses = DeliveryStatus::ALL.iter().map(|status| (status.as_str().to_owned(), status_text(visit, *status)));
    let events = EventType::ALL.iter().map(|event| (event.as_str().to_owned(), event.as_str().to_owned()));
    html! {
        form.inline method="get" action=(path_of(visit, id, "/deliveries")) {
            (form.field("status", "deliveries.column.status").select(iter::once(all.clone()).chain(statuses).collect()))
            (form.field("event", "deliveries.column.event").select(iter::once(all).chain(events).collect()))
            button.secondary type="submit" { (visit.t("common.filter")) }
        }
    }
}

fn rows(visit: &Visit, id: &WebhookId, found: &[Delivery], filter: DeliveryFilter) -> Markup {
    let columns = [
        Column::new(visit.t("deliveries.column.event")),
        Column::new(visit.t("deliveries.column.status")),
        Column::number(visit.t("deliveries.column.attempts")),
        Column::new(visit.t("deliveries.column.last")),
        Column::new(visit.t("deliveries.column.outcome")),
        Column::new(visit.t("deliveries.column.next")),
    ];
    let cells: Vec<Vec<Markup>> = found.iter().map(|delivery| row(visit, id, delivery)).collect();
    let none =
        if filter.status.is_some() || filter.event.is_some() { "deliveries.unmatched" } else { "deliveries.empty" };
    html! {
        @if cells.is_empty() {
            (parts::empty(&visit.t(&format!("{none}.title")), &html! { (visit.t(&format!("{none}.text"))) }))
        } @else {
            (table(&visit.t("deliveries.title"), &columns, &cells))
        }
    }
}

fn row(visit: &Visit, id: &WebhookId, delivery: &Delivery) -> Vec<Markup> {
    let path = path_of(visit, id, &format!("/deliveries/{}", delivery.delivery_id));
    vec![
        html! {
            a href=(path) { (delivery.event_type.as_str()) } br;
            span.muted.small { (time(visit, delivery.created_at)) }
        },
        status(visit, delivery.status),
        html! { (visit.texts.number(delivery.attempts.into())) },
        html! {
            span {
                @match delivery.last_attempt_at { Some(at) => (time(visit, at)), None => (visit.t("common.never")) }
                @if let Some(millis) = delivery.last_duration_ms { br; span.muted.small { (duration(visit, millis)) } }
            }
        },
        outcome(visit, delivery.last_status_code.map(i64::from), delivery.last_error_kind.map(|kind| kind.as_str())),
        html! {
            @match delivery.next_attempt_at { Some(at) => (time(visit, at)), None => span.muted { (visit.t("common.none")) } }
        },
    ]
}

/// The status of the answer, or the kind of failure that there was instead.
pub(super) fn outcome(visit: &Visit, status_code: Option<i64>, kind: Option<&str>) -> Markup {
    html! {
        @match (status_code, kind) {
            (Some(status), None) => (badge(Tone::Good, &status.to_string())),
            (Some(status), Some(_)) => (badge(Tone::Bad, &status.to_string())),
            (None, Some(kind)) => (badge(Tone::Bad, &visit.t(&format!("deliveries.kind.{kind}")))),
            (None, None) => span.muted { (visit.t("common.none")) },
        }
    }
}

/// A status as a badge.
pub(super) fn status(visit: &Visit, status: DeliveryStatus) -> Markup {
    let tone = match status {
        DeliveryStatus::Delivering => Tone::Info,
        DeliveryStatus::Delivered => Tone::Good,
        DeliveryStatus::Failed => Tone::Bad,
        // `Pending`.
        _ => Tone::Plain,
    };
    badge(tone, &status_text(visit, status))
}

fn status_text(visit: &Visit, status: DeliveryStatus) -> String {
    visit.t(&format!("deliveries.status.{}", status.as_str()))
}

/// The duration of an attempt.
pub(super) fn duration(visit: &Visit, millis: u64) -> String {
    let millis = i64::try_from(millis).unwrap_or(i64::MAX);
    visit.tf("deliveries.duration", &[("n", Value::Number(millis))])
}

fn resend_form(visit: &Visit, errors: &FieldErrors, id: &WebhookId) -> Markup {
    let form = FormView::new(visit, errors);
    let since = SINCE.map(|hours| (hours.to_owned(), visit.t(&format!("deliveries.since.{hours}"))));
    parts::card(
        &visit.t("deliveries.resend-failed.title"),
        &html! {
            p { (visit.t("deliveries.resend-failed.text")) }
            form method="post" action=(path_of(visit, id, "/deliveries/resend")) novalidate {
                (form.summary())
                (form.field("since", "deliveries.resend-failed.since").select(since.to_vec()))
                (form.submit("deliveries.resend-failed.submit"))
            }
        },
    )
}

/// The result of sending failed deliveries again, after the form has led here.
fn resent(visit: &Visit) -> Markup {
    let number = |name: &str| visit.query.get(name).and_then(|text| text.parse::<u16>().ok()).map(i64::from);
    let is_first = visit.query.get("after").is_none();
    let Some(asked) = number("resent").filter(|_| is_first) else { return Markup::default() };
    let say = |key: &str, n: i64| visit.tf(&format!("deliveries.resent.{key}"), &[("n", Value::Number(n))]);
    html! {
        div.notice.good role="status" tabindex="-1" data-focus {
            p {
                (say("asked", asked))
                @if let Some(n) = number("skipped").filter(|n| *n > 0) { " " (say("skipped", n)) }
                @if let Some(n) = number("left").filter(|n| *n > 0) { " " (say("left", n)) }
            }
        }
    }
}

/// `POST …/webhooks/{webhookId}/deliveries/resend`
pub(super) async fn resend_failed(visit: Visit) -> Result<PageResponse, ServiceError> {
    let (service, project, id) = (&visit.service, &visit.project()?.id, id_of(&visit)?);
    let mut tx = service.store.begin_read().await?;
    webhooks::find(&mut tx, project, &id).await?;
    tx.rollback().await?;
    let chosen = visit.form.value("since");
    let Some(hours) = chosen.parse::<i64>().ok().filter(|_| SINCE.contains(&chosen)) else {
        let mut errors = FieldErrors::default();
        errors.add("since", "deliveries.wrong-since", None);
        return Ok(page(&visit, &errors).await?.invalid());
    };
    let since = if hours == 0 { Timestamp::from_millis(0) } else { visit.now.plus_millis(-hours.saturating_mul(HOUR)) };
    let by = visit.person()?.actor();
    let resender = Resender { project, workspace: &visit.membership()?.workspace, by: &by };
    let parts = ResendParts {
        store: &service.store,
        rules: &service.delivery_rules,
        deliveries_due: &service.deliveries_due,
        clock: service.clock.as_ref(),
        resender,
    };
    let done = deliveries::resend_failed(parts, &id, since).await?;
    let told = format!("/deliveries?resent={}&skipped={}&left={}", done.asked, done.skipped, done.left);
    Ok(PageResponse::see_other(&path_of(&visit, &id, &told)))
}
