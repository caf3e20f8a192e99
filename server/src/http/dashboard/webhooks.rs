//! The webhooks of a project: the list. `webhook_new` makes one, `webhook` shows and changes one, `webhook_end` gives it
//! another secret and deletes it.

use l10n_api_types::WebhookId;
use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::Webhook;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, badge, head};
use super::view::table::{Column, table};
use super::view::time::time;
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::webhooks::{self, ManagedWebhook, RecentDeliveries, WebhookManager};

/// The path of the list, below the project's.
pub(super) const LIST: &str = "/webhooks";

/// `GET /dashboard/@{handle}/{slug}/webhooks`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let listed = webhooks::overview(&mut tx, &visit.project()?.id, visit.now).await?;
    tx.rollback().await?;
    let most = visit.service.settings.webhooks.most_per_project;
    let is_full = listed.len() >= usize::try_from(most).unwrap_or(usize::MAX);
    let new = html! {
        @if !is_full { a.button href=(visit.in_project("/webhooks/new")) { (visit.t("webhooks.new.title")) } }
    };
    let content = html! {
        (head(&visit.t("webhooks.title"), &visit.t("webhooks.lead"), &new))
        @if is_full {
            (parts::notice(Tone::Info, &html! { p { (visit.tf("webhooks.full", &[("n", Value::Number(most.into()))])) } }))
        }
        @if listed.is_empty() {
            (parts::empty(&visit.t("webhooks.empty.title"), &html! { (visit.t("webhooks.empty.text")) }))
        } @else {
            (list(&visit, &listed))
        }
    };
    Ok(PageResponse::page(visit.t("webhooks.title"), content))
}

fn list(visit: &Visit, listed: &[(ManagedWebhook, RecentDeliveries)]) -> Markup {
    let say = |key: &str| visit.t(&format!("webhooks.column.{key}"));
    let columns = [
        Column::new(say("url")),
        Column::new(say("events")),
        Column::new(say("state")),
        Column::new(say("success")),
        Column::number(say("failures")),
        Column::number(say("arrived")),
    ];
    let rows: Vec<Vec<Markup>> = listed.iter().map(|(managed, recent)| row(visit, managed, *recent)).collect();
    table(&visit.t("webhooks.title"), &columns, &rows)
}

fn row(visit: &Visit, managed: &ManagedWebhook, recent: RecentDeliveries) -> Vec<Markup> {
    let webhook = &managed.webhook;
    vec![
        html! { a href=(path_of(visit, &webhook.webhook_id, "")) { (quoted(&webhook.url)) } },
        events(&webhook.events),
        html! {
            span { (state(visit, webhook)) @if let Some(at) = managed.disabled_at { " " span.muted.small { (time(visit, at)) } } }
        },
        success(visit, recent),
        html! { (visit.texts.number(webhook.consecutive_failures.into())) },
        arrived(visit, recent),
    ]
}

/// The names of events, as the API has them.
pub(super) fn events(events: &[EventType]) -> Markup {
    html! { span { @for event in events { code.small { (event.as_str()) } " " } } }
}

/// The state of a webhook as a badge.
pub(super) fn state(visit: &Visit, webhook: &Webhook) -> Markup {
    match (webhook.enabled, webhook.disabled_reason) {
        (true, _) if webhook.consecutive_failures > 0 => badge(Tone::Warn, &visit.t("webhooks.state.failing")),
        (true, _) => badge(Tone::Good, &visit.t("webhooks.state.enabled")),
        (false, Some(_)) => badge(Tone::Bad, &visit.t("webhooks.state.disabled")),
        (false, None) => badge(Tone::Plain, &visit.t("webhooks.state.disabled")),
    }
}

/// The time of the last attempt that was answered 2xx.
pub(super) fn success(visit: &Visit, recent: RecentDeliveries) -> Markup {
    html! { @match recent.last_success_at { Some(at) => (time(visit, at)), None => (visit.t("common.never")) } }
}

/// The share of the last deliveries that arrived.
pub(super) fn arrived(visit: &Visit, recent: RecentDeliveries) -> Markup {
    html! {
        @if recent.ended == 0 { span.muted { (visit.t("webhooks.none-ended")) } } @else {
            (visit.tf("webhooks.share", &[("n", Value::Number(recent.arrived)), ("all", Value::Number(recent.ended))]))
        }
    }
}

/// The path of a page about a webhook; `rest` begins with a slash, or is empty for its first page.
pub(super) fn path_of(visit: &Visit, id: &WebhookId, rest: &str) -> String {
    visit.in_project(&format!("{LIST}/{id}{rest}"))
}

/// The webhook that the path names.
pub(super) fn id_of(visit: &Visit) -> Result<WebhookId, ServiceError> {
    Ok(WebhookId::from(visit.value("webhookId")?))
}

/// The person as somebody who manages the project's webhooks.
pub(super) fn manager(visit: &Visit) -> Result<WebhookManager<'_>, ServiceError> {
    let settings = &visit.service.settings.webhooks;
    Ok(WebhookManager::person(visit.person()?, &visit.membership()?.workspace, &visit.project()?.id, settings))
}
