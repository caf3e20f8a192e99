//! Signing in and out: with a password, with a link that was made beside the server, and in between, when a session has ended
//! while a form was being filled in.

use l10n_formats::text::format::Value;
use maud::{Markup, html};
use secrecy::ExposeSecret as _;
use url::form_urlencoded;

use super::PATH;
use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::oidc;
use super::view::field::FormView;
use super::view::time;
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::people::sign_in::{self, SignInError};
use crate::domain::people::{IssuedSession, sessions};

const EMAIL: &str = "frame-email";
const PASSWORD: &str = "frame-password";
/// Most characters of an address and of a password that are looked at.
const LONGEST: usize = 256;

/// The sign-in page that leads back to a path of this dashboard.
pub(super) fn path_back_to(path: &str) -> String {
    if path == PATH {
        return format!("{PATH}/login");
    }
    let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("next", path).finish();
    format!("{PATH}/login?{query}")
}

/// The path to go to after signing in: one of this dashboard, or else its first page.
pub(super) fn next(visit: &Visit) -> String {
    let wanted = visit.form.get("next").or_else(|| visit.query.get("next")).unwrap_or(PATH);
    let is_own = wanted.strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        && wanted.bytes().all(|byte| byte.is_ascii_graphic())
        && !wanted.starts_with("/dashboard/log")
        && !wanted.starts_with("/dashboard/oidc");
    if is_own { wanted.to_owned() } else { PATH.to_owned() }
}

/// `GET /dashboard/login`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    if visit.session.is_some() {
        return Ok(PageResponse::see_other(&next(&visit)));
    }
    Ok(form(&visit, &FieldErrors::default()))
}

/// `POST /dashboard/login`
pub(super) async fn with_password(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    match attempt(&visit, &mut errors).await? {
        LoginOutcome::In(session) => {
            Ok(PageResponse::see_other(&next(&visit)).cookie(visit.cookie.give(session.token.expose_secret())))
        }
        LoginOutcome::Refused => Ok(form(&visit, &errors).invalid()),
        LoginOutcome::TooMany => Ok(form(&visit, &errors).too_many()),
    }
}

enum LoginOutcome {
    In(Box<IssuedSession>),
    Refused,
    TooMany,
}

/// Tries the address and the password of the form. An unknown address and a wrong password say the same.
async fn attempt(visit: &Visit, errors: &mut FieldErrors) -> Result<LoginOutcome, ServiceError> {
    let (email, password) = (visit.form.value(EMAIL).trim(), visit.form.value(PASSWORD));
    if email.is_empty() {
        errors.add(EMAIL, "login.no-email", None);
    }
    if password.is_empty() {
        errors.add(PASSWORD, "login.no-password", None);
    }
    if !errors.is_empty() {
        return Ok(LoginOutcome::Refused);
    }
    if email.chars().count() > LONGEST || password.len() > LONGEST {
        errors.whole("login.wrong", None);
        return Ok(LoginOutcome::Refused);
    }
    let tried = sign_in::with_password(visit.service.people(), email, password, &visit.client).await;
    match tried {
        Ok(session) => Ok(LoginOutcome::In(Box::new(session))),
        Err(SignInError::Wrong) => {
            errors.whole("login.wrong", None);
            Ok(LoginOutcome::Refused)
        }
        Err(SignInError::TooMany { wait }) => {
            errors.say_whole(visit.tf("login.too-many", &[("wait", time::value(&time::wait(visit, wait)))]));
            Ok(LoginOutcome::TooMany)
        }
        Err(SignInError::Service(error)) => Err(error),
    }
}

fn form(visit: &Visit, errors: &FieldErrors) -> PageResponse {
    let next = next(visit);
    let shown = FormView::new(visit, errors);
    let content = html! {
        section.narrow {
            h1 { (visit.t("login.title")) }
            form method="post" action="/dashboard/login" novalidate {
                input type="hidden" name="next" value=(next);
                (shown.summary_titled("login.failed"))
                (fields(&shown))
                (shown.submit("login.submit"))
            }
            @if visit.service.oidc.is_some() { p.actions { (oidc::button(visit, &next)) } }
            p.muted.small { (visit.t("login.forgotten")) }
        }
    };
    PageResponse::page(visit.t("login.title"), content)
}

