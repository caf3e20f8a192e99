//! Signing in with an identity provider. It begins with a link: `form-action` of the policy would stop a form that leads away.
//!
//! A sign-in that has begun is kept in a cookie, sealed by the server: strangers who begin store nothing here. Its state counts
//! once.

use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderValue;
use l10n_formats::text::format::Value;
use maud::{Markup, html};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};

use super::answer::PageResponse;
use super::confirm;
use super::login;
use super::visit::Visit;
use super::{ClientAddress, PATH};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::people::identities::{self, ANSWER_MILLIS, Identity, IdentityError, ProviderAnswer};
use crate::oidc::{PendingSignIn, Provider, ProviderError};

const ACCOUNT: &str = "/dashboard/account";
/// The owner that the cookie is sealed for.
const SEALED_FOR: &str = "dashboard-sign-in";
/// Longest path to come back to, in bytes.
const LONGEST_NEXT: usize = 1_024;

/// A sign-in that a browser has begun.
#[derive(Serialize, Deserialize)]
struct SignInState {
    begun: PendingSignIn,
    at: i64,
    purpose: Purpose,
}

/// The purpose of a sign-in.
#[derive(Serialize, Deserialize)]
enum Purpose {
    /// Signs in, and goes to this path.
    SignIn(String),
    /// Confirms that this session is still the person's.
    Confirm(String),
    /// Links the account to the person of this session.
    Link(String),
}

/// The link that begins a sign-in, where there is a provider.
pub(super) fn button(visit: &Visit, next: &str) -> Markup {
    let Some(provider) = &visit.service.oidc else { return Markup::default() };
    let text = visit.tf("oidc.button", &[("name", Value::Text(&provider.settings().name))]);
    html! { a.button.secondary href=(path_to(next)) { (text) } }
}

fn path_to(next: &str) -> String {
    let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
    format!("{PATH}/oidc?{query}")
}

/// `GET /dashboard/oidc`
pub(super) async fn begin(visit: Visit) -> Result<PageResponse, ServiceError> {
    let next = login::next(&visit);
    let provider = match &visit.service.oidc {
        Some(provider) if visit.session.is_none() => provider,
        Some(_) => return Ok(PageResponse::see_other(&next)),
        None => return Ok(PageResponse::see_other(&login::path_back_to(&next))),
    };
    let next = if next.len() > LONGEST_NEXT { PATH.to_owned() } else { next };
    leave(&visit, provider, Purpose::SignIn(next), false).await
}

/// `GET /dashboard/oidc/confirm`
pub(super) async fn begin_to_confirm(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some(provider) = &visit.service.oidc else { return Ok(PageResponse::see_other(ACCOUNT)) };
    let purpose = Purpose::Confirm(visit.session()?.id.to_string());
    leave(&visit, provider, purpose, true).await
}

/// Leads to the provider.
async fn leave(
    visit: &Visit,
    provider: &Provider,
    purpose: Purpose,
    fresh: bool,
) -> Result<PageResponse, ServiceError> {
    Ok(match start(visit, provider, purpose, fresh).await? {
        Ok((address, cookie)) => PageResponse::see_other(&address).cookie(cookie),
        Err(error) => failed(visit, &error),
    })
}

type Started = Result<(String, Option<HeaderValue>), ProviderError>;

/// The address at the provider, and the cookie that its answer is held against.
async fn start(visit: &Visit, provider: &Provider, purpose: Purpose, fresh: bool) -> Result<Started, ServiceError> {
    let (address, begun) = match provider.begin(fresh, address(visit)).await {
        Ok(begun) => begun,
        Err(error) => return Ok(Err(error)),
    };
    let attempt = SignInState { begun, at: visit.now.as_millis(), purpose };
    let text = serde_json::to_string(&attempt).map_err(|_| ServiceError::internal("a sign-in is no JSON"))?;
    let sealed = visit.service.vault.seal(SEALED_FOR, &text);
    let sealed = sealed.map_err(|error| ServiceError::internal(error.to_string()))?;
    Ok(Ok((address, visit.cookie.give_sign_in(&URL_SAFE_NO_PAD.encode(sealed)))))
}

