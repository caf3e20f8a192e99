//! One attempt: signs the event and sends it (§6).

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};
use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_webhook_verify::{EVENT_ID_HEADER, SIGNATURE_HEADER, WEBHOOK_ID_HEADER, sign};
use secrecy::ExposeSecret as _;
use tokio::time::Instant;

use crate::clock::Timestamp;
use crate::domain::deliveries::{Attempt, AttemptFailure, AttemptOutcome, Exchange};
use crate::egress::{Outgoing, Target};
use crate::metrics;
use crate::service::Service;

const AGENT: &str = concat!("l10n-server/", env!("CARGO_PKG_VERSION"));

/// Makes an attempt. Whatever goes wrong is an outcome.
pub(super) async fn send(service: &Service, attempt: &Attempt) -> AttemptOutcome {
    let (began_at, begun) = (service.clock.now(), Instant::now());
    let (status, failure, took, exchange) = match exchange(service, attempt, began_at).await {
        Ok(done) => done,
        Err(failure) => (None, Some(failure), begun.elapsed(), Exchange::default()),
    };
    // The waits run from the end of the attempt, body and all.
    let outcome = AttemptOutcome {
        status,
        failure,
        began_at,
        ended_at: service.clock.now(),
        took_ms: i64::try_from(took.as_millis()).unwrap_or(i64::MAX),
        exchange,
    };
    note(attempt, &outcome);
    metrics::attempted(service.store.engine(), &outcome);
    outcome
}

type Exchanged = (Option<u16>, Option<AttemptFailure>, std::time::Duration, Exchange);

async fn exchange(service: &Service, attempt: &Attempt, at: Timestamp) -> Result<Exchanged, AttemptFailure> {
    let headers = headers(service, attempt, at)?;
    // Judged anew at every attempt: the URL may have been changed, and so may what the operator allows.
    let target = service.egress.parse(&attempt.url).map_err(|error| AttemptFailure {
        kind: Some(DeliveryErrorKind::BlockedAddress),
        reason: format!("the URL is none that deliveries go to: {error}"),
    })?;
    let body: Bytes = attempt.body.clone();
    let lines = lines(&headers, &target, body.len());
    let sent = service.egress.send(&target, Outgoing { headers, body }).await;
    let failure = sent.failure.map(|failure| AttemptFailure { kind: Some(failure.kind), reason: failure.text });
    let exchange = Exchange { headers: sent.left.then_some(lines), answer: sent.answer };
    Ok((sent.status, failure, sent.took, exchange))
}

/// The head of the request as lines, in the order in which it is sent. It has signatures, and no secret.
fn lines(headers: &HeaderMap, target: &Target, length: usize) -> String {
    let mut lines = String::with_capacity(512);
    let host = std::iter::once((HOST.as_str(), target.host_header()));
    for (name, value) in headers.iter().map(|(name, value)| (name.as_str(), value)).chain(host) {
        lines.extend([name, ": ", value.to_str().unwrap_or_default(), "\n"]);
    }
    lines.extend([CONTENT_LENGTH.as_str(), ": ", &length.to_string(), "\n"]);
    lines
}

fn headers(service: &Service, attempt: &Attempt, at: Timestamp) -> Result<HeaderMap, AttemptFailure> {
    let open = |sealed: &[u8]| {
        service.vault.open(attempt.webhook_id.as_str(), sealed).map_err(|error| {
            tracing::error!(webhook = attempt.webhook_id.as_str(), %error, "a delivery cannot be signed");
            AttemptFailure {
                kind: None,
                reason:
                    "the server cannot read this webhook's secret, so that nothing was sent. Rotate the secret, or let \
                         the server's operator restore the master key."
                        .to_owned(),
            }
        })
    };
    let newest = open(&attempt.secret)?;
    let previous = attempt.previous_secret.as_ref().filter(|(_, until)| at < *until);
    let previous = previous.map(|(sealed, _)| open(sealed)).transpose()?;
    let secrets: Vec<&str> = std::iter::once(&newest).chain(&previous).map(|secret| secret.expose_secret()).collect();
    let signature = sign::header(&secrets, at.as_millis().div_euclid(1_000), &attempt.body);
    let mut headers = HeaderMap::with_capacity(5);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    for (name, value) in [
        (SIGNATURE_HEADER, signature.as_str()),
        (EVENT_ID_HEADER, &attempt.event_id),
        (WEBHOOK_ID_HEADER, attempt.webhook_id.as_str()),
    ] {
        let value = HeaderValue::from_str(value)
            .map_err(|_| AttemptFailure { kind: None, reason: "the server failed at this attempt".to_owned() })?;
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

/// One line for each attempt. No secret, no body, nothing of the URL.
fn note(attempt: &Attempt, outcome: &AttemptOutcome) {
    tracing::info!(
        webhook = attempt.webhook_id.as_str(),
        delivery = attempt.delivery_id,
        event = attempt.event_id,
        attempt = attempt.number(),
        resend = attempt.is_resend(),
        outcome = outcome.name(),
        status = outcome.status,
        duration_ms = outcome.took_ms,
        "attempted a delivery"
    );
}