fn fields(shown: &FormView<'_>) -> Markup {
    html! {
        (shown.field(EMAIL, "login.email").input("email").autocomplete("username").longest(LONGEST).code())
        (shown.field(PASSWORD, "login.password").input("password").autocomplete("current-password").longest(LONGEST))
    }
}

/// A form came without a session: it ended meanwhile. The person signs in where they are, and the form goes on; what was typed
/// is kept in the page, except passwords.
pub(super) async fn in_between(visit: &mut Visit) -> Result<Option<PageResponse>, ServiceError> {
    let mut errors = FieldErrors::default();
    let is_tried = visit.form.has(PASSWORD);
    let attempt = if is_tried { attempt(visit, &mut errors).await? } else { LoginOutcome::Refused };
    let session = match attempt {
        LoginOutcome::In(session) => session,
        LoginOutcome::Refused if is_tried => return Ok(Some(between(visit, &errors).invalid())),
        LoginOutcome::Refused => return Ok(Some(between(visit, &errors).forbidden())),
        LoginOutcome::TooMany => return Ok(Some(between(visit, &errors).too_many())),
    };
    visit.new_cookie = visit.cookie.give(session.token.expose_secret());
    visit.session = Some(session.session);
    Ok(None)
}

fn between(visit: &Visit, errors: &FieldErrors) -> PageResponse {
    let shown = FormView::new(visit, errors);
    let content = html! {
        section.narrow {
            h1 { (visit.t("login.again")) }
            p { (visit.t("login.kept")) }
            form method="post" action=(visit.path) novalidate {
                (kept(visit))
                (shown.summary_titled("login.failed"))
                (fields(&shown))
                (shown.submit("login.submit"))
            }
            @if visit.service.oidc.is_some() {
                p { (visit.t("oidc.elsewhere")) }
                p.actions { (elsewhere(visit, "/dashboard/oidc")) }
            }
        }
    };
    PageResponse::page(visit.t("login.again"), content)
}

/// A link to the identity provider in another tab, so that the form stays.
pub(super) fn elsewhere(visit: &Visit, path: &str) -> Markup {
    let name = visit.service.oidc.as_ref().map_or("", |provider| &provider.settings().name);
    let text = visit.tf("oidc.button", &[("name", Value::Text(name))]);
    html! { a.button.secondary href=(path) target="_blank" rel="noopener" { (text) } }
}

/// The fields of the page's own form, hidden.
pub(super) fn kept(visit: &Visit) -> Markup {
    html! {
        @for (name, value) in visit.form.to_keep() {
            input type="hidden" name=(name) value=(value);
        }
    }
}

/// `GET /dashboard/login/{token}`: the page that a link leads to. The link is used by the button, so that a program that looks
/// at links does not use it up.
pub(super) async fn show_link(visit: Visit) -> Result<PageResponse, ServiceError> {
    if !sign_in::is_good_link(visit.service.people(), visit.value("token")?).await? {
        return Ok(used(&visit));
    }
    let content = html! {
        section.narrow {
            h1 { (visit.t("login.title")) }
            p { (visit.t("login.by-link")) }
            form method="post" action=(visit.path) {
                input type="hidden" name="next" value=(next(&visit));
                button type="submit" { (visit.t("login.submit")) }
            }
        }
    };
    Ok(PageResponse::page(visit.t("login.title"), content))
}

/// `POST /dashboard/login/{token}`
pub(super) async fn with_link(visit: Visit) -> Result<PageResponse, ServiceError> {
    let token = visit.value("token")?;
    let found = sign_in::with_link(visit.service.people(), token, &visit.client).await?;
    let Some(session) = found else { return Ok(used(&visit)) };
    Ok(PageResponse::see_other(&next(&visit)).cookie(visit.cookie.give(session.token.expose_secret())))
}

fn used(visit: &Visit) -> PageResponse {
    let content = html! {
        section.narrow {
            h1 { (visit.t("login.used.title")) }
            p { (visit.t("login.used.text")) }
            p.actions { a.button href="/dashboard/login" { (visit.t("login.used.other")) } }
        }
    };
    PageResponse::page(visit.t("login.used.title"), content).forbidden()
}

/// `POST /dashboard/logout`
pub(super) async fn out(visit: Visit) -> Result<PageResponse, ServiceError> {
    if let Some(session) = &visit.session {
        sessions::end(visit.service.people(), session).await?;
    }
    Ok(PageResponse::done("/dashboard/login", "login.out").cookie(visit.cookie.take_back()))
}
