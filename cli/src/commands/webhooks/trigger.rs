//! `l10n webhooks trigger`: sends a signed sample to a URL, like the service does.

use std::time::Duration;

use l10n_client::reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use l10n_client::reqwest::{Certificate, Client, Response, redirect};
use l10n_client::{SecretString, is_loopback};
use l10n_webhook_verify::{EVENT_ID_HEADER, SIGNATURE_HEADER, WEBHOOK_ID_HEADER, sign};
use secrecy::ExposeSecret as _;
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use url::Url;

use super::{sample, secret};
use crate::args::{SampleMistake, TriggerArgs};
use crate::clock::now;
use crate::context::Context;
use crate::error::{CliError, Failure, usage};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::receiver::{authority_folder, certificate_of, root_cause};

/// The service's time limits for a connection and for an answer (§6.5).
const CONNECT: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(10);

/// Longest part of an answer that is read; the service reads no more.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Older than the 300 seconds that a receiver allows (§6.4).
const TOO_OLD: i64 = 3_600;

pub(crate) async fn trigger(context: &Context, args: &TriggerArgs) -> Result<ExitStatus, CliError> {
    let secret = secret::read(context, &args.secret)?;
    let (event_id, body) = sample::body(context, args)?;
    let headers = headers(&event_id, &body, &secret, args.wrong);
    let printer = &context.printer;
    let shown: Map<String, Value> =
        headers.iter().map(|(name, value)| (name.to_string(), json!(value.to_str().unwrap_or_default()))).collect();
    print_request(printer, &args.url, &shown, &body);
    let begun = Instant::now();
    let response = client(context, args)?.post(args.url.clone()).headers(headers).body(body.clone()).send().await;
    let answer = match response {
        Ok(response) => Ok(TriggerResponse::read(response, begun).await),
        Err(error) => Err(root_cause(&error)),
    };
    let outcome = judge(args, &answer).map_err(CliError::from);
    let request = json!({ "url": args.url.as_str(), "headers": shown, "body": String::from_utf8_lossy(&body) });
    let mut object = json!({ "eventId": event_id, "request": request });
    if let Ok(answer) = &answer {
        answer.print(printer);
        let TriggerResponse { status, body, took, .. } = answer;
        object["answer"] = json!({ "status": status, "body": body, "durationMs": took.as_millis() });
    }
    if let Err(error) = &outcome {
        object["error"] = error.to_json();
        printer.error_text(error);
    }
    printer.json(&object);
    if let (Ok(_), Some(_)) = (&outcome, args.wrong) {
        printer.done("The receiver refused it, as it should");
    }
    Ok(outcome.map_or_else(|error| error.status(), |()| ExitStatus::Success))
}

/// The receiver's answer.
struct TriggerResponse {
    status: u16,
    reason: &'static str,
    body: String,
    took: Duration,
}

impl TriggerResponse {
    async fn read(mut response: Response, begun: Instant) -> Self {
        let (status, took) = (response.status(), begun.elapsed());
        let mut body = Vec::new();
        // A broken body does not change the answer's meaning.
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk[..chunk.len().min(LONGEST_ANSWER - body.len())]);
            if body.len() == LONGEST_ANSWER {
                break;
            }
        }
        let reason = status.canonical_reason().unwrap_or_default();
        Self { status: status.as_u16(), reason, body: String::from_utf8_lossy(&body).into_owned(), took }
    }

    fn print(&self, printer: &Printer) {
        let head = format!("{} {}", self.status, self.reason);
        printer.line(format!("\n{} after {} ms", head.trim_end(), self.took.as_millis()));
        if !self.body.trim().is_empty() {
            printer.line(self.body.trim_end());
        }
    }
}

/// The receiver under test failed.
#[derive(Debug, thiserror::Error)]
enum ReceiverError {
    #[error("{url} did not answer: {why}")]
    NotAnswered { url: String, why: String },
    /// Its answer is wrong.
    #[error("{message}")]
    Wrong { message: String, hint: String },
}

