//! `l10n webhooks rotate-secret WEBHOOK`: replaces its secret.
//!
//! Calls `webhooks::rotate_secret`.

use super::secret_file::{SecretPlace, with_place};
use crate::args::RotateSecretArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::lookup::find_webhook;
use crate::session::Session;
use crate::words::time;

pub(crate) async fn rotate_secret(context: &Context, args: &RotateSecretArgs) -> Result<ExitStatus, CliError> {
    let place = SecretPlace::prepare(context, args.secret_file.as_deref())?;
    let session = Session::open(context).await?;
    let webhook = find_webhook(&session, &args.webhook).await?;
    let rotated = session.project.webhooks().rotate_secret(webhook).await.doing("replacing the secret")?;
    let kept = place.keep(&rotated.secret);
    let printer = &context.printer;
    printer.json(&with_place(&rotated, &kept));
    printer.done(format!("Replaced the secret of {}", rotated.webhook_id));
    kept.tell(printer, &rotated.secret);
    printer.line(format!("The previous secret also signs until {}.", time(rotated.previous_secret_expires_at)));
    printer.note("Make the receiver accept both secrets, or the new one, before then.");
    kept.outcome()
}
