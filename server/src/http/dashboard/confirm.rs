//! "Confirm it is you": keys, members, secrets and deleting want a password within the last hour. It is asked for in the page
//! of the form that needs it, and the form goes on.

use maud::html;

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::login;
use super::view::field::FormView;
use super::view::time;
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::people::identities::{self, Proofs};
use crate::domain::people::sign_in::{self, SignInError};

const PASSWORD: &str = "frame-confirm-password";

/// The path at which the provider is asked once more who it is.
pub(super) const ELSEWHERE: &str = "/dashboard/oidc/confirm";
/// The key of the text for those who have neither a password nor an account at the provider.
pub(super) const TOO_LATE: &str = "confirm.too-late";

/// The ways by which the person who is signed in can prove who they are.
pub(super) async fn proofs(visit: &Visit) -> Result<Proofs, ServiceError> {
    let provider = visit.service.oidc.as_ref().map(|provider| provider.settings());
    identities::proofs(visit.service.people(), provider, visit.session()?).await
}

/// Asks for the password where that is needed; `None` where the form may go on.
pub(super) async fn ask(visit: &mut Visit) -> Result<Option<PageResponse>, ServiceError> {
    if visit.session()?.is_confirmed(visit.now) {
        return Ok(None);
    }
    let proofs = proofs(visit).await?;
    let mut errors = FieldErrors::default();
    let password = visit.form.value(PASSWORD);
    if !visit.form.has(PASSWORD) || !proofs.password {
        return Ok(Some(page(visit, proofs, &errors).forbidden()));
    }
    if password.is_empty() {
        errors.add(PASSWORD, "login.no-password", None);
        return Ok(Some(page(visit, proofs, &errors).invalid()));
    }
    match sign_in::confirm(visit.service.people(), visit.session()?, password).await {
        Ok(session) => {
            visit.session = Some(session);
            Ok(None)
        }
        Err(SignInError::Wrong) => {
            errors.add(PASSWORD, "confirm.wrong", None);
            Ok(Some(page(visit, proofs, &errors).invalid()))
        }
        Err(SignInError::TooMany { wait }) => {
            errors.say_whole(visit.tf("login.too-many", &[("wait", time::value(&time::wait(visit, wait)))]));
            Ok(Some(page(visit, proofs, &errors).too_many()))
        }
        Err(SignInError::Service(error)) => Err(error),
    }
}

fn page(visit: &Visit, proofs: Proofs, errors: &FieldErrors) -> PageResponse {
    let Proofs { password, provider } = proofs;
    let shown = FormView::new(visit, errors);
    let email = visit.session.as_ref().map_or("", |session| &session.person.email);
    let content = html! {
        section.narrow {
            h1 { (visit.t("confirm.title")) }
            @if password { p { (visit.t("confirm.text")) } }
            @if provider {
                p { (visit.t("oidc.confirm")) }
                p.actions { (login::elsewhere(visit, ELSEWHERE)) }
            }
            @if !password && !provider { p { (visit.t(TOO_LATE)) } } @else {
                form method="post" action=(visit.path) novalidate {
                    (login::kept(visit))
                    (shown.summary_titled("confirm.failed"))
                    @if password {
                        input type="text" name="frame-email" autocomplete="username" value=(email) hidden;
                        (shown.field(PASSWORD, "login.password").input("password").autocomplete("current-password"))
                        (shown.submit("confirm.submit"))
                    } @else {
                        (shown.submit("oidc.go-on"))
                    }
                }
            }
            p.muted.small { (visit.t("confirm.why")) }
        }
    };
    PageResponse::page(visit.t("confirm.title"), content)
}