impl Failure for ReceiverError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NotAnswered { .. } => ExitStatus::Unavailable,
            Self::Wrong { .. } => ExitStatus::Partial,
        }
    }

    fn code(&self) -> &str {
        match self {
            Self::NotAnswered { .. } => "unreachable",
            Self::Wrong { .. } => "receiver",
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotAnswered { .. } => "check that the receiver runs, and check its URL".into(),
            Self::Wrong { hint, .. } => hint.clone(),
        })
    }
}

/// Returns success if the receiver answered correctly.
fn judge(args: &TriggerArgs, answer: &Result<TriggerResponse, String>) -> Result<(), ReceiverError> {
    let url = &args.url;
    let status = match answer {
        Err(why) => {
            return Err(ReceiverError::NotAnswered { url: url.to_string(), why: why.clone() });
        }
        Ok(answer) => answer.status,
    };
    match (args.wrong, status) {
        (None, 200..=299) | (Some(_), 400..=499) => Ok(()),
        (None, 300..=399) => Err(ReceiverError::Wrong {
            message: format!("{url} answered {status}, but the service does not follow redirects"),
            hint: "register the address that it redirects to".into(),
        }),
        (None, _) => Err(ReceiverError::Wrong {
            message: format!("{url} answered {status}, which counts as a failed attempt"),
            hint: "answer 2xx once the event is stored; `l10n webhooks verify` finds the problem of a signature".into(),
        }),
        (Some(_), 200..=299) => Err(ReceiverError::Wrong {
            message: format!("{url} accepted a delivery that the service has not signed: it answered {status}"),
            hint: "verify the signature and the time before anything else, and answer 400 if they are wrong".into(),
        }),
        (Some(_), _) => Err(ReceiverError::Wrong {
            message: format!("{url} answered {status} to a delivery with a wrong signature or time"),
            hint: "answer 400: after 5xx or a redirect the sender tries again".into(),
        }),
    }
}

fn headers(event_id: &str, body: &[u8], secret: &SecretString, wrong: Option<SampleMistake>) -> HeaderMap {
    let secret = secret.expose_secret();
    let t = now().as_seconds();
    let signature = match wrong {
        None => sign::header(&[secret], t, body),
        Some(SampleMistake::Secret) => sign::header(&["whsec_of_somebody_else"], t, body),
        Some(SampleMistake::Body) => sign::header(&[secret], t, &[body, b" "].concat()),
        Some(SampleMistake::Time) => sign::header(&[secret], t - TOO_OLD, body),
    };
    let own = [
        (CONTENT_TYPE.as_str(), "application/json"),
        (SIGNATURE_HEADER, signature.as_str()),
        (EVENT_ID_HEADER, event_id),
        (WEBHOOK_ID_HEADER, sample::WEBHOOK),
    ];
    own.into_iter()
        .filter_map(|(name, value)| Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?)))
        .collect()
}

fn client(context: &Context, args: &TriggerArgs) -> Result<Client, CliError> {
    // The program does not use a process-wide provider otherwise; a second call changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("l10n-cli/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT)
        .timeout(ANSWER);
    if is_loopback(&args.url) {
        builder = builder.no_proxy();
    }
    let folder = args.ca_dir.as_ref().map_or_else(|| authority_folder(&context.folder), |dir| context.folder.join(dir));
    let refused = |error| usage(format!("setting up the request: {}", root_cause(&error)), "check --ca-dir");
    if let Some(pem) = certificate_of(&folder) {
        builder = builder.tls_certs_merge(Certificate::from_pem_bundle(&pem).map_err(refused)?);
    }
    builder.build().map_err(refused)
}

fn print_request(printer: &Printer, url: &Url, headers: &Map<String, Value>, body: &[u8]) {
    printer.line(format!("POST {url}"));
    for (name, value) in headers {
        printer.line(format!("{name}: {}", value.as_str().unwrap_or_default()));
    }
    printer.line(format!("\n{}", String::from_utf8_lossy(body)));
}
