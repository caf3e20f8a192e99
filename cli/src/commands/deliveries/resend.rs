//! `l10n deliveries resend DELIVERY`: makes one more attempt and reports its result.
//!
//! Calls `deliveries::resend`, `deliveries::list`.

use std::time::Duration;

use l10n_client::api::WebhookId;
use l10n_client::api::deliveries::{Delivery, DeliveryStatus};
use tokio::time::{Instant, sleep};

use super::list::{ListedDelivery, read};
use super::story::full_stop;
use crate::args::ResendArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure, usage};
use crate::exit::ExitStatus;
use crate::lookup::find_webhook;
use crate::progress::Progress;
use crate::session::Session;

/// An attempt takes 15 seconds at most; the rest is for attempts queued before it.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Pauses between reads of the log, which count against the project's request budget; the last one is repeated.
const PAUSES: [Duration; 3] = [Duration::from_millis(300), Duration::from_millis(700), Duration::from_secs(2)];

/// The attempt has not delivered it.
#[derive(Debug, thiserror::Error)]
enum ResendError {
    /// The webhook's receiver did not accept it.
    #[error("{delivery} was not delivered: {why}")]
    NotDelivered { delivery: String, why: String },
    /// The attempt has not ended.
    #[error("the attempt of {delivery} has not ended after {} s", .waited.as_secs())]
    StillSending { delivery: String, waited: Duration },
}

impl Failure for ResendError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NotDelivered { .. } => ExitStatus::Partial,
            Self::StillSending { .. } => ExitStatus::Unavailable,
        }
    }

    fn code(&self) -> &str {
        match self {
            Self::NotDelivered { .. } => "not_delivered",
            Self::StillSending { .. } => "wait_timeout",
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotDelivered { .. } => "fix the receiver and resend it; `l10n deliveries list` shows the log".into(),
            Self::StillSending { .. } => "it goes on; `l10n deliveries list` shows its result".into(),
        })
    }
}

pub(crate) async fn resend(context: &Context, args: &ResendArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let webhook = webhook_of(&session, args).await?;
    let log = session.project.deliveries(webhook.clone());
    let queued = log.resend(args.delivery.as_str()).await.doing("sending the delivery again")?;
    let printer = &context.printer;
    if args.no_wait {
        printer.json(&ListedDelivery { webhook_id: webhook, delivery: queued });
        printer.done(format!("{} will be sent again", args.delivery));
        printer.note("`l10n deliveries list` shows the result.");
        return Ok(ExitStatus::Success);
    }
    let progress = Progress::new(printer, "waiting for the end of the attempt", 0);
    let delivery = ended(&session, &webhook, &queued).await?;
    drop(progress);
    let answer = delivery.last_status_code.map(|status| format!(" ({status})")).unwrap_or_default();
    match delivery.last_error.clone() {
        None => {
            printer.json(&ListedDelivery { webhook_id: webhook, delivery });
            printer.done(format!("Delivered {}{answer}", args.delivery));
            Ok(ExitStatus::Success)
        }
        Some(error) => {
            Err(ResendError::NotDelivered { delivery: args.delivery.clone(), why: full_stop(&error) }.into())
        }
    }
}

/// The webhook of the delivery.
async fn webhook_of(session: &Session, args: &ResendArgs) -> Result<WebhookId, CliError> {
    if let Some(name) = &args.webhook {
        return find_webhook(session, name).await;
    }
    let entries = read(session, None).await?;
    let found = entries.into_iter().find(|entry| entry.delivery.delivery_id.as_str() == args.delivery);
    found.map(|entry| entry.webhook_id).ok_or_else(|| {
        usage(
            format!("no webhook has the delivery `{}` among its last 50", args.delivery),
            "list the deliveries with `l10n deliveries list`; for an older one, name its webhook with --webhook",
        )
    })
}

/// The delivery after the requested attempt has ended.
async fn ended(session: &Session, webhook: &WebhookId, queued: &Delivery) -> Result<Delivery, CliError> {
    let (log, begun) = (session.project.deliveries(webhook.clone()), Instant::now());
    let mut pauses = PAUSES.into_iter();
    let mut pause = PAUSES[0];
    while begun.elapsed() < LONGEST_WAIT {
        pause = pauses.next().unwrap_or(pause);
        sleep(pause).await;
        let found = log.list().await.doing("waiting for the end of the attempt")?;
        let Some(delivery) = found.into_iter().find(|delivery| delivery.delivery_id == queued.delivery_id) else {
            // Newer deliveries have pushed it out of the log.
            break;
        };
        if delivery.attempts > queued.attempts && delivery.status != DeliveryStatus::Delivering {
            return Ok(delivery);
        }
    }
    Err(ResendError::StillSending { delivery: queued.delivery_id.to_string(), waited: begun.elapsed() }.into())
}
