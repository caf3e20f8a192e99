//! A receiver with axum. It serves plain HTTP: the service delivers only to `https://`, so put it behind a TLS proxy.
//!
//! ```text
//! L10N_WEBHOOK_SECRET=whsec_… cargo run -p l10n-webhook-verify --example receiver --features axum,dedup,events
//! ```

use std::env;
use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::routing::post;
use l10n_webhook_verify::Verifier;
use l10n_webhook_verify::axum::Signed;
use l10n_webhook_verify::dedup::{self, DeliveryKey, InMemory, Once, OnceError};
use l10n_webhook_verify::events::{Event, EventData};
use tokio::net::TcpListener;

#[derive(Clone)]
struct App {
    verifier: Arc<Verifier>,
    seen: Arc<InMemory>,
}

impl FromRef<App> for Arc<Verifier> {
    fn from_ref(app: &App) -> Self {
        Arc::clone(&app.verifier)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let verifier = Verifier::new(env::var("L10N_WEBHOOK_SECRET")?)?;
    let app = App { verifier: Arc::new(verifier), seen: Arc::default() };
    let listener = TcpListener::bind(env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".into())).await?;
    println!("receiving at http://{}/webhooks/l10n", listener.local_addr()?);
    let routes = Router::new().route("/webhooks/l10n", post(receive)).with_state(app);
    Ok(axum::serve(listener, routes).await?)
}

/// Answers within the ten seconds that the service waits. Longer work belongs in a queue.
async fn receive(State(app): State<App>, Signed { event, webhook_id, .. }: Signed<Event>) -> StatusCode {
    let Ok(key) = DeliveryKey::new(webhook_id.unwrap_or_default(), event.id.as_str()) else {
        return StatusCode::BAD_REQUEST;
    };
    match dedup::once(&*app.seen, &key, handle(event)).await {
        Ok(Once::Handled(()) | Once::Duplicate) => StatusCode::NO_CONTENT,
        Ok(Once::InProgress) => StatusCode::CONFLICT,
        Err(OnceError::Handler(error)) => {
            eprintln!("{error}");
            StatusCode::INTERNAL_SERVER_ERROR
        }
        Err(OnceError::Dedup(never)) => match never {},
    }
}

async fn handle(event: Event) -> Result<(), Box<dyn Error + Send + Sync>> {
    match event.data {
        EventData::StringsPublished(published) => {
            println!("{}: {} keys in version {}", event.project.slug, published.key_count, published.version_id);
        }
        EventData::ContentPublished(published) => {
            println!("{}: {} documents", event.project.slug, published.documents.len());
        }
        _ => println!("{}: nothing to do for {}", event.project.slug, event.event_type),
    }
    Ok(())
}
