//! Sign-in with an identity provider (OpenID Connect): the code flow with PKCE, state and nonce.
//!
//! ```text
//! begin ── discovery (kept for some minutes) ──> the address at the provider, and what its answer is held against
//! finish ── code ──> token ── signature, issuer, audience, nonce, times ──> the account
//! ```
//!
//! Each request to the provider goes through [`egress`](crate::egress): over TLS, to addresses that the settings allow, within
//! seconds, and no answer is larger than a bound. A bounded number of sign-ins ask it at once (`places`), of one address half
//! of them.

mod error;
mod known;
mod provider_client;
mod sign_in_limiter;

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;

use chrono::DateTime;
use openidconnect::core::{
    CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreJwsSigningAlgorithm,
    CoreProviderMetadata,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet,
    Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse as _,
};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};

pub use self::error::ProviderError;
use self::known::MetadataCache;
use self::provider_client::ProviderClient;
use self::sign_in_limiter::SignInLimiter;
use crate::clock::Timestamp;
use crate::config::{Oidc, Settings};
use crate::domain::people::identities::Identity;
use crate::egress::{Egress, EgressError};
use crate::ids::new_token;

/// Longest subject, in bytes (OpenID Connect Core, section 2).
const LONGEST_SUBJECT: usize = 255;
/// Longest code that is passed on, in bytes.
const LONGEST_CODE: usize = 4_096;

/// An identity provider. Cheap to clone; all clones share what is known of it.
#[derive(Clone)]
pub struct Provider(Arc<ProviderParts>);

struct ProviderParts {
    settings: Oidc,
    redirect: String,
    way: ProviderClient,
    known: MetadataCache,
    places: SignInLimiter,
}

/// A sign-in that has begun. It stays with the browser, sealed, until the provider's answer comes.
#[derive(Clone, Serialize, Deserialize)]
pub struct PendingSignIn {
    /// Comes back in the answer, and counts once.
    pub state: String,
    nonce: String,
    verifier: String,
}

type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

impl Provider {
    /// The provider of the settings, if they state one. It is asked nothing before somebody signs in.
    ///
    /// # Errors
    ///
    /// Returns an error if the settings name certificates that cannot be read.
    pub fn new(settings: &Settings) -> Result<Option<Self>, EgressError> {
        let Some(oidc) = settings.oidc.clone() else { return Ok(None) };
        let way = ProviderClient(Egress::new(&oidc.egress)?);
        let redirect = format!("{}/oidc/callback", settings.dashboard_url());
        Ok(Some(Self(Arc::new(ProviderParts {
            settings: oidc,
            redirect,
            way,
            known: MetadataCache::default(),
            places: SignInLimiter::default(),
        }))))
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &Oidc {
        &self.0.settings
    }

    /// Begins a sign-in: returns the address at the provider that the person is sent to. `fresh` asks the provider to ask the
    /// person, be they signed in there or not. `from` is the client's address.
    ///
    /// # Errors
    ///
    /// [`ProviderError`] where the provider cannot be asked.
    pub async fn begin(&self, fresh: bool, from: IpAddr) -> Result<(String, PendingSignIn), ProviderError> {
        let _place = self.0.places.take(from)?;
        let client = self.client(&self.0.known.get(&self.0.settings, &self.0.way).await?)?;
        let random = || new_token().expose_secret().to_owned();
        let begun = PendingSignIn { state: random(), nonce: random(), verifier: random() };
        let verifier = PkceCodeVerifier::new(begun.verifier.clone());
        let (state, nonce) = (CsrfToken::new(begun.state.clone()), Nonce::new(begun.nonce.clone()));
        let mut request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || state, || nonce)
            .add_scope(Scope::new("email".to_owned()))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        if fresh {
            request = request.add_prompt(CoreAuthPrompt::Login).set_max_age(std::time::Duration::ZERO);
        }
        Ok((request.url().0.into(), begun))
    }

