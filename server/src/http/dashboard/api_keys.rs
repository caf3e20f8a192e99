//! The API keys of a project: the list. `api_key_new` makes one, `api_key_end` replaces and revokes one.

use l10n_api_types::{API_KEY_PREFIX, KeyKind};
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, badge, head};
use super::view::table::{Column, pager, table};
use super::view::time::time;
use super::visit::Visit;
use crate::domain::api_keys::{self, ListedKey, NEWEST};
use crate::domain::{ServiceError, pages};
use crate::store::api_keys::ApiKey;

/// Keys of a page.
const PAGE: usize = 50;

/// The path of the list, below the project's.
pub(super) const LIST: &str = "/settings/keys";

/// `GET /dashboard/@{handle}/{slug}/settings/keys`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let before = visit.query.id("after").unwrap_or(NEWEST);
    let mut tx = visit.service.store.begin_read().await?;
    let mut keys = api_keys::list(&mut tx, &project.id, visit.now, before, pages::one_more(PAGE)).await?;
    tx.rollback().await?;
    let next = pages::cut(&mut keys, PAGE, |last| last.key.id.clone());
    let new = html! { a.button href=(visit.in_project("/settings/keys/new")) { (visit.t("keys.new.title")) } };
    let content = html! {
        (head(&visit.t("keys.title"), &visit.t("keys.lead"), &new))
        @if keys.is_empty() {
            (parts::empty(&visit.t("keys.empty.title"), &html! { (visit.t("keys.empty.text")) }))
        } @else {
            (list(&visit, &keys))
        }
        (pager(&visit, &visit.path, next.as_deref()))
    };
    Ok(PageResponse::page(visit.t("keys.title"), content))
}

fn list(visit: &Visit, keys: &[ListedKey]) -> Markup {
    let say = |key: &str| Column::new(visit.t(&format!("keys.column.{key}")));
    let columns = [
        say("label"),
        say("scopes"),
        say("kind"),
        say("made"),
        say("used"),
        Column::actions(visit.t("common.actions")),
    ];
    let rows: Vec<Vec<Markup>> = keys.iter().map(|listed| row(visit, listed)).collect();
    table(&visit.t("keys.title"), &columns, &rows)
}

fn row(visit: &Visit, listed: &ListedKey) -> Vec<Markup> {
    let key = &listed.key;
    let scopes: Vec<&str> = key.scopes.0.iter().map(|scope| scope.as_str()).collect();
    vec![
        html! { (quoted(&key.label)) " " (state(visit, listed)) br; (recognised(key)) },
        html! { (scopes.join(", ")) },
        html! { (kind(visit, key.kind)) },
        html! {
            (time(visit, key.created_at))
            @if let Some(by) = &key.made_by { br; span.muted.small { (quoted(by)) } }
        },
        html! {
            @match key.used_at { Some(at) => (time(visit, at)), None => (visit.t("common.never")) }
        },
        html! {
            @if !listed.is_over {
                a.button.small.secondary href=(path_of(visit, key, "replace")) { (visit.t("keys.replace.title")) } " "
                a.button.small.secondary href=(path_of(visit, key, "revoke")) { (visit.t("keys.revoke.title")) }
            }
        },
    ]
}

/// The beginning and the end of a key's text, by which people recognise it, and the id of its record.
pub(super) fn recognised(key: &ApiKey) -> Markup {
    html! {
        @if let Some(hint) = &key.hint { code.small { (API_KEY_PREFIX) "…" (hint) } " " }
        code.muted.small { (key.id) }
    }
}

/// The state of a key, where it is not simply in use.
fn state(visit: &Visit, listed: &ListedKey) -> Markup {
    let key = &listed.key;
    let of = |tone, text: &str, at| html! { (badge(tone, &visit.t(text))) " " span.muted.small { (time(visit, at)) } };
    match (key.revoked_at, key.ends_at) {
        (Some(at), Some(end)) if end <= at => of(Tone::Plain, "keys.state.ended", end),
        (Some(at), _) => of(Tone::Bad, "keys.state.revoked", at),
        (None, Some(end)) if listed.is_over => of(Tone::Plain, "keys.state.ended", end),
        (None, Some(end)) => of(Tone::Warn, "keys.state.ends", end),
        (None, None) => Markup::default(),
    }
}

/// The kind of a key's user in words.
pub(super) fn kind(visit: &Visit, kind: KeyKind) -> String {
    visit.t(&format!("keys.kind.{}", kind.as_str()))
}

/// The path of a page about a key.
pub(super) fn path_of(visit: &Visit, key: &ApiKey, page: &str) -> String {
    visit.in_project(&format!("{LIST}/{}/{page}", key.id))
}

/// The page after a key was made: the key itself, this once, with lines to paste.
pub(super) fn shown_once(visit: &Visit, label: &str, text: &str, note: &Markup) -> PageResponse {
    let (copy, copied) = (visit.t("common.copy"), visit.t("common.copied"));
    let copyable = |text: &str| parts::copyable(text, &copy, &copied);
    let base = visit.service.settings.base_url.as_str();
    let slug = visit.project().map(|project| project.slug.clone()).unwrap_or_default();
    let handle = visit.membership().map(|membership| membership.handle.clone()).unwrap_or_default();
    let project = format!("{handle}/{slug}");
    let agent = serde_json::json!({"env": {"L10N_API_KEY": text, "L10N_BASE_URL": base, "L10N_PROJECT": project}});
    let title = visit.tf("keys.made.title", &[("label", Value::Text(label))]);
    let content = html! {
        (head(&title, "", &html! { a.button.secondary href=(visit.in_project(LIST)) { (visit.t("keys.made.back")) } }))
        (parts::notice(Tone::Warn, &html! { p { (visit.t("keys.made.once")) } }))
        (note)
        (parts::card(&visit.t("keys.made.key"), &copyable(text)))
        (parts::card(&visit.t("keys.made.use"), &html! {
            h3 { (visit.t("keys.made.environment")) }
            (copyable(&format!("export L10N_API_KEY={text}\nexport L10N_BASE_URL={base}\nexport L10N_PROJECT={project}")))
            h3 { (visit.t("keys.made.cli")) }
            (copyable(&format!("L10N_API_KEY={text} L10N_BASE_URL={base} L10N_PROJECT={project} l10n whoami")))
            h3 { (visit.t("keys.made.agent")) }
            (copyable(&agent.to_string()))
        }))
    };
    PageResponse::page(title, content)
}
