//! An identity provider that signs everybody in whom the test names, with keys of its own.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::{StatusCode, header};
use http_body_util::BodyExt as _;
use l10n_server::clock::Clock as _;
use l10n_server::config::{Oidc, Settings};
use l10n_server::testing::TestClock;
use openidconnect::core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use openidconnect::{JsonWebKeyId, PrivateSigningKey as _};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PublicKeyData as _, SigningKey as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;

/// The id that it gave the server.
const CLIENT: &str = "l10n-dashboard";
const SECRET: &str = "a secret of the provider";

/// A deliberate fault, or another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// All is well; signed with ES256.
    Well,
    /// Signed with RS256.
    Rsa,
    /// It says that the person has denied.
    Denies,
    /// Discovery and tokens fail with 500.
    Broken,
    /// It never answers for tokens.
    Hangs,
    /// Its answer for tokens has no end.
    Endless,
    /// Its token is signed with another key under the same id.
    WrongKey,
    /// Its token is signed with the client's secret.
    Hmac,
    /// Its token is not signed.
    Unsigned,
    /// It refuses the code.
    Refuses,
    /// Its answer is no JSON.
    Garbage,
    /// It does not say when the person proved who they are.
    NoAuthTime,
}

/// A sign-in that waits for its token.
#[derive(Debug, Clone)]
struct Grant {
    nonce: String,
    challenge: String,
    redirect: String,
    asked_anew: bool,
}

struct Inner {
    address: SocketAddr,
    clock: TestClock,
    ec: Mutex<(KeyPair, String)>,
    stranger: KeyPair,
    rsa: CoreRsaPrivateSigningKey,
    manner: Mutex<Manner>,
    claims: Mutex<Value>,
    grants: Mutex<HashMap<String, Grant>>,
    signed_in_at: Mutex<i64>,
}

/// A provider on a socket of its own.
#[derive(Clone)]
pub(crate) struct IdentityProvider(Arc<Inner>);

impl IdentityProvider {
    /// With this clock, on a free port.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let clock = TestClock::default();
        let key = || KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap();
        let pem = include_str!("provider_rsa.pem");
        let provider = Self(Arc::new(Inner {
            address: listener.local_addr().unwrap(),
            signed_in_at: Mutex::new(clock.now().as_millis() / 1_000),
            clock,
            ec: Mutex::new((key(), "ec-1".to_owned())),
            stranger: key(),
            rsa: CoreRsaPrivateSigningKey::from_pem(pem, Some(JsonWebKeyId::new("rsa-1".to_owned()))).unwrap(),
            manner: Mutex::new(Manner::Well),
            claims: Mutex::new(json!({})),
            grants: Mutex::default(),
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }

    pub(crate) fn issuer(&self) -> String {
        format!("http://{}", self.0.address)
    }

    /// Makes it the provider of a server.
    pub(crate) fn configure(&self, settings: &mut Settings) {
        let mut egress = settings.webhooks.egress.clone();
        egress.plain_http = true;
        egress.allow_targets = vec!["127.0.0.0/8".parse().unwrap()];
        egress.timeouts.answer = std::time::Duration::from_secs(2);
        settings.oidc = Some(Oidc {
            issuer: self.issuer(),
            client_id: CLIENT.to_owned(),
            client_secret: Some(SECRET.to_owned().into()),
            name: "Example ID".to_owned(),
            link_verified_email: true,
            allowed_email_domains: Vec::new(),
            egress,
        });
    }

    /// From now on it behaves so.
    pub(crate) fn behave(&self, manner: Manner) {
        *self.0.manner.lock().unwrap() = manner;
    }

    /// The person who sits before it, and claims that replace its own. `null` takes one away.
    pub(crate) fn claims(&self, claims: Value) {
        *self.0.claims.lock().unwrap() = claims;
    }

    /// From now on it has another key.
    pub(crate) fn change_keys(&self) {
        *self.0.ec.lock().unwrap() = (KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap(), "ec-2".to_owned());
    }

    /// The clock of its tokens, which the test keeps in step with the server's.
    pub(crate) fn clock(&self) -> &TestClock {
        &self.0.clock
    }

    fn manner(&self) -> Manner {
        *self.0.manner.lock().unwrap()
    }

    fn now(&self) -> i64 {
        self.0.clock.now().as_millis() / 1_000
    }

    fn id_token(&self, grant: &Grant) -> String {
        let manner = self.manner();
        let now = self.now();
        if grant.asked_anew {
            *self.0.signed_in_at.lock().unwrap() = now;
        }
        let mut claims = json!({
            "iss": self.issuer(), "aud": CLIENT, "sub": "subject-1", "iat": now, "exp": now + 300,
            "nonce": grant.nonce, "email": "ada@example.com", "email_verified": true,
            "auth_time": *self.0.signed_in_at.lock().unwrap(),
        });
        let fields = claims.as_object_mut().unwrap();
        if manner == Manner::NoAuthTime {
            fields.remove("auth_time");
        }
        for (name, value) in self.0.claims.lock().unwrap().as_object().unwrap() {
            match value {
                Value::Null => drop(fields.remove(name)),
                value => drop(fields.insert(name.clone(), value.clone())),
            }
        }
        let (ec, id) = &*self.0.ec.lock().unwrap();
        let (algorithm, id) = match manner {
            Manner::Rsa => ("RS256", "rsa-1"),
            Manner::Hmac => ("HS256", "x"),
            Manner::Unsigned => ("none", "x"),
            _ => ("ES256", id.as_str()),
        };
        let head = json!({"alg": algorithm, "kid": id, "typ": "JWT"});
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&head), part(&claims));
        let signature = match manner {
            Manner::Rsa => self.0.rsa.sign(&CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256, signed.as_bytes()).unwrap(),
            Manner::Hmac => {
                let key = openidconnect::core::CoreHmacKey::new(SECRET.as_bytes());
                key.sign(&CoreJwsSigningAlgorithm::HmacSha256, signed.as_bytes()).unwrap()
            }
            Manner::Unsigned => Vec::new(),
            Manner::WrongKey => raw(&self.0.stranger.sign(signed.as_bytes()).unwrap()),
            _ => raw(&ec.sign(signed.as_bytes()).unwrap()),
        };
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// Two numbers of 32 bytes, out of their DER.
fn raw(der: &[u8]) -> Vec<u8> {
    let (mut at, mut raw) = (2, Vec::new());
    for _ in 0..2 {
        let length = usize::from(der[at + 1]);
        let number = &der[at + 2..at + 2 + length];
        let number = &number[number.len().saturating_sub(32)..];
        raw.extend(std::iter::repeat_n(0, 32 - number.len()));
        raw.extend_from_slice(number);
        at += 2 + length;
    }
    raw
}

fn answer(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
    response
}

async fn discovery(State(provider): State<IdentityProvider>) -> Response {
    if provider.manner() == Manner::Broken {
        return answer(StatusCode::INTERNAL_SERVER_ERROR, "{}");
    }
    let issuer = provider.issuer();
    let document = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256", "RS256", "HS256"],
    });
    answer(StatusCode::OK, document.to_string())
}

