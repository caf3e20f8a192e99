//! A captured key: accepted with its text, or with another one, into a source file.

use maud::{Markup, html};

use super::answer::PageResponse;
use super::captured::{LIST, captured_text, note, note_of, path_of, text};
use super::forms::FieldErrors;
use super::gone;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{facts, head};
use super::view::time::time;
use super::visit::{Visit, nothing_here};
use crate::domain::ServiceError;
use crate::domain::capture::{self, SelectionError};
use crate::store::keys::Key;

/// Most characters of a text; the rules count bytes.
const TEXT: usize = 10_000;

/// `GET …/captured/{keyId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let key = find(&visit).await?.ok_or_else(nothing_here)?;
    Ok(page(&visit, &FieldErrors::default(), &key))
}

async fn find(visit: &Visit) -> Result<Option<Key>, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let key = capture::find(&mut tx, &visit.project()?.id, visit.value("keyId")?).await?;
    tx.rollback().await?;
    Ok(key)
}

fn page(visit: &Visit, errors: &FieldErrors, key: &Key) -> PageResponse {
    let form = FormView::new(visit, errors);
    let title = visit.t("captured.one.title");
    let mut told = vec![
        (visit.t("captured.column.key"), html! { code { (quoted(&key.name)) } }),
        (visit.t("captured.column.text"), text(visit, key)),
        (visit.t("captured.column.when"), time(visit, key.created_at)),
    ];
    if let Some(note) = &key.description {
        told.push((visit.t("captured.column.where"), note_of(visit, note)));
    }
    let content = html! {
        (head(&title, "", &Markup::default()))
        section.card { (facts(&told)) }
        form.card method="post" action=(path_of(visit, key)) novalidate {
            h2 { (visit.t("captured.one.accept")) }
            (form.summary())
            (form.field("text", "captured.one.text").hint("captured.one.text-hint").lines(3)
                .initial(captured_text(key).unwrap_or_default()))
            (form.field("file", "captured.one.file").hint("captured.one.file-hint").optional().longest(512).code())
            (form.submit("captured.one.submit"))
        }
        form.card method="post" action=(visit.in_project(LIST)) {
            input type="hidden" name="key" value=(key.id);
            h2 { (visit.t("captured.one.discard")) }
            p { (visit.t("captured.one.discard-text")) }
            button.danger type="submit" name="do" value="discard" { (visit.t("captured.one.discard-submit")) }
        }
        p { a href=(visit.in_project(LIST)) { (visit.t("captured.back")) } }
    };
    PageResponse::page(title, content)
}

/// `POST …/captured/{keyId}`
pub(super) async fn accept(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let Some(key) = find(&visit).await? else { return Ok(gone(&visit)) };
    let text = visit.form.text("text", 1..=TEXT, &mut errors);
    let file = visit.form.line("file", 0..=512, &mut errors);
    if errors.is_empty() {
        match carry_out(&visit, &key.id, &text, Some(file.as_str()).filter(|file| !file.is_empty())).await {
            Ok(()) => return Ok(PageResponse::done(&visit.in_project(LIST), "captured.accepted-one")),
            Err(SelectionError::Gone) => return Ok(gone(&visit)),
            Err(error) => note(&visit, error, &mut errors)?,
        }
    }
    Ok(page(&visit, &errors, &key).invalid())
}

async fn carry_out(visit: &Visit, id: &str, text: &str, file: Option<&str>) -> Result<(), SelectionError> {
    let by = visit.person()?.actor();
    let change = visit.change(&by)?;
    let mut tx = visit.service.store.begin_write_in(change.workspace, change.project).await?;
    capture::accept_with(&mut tx, change, id, text, file).await?;
    tx.commit().await?;
    Ok(())
}

/// The page about a key about which somebody has decided meanwhile.
fn gone(visit: &Visit) -> PageResponse {
    gone::page(visit, "captured.one.gone", "captured.gone-one", (&visit.in_project(LIST), "captured.back"))
}
