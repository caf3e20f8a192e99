//! Another secret for a webhook, and its end.

use l10n_api_types::webhooks::{Rotated, Webhook};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::head;
use super::view::time::time;
use super::visit::Visit;
use super::webhook_new::shown_once;
use super::webhooks::{LIST, id_of, manager, path_of};
use crate::domain::ServiceError;
use crate::domain::webhooks::{self, ManagedWebhook};

/// The webhook of the path.
async fn find(visit: &Visit) -> Result<Webhook, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let row = webhooks::find(&mut tx, &visit.project()?.id, &id_of(visit)?).await?;
    tx.rollback().await?;
    Ok(ManagedWebhook::of(row, visit.now).webhook)
}

/// `GET …/webhooks/{webhookId}/rotate`
pub(super) async fn ask_rotate(visit: Visit) -> Result<PageResponse, ServiceError> {
    rotate_page(&visit, &FieldErrors::default()).await
}

async fn rotate_page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let webhook = find(visit).await?;
    let form = FormView::new(visit, errors);
    let title = visit.t("webhooks.rotate.title");
    let content = html! {
        (head(&title, &visit.t("webhooks.rotate.lead"), &Markup::default()))
        section.card {
            p { (quoted(&webhook.url)) }
            p { (visit.t("webhooks.hint")) " " code { "whsec_…" (webhook.secret_hint) } }
            @if let Some(until) = webhook.previous_secret_expires_at {
                p.strong { (visit.t("webhooks.rotate.drops")) " " (time(visit, until)) }
            }
            form method="post" action=(path_of(visit, &webhook.webhook_id, "/rotate")) {
                (form.summary())
                // The secret that the person was shown: a form that was sent twice does not replace what it has made.
                input type="hidden" name="known-hint" value=(webhook.secret_hint);
                (form.submit("webhooks.rotate.submit"))
            }
            p { a href=(path_of(visit, &webhook.webhook_id, "")) { (visit.t("common.cancel")) } }
        }
    };
    Ok(PageResponse::page(title, content))
}

/// `POST …/webhooks/{webhookId}/rotate`
pub(super) async fn rotate(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some((url, rotated)) = carry_out_rotate(&visit).await? else {
        let mut errors = FieldErrors::default();
        errors.whole("webhooks.rotated-meanwhile", None);
        return Ok(rotate_page(&visit, &errors).await?.conflict());
    };
    let until = rotated.previous_secret_expires_at;
    let note =
        html! { p { (visit.t("webhooks.previous")) " " (time(&visit, until)) " " span.muted { "(" (until) ")" } } };
    Ok(shown_once(&visit, "webhooks.rotate.done", (&rotated.webhook_id, &url), &rotated.secret, &note))
}

/// Gives the webhook another secret, if it has the one that the person was shown.
async fn carry_out_rotate(visit: &Visit) -> Result<Option<(String, Rotated)>, ServiceError> {
    let (service, id) = (&visit.service, id_of(visit)?);
    let mut tx = visit.begin_write().await?;
    let present = webhooks::lock(&mut tx, &visit.project()?.id, &id).await?;
    if visit.form.value("known-hint") != present.secret_hint {
        tx.rollback().await?;
        return Ok(None);
    }
    let by = manager(visit)?;
    let rotated = webhooks::rotate_secret(&mut tx, service.clock.as_ref(), &service.vault, by, &id).await?;
    tx.commit().await?;
    Ok(Some((present.url, rotated)))
}

/// `GET …/webhooks/{webhookId}/delete`
pub(super) async fn ask_delete(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let (managed, recent) = webhooks::managed(&mut tx, &visit.project()?.id, &id_of(&visit)?, visit.now).await?;
    tx.rollback().await?;
    let title = visit.t("webhooks.delete.title");
    let id = &managed.webhook.webhook_id;
    let content = html! {
        (head(&title, "", &Markup::default()))
        section.card.danger {
            p { (quoted(&managed.webhook.url)) }
            p { (visit.t("webhooks.delete.text")) }
            @if recent.taken > recent.ended {
                p.strong { (visit.tf("webhooks.delete.waiting", &[("n", Value::Number(recent.taken - recent.ended))])) }
            }
            form method="post" action=(path_of(&visit, id, "/delete")) {
                div.form-end { button.danger type="submit" { (visit.t("webhooks.delete.submit")) } }
            }
            p { a href=(path_of(&visit, id, "")) { (visit.t("common.cancel")) } }
        }
    };
    Ok(PageResponse::page(title, content))
}

/// `POST …/webhooks/{webhookId}/delete`
pub(super) async fn delete(visit: Visit) -> Result<PageResponse, ServiceError> {
    let (service, id) = (&visit.service, id_of(&visit)?);
    let mut tx = visit.begin_write().await?;
    webhooks::delete(&mut tx, service.clock.as_ref(), manager(&visit)?, &id).await?;
    tx.commit().await?;
    Ok(PageResponse::done(&visit.in_project(LIST), "webhooks.deleted"))
}
