//! `l10n webhooks listen`: receives deliveries on this machine while it runs.
//!
//! Calls `webhooks::list`, `webhooks::create`, `webhooks::rotate_secret`, `webhooks::update`, `webhooks::delete`.

mod receiver;
mod registration;
mod report;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::graceful::GracefulShutdown;
use l10n_webhook_verify::Verifier;
use rustls::ServerConfig;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use url::Url;

use super::secret_file::{Kept, SecretPlace};
use crate::args::ListenArgs;
use crate::context::Context;
use crate::error::{CliError, Interrupted, ReadError, usage};
use crate::exit::ExitStatus;
use crate::lookup::events;
use crate::receiver::{Authority, Forward, Script, root_cause};
use crate::session::Session;
use crate::signals::Signals;
use receiver::{Heard, Receiver};
use registration::{PATH, Registration};
use report::DeliveryPrinter;

/// Time for unfinished answers at the end.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Number of deliveries that may wait to be printed.
const BACKLOG: usize = 64;

pub(crate) async fn listen(context: &Context, args: &ListenArgs) -> Result<ExitStatus, CliError> {
    let mut signals = Signals::new().map_err(|source| ReadError { what: "signals".into(), source })?;
    let place = SecretPlace::prepare(context, args.secret_file.as_deref())?;
    let opening = async {
        let session = Session::open(context).await?;
        let authority = Authority::open(&context.folder, args.ca_dir.as_deref())?;
        let listener = bind(args).await?;
        let url = url(args, &listener)?;
        let tls = acceptor(&authority, args)?;
        let registration = Registration::open(&session, &url, &args.events, authority.certificate()).await?;
        Ok::<_, CliError>((session, authority, listener, url, tls, registration))
    };
    let (session, authority, listener, url, tls, registration) = tokio::select! {
        opened = opening => opened?,
        () = signals.next() => return Err(Interrupted.into()),
    };
    let kept = place.keep(&registration.secret);
    greet(context, args, &authority, &url, &registration, &kept);
    let outcome = match kept.outcome() {
        Ok(_) => receive(context, args, &authority, (listener, tls), &url, &registration, &mut signals).await,
        Err(error) => Err(error),
    };
    let printer = &context.printer;
    if args.keep {
        printer.note(format!(
            "{} stays registered: deliveries in the meantime are retried, and the next `l10n webhooks listen` takes it over.",
            registration.webhook
        ));
        return outcome;
    }
    // A second Ctrl-C skips the cleanup.
    let closed = tokio::select! {
        closed = registration.close(&session) => closed,
        () = signals.next() => Err(Interrupted.into()),
    };
    if closed.is_ok() {
        printer.note(format!("Deleted {}.", registration.webhook));
    }
    outcome.and_then(|status| closed.map(|()| status))
}

/// Receives deliveries until a signal comes or the requested number is reached.
async fn receive(
    context: &Context,
    args: &ListenArgs,
    authority: &Authority,
    (listener, tls): (TcpListener, TlsAcceptor),
    url: &Url,
    registration: &Registration,
    signals: &mut Signals,
) -> Result<ExitStatus, CliError> {
    let verifier = Verifier::new(&registration.secret)
        .map_err(|error| usage(error.to_string(), "the server is newer than this program, or is another service"))?;
    let forward = args.forward_to.clone().map(Forward::new).transpose();
    let forward = forward.map_err(|error| usage(root_cause(&error), "forward to another URL"))?;
    let (heard, mut hear) = mpsc::channel(BACKLOG);
    let script = Script::new(args.answer.clone());
    let receiver = Receiver { path: url.path().to_owned(), verifier, script, forward, heard };
    let graceful = GracefulShutdown::new();
    let serving = Arc::new(receiver).serve(listener, tls, &graceful);
    let mut report = DeliveryPrinter::new(&context.printer, authority.certificate());
    let mut left = args.count;
    let hearing = async {
        while let Some(heard) = hear.recv().await {
            report.tell(&heard);
            if let (Heard::Delivery(_), Some(count)) = (&heard, &mut left) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    return;
                }
            }
        }
    };
    tokio::select! {
        never = serving => match never {},
        () = hearing => {}
        () = signals.next() => {}
    }
    // An answer may still be on its way. The program does not wait for a slow one.
    let _ = timeout(LAST_ANSWERS, graceful.shutdown()).await;
    Ok(ExitStatus::Success)
}

fn greet(
    context: &Context,
    args: &ListenArgs,
    authority: &Authority,
    url: &Url,
    registration: &Registration,
    kept: &Kept,
) {
    let printer = &context.printer;
    let Registration { webhook, secret, taken_over } = registration;
    let mut object = json!({ "type": "listening", "webhookId": webhook, "url": url.as_str(), "events": args.events });
    if args.print_secret {
        object["secret"] = json!(secret);
    }
    printer.json(&object);
    printer.done(format!("Listening as {webhook} for {}", events(&args.events)));
    if *taken_over {
        printer.note("It belonged to a listener that has ended; deliveries that it missed arrive now.");
    }
    match kept {
        Kept::File(_) => kept.tell(printer, secret),
        _ if args.print_secret => printer.line(format!("Secret: {secret}")),
        _ => {}
    }
    if authority.is_new {
        printer.warn(format!(
            "no development server has kept its certificates here, so new ones were made: set [webhooks] extra_ca = \
             \"{}\" for the server, or name its data folder with --ca-dir",
            authority.certificate().display()
        ));
    }
    if let Some(target) = &args.forward_to {
        printer.note(format!("Deliveries are forwarded to {target}."));
    }
    let end = if args.keep { "Ctrl-C ends it." } else { "Ctrl-C ends it and deletes the webhook." };
    printer.note(format!("`l10n publish` in another terminal calls it. {end}"));
}

/// Listens only for the service on this machine, unless the service reaches this machine under another name.
async fn bind(args: &ListenArgs) -> Result<TcpListener, CliError> {
    let address = match args.host.as_str() {
        "localhost" => IpAddr::from(Ipv4Addr::LOCALHOST),
        host => match host.parse::<IpAddr>() {
            Ok(address) => address,
            Err(_) => IpAddr::from(Ipv4Addr::UNSPECIFIED),
        },
    };
    let address = SocketAddr::new(address, args.port);
    TcpListener::bind(address).await.map_err(|error| {
        usage(format!("cannot listen on {address}: {error}"), "use another --port, or omit it for any free port")
    })
}

/// The listener's URL, with a path that no one can guess.
fn url(args: &ListenArgs, listener: &TcpListener) -> Result<Url, CliError> {
    let port = listener.local_addr().map_err(|source| ReadError { what: "the port".into(), source })?.port();
    let host = match args.host.parse::<Ipv6Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => args.host.clone(),
    };
    let path: u128 = rand::random();
    Url::parse(&format!("https://{host}:{port}{PATH}{path:032x}"))
        .map_err(|error| usage(format!("`{host}` is not a host: {error}"), "use a name or an address for --host"))
}

fn acceptor(authority: &Authority, args: &ListenArgs) -> Result<TlsAcceptor, CliError> {
    let mut hosts = vec!["127.0.0.1".to_owned(), "::1".to_owned(), "localhost".to_owned()];
    if !hosts.contains(&args.host) {
        hosts.push(args.host.clone());
    }
    let (certificate, key) = authority.issue(hosts)?;
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![certificate], key))
        .map_err(|error| usage(format!("the certificate cannot be used: {error}"), "use another --ca-dir"))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
