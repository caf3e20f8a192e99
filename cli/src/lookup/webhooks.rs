//! Webhooks of the project.

use l10n_client::api::WebhookId;
use l10n_client::api::events::EventType;
use l10n_client::api::webhooks::Webhook;

use crate::error::{CliError, Doing as _, usage};
use crate::session::Session;

/// The webhooks of the project.
pub(crate) async fn all(session: &Session) -> Result<Vec<Webhook>, CliError> {
    session.project.webhooks().list().await.doing("reading the webhooks")
}

/// Finds the webhook that a person names: by its id, or by its URL if only one webhook has it.
pub(crate) async fn find(session: &Session, name: &str) -> Result<WebhookId, CliError> {
    if name.starts_with("whk_") { Ok(WebhookId::new(name)) } else { Ok(look_up(session, name).await?.webhook_id) }
}

/// Like [`find`], returning the whole webhook.
pub(crate) async fn look_up(session: &Session, name: &str) -> Result<Webhook, CliError> {
    let webhooks = all(session).await?;
    let names_it = |webhook: &Webhook| webhook.webhook_id.as_str() == name || webhook.url == name;
    let mut found: Vec<Webhook> = webhooks.into_iter().filter(names_it).collect();
    match (found.pop(), found.as_slice()) {
        (Some(webhook), []) => Ok(webhook),
        (None, _) => {
            Err(usage(format!("no webhook has the id or URL `{name}`"), "list the webhooks with `l10n webhooks list`"))
        }
        (Some(last), others) => {
            let ids: Vec<&str> = others.iter().chain([&last]).map(|webhook| webhook.webhook_id.as_str()).collect();
            Err(usage(
                format!("{} webhooks have the URL `{name}`", ids.len()),
                format!("name one by its id: {}", ids.join(", ")),
            ))
        }
    }
}

/// Events as people read and type them.
pub(crate) fn events(events: &[EventType]) -> String {
    events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(",")
}