/// The address that counts as one client's.
fn address(visit: &Visit) -> IpAddr {
    ClientAddress(visit.client.address).group()
}

/// The sign-in that the browser has begun, if it is not too old.
fn attempt(visit: &Visit) -> Option<SignInState> {
    let sealed = URL_SAFE_NO_PAD.decode(visit.sign_in.as_deref()?).ok()?;
    let text = visit.service.vault.open(SEALED_FOR, &sealed).ok()?;
    let attempt: SignInState = serde_json::from_str(text.expose_secret()).ok()?;
    let age = visit.now.as_millis() - attempt.at;
    (0..ANSWER_MILLIS).contains(&age).then_some(attempt)
}

/// `GET /dashboard/oidc/callback`
pub(super) async fn finish(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some(provider) = &visit.service.oidc else { return Ok(PageResponse::see_other("/dashboard/login")) };
    let state = visit.query.get("state");
    let Some(attempt) = attempt(&visit).filter(|attempt| state == Some(attempt.begun.state.as_str())) else {
        return Ok(page(&visit, "oidc.ended").forbidden());
    };
    let answer = finished(&visit, provider, &attempt).await?;
    Ok(answer.cookie(visit.cookie.end_sign_in()))
}

async fn finished(visit: &Visit, provider: &Provider, attempt: &SignInState) -> Result<PageResponse, ServiceError> {
    if let Some(error) = visit.query.get("error") {
        tracing::info!(error = %short(error), "the identity provider has not signed a person in");
        return Ok(page(visit, "oidc.denied").forbidden());
    }
    let code = visit.query.get("code").unwrap_or_default();
    match provider.finish(&attempt.begun, code, address(visit), visit.now).await {
        Ok(identity) => accepted(visit, provider, attempt, &identity).await,
        Err(error) => Ok(failed(visit, &error)),
    }
}

/// Does what the provider was asked for.
async fn accepted(
    visit: &Visit,
    provider: &Provider,
    attempt: &SignInState,
    identity: &Identity,
) -> Result<PageResponse, ServiceError> {
    let (parts, settings) = (visit.service.people(), provider.settings());
    let begun_at = Timestamp::from_millis(attempt.at);
    let answered = ProviderAnswer { identity, state: &attempt.begun.state, begun_at };
    let own = |id: &str| visit.session.as_ref().filter(|session| session.id.as_str() == id);
    let outcome = match &attempt.purpose {
        Purpose::SignIn(next) => identities::sign_in(parts, settings, answered, &visit.client)
            .await
            .map(|session| PageResponse::see_other(next).cookie(visit.cookie.give(session.token.expose_secret()))),
        Purpose::Confirm(id) => match own(id) {
            Some(session) => identities::confirm(parts, answered, session).await.map(|_| page(visit, "oidc.confirmed")),
            None => return Ok(page(visit, "oidc.ended").forbidden()),
        },
        Purpose::Link(id) => match own(id) {
            Some(session) => identities::link(parts, settings, answered, session)
                .await
                .map(|()| PageResponse::done(ACCOUNT, "oidc.linked")),
            None => return Ok(page(visit, "oidc.ended").forbidden()),
        },
    };
    match outcome {
        Ok(answer) => Ok(answer),
        Err(IdentityError::Service(error)) => Err(error),
        Err(error) => {
            tracing::info!(%error, "an account of the identity provider opens nothing");
            let text = match error {
                IdentityError::Replayed => "oidc.ended",
                IdentityError::Domain => "oidc.domain",
                IdentityError::Taken => "oidc.taken",
                IdentityError::NotFresh => "oidc.not-fresh",
                IdentityError::Unknown | IdentityError::LastWay | IdentityError::Service(_) => "oidc.unknown",
            };
            Ok(page(visit, text).forbidden())
        }
    }
}

