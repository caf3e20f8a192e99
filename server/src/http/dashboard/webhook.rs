//! One webhook: its state, enabling and disabling it, and changing it.

use l10n_api_types::webhooks::{UpdateBody, Webhook};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{card, facts, head};
use super::view::time::time;
use super::visit::Visit;
use super::webhook_new::{fields, note_url, typed};
use super::webhooks::{arrived, events, id_of, manager, path_of, state, success};
use crate::domain::ServiceError;
use crate::domain::webhooks::{self, ManagedWebhook, RecentDeliveries, WebhookChange};

/// `GET /dashboard/@{handle}/{slug}/webhooks/{webhookId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let (managed, recent) = webhooks::managed(&mut tx, &visit.project()?.id, &id_of(visit)?, visit.now).await?;
    tx.rollback().await?;
    let title = visit.tf("webhooks.one", &[("host", Value::Text(&managed.host))]);
    let content = html! {
        (head(&title, "", &html! {
            (state(visit, &managed.webhook))
            a.button.secondary href=(path_of(visit, &managed.webhook.webhook_id, "/deliveries")) { (visit.t("deliveries.title")) }
        }))
        div.two {
            (card(&visit.t("webhooks.about"), &about(visit, &managed.webhook, recent)))
            (switch(visit, &managed))
        }
        (edit_form(visit, errors, &managed.webhook))
        (card(&visit.t("webhooks.secret"), &secret(visit, &managed.webhook)))
        (card(&visit.t("webhooks.delete.title"), &html! {
            p { (visit.t("webhooks.delete.short")) }
            p { a.button.secondary href=(path_of(visit, &managed.webhook.webhook_id, "/delete")) { (visit.t("webhooks.delete.go")) } }
        }))
    };
    Ok(PageResponse::page(title, content))
}

fn about(visit: &Visit, webhook: &Webhook, recent: RecentDeliveries) -> Markup {
    facts(&[
        (visit.t("webhooks.column.url"), quoted(&webhook.url)),
        (visit.t("webhooks.column.events"), events(&webhook.events)),
        (visit.t("webhooks.column.success"), success(visit, recent)),
        (visit.t("webhooks.column.failures"), html! { (visit.texts.number(webhook.consecutive_failures.into())) }),
        (visit.t("webhooks.column.arrived"), arrived(visit, recent)),
        (visit.t("webhooks.created"), time(visit, webhook.created_at)),
        (visit.t("webhooks.id"), html! { code { (webhook.webhook_id) } }),
    ])
}

/// Enabling a webhook, with what disabled it; or disabling it.
fn switch(visit: &Visit, managed: &ManagedWebhook) -> Markup {
    let webhook = &managed.webhook;
    let action = if webhook.enabled { "disable" } else { "enable" };
    let why = if webhook.disabled_reason.is_some() { "webhooks.enable.failures" } else { "webhooks.enable.person" };
    let content = html! {
        @if webhook.enabled { p { (visit.t("webhooks.disable.text")) } } @else {
            p { (visit.t(why)) }
            p {
                (visit.t("webhooks.enable.when")) " "
                @match managed.disabled_at {
                    Some(at) => (time(visit, at)),
                    None => (visit.t("webhooks.not-recorded")),
                }
            }
            p { (visit.t("webhooks.enable.text")) }
        }
        form method="post" action={ (path_of(visit, &webhook.webhook_id, "/")) (action) } {
            div.form-end {
                button.secondary[webhook.enabled] type="submit" { (visit.t(&format!("webhooks.{action}.submit"))) }
            }
        }
    };
    card(&visit.t(&format!("webhooks.{action}.title")), &content)
}

fn edit_form(visit: &Visit, errors: &FieldErrors, webhook: &Webhook) -> Markup {
    let form = FormView::new(visit, errors);
    html! {
        section.card {
            h2 { (visit.t("webhooks.edit.title")) }
            form method="post" action=(path_of(visit, &webhook.webhook_id, "")) novalidate {
                (form.summary())
                (form.shown("known-url", &webhook.url))
                (form.shown("known-events", &names(webhook)))
                (fields(visit, &form, &webhook.url, &webhook.events))
                (form.submit("webhooks.edit.submit"))
            }
        }
    }
}

