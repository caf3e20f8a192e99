//! `l10n webhooks create URL`: registers an address.
//!
//! Calls `webhooks::create`.

use l10n_client::api::NoQuery;
use l10n_client::api::webhooks::{Create, CreateBody};

use super::secret_file::{SecretPlace, with_place};
use crate::args::CreateWebhookArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::lookup::events;
use crate::run::print_replayed;
use crate::session::Session;

pub(crate) async fn create(context: &Context, args: &CreateWebhookArgs) -> Result<ExitStatus, CliError> {
    let place = SecretPlace::prepare(context, args.secret_file.as_deref())?;
    let session = Session::open(context).await?;
    let body = CreateBody { url: args.url.clone(), events: args.events.clone() };
    let project = session.once(&args.once);
    let reply = project.reply::<Create>(session.path(), &NoQuery {}, &body).await.doing("registering the webhook")?;
    let created = reply.value;
    let kept = place.keep(&created.secret);
    let printer = &context.printer;
    printer.json(&with_place(&created, &kept));
    printer.done(format!("Registered {}", created.webhook_id));
    printer.line(format!("{} for {}", created.url, events(&created.events)));
    kept.tell(printer, &created.secret);
    print_replayed(context, reply.replayed);
    printer.note("The next publish calls it; `l10n deliveries list` shows the result.");
    kept.outcome()
}
