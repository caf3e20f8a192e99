//! `l10n webhooks`: addresses that are called when the project publishes.

mod create;
mod delete;
mod list;
mod listen;
mod rotate_secret;
mod sample;
mod secret;
mod secret_file;
mod trigger;
mod update;
mod verify;

pub(crate) use listen::{Answer, AuthorityError, target};

use l10n_client::api::WebhookId;
use l10n_client::api::events::EventType;
use l10n_client::api::webhooks::Webhook;

use crate::args::{WebhooksArgs, WebhooksCommand};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;

pub(crate) async fn webhooks(context: &Context, args: WebhooksArgs) -> Result<ExitStatus, CliError> {
    match args.command.unwrap_or(WebhooksCommand::List) {
        WebhooksCommand::Create(args) => create::create(context, &args).await,
        WebhooksCommand::List => list::list(context).await,
        WebhooksCommand::Update(args) => update::update(context, args).await,
        WebhooksCommand::Delete(args) => delete::delete(context, &args).await,
        WebhooksCommand::Listen(args) => listen::listen(context, &args).await,
        WebhooksCommand::Trigger(args) => trigger::trigger(context, &args).await,
        WebhooksCommand::Verify(args) => verify::verify(context, &args),
        WebhooksCommand::RotateSecret(args) => rotate_secret::rotate_secret(context, &args).await,
    }
}

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
        (None, _) => Err(CliError::usage(
            format!("no webhook has the id or URL `{name}`"),
            "list the webhooks with `l10n webhooks list`",
        )),
        (Some(last), others) => {
            let ids: Vec<&str> = others.iter().chain([&last]).map(|webhook| webhook.webhook_id.as_str()).collect();
            Err(CliError::usage(
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
