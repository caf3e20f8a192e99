//! The listener's registration as a webhook: made or taken over at the start, deleted at the end.

use std::path::Path;
use std::time::Duration;

use l10n_client::api::events::EventType;
use l10n_client::api::webhooks::{CreateBody, UpdateBody, Webhook};
use l10n_client::api::{ErrorCode, WebhookId};
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::Url;

use crate::error::{CliError, Doing as _, usage};
use crate::lookup::webhooks;
use crate::session::Session;

/// The start of the path of every listener's URL; the rest is random.
pub(crate) const PATH: &str = "/l10n-listen/";

/// Time in which a running listener accepts a connection.
const SHORTEST_WAIT: Duration = Duration::from_millis(500);

/// Time limit of the cleanup.
const LONGEST_GOODBYE: Duration = Duration::from_secs(5);

/// A registered webhook.
pub(crate) struct Registration {
    pub(crate) webhook: WebhookId,
    pub(crate) secret: String,
    /// True if it belonged to a listener that ended without cleanup.
    pub(crate) taken_over: bool,
}

impl Registration {
    /// Registers `url`. The webhook of a listener that has ended is taken over, so that none is left behind and missed
    /// deliveries arrive now.
    pub(crate) async fn open(
        session: &Session,
        url: &Url,
        events: &[EventType],
        authority: &Path,
    ) -> Result<Self, CliError> {
        let mut stale = Vec::new();
        for webhook in webhooks(session).await? {
            if is_stale(&webhook, url).await {
                stale.push(webhook.webhook_id);
            }
        }
        let registered = match stale.split_first() {
            None => create(session, url, events).await,
            Some((first, others)) => {
                for other in others {
                    session.project.webhooks().delete(other.clone()).await.doing("deleting an abandoned webhook")?;
                }
                take_over(session, first.clone(), url, events).await
            }
        };
        registered.map_err(|error| explain(error, authority))
    }

    /// Deletes the webhook.
    pub(crate) async fn close(&self, session: &Session) -> Result<(), CliError> {
        let webhooks = session.project.webhooks();
        match timeout(LONGEST_GOODBYE, webhooks.delete(self.webhook.clone())).await {
            Ok(result) => result.doing(format!("deleting {}", self.webhook)),
            Err(_) => Err(usage(
                format!("{} could not be deleted in {} s", self.webhook, LONGEST_GOODBYE.as_secs()),
                "the next `l10n webhooks listen` takes it over; `l10n webhooks delete` removes it",
            )),
        }
    }
}

async fn create(session: &Session, url: &Url, events: &[EventType]) -> Result<Registration, CliError> {
    let body = CreateBody { url: url.to_string(), events: events.to_vec() };
    let created = session.project.webhooks().create(&body).await.doing("registering the listener")?;
    Ok(Registration { webhook: created.webhook_id, secret: created.secret, taken_over: false })
}

/// The secret is replaced first, because deliveries to the new address are signed with it.
async fn take_over(
    session: &Session,
    webhook: WebhookId,
    url: &Url,
    events: &[EventType],
) -> Result<Registration, CliError> {
    let webhooks = session.project.webhooks();
    let secret = webhooks.rotate_secret(webhook.clone()).await.doing("replacing the secret")?.secret;
    let body = UpdateBody { url: Some(url.to_string()), events: Some(events.to_vec()), enabled: Some(true) };
    webhooks.update(webhook.clone(), &body).await.doing("registering the listener")?;
    Ok(Registration { webhook, secret, taken_over: true })
}

/// Returns true if a webhook belongs to a listener on the same host, and nothing listens at its port any more.
async fn is_stale(webhook: &Webhook, own: &Url) -> bool {
    let Ok(url) = Url::parse(&webhook.url) else { return false };
    if url.host() != own.host() || !url.path().starts_with(PATH) {
        return false;
    }
    // The own port was free a moment ago.
    if url.port() == own.port() {
        return true;
    }
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or(443);
    !matches!(timeout(SHORTEST_WAIT, TcpStream::connect((host, port))).await, Ok(Ok(_)))
}

/// Explains a refusal to someone who runs both sides.
fn explain(error: CliError, authority: &Path) -> CliError {
    match error.api_code() {
        Some(ErrorCode::InvalidArgument) => error.advise(format!(
            "this server does not deliver to this machine: run `l10n-server dev`, or set [webhooks] \
             allow_targets = [\"127.0.0.1/32\"] and extra_ca = \"{}\" for it; for an address on the internet there is \
             `l10n webhooks create`",
            authority.display()
        )),
        _ => error,
    }
}