    /// Turns the code of an answer into the account that the provider vouches for. `from` is the client's address.
    ///
    /// # Errors
    ///
    /// [`ProviderError`] where the provider cannot be asked, refuses, or answers with what proves nothing.
    pub async fn finish(
        &self,
        begun: &PendingSignIn,
        code: &str,
        from: IpAddr,
        now: Timestamp,
    ) -> Result<Identity, ProviderError> {
        if code.is_empty() || code.len() > LONGEST_CODE {
            return Err(ProviderError::Invalid("the code is empty or too long".to_owned()));
        }
        let _place = self.0.places.take(from)?;
        let known = self.0.known.get(&self.0.settings, &self.0.way).await?;
        let client = self.client(&known)?;
        let tokens = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|error| ProviderError::Invalid(error.to_string()))?
            .set_pkce_verifier(PkceCodeVerifier::new(begun.verifier.clone()))
            .request_async(&self.0.way)
            .await?;
        let token = tokens.id_token().ok_or_else(|| ProviderError::Invalid("there is no id token".to_owned()))?;
        let nonce = Nonce::new(begun.nonce.clone());
        let claims = match token.claims(&verifier(&client, now), &nonce) {
            Err(error) if error::is_about_keys(&error) => {
                // The provider may have changed its keys since they were read.
                let known = self.0.known.read_again(&self.0.settings, &self.0.way).await?;
                token.claims(&verifier(&self.client(&known)?, now), &nonce)?.clone()
            }
            claims => claims?.clone(),
        };
        let subject = claims.subject().as_str();
        if subject.is_empty() || subject.len() > LONGEST_SUBJECT || subject.chars().any(char::is_control) {
            return Err(ProviderError::Invalid("the subject is empty, too long or no text".to_owned()));
        }
        let is_verified = claims.email_verified() == Some(true);
        Ok(Identity {
            issuer: self.0.settings.issuer.clone(),
            subject: subject.to_owned(),
            verified_email: claims.email().filter(|_| is_verified).map(|email| email.as_str().to_owned()),
            authenticated_at: claims.auth_time().map(|at| Timestamp::from_millis(at.timestamp_millis())),
        })
    }

    fn client(&self, known: &CoreProviderMetadata) -> Result<Client, ProviderError> {
        let settings = &self.0.settings;
        let secret = settings.client_secret.as_ref().map(|secret| ClientSecret::new(secret.expose().to_owned()));
        let redirect = RedirectUrl::new(self.0.redirect.clone());
        let redirect = redirect.map_err(|error| ProviderError::Invalid(format!("`base_url`: {error}")))?;
        let client =
            CoreClient::from_provider_metadata(known.clone(), ClientId::new(settings.client_id.clone()), secret);
        let basic = CoreClientAuthMethod::ClientSecretBasic;
        let is_basic = known.token_endpoint_auth_methods_supported().is_none_or(|all| all.contains(&basic));
        let auth_type = if is_basic { AuthType::BasicAuth } else { AuthType::RequestBody };
        Ok(client.set_redirect_uri(redirect).set_auth_type(auth_type))
    }
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("issuer", &self.0.settings.issuer).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for PendingSignIn {
    /// The verifier is a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PendingSignIn(…)")
    }
}

/// Verifies tokens with the provider's public keys. One that is signed with the client's secret is not taken: whoever has
/// the secret could make it.
fn verifier(client: &Client, now: Timestamp) -> openidconnect::core::CoreIdTokenVerifier<'_> {
    use CoreJwsSigningAlgorithm as Alg;
    let public: HashSet<Alg> = [
        Alg::RsaSsaPkcs1V15Sha256,
        Alg::RsaSsaPkcs1V15Sha384,
        Alg::RsaSsaPkcs1V15Sha512,
        Alg::RsaSsaPssSha256,
        Alg::RsaSsaPssSha384,
        Alg::RsaSsaPssSha512,
        Alg::EcdsaP256Sha256,
        Alg::EcdsaP384Sha384,
        Alg::EdDsa,
    ]
    .into();
    let now = DateTime::from_timestamp_millis(now.as_millis()).unwrap_or_default();
    client.id_token_verifier().set_allowed_algs(public).set_time_fn(move || now)
}
