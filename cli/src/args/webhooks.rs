//! `l10n webhooks` and `l10n deliveries`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use l10n_client::SecretString;
use l10n_client::api::Timestamp;
use l10n_client::api::events::EventType;
use url::Url;

use super::spend::OnceArgs;
use crate::receiver::{ReceiverResponse, target as forward_target};

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
    /// Register a URL that is called when the project publishes; prints its secret once
    Create(CreateWebhookArgs),
    /// List the project's webhooks
    List,
    /// Change the URL or the events of a webhook, enable or disable it
    Update(UpdateWebhookArgs),
    /// Delete a webhook with its delivery log
    Delete(DeleteWebhookArgs),
    /// Replace a webhook's secret; prints the new one once
    RotateSecret(RotateSecretArgs),
    /// Receive deliveries on this machine while you develop, and show them
    Listen(ListenArgs),
    /// Send a signed sample to a URL, to try a receiver
    Trigger(TriggerArgs),
    /// Find the problem of a delivery's signature: secret, body, time or format
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "A project holds at most five webhooks.\n\nExamples:\n  l10n webhooks create https://example.com/l10n\n  l10n webhooks create https://example.com/l10n --secret-file /run/secrets/l10n-webhook"
)]
pub(crate) struct CreateWebhookArgs {
    /// URL to call: https, on a public address
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// Events to subscribe to
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', value_parser = event(), default_value = "strings.published")]
    pub(crate) events: Vec<EventType>,
    /// Write the secret to this file, readable only by its owner, instead of printing it
    #[arg(long, value_name = "PATH")]
    pub(crate) secret_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) once: OnceArgs,
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
    /// New URL; attempts still to come go there, too
    #[arg(long, value_name = "URL", group = "change")]
    pub(crate) url: Option<String>,
    /// New events, replacing the current ones
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', value_parser = event(), group = "change")]
    pub(crate) events: Option<Vec<EventType>>,
    /// Enable it, and clear its failures
    #[arg(long, group = "change")]
    pub(crate) enable: bool,
    /// Disable it, including planned retries
    #[arg(long, group = "change", conflicts_with = "enable")]
    pub(crate) disable: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteWebhookArgs {
    /// Webhook, by its id or URL
    #[arg(value_name = "WEBHOOK")]
    pub(crate) webhook: String,
    /// Do not ask for confirmation
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "For 24 hours every delivery is signed with both secrets, so that the receiver can switch to the new one in that time."
)]
pub(crate) struct RotateSecretArgs {
    /// Webhook, by its id or URL
    #[arg(value_name = "WEBHOOK")]
    pub(crate) webhook: String,
    /// Write the secret to this file, readable only by its owner, instead of printing it
    #[arg(long, value_name = "PATH")]
    pub(crate) secret_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Starts a receiver with a certificate of the development server's own authority, registers it, shows each delivery, and deletes the webhook at the end. With --json, prints one object per line.\n\nExamples:\n  l10n webhooks listen\n  l10n webhooks listen --forward-to http://localhost:3000/hooks --print-secret\n  l10n webhooks listen --answer 500,redirect,ok"
)]
pub(crate) struct ListenArgs {
    /// Port to listen on [default: any free port]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Name or address under which the server reaches this machine
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Events to listen for
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', value_parser = event(), default_value = "strings.published,content.published")]
    pub(crate) events: Vec<EventType>,
    /// Forward each delivery to this URL, and its answer back
    #[arg(long, value_name = "URL", value_parser = forward_target)]
    pub(crate) forward_to: Option<Url>,
    /// Answers in turn, the last one repeated: a status, ok, slow (too late), redirect, close
    #[arg(long, value_name = "ANSWERS", value_delimiter = ',', default_value = "ok", conflicts_with = "forward_to")]
    pub(crate) answer: Vec<ReceiverResponse>,
    /// Data folder of the development server, with its certificates [default: l10n-data here or in a parent folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) ca_dir: Option<PathBuf>,
    /// Print the webhook's secret
    #[arg(long)]
    pub(crate) print_secret: bool,
    /// Write the webhook's secret to this file, readable only by its owner
    #[arg(long, value_name = "PATH")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Keep the webhook at the end; the next listener takes it over
    #[arg(long)]
    pub(crate) keep: bool,
    /// End after this many deliveries
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
}

