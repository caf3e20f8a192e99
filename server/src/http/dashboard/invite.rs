//! The page that an invitation's link leads to.
//!
//! Whoever has the link may be the one who invited: the page says the same whether or not the address has an account, and only
//! an attempt to make a second account is told so. An attempt that is not refused makes the account and uses the link up, so
//! that nobody asks for many addresses without leaving a trace.

use l10n_formats::text::format::Value;
use maud::{Markup, html};
use secrecy::ExposeSecret as _;

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::members::{role_name, role_of};
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, card, facts};
use super::view::time::time;
use super::visit::Visit;
use super::workspace::projects_path;
use super::{account, login};
use crate::domain::ServiceError;
use crate::domain::people::invitations::{self, AcceptError, Invitation};
use crate::domain::people::{LONGEST_PERSON_NAME, Session, sessions};

/// The invitation of the path, if it is good.
async fn find(visit: &Visit) -> Result<Option<Invitation>, ServiceError> {
    let found = invitations::find(visit.service.people(), visit.value("token")?).await?;
    Ok(found.map(|open| open.invitation))
}

/// `GET /dashboard/invite/{token}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let found = find(&visit).await?;
    Ok(found.map_or_else(|| gone(&visit), |invitation| page(&visit, &invitation, &FieldErrors::default())))
}

fn page(visit: &Visit, invitation: &Invitation, errors: &FieldErrors) -> PageResponse {
    let about = [
        (visit.t("nav.workspace"), html! { bdi { (invitation.handle) } }),
        (visit.t("invite.role"), role_of(visit, invitation.role, invitation.languages.as_ref())),
        (visit.t("invite.for"), quoted(&invitation.email)),
        (visit.t("invite.until"), time(visit, invitation.expires_at)),
    ];
    let role = role_name(visit, invitation.role);
    let values = [("workspace", Value::Text(&invitation.handle)), ("role", Value::Text(&role))];
    let content = html! {
        section.narrow.stack {
            h1 { (visit.t("invite.title")) }
            p { (visit.rich("invite.by", &[("who", quoted(&invitation.invited_by))])) " " (visit.tf("invite.into", &values)) }
            (facts(&about))
            @match &visit.session {
                None => (strangers(visit, invitation, errors)),
                Some(session) if session.person.email == invitation.email => (own(visit, session, errors)),
                Some(session) => (others(visit, session)),
            }
        }
    };
    PageResponse::page(visit.t("invite.title"), content)
}

/// For somebody who has not signed in: sign in, or make an account.
fn strangers(visit: &Visit, invitation: &Invitation, errors: &FieldErrors) -> Markup {
    let form = FormView::new(visit, errors);
    let account = html! {
        form method="post" action=(visit.path) novalidate {
            (form.summary())
            // Password managers want to know whose password it is.
            input type="text" name="frame-email" autocomplete="username" value=(invitation.email) hidden;
            (form.field("name", "invite.new.name").hint("invite.new.name-hint").autocomplete("name").longest(LONGEST_PERSON_NAME))
            (form.field("new-password", "invite.new.password").input("password").autocomplete("new-password")
                .hint("account.password.hint"))
            (form.submit("invite.new.submit"))
        }
    };
    html! {
        (card(&visit.t("invite.known.title"), &html! {
            p { (visit.t("invite.known.text")) }
            p.actions { a.button.secondary href=(login::path_back_to(&visit.path)) { (visit.t("login.submit")) } }
        }))
        (card(&visit.t("invite.new.title"), &account))
    }
}

/// For the person who was invited.
fn own(visit: &Visit, session: &Session, errors: &FieldErrors) -> Markup {
    let form = FormView::one_of(visit, errors, "accept", !errors.is_empty());
    html! {
        form.card method="post" action=(visit.path) {
            (form.summary())
            p { (visit.rich("invite.as", &[("who", quoted(&session.person.email))])) }
            (form.submit("invite.accept"))
        }
    }
}

/// For somebody else who is signed in.
fn others(visit: &Visit, session: &Session) -> Markup {
    html! {
        (parts::notice(Tone::Warn, &html! {
            p { (visit.rich("invite.as", &[("who", quoted(&session.person.email))])) " " (visit.t("invite.other")) }
        }))
        form method="post" action={ (visit.path) "/sign-out" } {
            button type="submit" { (visit.t("invite.sign-out")) }
        }
    }
}

/// `POST /dashboard/invite/{token}`
pub(super) async fn accept(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some(invitation) = find(&visit).await? else { return Ok(gone(&visit)) };
    let (people, token) = (visit.service.people(), visit.value("token")?);
    let mut errors = FieldErrors::default();
    let done = match &visit.session {
        Some(session) => invitations::accept(people, session, token).await.map(|membership| (membership, None)),
        // The session of the page has ended meanwhile.
        None if !visit.form.has("new-password") => return Ok(page(&visit, &invitation, &errors).forbidden()),
        None => {
            let name = visit.form.line("name", 1..=LONGEST_PERSON_NAME, &mut errors);
            let password = visit.form.value("new-password");
            if password.is_empty() {
                errors.add("new-password", "form.missing", None);
            }
            if !errors.is_empty() {
                return Ok(page(&visit, &invitation, &errors).invalid());
            }
            let made = invitations::accept_with_account(people, token, &name, password, &visit.client).await;
            made.map(|(session, membership)| (membership, visit.cookie.give(session.token.expose_secret())))
        }
    };
    match done {
        Ok((membership, cookie)) => {
            Ok(PageResponse::done(&projects_path(&membership.handle), "workspace.joined").cookie(cookie))
        }
        Err(error) => refused(&visit, &invitation, error, errors),
    }
}

fn refused(
    visit: &Visit,
    invitation: &Invitation,
    error: AcceptError,
    mut errors: FieldErrors,
) -> Result<PageResponse, ServiceError> {
    match error {
        AcceptError::Gone => return Ok(gone(visit)),
        AcceptError::OtherAddress(_) => return Ok(page(visit, invitation, &errors).forbidden()),
        AcceptError::Full => {
            errors.whole("invite.full", None);
            return Ok(page(visit, invitation, &errors).conflict());
        }
        AcceptError::HasAccount => errors.whole("invite.has-account", None),
        AcceptError::Name(words) => errors.say("name", words),
        AcceptError::Password(error) => account::note(visit, error, &mut errors)?,
        AcceptError::Service(error) => errors.refused(error)?,
    }
    Ok(page(visit, invitation, &errors).invalid())
}

/// `POST /dashboard/invite/{token}/sign-out`: for somebody who is signed in with another address.
pub(super) async fn sign_out(visit: Visit) -> Result<PageResponse, ServiceError> {
    if find(&visit).await?.is_none() {
        return Ok(gone(&visit));
    }
    if let Some(session) = &visit.session {
        sessions::end(visit.service.people(), session).await?;
    }
    let page = visit.path.strip_suffix("/sign-out").unwrap_or(super::PATH);
    Ok(PageResponse::see_other(page).cookie(visit.cookie.take_back()))
}

fn gone(visit: &Visit) -> PageResponse {
    let content = html! {
        section.narrow {
            h1 { (visit.t("invite.gone.title")) }
            p { (visit.t("invite.gone.text")) }
            p.actions { a.button href=(super::PATH) { (visit.t("invite.gone.home")) } }
        }
    };
    PageResponse::page(visit.t("invite.gone.title"), content).forbidden()
}