async fn keys(State(provider): State<IdentityProvider>) -> Response {
    let (ec, id) = &*provider.0.ec.lock().unwrap();
    let point = ec.der_bytes();
    let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let ec = json!({
        "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": id,
        "x": part(&point[1..33]), "y": part(&point[33..65]),
    });
    let rsa = serde_json::to_value(provider.0.rsa.as_verification_key()).unwrap();
    answer(StatusCode::OK, json!({"keys": [ec, rsa]}).to_string())
}

/// The person is signed in here already, or signs in now: it leads back at once.
async fn authorize(State(provider): State<IdentityProvider>, request: Request) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let asked: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    assert_eq!((asked["client_id"].as_str(), asked["response_type"].as_str()), (CLIENT, "code"));
    assert_eq!(asked["code_challenge_method"], "S256");
    assert!(asked["scope"].split(' ').any(|scope| scope == "openid"), "{asked:?}");
    let code = format!("code-{}", provider.0.grants.lock().unwrap().len());
    let grant = Grant {
        nonce: asked["nonce"].clone(),
        challenge: asked["code_challenge"].clone(),
        redirect: asked["redirect_uri"].clone(),
        asked_anew: asked.get("prompt").is_some_and(|prompt| prompt == "login"),
    };
    let mut back = url::Url::parse(&grant.redirect).unwrap();
    match provider.manner() {
        Manner::Denies => back.query_pairs_mut().append_pair("error", "access_denied"),
        _ => back.query_pairs_mut().append_pair("code", &code),
    };
    back.query_pairs_mut().append_pair("state", &asked["state"]);
    provider.0.grants.lock().unwrap().insert(code, grant);
    let mut response = answer(StatusCode::SEE_OTHER, "");
    response.headers_mut().insert(header::LOCATION, back.as_str().parse().unwrap());
    response
}

async fn token(State(provider): State<IdentityProvider>, request: Request) -> Response {
    match provider.manner() {
        Manner::Broken => return answer(StatusCode::INTERNAL_SERVER_ERROR, "{}"),
        Manner::Hangs => return std::future::pending().await,
        Manner::Endless => return answer(StatusCode::OK, vec![b' '; 4 * 1024 * 1024]),
        Manner::Refuses => return answer(StatusCode::BAD_REQUEST, r#"{"error":"invalid_grant"}"#),
        Manner::Garbage => return answer(StatusCode::OK, "<html>no</html>"),
        _ => {}
    }
    let shown = request.headers()[header::AUTHORIZATION].to_str().unwrap().to_owned();
    let encoded: String = url::form_urlencoded::byte_serialize(SECRET.as_bytes()).collect();
    assert_eq!(shown, format!("Basic {}", STANDARD.encode(format!("{CLIENT}:{encoded}"))));
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let sent: HashMap<String, String> = url::form_urlencoded::parse(&body).into_owned().collect();
    let grant = provider.0.grants.lock().unwrap().remove(&sent["code"]);
    let Some(grant) = grant else { return answer(StatusCode::BAD_REQUEST, r#"{"error":"invalid_grant"}"#) };
    assert_eq!(sent["redirect_uri"], grant.redirect);
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(sent["code_verifier"].as_bytes()));
    assert_eq!(challenge, grant.challenge, "whoever stole the code has no verifier");
    let tokens = json!({"access_token": "at", "token_type": "Bearer", "id_token": provider.id_token(&grant)});
    answer(StatusCode::OK, tokens.to_string())
}
