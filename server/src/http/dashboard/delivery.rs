//! One delivery: what was sent, what came back, and sending it again.

use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::{Delivery, DeliveryStatus};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::deliveries::{duration, outcome, status, told};
use super::forms::FieldErrors;
use super::poll::state_of;
use super::view::field::FormView;
use super::view::hostile::{block, quoted, sentence};
use super::view::parts::{Tone, badge, card, facts, head, polled};
use super::view::time::time;
use super::visit::Visit;
use super::webhooks::{id_of, path_of};
use crate::domain::deliveries::{self, DeliveryDetail, Resender};
use crate::domain::{ServiceError, webhooks};
use crate::service::Service;
use crate::store::delivery_attempts::DeliveryAttempt;

/// The part of the page that the script loads anew.
const STATE: &str = "state";

/// `GET …/webhooks/{webhookId}/deliveries/{deliveryId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let id = id_of(visit)?;
    let mut tx = visit.service.store.begin_read().await?;
    webhooks::find(&mut tx, &visit.project()?.id, &id).await?;
    let detail = deliveries::detail(&mut tx, &id, visit.value("deliveryId")?).await?;
    tx.rollback().await?;
    let shown = state(visit, errors, &id, &detail);
    let state = state_of(&told(&detail.delivery));
    if visit.fragment() == Some(STATE) {
        return Ok(PageResponse::polled(shown, &state));
    }
    let title = visit.t("deliveries.one");
    let here = format!("/deliveries/{}", detail.delivery.delivery_id);
    let body = String::from_utf8_lossy(&detail.body);
    let content = html! {
        (head(&title, "", &html! {
            a.button.secondary href=(path_of(visit, &id, &here)) { (visit.t("common.reload")) }
            a.button.secondary href=(path_of(visit, &id, "/deliveries")) { (visit.t("deliveries.back")) }
        }))
        (polled(STATE, &state, &shown))
        (card(&visit.t("deliveries.body"), &html! {
            p.muted { (visit.t("deliveries.body-text")) }
            (block(&body, &visit.t("common.more")))
        }))
        h2 { (visit.t("deliveries.attempts")) }
        @if detail.attempts.len() < usize::try_from(detail.delivery.attempts).unwrap_or_default() {
            p.muted { (visit.t("deliveries.unrecorded")) }
        }
        @for attempt in &detail.attempts { (one(visit, attempt)) }
    };
    Ok(PageResponse::page(title, content))
}

/// The present state of the delivery, with the button to send it again.
fn state(visit: &Visit, errors: &FieldErrors, id: &WebhookId, detail: &DeliveryDetail) -> Markup {
    let delivery = &detail.delivery;
    let resend = path_of(visit, id, &format!("/deliveries/{}/resend", delivery.delivery_id));
    let or_none = |text: Option<Markup>| text.unwrap_or_else(|| html! { span.muted { (visit.t("common.none")) } });
    let facts = facts(&[
        (visit.t("deliveries.column.status"), status(visit, delivery.status)),
        (visit.t("deliveries.column.event"), html! { code { (delivery.event_type.as_str()) } }),
        (visit.t("deliveries.created"), time(visit, delivery.created_at)),
        (visit.t("deliveries.column.attempts"), html! { (visit.texts.number(delivery.attempts.into())) }),
        (visit.t("deliveries.column.next"), or_none(delivery.next_attempt_at.map(|at| time(visit, at)))),
        (visit.t("deliveries.event-id"), html! { code { (delivery.event_id) } }),
        (visit.t("deliveries.publish-id"), html! { code { (delivery.publish_id) } }),
        (visit.t("deliveries.id"), html! { code { (delivery.delivery_id) } }),
    ]);
    html! {
        section.card {
            (FormView::new(visit, errors).summary_titled("deliveries.not-resent"))
            (facts)
            @if delivery.attempts > 0 && detail.attempts.is_empty() { (last(visit, delivery)) }
            @if delivery.status == DeliveryStatus::Delivering { p { (visit.t("deliveries.in-flight")) } } @else {
                form method="post" action=(resend) {
                    // A form without fields could not be told from one that was never sent.
                    input type="hidden" name="seen" value=(delivery.status.as_str());
                    div.form-end { button type="submit" { (visit.t("deliveries.resend")) } }
                }
            }
        }
    }
}

