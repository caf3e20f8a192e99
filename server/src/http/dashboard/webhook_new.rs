//! Making a webhook, and the page that shows its secret.

use l10n_api_types::WebhookId;
use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::{CreateBody, Created};
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, card, copyable, head};
use super::visit::Visit;
use super::webhooks::{LIST, manager, path_of};
use crate::domain::ServiceError;
use crate::domain::webhooks::{self, LONGEST_URL, Registration};

/// Lines of a receiver in JavaScript that check a signature: `header` is that of `X-Service-Signature`, `body` the bytes.
const RECEIVER: &str = r#"import { createHmac, timingSafeEqual } from "node:crypto";

export function isGenuine(header, body) {
  const [t, ...signatures] = header.split(",").map((part) => part.slice(part.indexOf("=") + 1));
  const hmac = createHmac("sha256", process.env.L10N_WEBHOOK_SECRET);
  const expected = Buffer.from(hmac.update(`${t}.`).update(body).digest("hex"));
  const isRecent = Math.abs(Date.now() / 1000 - Number(t)) <= 300;
  const isSame = (hex) => hex.length === 64 && timingSafeEqual(Buffer.from(hex, "latin1"), expected);
  return isRecent && signatures.some(isSame);
}"#;

/// `GET /dashboard/@{handle}/{slug}/webhooks/new`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    Ok(page(&visit, &FieldErrors::default(), false))
}

/// The form. `warns` shows the box by which a person says that they want a second webhook with the same URL.
fn page(visit: &Visit, errors: &FieldErrors, warns: bool) -> PageResponse {
    let form = FormView::new(visit, errors);
    let content = html! {
        (head(&visit.t("webhooks.new.title"), "", &Markup::default()))
        form.card method="post" action=(visit.in_project("/webhooks/new")) novalidate {
            (form.summary())
            (fields(visit, &form, "", &[EventType::StringsPublished]))
            @if warns {
                (form.group("anyway", &visit.t("webhooks.new.known"), &form.checkbox("anyway", "yes",
                    &visit.t("webhooks.new.anyway"), "", false)))
            }
            (form.submit("webhooks.new.submit"))
        }
        p { a href=(visit.in_project(LIST)) { (visit.t("common.cancel")) } }
    };
    PageResponse::page(visit.t("webhooks.new.title"), content)
}

/// The fields of a webhook: its URL, and its events with what each means.
pub(super) fn fields(visit: &Visit, form: &FormView<'_>, url: &str, events: &[EventType]) -> Markup {
    let choices = html! {
        @for event in EventType::ALL {
            (form.checkbox("event", event.as_str(), event.as_str(), &visit.t(&event_text(*event)), events.contains(event)))
        }
    };
    html! {
        (form.field("url", "webhooks.url").hint("webhooks.url-hint").initial(url).input("url").code().longest(LONGEST_URL))
        (form.group("event", &visit.t("webhooks.events"), &choices))
    }
}

/// The name of the text that says when an event fires.
fn event_text(event: EventType) -> String {
    format!("webhooks.event.{}", event.as_str().replace('.', "-"))
}

/// The URL and the events that were typed.
pub(super) fn typed(visit: &Visit, errors: &mut FieldErrors) -> (String, Vec<EventType>) {
    let url = visit.form.line("url", 1..=LONGEST_URL, errors);
    let sent = |event: &EventType| visit.form.all("event").any(|sent| sent == event.as_str());
    let events: Vec<EventType> = EventType::ALL.iter().copied().filter(sent).collect();
    if events.is_empty() || visit.form.all("event").any(|sent| sent.parse::<EventType>().is_err()) {
        errors.add("event", "webhooks.no-event", None);
    }
    (url, events)
}

/// Notes beside the URL why deliveries may not be sent to it.
pub(super) fn note_url(error: ServiceError, errors: &mut FieldErrors) -> Result<(), ServiceError> {
    match error {
        ServiceError::InvalidArgument(words) => {
            errors.say("url", words.strip_prefix("`url`: ").unwrap_or(&words));
            Ok(())
        }
        other => errors.refused(other),
    }
}

/// `POST /dashboard/@{handle}/{slug}/webhooks/new`
pub(super) async fn make(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let (url, events) = typed(&visit, &mut errors);
    let mut warns = visit.form.has("anyway");
    if errors.is_empty() {
        // Name servers are asked before a transaction is open.
        match Registration::judge(&visit.service.egress, CreateBody { url, events }).await {
            Ok(registration) => match carry_out(&visit, registration).await {
                Ok(Some(created)) => return Ok(made(&visit, &created)),
                Ok(None) => {
                    warns = true;
                    errors.add("anyway", "webhooks.known", None);
                }
                Err(error) => errors.refused(error)?,
            },
            Err(error) => note_url(error, &mut errors)?,
        }
    }
    Ok(page(&visit, &errors, warns).invalid())
}

/// Registers the webhook; `None` where there is one with the same URL and the person has not said that they want another, as
/// when a form was sent twice.
async fn carry_out(visit: &Visit, registration: Registration) -> Result<Option<Created>, ServiceError> {
    let (service, by) = (&visit.service, manager(visit)?);
    let mut tx = visit.begin_write().await?;
    if !visit.form.has("anyway") && webhooks::is_known(&mut tx, &visit.project()?.id, &registration).await? {
        tx.rollback().await?;
        return Ok(None);
    }
    let created = webhooks::create(&mut tx, service.clock.as_ref(), &service.vault, by, registration).await?;
    tx.commit().await?;
    Ok(Some(created))
}

fn made(visit: &Visit, created: &Created) -> PageResponse {
    let note = html! { p { (visit.t("webhooks.made.text")) " " (quoted(&created.url)) } };
    shown_once(visit, "webhooks.made.title", (&created.webhook_id, &created.url), &created.secret, &note)
}

/// The page with a secret, this once, and with lines for a receiver.
pub(super) fn shown_once(
    visit: &Visit,
    title: &str,
    (id, url): (&WebhookId, &str),
    secret: &str,
    note: &Markup,
) -> PageResponse {
    let (copy, copied) = (visit.t("common.copy"), visit.t("common.copied"));
    let copyable = |text: &str| copyable(text, &copy, &copied);
    let back = html! { a.button.secondary href=(path_of(visit, id, "")) { (visit.t("webhooks.made.back")) } };
    let content = html! {
        (head(&visit.t(title), "", &back))
        (parts::notice(Tone::Warn, &html! { p { (visit.t("webhooks.made.once")) } }))
        (note)
        (card(&visit.t("webhooks.made.secret"), &copyable(secret)))
        (card(&visit.t("webhooks.made.receiver"), &html! {
            p { (visit.t("webhooks.made.receiver-text")) }
            h3 { (visit.t("webhooks.made.environment")) }
            (copyable(&format!("export L10N_WEBHOOK_SECRET={secret}")))
            h3 { (visit.t("webhooks.made.check")) }
            (copyable(RECEIVER))
            h3 { (visit.t("webhooks.made.try")) }
            (copyable(&format!("l10n webhooks trigger '{}'", url.replace('\'', "%27"))))
        }))
    };
    PageResponse::page(visit.t(title), content)
}