/// The secret of a webhook, if it is not in the environment.
#[derive(Debug, Args)]
pub(crate) struct SecretArgs {
    /// Secret; visible in this machine's process list [env: L10N_WEBHOOK_SECRET]
    #[arg(long, value_name = "WHSEC", value_parser = |text: &str| Ok::<_, String>(SecretString::from(text)))]
    pub(crate) secret: Option<SecretString>,
    /// Read the secret from this file
    #[arg(long, value_name = "PATH", conflicts_with = "secret")]
    pub(crate) secret_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 if the receiver answered correctly (2xx; 4xx with --wrong), 8 if it did not answer, 10 otherwise.\n\nExamples:\n  l10n webhooks trigger http://localhost:3000/hooks\n  l10n webhooks trigger http://localhost:3000/hooks --wrong time"
)]
pub(crate) struct TriggerArgs {
    /// URL of the receiver
    #[arg(value_name = "URL", value_parser = receiver)]
    pub(crate) url: Url,
    #[command(flatten)]
    pub(crate) secret: SecretArgs,
    /// Event of the sample
    #[arg(long, value_name = "EVENT", value_parser = event(), default_value = "strings.published")]
    pub(crate) event: EventType,
    /// JSON file with the event's `data`, instead of the sample's
    #[arg(long, value_name = "PATH")]
    pub(crate) data: Option<PathBuf>,
    /// File with the whole body, sent unchanged
    #[arg(long, value_name = "PATH", conflicts_with_all = ["data", "event", "event_id"])]
    pub(crate) body: Option<PathBuf>,
    /// Id of the event, such as an earlier one's to check that it is handled once [default: random]
    #[arg(long, value_name = "ID")]
    pub(crate) event_id: Option<String>,
    /// Send a wrong sample, which must be refused; without a value, its secret is wrong
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, default_missing_value = "secret")]
    pub(crate) wrong: Option<SampleMistake>,
    /// Folder whose dev-ca.pem is trusted in addition to the machine's roots [default: l10n-data here or in a parent
    /// folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) ca_dir: Option<PathBuf>,
}

/// The wrong part of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SampleMistake {
    /// It is signed with another secret.
    Secret,
    /// Another body is signed than sent.
    Body,
    /// It is signed an hour ago.
    Time,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 if a receiver must accept it, 4 if it must refuse it.\n\nExample:\n  l10n webhooks verify --header \"$SIGNATURE\" --body body.json --secret-file secret --at 2026-11-21T08:00:00Z"
)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) secret: SecretArgs,
    /// Value of the header X-Service-Signature
    #[arg(long, value_name = "VALUE")]
    pub(crate) header: String,
    /// File with the body as received; - reads stdin
    #[arg(long, value_name = "PATH")]
    pub(crate) body: PathBuf,
    /// Time of receipt: Unix seconds, or such as 2026-11-21T08:00:00Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) at: Option<Timestamp>,
    /// Allowed distance of the time, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) tolerance: u64,
}

/// A URL on this machine or elsewhere; the sample contains nothing secret.
fn receiver(text: &str) -> Result<Url, String> {
    match Url::parse(text) {
        Ok(url) if ["http", "https"].contains(&url.scheme()) && url.has_host() => Ok(url),
        _ => Err("not a URL such as http://localhost:3000/hooks".to_owned()),
    }
}

/// A point in time, in seconds or as text.
fn time(text: &str) -> Result<Timestamp, String> {
    match text.parse::<i64>() {
        Ok(seconds) => Ok(Timestamp::from_millis(seconds.saturating_mul(1_000))),
        Err(_) => text.parse().map_err(|_| "neither Unix seconds nor a time such as 2026-11-21T08:00:00Z".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct DeliveriesArgs {
    #[command(subcommand)]
    pub(crate) command: Option<DeliveriesCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DeliveriesCommand {
    /// List the last deliveries and their errors, newest first
    List(ListDeliveriesArgs),
    /// Send a delivery again, whatever its status, and report the result
    Resend(ResendArgs),
}

#[derive(Debug, Default, Args)]
pub(crate) struct ListDeliveriesArgs {
    /// Webhook, by its id or URL [default: every webhook of the project]
    #[arg(value_name = "WEBHOOK")]
    pub(crate) webhook: Option<String>,
    /// Only deliveries that failed or wait for a retry
    #[arg(long)]
    pub(crate) failing: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The receiver gets the same event with the same id. A planned retry stays planned if this attempt fails.\n\nExample:\n  l10n deliveries resend dlv_…"
)]
pub(crate) struct ResendArgs {
    /// Id of the delivery
    #[arg(value_name = "DELIVERY")]
    pub(crate) delivery: String,
    /// Its webhook, by id or URL [default: searched]
    #[arg(long, value_name = "WEBHOOK")]
    pub(crate) webhook: Option<String>,
    /// Do not wait for the end of the attempt
    #[arg(long)]
    pub(crate) no_wait: bool,
}
