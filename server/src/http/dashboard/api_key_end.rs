//! The end of an API key: revoked, or replaced by another.

use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::api_key_new::{chosen_end, ends, note};
use super::api_keys::{LIST, path_of, recognised, shown_once};
use super::forms::FieldErrors;
use super::operation::work;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, card, head};
use super::view::time::time;
use super::visit::{Visit, nothing_here};
use crate::domain::ServiceError;
use crate::domain::api_keys::{self, KeyError, KeyReplacement, Replaced, Revoked};
use crate::domain::operations;
use crate::store::Tx;
use crate::store::api_keys::ApiKey;

/// Hours for which a replaced key goes on.
const DELAYS: [&str; 5] = ["24", "1", "168", "720", "0"];

/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1_000;

/// The key of the path, as long as requests with it are not refused; of a key that is over, why there is nothing to do.
async fn find(visit: &Visit, tx: &mut Tx) -> Result<ApiKey, ServiceError> {
    let found = api_keys::find(tx, &visit.project()?.id, visit.value("keyId")?).await?;
    found.ok_or_else(nothing_here)
}

/// `GET …/settings/keys/{keyId}/revoke`
pub(super) async fn ask_revoke(visit: Visit) -> Result<PageResponse, ServiceError> {
    revoke_page(&visit, &FieldErrors::default()).await
}

async fn revoke_page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let key = find(visit, &mut tx).await?;
    let (canceled, has_more) = operations::open_of_key(&mut tx, &visit.service.settings, &key.id, visit.now).await?;
    tx.rollback().await?;
    let cancels = if has_more { "keys.revoke.cancels-more" } else { "keys.revoke.cancels" };
    let form = FormView::new(visit, errors);
    let content = html! {
        (head(&visit.t("keys.revoke.title"), "", &Markup::default()))
        section.card {
            p { (quoted(&key.label)) " " (recognised(&key)) }
            p { (visit.t("keys.revoke.text")) }
            @if !canceled.is_empty() {
                (parts::notice(Tone::Warn, &html! {
                    p { (visit.tf(cancels, &[("n", Value::Number(canceled.len() as i64))])) }
                    ul { @for operation in &canceled { li { (work(visit, operation)) } } }
                }))
            }
            @if api_keys::is_over(&key, visit.now) { p.strong { (visit.t("keys.over")) } } @else {
                form method="post" action=(path_of(visit, &key, "revoke")) {
                    (form.summary())
                    (form.submit("keys.revoke.submit"))
                }
            }
            p { a href=(visit.in_project(LIST)) { (visit.t("common.cancel")) } }
        }
    };
    Ok(PageResponse::page(visit.t("keys.revoke.title"), content))
}

/// `POST …/settings/keys/{keyId}/revoke`
pub(super) async fn revoke(visit: Visit) -> Result<PageResponse, ServiceError> {
    match carry_out_revoke(&visit).await {
        Ok(_) => Ok(PageResponse::done(&visit.in_project(LIST), "keys.revoked")),
        // It was revoked meanwhile, perhaps by this very form: nothing is left to do.
        Err(KeyError::Over) => Ok(revoke_page(&visit, &FieldErrors::default()).await?.conflict()),
        Err(error) => {
            let mut errors = FieldErrors::default();
            note(error, &mut errors)?;
            Ok(revoke_page(&visit, &errors).await?.invalid())
        }
    }
}

async fn carry_out_revoke(visit: &Visit) -> Result<Revoked, KeyError> {
    let (project, person, id) = (visit.project()?, visit.person()?, visit.value("keyId")?);
    // Not in the project's turn: a key that leaked is refused at once, also while a large run has the turn.
    let mut tx = visit.service.store.begin_write().await?;
    let done =
        api_keys::revoke(&mut tx, &visit.service.operation_decided, visit.now, project, (id, &person.actor())).await?;
    tx.commit().await?;
    Ok(done)
}

/// `GET …/settings/keys/{keyId}/replace`
pub(super) async fn ask_replace(visit: Visit) -> Result<PageResponse, ServiceError> {
    replace_page(&visit, &FieldErrors::default()).await
}

async fn replace_page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let key = find(visit, &mut tx).await?;
    tx.rollback().await?;
    let form = FormView::new(visit, errors);
    let delays = DELAYS.map(|hours| (hours.to_owned(), visit.t(&format!("keys.delay.{hours}"))));
    let known_end = key.ends_at.map_or_else(String::new, |end| end.as_millis().to_string());
    let content = html! {
        (head(&visit.t("keys.replace.title"), &visit.t("keys.replace.lead"), &Markup::default()))
        section.card {
            p { (quoted(&key.label)) " " (recognised(&key)) }
            @if let Some(end) = key.ends_at { p { (visit.t("keys.state.ends")) " " (time(visit, end)) } }
            @if api_keys::is_over(&key, visit.now) { p.strong { (visit.t("keys.over")) } } @else {
                form method="post" action=(path_of(visit, &key, "replace")) novalidate {
                    (form.summary())
                    // The end that the person was shown: a form that was sent twice does not make two keys.
                    input type="hidden" name="known-end" value=(known_end);
                    (form.field("delay", "keys.replace.delay").hint("keys.replace.delay-hint").select(delays.to_vec()))
                    (ends(visit, &form))
                    (form.submit("keys.replace.submit"))
                }
            }
            p { a href=(visit.in_project(LIST)) { (visit.t("common.cancel")) } }
        }
    };
    Ok(PageResponse::page(visit.t("keys.replace.title"), content))
}

/// `POST …/settings/keys/{keyId}/replace`
pub(super) async fn replace(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let delay = visit.form.value("delay");
    let delay = delay.parse::<i64>().ok().filter(|_| DELAYS.contains(&delay));
    if delay.is_none() {
        errors.add("delay", "keys.wrong-delay", None);
    }
    let ends_at = chosen_end(&visit, &mut errors);
    if let Some(hours) = delay.filter(|_| errors.is_empty()) {
        let known_end = visit.form.value("known-end").parse().ok().map(crate::clock::Timestamp::from_millis);
        let way = KeyReplacement { delay_millis: hours.saturating_mul(HOUR), ends_at, known_end };
        match carry_out_replace(&visit, way).await {
            Ok(done) => {
                let old = html! { p { (time(&visit, done.old_ends_at)) } };
                return Ok(shown_once(
                    &visit,
                    &done.label,
                    done.made.text.expose(),
                    &card(&visit.t("keys.replace.done"), &old),
                ));
            }
            Err(error @ (KeyError::Over | KeyError::Changed)) => {
                note(error, &mut errors)?;
                return Ok(replace_page(&visit, &errors).await?.conflict());
            }
            Err(error) => note(error, &mut errors)?,
        }
    }
    Ok(replace_page(&visit, &errors).await?.invalid())
}

async fn carry_out_replace(visit: &Visit, way: KeyReplacement) -> Result<Replaced, KeyError> {
    let (project, person, id) = (visit.project()?, visit.person()?, visit.value("keyId")?);
    let mut tx = visit.begin_write().await?;
    let decided = &visit.service.operation_decided;
    let done = api_keys::replace(&mut tx, decided, visit.now, project, (id, &person.actor()), way).await?;
    tx.commit().await?;
    Ok(done)
}