fn failed(visit: &Visit, error: &ProviderError) -> PageResponse {
    match error {
        ProviderError::Busy => page(visit, "oidc.busy").unavailable(),
        ProviderError::Unreachable(_) => {
            tracing::warn!(%error, "nobody can sign in with the identity provider");
            page(visit, "oidc.unreachable").unavailable()
        }
        ProviderError::Refused(_) | ProviderError::Invalid(_) => {
            tracing::warn!(%error, "a sign-in with the identity provider failed");
            page(visit, "oidc.invalid").forbidden()
        }
    }
}

/// A plain page that says what happened, and where to go on.
fn page(visit: &Visit, text: &str) -> PageResponse {
    let name = visit.service.oidc.as_ref().map_or("", |provider| &provider.settings().name);
    let name = [("name", Value::Text(name))];
    let title = visit.tf(&format!("{text}.title"), &name);
    let is_signed_in = visit.session.is_some();
    let content = html! {
        section.narrow {
            h1 { (title) }
            p { (visit.tf(&format!("{text}.text"), &name)) }
            p.actions {
                @if is_signed_in { a.button href=(ACCOUNT) { (visit.t("nav.account")) } }
                @else { a.button href="/dashboard/login" { (visit.t("oidc.back")) } }
            }
        }
    };
    PageResponse::page(title, content)
}

/// `POST /dashboard/account/oidc`: the form shows that the request is the person's own; the page that answers it leads away.
pub(super) async fn link(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some(provider) = &visit.service.oidc else { return Ok(PageResponse::see_other(ACCOUNT)) };
    let purpose = Purpose::Link(visit.session()?.id.to_string());
    let (address, cookie) = match start(&visit, provider, purpose, false).await? {
        Ok(started) => started,
        Err(error) => return Ok(failed(&visit, &error)),
    };
    let name = [("name", Value::Text(&provider.settings().name))];
    let title = visit.tf("oidc.link.title", &name);
    let content = html! {
        section.narrow {
            h1 { (title) }
            p { (visit.tf("oidc.link.text", &name)) }
            p.actions {
                a.button href=(address) { (visit.tf("oidc.link.go", &name)) }
                a.button.secondary href=(ACCOUNT) { (visit.t("common.cancel")) }
            }
        }
    };
    Ok(PageResponse::page(title, content).cookie(cookie))
}

/// `POST /dashboard/account/oidc/remove`
pub(super) async fn unlink(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some(provider) = &visit.service.oidc else { return Ok(PageResponse::see_other(ACCOUNT)) };
    let settings = provider.settings();
    match identities::unlink(visit.service.people(), settings, visit.session()?).await {
        Ok(_) => Ok(PageResponse::done(ACCOUNT, "oidc.unlinked")),
        Err(IdentityError::LastWay) => Ok(page(&visit, "oidc.last").conflict()),
        Err(IdentityError::Service(error)) => Err(error),
        Err(error) => Err(ServiceError::Forbidden(error.to_string())),
    }
}

/// The part of the account's page about the provider, where there is one.
pub(super) async fn card(visit: &Visit) -> Result<Option<(String, Markup)>, ServiceError> {
    let Some(provider) = &visit.service.oidc else { return Ok(None) };
    let proofs = confirm::proofs(visit).await?;
    let name = [("name", Value::Text(&provider.settings().name))];
    let (text, action, button) = match proofs.provider {
        true => ("oidc.card.linked", "/dashboard/account/oidc/remove", "oidc.card.unlink"),
        false => ("oidc.card.none", "/dashboard/account/oidc", "oidc.card.link"),
    };
    // The last way to sign in cannot be taken away, and is not offered.
    let is_last = proofs.provider && !proofs.password;
    let content = html! {
        p { (visit.tf(text, &name)) }
        @if is_last { p { (visit.t("oidc.last.text")) } } @else {
            form method="post" action=(action) { button.secondary type="submit" { (visit.tf(button, &name)) } }
        }
    };
    Ok(Some((visit.tf("oidc.button", &name), content)))
}

fn short(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(100).collect()
}
