//! A receiver that registers its own webhook: it receives the publishes of `l10n-server dev` over TLS, verifies each
//! before parsing it, and handles each event once; at the end it deletes the webhook.
//!
//!     l10n-server dev                               # prints the variables L10N_… for the other terminals
//!     cargo run --example webhook_receiver          # where its folder l10n-data is; L10N_DATA names another place
//!     l10n publish                                  # in a folder with strings
//!
//! `-- 3` ends it after three events; Ctrl-C ends it at any time.

use std::env;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsConfig, from_tcp_rustls};
use l10n_client::Client;
use l10n_client::api::events::EventType;
use l10n_client::api::webhooks::CreateBody;
use l10n_webhook_verify::Verifier;
use l10n_webhook_verify::axum::Signed;
use l10n_webhook_verify::dedup::{self, DeliveryKey, InMemory, Once, OnceError};
use l10n_webhook_verify::events::{Event, EventData};
use rcgen::{CertificateParams, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use tokio::sync::mpsc::{Sender, channel, error::SendError};

#[tokio::main]
async fn main() -> Result<()> {
    let enough = env::args().nth(1).map(|count| count.parse::<u64>()).transpose()?.unwrap_or(u64::MAX);
    let data = env::var_os("L10N_DATA").map_or_else(|| PathBuf::from("l10n-data"), PathBuf::from);
    let client = Client::builder(variable("L10N_BASE_URL")?).api_key(variable("L10N_API_KEY")?).no_proxy().build()?;
    let name = variable("L10N_PROJECT")?;
    let (handle, slug) = name.split_once('/').context("L10N_PROJECT is HANDLE/SLUG")?;
    let project = client.projects().find(handle, slug).await?;

    // 1. A port first, so that no delivery is refused between registration and the first answer.
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let url = format!("https://{}/webhooks/l10n", listener.local_addr()?);
    let tls = certificate(&data).with_context(|| format!("no authority of `l10n-server dev` in {}", data.display()))?;

    // 2. The webhook. Its secret is shown now and never again.
    let body = CreateBody::new(url, [EventType::StringsPublished]);
    let webhook = project.webhooks().create(&body).await?;
    println!("Registered {} at {}", webhook.webhook_id, webhook.url);

    // 3. The verifier, and a queue that passes each event on.
    let (sender, mut events) = channel(100);
    let receiver =
        Receiver { verifier: Arc::new(Verifier::new(&webhook.secret)?), seen: Arc::default(), events: sender };
    let routes = Router::new().route("/webhooks/l10n", post(receive)).with_state(receiver);
    let server = Handle::new();
    let serving = from_tcp_rustls(listener, tls)?.handle(server.clone()).serve(routes.into_make_service());
    let serving = tokio::spawn(serving);

    let mut count = 0;
    while count < enough {
        tokio::select! {
            event = events.recv() => describe(&event.context("the receiver has gone")?),
            interrupted = tokio::signal::ctrl_c() => {
                interrupted?;
                break;
            }
        }
        count += 1;
    }

    // 4. Without this, the service would retry an abandoned webhook for hours.
    project.webhooks().delete(webhook.webhook_id.clone()).await?;
    server.graceful_shutdown(Some(Duration::from_secs(1)));
    serving.await??;
    println!("Deleted {} after {count} events", webhook.webhook_id);
    Ok(())
}

fn variable(name: &str) -> Result<String> {
    env::var(name).with_context(|| format!("{name} is not set; `l10n-server dev` prints it"))
}

/// The handler's state.
#[derive(Clone)]
struct Receiver {
    verifier: Arc<Verifier>,
    seen: Arc<InMemory>,
    events: Sender<Event>,
}

impl FromRef<Receiver> for Arc<Verifier> {
    fn from_ref(receiver: &Receiver) -> Self {
        Arc::clone(&receiver.verifier)
    }
}

/// Answers as soon as the event is in the queue: the service waits only ten seconds, however long the work takes. An
/// unverified request never gets here.
async fn receive(
    State(receiver): State<Receiver>,
    Signed { event, webhook_id, .. }: Signed<Event>,
) -> Result<StatusCode, StatusCode> {
    let key = DeliveryKey::new(webhook_id.unwrap_or_default(), event.id.as_str());
    let key = key.map_err(|_| StatusCode::BAD_REQUEST)?;
    let queued = async { receiver.events.send(event).await };
    match dedup::once(&*receiver.seen, &key, queued).await {
        Ok(Once::Handled(()) | Once::Duplicate) => Ok(StatusCode::NO_CONTENT),
        Ok(Once::InProgress) => Err(StatusCode::CONFLICT),
        Err(OnceError::Handler(SendError(_))) => Err(StatusCode::SERVICE_UNAVAILABLE),
        Err(OnceError::Dedup(never)) => match never {},
    }
}

fn describe(event: &Event) {
    match &event.data {
        EventData::StringsPublished(published) => {
            println!("{} {}: {} with {} keys", event.id, event.project.slug, published.label, published.key_count);
        }
        _ => println!("{} {}: {}", event.id, event.project.slug, event.event_type),
    }
}

/// A certificate for this machine, issued by the authority that a development server trusts. A production endpoint has
/// a publicly trusted one.
fn certificate(data: &Path) -> Result<RustlsConfig> {
    let read = |name: &str| std::fs::read_to_string(data.join(name));
    let authority = Issuer::from_ca_cert_pem(&read("dev-ca.pem")?, KeyPair::from_pem(&read("dev-ca.key")?)?)?;
    let key = KeyPair::generate()?;
    let certificate = CertificateParams::new(vec!["127.0.0.1".to_owned()])?.signed_by(&key, &authority)?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key.into())?;
    Ok(RustlsConfig::from_config(Arc::new(config)))
}
