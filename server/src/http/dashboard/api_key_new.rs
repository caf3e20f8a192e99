//! Making an API key.

use l10n_api_types::{KeyKind, Scope};
use maud::{Markup, html};

use super::answer::PageResponse;
use super::api_keys::{LIST, shown_once};
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::parts::head;
use super::visit::Visit;
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::api_keys::{self, ApiKeyRequest, KeyError, LONGEST_KEY_LABEL, MadeKey};

/// Days after which a key may end; none for a key without an end.
const ENDS: [&str; 5] = ["never", "30", "90", "180", "365"];

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// `GET /dashboard/@{handle}/{slug}/settings/keys/new`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    Ok(page(&visit, &FieldErrors::default(), false))
}

/// The form. `warns` shows the box by which a person says that a key for an app may do more.
fn page(visit: &Visit, errors: &FieldErrors, warns: bool) -> PageResponse {
    let form = FormView::new(visit, errors);
    let scopes = html! {
        @for scope in Scope::ALL {
            (form.checkbox("scope", scope.as_str(), scope.as_str(), &visit.t(&scope_text(*scope)), false))
        }
    };
    let kinds = html! {
        @for kind in KeyKind::ALL {
            (form.radio("kind", kind.as_str(), &visit.t(&format!("keys.kind.{}", kind.as_str())),
                &visit.t(&format!("keys.kind-hint.{}", kind.as_str())), *kind == KeyKind::Ci))
        }
    };
    let content = html! {
        (head(&visit.t("keys.new.title"), "", &Markup::default()))
        form.card method="post" action=(visit.in_project("/settings/keys/new")) novalidate {
            (form.summary())
            (form.field("label", "keys.new.label").hint("keys.new.label-hint").longest(LONGEST_KEY_LABEL))
            (form.group("scope", &visit.t("keys.new.scopes"), &scopes))
            @if warns {
                (form.group("anyway", &visit.t("keys.new.warning"), &form.checkbox("anyway", "yes",
                    &visit.t("keys.new.anyway"), "", false)))
            }
            (form.group("kind", &visit.t("keys.new.kind"), &kinds))
            (ends(visit, &form))
            (form.submit("keys.new.submit"))
        }
        p { a href=(visit.in_project(LIST)) { (visit.t("common.cancel")) } }
    };
    PageResponse::page(visit.t("keys.new.title"), content)
}

/// The name of the text that says what a scope opens.
fn scope_text(scope: Scope) -> String {
    format!("keys.scope.{}", scope.as_str().replace(':', "-"))
}

/// The field in which a person chooses when a key ends.
pub(super) fn ends(visit: &Visit, form: &FormView<'_>) -> Markup {
    let options = ENDS.map(|days| (days.to_owned(), visit.t(&format!("keys.ends.{days}"))));
    html! { (form.field("ends", "keys.new.ends").hint("keys.new.ends-hint").select(options.to_vec())) }
}

/// The end that was chosen.
pub(super) fn chosen_end(visit: &Visit, errors: &mut FieldErrors) -> Option<Timestamp> {
    let chosen = visit.form.value("ends");
    if !chosen.is_empty() && !ENDS.contains(&chosen) {
        errors.add("ends", "keys.wrong-end", None);
    }
    let days = chosen.parse::<i64>().ok().filter(|_| ENDS.contains(&chosen))?;
    Some(visit.now.plus_millis(days.saturating_mul(DAY)))
}

/// `POST /dashboard/@{handle}/{slug}/settings/keys/new`
pub(super) async fn make(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let label = visit.form.line("label", 1..=LONGEST_KEY_LABEL, &mut errors);
    let scopes = Scope::ALL.iter().copied().filter(|scope| visit.form.all("scope").any(|sent| sent == scope.as_str()));
    let scopes: Vec<Scope> = scopes.collect();
    if scopes.is_empty() || visit.form.all("scope").any(|sent| sent.parse::<Scope>().is_err()) {
        errors.add("scope", "keys.no-scope", None);
    }
    let kind = visit.form.value("kind").parse().unwrap_or_else(|_| {
        errors.add("kind", "keys.no-kind", None);
        KeyKind::Ci
    });
    let ends_at = chosen_end(&visit, &mut errors);
    let wanted = ApiKeyRequest { label, scopes, kind, ends_at };
    let warns = wanted.is_capture_with_more();
    if warns && !visit.form.has("anyway") {
        errors.add("anyway", "keys.capture", None);
    }
    if errors.is_empty() {
        match carry_out(&visit, &wanted).await {
            Ok(made) => return Ok(shown_once(&visit, &wanted.label, made.text.expose(), &Markup::default())),
            Err(error) => note(error, &mut errors)?,
        }
    }
    Ok(page(&visit, &errors, warns).invalid())
}

async fn carry_out(visit: &Visit, wanted: &ApiKeyRequest) -> Result<MadeKey, KeyError> {
    let (project, person) = (visit.project()?, visit.person()?);
    let mut tx = visit.begin_write().await?;
    let made = api_keys::make(&mut tx, visit.now, project, &person.actor(), wanted).await?;
    tx.commit().await?;
    Ok(made)
}

/// Notes why no key was made, beside its field.
pub(super) fn note(error: KeyError, errors: &mut FieldErrors) -> Result<(), ServiceError> {
    match error {
        KeyError::Label => errors.add("label", "keys.wrong-label", None),
        KeyError::LabelTaken => errors.add("label", "keys.label-taken", None),
        KeyError::NoScope => errors.add("scope", "keys.no-scope", None),
        KeyError::End => errors.add("ends", "keys.wrong-end", None),
        KeyError::TooMany => errors.whole("keys.too-many", None),
        KeyError::Over => errors.whole("keys.over", None),
        KeyError::Changed => errors.whole("keys.changed", None),
        KeyError::Unknown => return Err(super::visit::nothing_here()),
        KeyError::Service(error) => return errors.refused(error),
    }
    Ok(())
}