fn names(webhook: &Webhook) -> String {
    webhook.events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(",")
}

fn secret(visit: &Visit, webhook: &Webhook) -> Markup {
    html! {
        p { (visit.t("webhooks.hint")) " " code { "whsec_…" (webhook.secret_hint) } }
        @if let Some(until) = webhook.previous_secret_expires_at {
            p { (visit.t("webhooks.previous")) " " (time(visit, until)) " " span.muted { "(" (until) ")" } }
        }
        p { a.button.secondary href=(path_of(visit, &webhook.webhook_id, "/rotate")) { (visit.t("webhooks.rotate.title")) } }
    }
}

/// `POST /dashboard/@{handle}/{slug}/webhooks/{webhookId}`
pub(super) async fn save(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    // Before anything is said about what was typed: who may not see the webhook learns nothing.
    let known = find(&visit).await?;
    let (url, events) = typed(&visit, &mut errors);
    if errors.is_empty() {
        // The addresses of a URL that stays are none of this form's business.
        let body = UpdateBody { url: (url != known.url).then_some(url), events: Some(events), enabled: None };
        match WebhookChange::judge(&visit.service.egress, body).await {
            Ok(change) => match carry_out(&visit, change).await {
                Ok(true) => {
                    return Ok(PageResponse::done(&path_of(&visit, &id_of(&visit)?, ""), "webhooks.saved"));
                }
                Ok(false) => {
                    errors.moved("webhooks.changed");
                    return Ok(page(&visit, &errors).await?.conflict());
                }
                Err(error) => errors.refused(error)?,
            },
            Err(error) => note_url(error, &mut errors)?,
        }
    }
    Ok(page(&visit, &errors).await?.invalid())
}

async fn find(visit: &Visit) -> Result<Webhook, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let (managed, _) = webhooks::managed(&mut tx, &visit.project()?.id, &id_of(visit)?, visit.now).await?;
    tx.rollback().await?;
    Ok(managed.webhook)
}

/// Makes the change, unless somebody has made another since the person looked.
async fn carry_out(visit: &Visit, change: WebhookChange) -> Result<bool, ServiceError> {
    let (service, id) = (&visit.service, id_of(visit)?);
    let mut tx = visit.begin_write().await?;
    let row = webhooks::lock(&mut tx, &visit.project()?.id, &id).await?;
    let present = ManagedWebhook::of(row, visit.now).webhook;
    if visit.form.value("known-url") != present.url || visit.form.value("known-events") != names(&present) {
        tx.rollback().await?;
        return Ok(false);
    }
    webhooks::update(&mut tx, service.clock.as_ref(), &service.deliveries_due, manager(visit)?, &id, change).await?;
    tx.commit().await?;
    Ok(true)
}

/// `POST …/webhooks/{webhookId}/enable`
pub(super) async fn enable(visit: Visit) -> Result<PageResponse, ServiceError> {
    set_enabled(&visit, true).await?;
    Ok(PageResponse::done(&path_of(&visit, &id_of(&visit)?, ""), "webhooks.enabled"))
}

/// `POST …/webhooks/{webhookId}/disable`
pub(super) async fn disable(visit: Visit) -> Result<PageResponse, ServiceError> {
    set_enabled(&visit, false).await?;
    Ok(PageResponse::done(&path_of(&visit, &id_of(&visit)?, ""), "webhooks.disabled"))
}

/// Enables or disables the webhook; where it is so already, as when a form was sent twice, nothing happens.
async fn set_enabled(visit: &Visit, enabled: bool) -> Result<(), ServiceError> {
    let (service, id) = (&visit.service, id_of(visit)?);
    let body = UpdateBody { url: None, events: None, enabled: Some(enabled) };
    let change = WebhookChange::judge(&service.egress, body).await?;
    let mut tx = visit.begin_write().await?;
    if webhooks::lock(&mut tx, &visit.project()?.id, &id).await?.enabled == enabled {
        return Ok(tx.rollback().await?);
    }
    webhooks::update(&mut tx, service.clock.as_ref(), &service.deliveries_due, manager(visit)?, &id, change).await?;
    Ok(tx.commit().await?)
}