/// The last attempt of a delivery whose attempts were not written down.
fn last(visit: &Visit, delivery: &Delivery) -> Markup {
    let kind = delivery.last_error_kind.map(|kind| kind.as_str());
    html! {
        p {
            (visit.t("deliveries.column.last")) ": "
            (outcome(visit, delivery.last_status_code.map(i64::from), kind))
            @if let Some(error) = &delivery.last_error { " " (sentence(error)) }
        }
    }
}

fn one(visit: &Visit, attempt: &DeliveryAttempt) -> Markup {
    let kind = attempt.error.as_ref().map(|_| attempt.error_kind.map_or("internal", |kind| kind.as_str()));
    let millis = u64::try_from(attempt.duration_ms).unwrap_or_default();
    let advice = match &attempt.error {
        Some(error) => sentence(error),
        None => html! { (visit.t("deliveries.arrived")) },
    };
    let facts = facts(&[
        (visit.t("deliveries.column.outcome"), outcome(visit, attempt.status_code, kind)),
        (visit.t("deliveries.began"), time(visit, attempt.began_at)),
        (visit.t("deliveries.took"), html! { (duration(visit, millis)) }),
        (visit.t("deliveries.to"), quoted(&attempt.url)),
        (visit.t("deliveries.advice"), advice),
    ]);
    html! {
        section.card.stack {
            h3 {
                (visit.tf("deliveries.number", &[("n", Value::Number(attempt.number))]))
                @if attempt.resend { " " (badge(Tone::Info, &visit.t("deliveries.asked-for"))) }
            }
            (facts)
            details {
                summary { (visit.t("deliveries.headers")) }
                @match &attempt.headers {
                    Some(headers) => {
                        (block(headers, &visit.t("common.more")))
                        p { (visit.t("deliveries.base")) }
                        p { code { (signed_at(headers)) ".…" } }
                        p.muted { (visit.t("deliveries.base-text")) }
                    },
                    None => p { (visit.t("deliveries.not-sent")) },
                }
            }
            details {
                summary { (visit.t("deliveries.answer")) }
                @match &attempt.answer {
                    None => p { (visit.t("deliveries.no-answer")) },
                    Some(answer) if answer.is_empty() => p { (visit.t("deliveries.empty-answer")) },
                    Some(answer) => {
                        (block(&String::from_utf8_lossy(answer), &visit.t("common.more")))
                        @if attempt.answer_cut { p.muted { (visit.t("deliveries.answer-cut")) } }
                    },
                }
            }
        }
    }
}

/// The seconds that stand before the body in what was signed, out of the lines of the head.
fn signed_at(headers: &str) -> &str {
    let signature = headers.lines().find_map(|line| line.strip_prefix(l10n_webhook_verify::SIGNATURE_HEADER));
    let time = signature.and_then(|value| value.strip_prefix(": t=")).and_then(|value| value.split(',').next());
    time.unwrap_or("t")
}

/// `POST …/webhooks/{webhookId}/deliveries/{deliveryId}/resend`
pub(super) async fn resend(visit: Visit) -> Result<PageResponse, ServiceError> {
    let (project, id, delivery) = (&visit.project()?.id, id_of(&visit)?, visit.value("deliveryId")?);
    let by = visit.person()?.actor();
    let resender = Resender { project, workspace: &visit.membership()?.workspace, by: &by };
    let Service { delivery_rules: rules, deliveries_due: due, clock, .. } = &*visit.service;
    let mut tx = visit.begin_write().await?;
    webhooks::find(&mut tx, project, &id).await?;
    match deliveries::resend(&mut tx, rules, due, clock.as_ref(), resender, &id, delivery).await {
        Ok(_) => {
            tx.commit().await?;
            Ok(PageResponse::done(&path_of(&visit, &id, &format!("/deliveries/{delivery}")), "deliveries.resent"))
        }
        Err(ServiceError::DeliveryInFlight(_)) => {
            tx.rollback().await?;
            let mut errors = FieldErrors::default();
            errors.whole("deliveries.in-flight", None);
            Ok(page(&visit, &errors).await?.conflict())
        }
        Err(error) => Err(error),
    }
}
