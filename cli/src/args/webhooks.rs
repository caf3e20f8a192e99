//! `l10n webhooks` and `l10n deliveries`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Subcommand};
use l10n_client::api::events::EventType;
use url::Url;

use crate::commands::{Answer, forward_target};

/// The events that a webhook may subscribe to.
fn event() -> impl TypedValueParser<Value = EventType> {
    PossibleValuesParser::new(EventType::ALL.iter().map(|event| event.as_str())).try_map(|name| name.parse())
}

#[derive(Debug, Args)]
pub(crate) struct WebhooksArgs {
    #[command(subcommand)]
    pub(crate) command: Option<WebhooksCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WebhooksCommand {
    /// Register a URL, which is called when the project publishes; prints its secret, once
    Create(CreateWebhookArgs),
    /// List the project's webhooks
    List,
    /// Change the URL or the events of a webhook, enable or disable it
    Update(UpdateWebhookArgs),
    /// Delete a webhook with its delivery log
    Delete(DeleteWebhookArgs),
    /// Replace a webhook's secret; prints the new one, once
    RotateSecret(RotateSecretArgs),
    /// Receive deliveries on this machine while you develop, and show them
    Listen(ListenArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "A project holds at most five webhooks.\n\nExamples:\n  l10n webhooks create https://example.com/l10n\n  l10n webhooks create https://example.com/l10n --secret-file /run/secrets/l10n-webhook"
)]
pub(crate) struct CreateWebhookArgs {
    /// Address to call: https, on a public address
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// Events to call it for
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', value_parser = event(), default_value = "strings.published")]
    pub(crate) events: Vec<EventType>,
    /// Write the secret to this file, for its owner alone to read, instead of printing it
    #[arg(long, value_name = "PATH")]
    pub(crate) secret_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("change").required(true).multiple(true),
    after_help = "The secret stays. Enabling a webhook resumes its planned deliveries.\n\nExamples:\n  l10n webhooks update whk_… --url https://example.com/new\n  l10n webhooks update whk_… --enable"
)]
pub(crate) struct UpdateWebhookArgs {
    /// Webhook, by its id or URL
    #[arg(value_name = "WEBHOOK")]
    pub(crate) webhook: String,
    /// New address, where attempts that are still to come go too
    #[arg(long, value_name = "URL", group = "change")]
    pub(crate) url: Option<String>,
    /// New events, in place of those that it has
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', value_parser = event(), group = "change")]
    pub(crate) events: Option<Vec<EventType>>,
    /// Call it again, and forget its failures
    #[arg(long, group = "change")]
    pub(crate) enable: bool,
    /// Stop calling it, planned retries included
    #[arg(long, group = "change", conflicts_with = "enable")]
    pub(crate) disable: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteWebhookArgs {
    /// Webhook, by its id or URL
    #[arg(value_name = "WEBHOOK")]
    pub(crate) webhook: String,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "For 24 hours every delivery is signed with both secrets, so that the receiver can take the new one at its time."
)]
pub(crate) struct RotateSecretArgs {
    /// Webhook, by its id or URL
    #[arg(value_name = "WEBHOOK")]
    pub(crate) webhook: String,
    /// Write the secret to this file, for its owner alone to read, instead of printing it
    #[arg(long, value_name = "PATH")]
    pub(crate) secret_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Starts a receiver with a certificate of the development server's own authority, registers it, shows each\ndelivery, and deletes the webhook at the end. With --json, an object on each line.\n\nExamples:\n  l10n webhooks listen\n  l10n webhooks listen --forward-to http://localhost:3000/hooks --print-secret\n  l10n webhooks listen --answer 500,redirect,ok"
)]
pub(crate) struct ListenArgs {
    /// Port to listen on [default: any that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Name or address under which the server reaches this machine
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Events to listen for
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', value_parser = event(), default_value = "strings.published,content.published")]
    pub(crate) events: Vec<EventType>,
    /// Pass each delivery on to this URL, and its answer back
    #[arg(long, value_name = "URL", value_parser = forward_target)]
    pub(crate) forward_to: Option<Url>,
    /// Answers in turn, the last one for ever: a status, ok, slow (too late), redirect, close
    #[arg(long, value_name = "ANSWERS", value_delimiter = ',', default_value = "ok", conflicts_with = "forward_to")]
    pub(crate) answer: Vec<Answer>,
    /// Data folder of the development server, with its certificates [default: l10n-data here or in a folder above]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) ca_dir: Option<PathBuf>,
    /// Print the webhook's secret
    #[arg(long)]
    pub(crate) print_secret: bool,
    /// Write the webhook's secret to this file, for its owner alone to read
    #[arg(long, value_name = "PATH")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Leave the webhook registered at the end; the next listener takes it over
    #[arg(long)]
    pub(crate) keep: bool,
    /// End after so many deliveries
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct DeliveriesArgs {
    #[command(subcommand)]
    pub(crate) command: Option<DeliveriesCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DeliveriesCommand {
    /// List the last deliveries, newest first, with what went wrong
    List(ListDeliveriesArgs),
    /// Send a delivery again, whatever became of it, and tell how that went
    Resend(ResendArgs),
}

#[derive(Debug, Default, Args)]
pub(crate) struct ListDeliveriesArgs {
    /// Webhook, by its id or URL [default: every webhook of the project]
    #[arg(value_name = "WEBHOOK")]
    pub(crate) webhook: Option<String>,
    /// Those that failed, and those that wait for a retry
    #[arg(long)]
    pub(crate) failing: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The receiver gets the same event with the same id. A planned retry stays planned if this attempt fails.\n\nExample:\n  l10n deliveries resend dlv_…"
)]
pub(crate) struct ResendArgs {
    /// Delivery, by its id
    #[arg(value_name = "DELIVERY")]
    pub(crate) delivery: String,
    /// Webhook that it belongs to, by id or URL [default: looked for]
    #[arg(long, value_name = "WEBHOOK")]
    pub(crate) webhook: Option<String>,
    /// Do not wait for the end of the attempt
    #[arg(long)]
    pub(crate) no_wait: bool,
}
