//! The sender's side of a delivery, as §6 has it: 10 seconds, redirects are not followed.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use reqwest::redirect::Policy;
use url::Url;

use super::target::ReceiverTarget;
use crate::sample::Signed;
use crate::session::{ahead_of, system_now};

pub(super) struct Sender {
    client: reqwest::Client,
    url: Url,
    /// By how much the receiver's clock is ahead of ours, in milliseconds, as its last `Date` said.
    ahead: AtomicI64,
}

/// The reaction of a receiver.
#[derive(Debug)]
pub(super) enum ReceiverReply {
    /// It answered this status.
    Status(u16),
    /// It took too long.
    Late,
    /// It closed the connection, or is not there.
    Unreachable(String),
}

impl ReceiverReply {
    pub(super) fn accepts(&self) -> bool {
        matches!(self, Self::Status(200..=299))
    }

    pub(super) fn answers(&self) -> bool {
        matches!(self, Self::Status(_))
    }
}

impl fmt::Display for ReceiverReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "it answered {status}"),
            Self::Late => f.write_str("it did not answer in time"),
            Self::Unreachable(problem) => f.write_str(problem),
        }
    }
}

impl Sender {
    pub(super) fn new(target: &ReceiverTarget) -> Result<Self, String> {
        let url = Url::parse(&target.url).map_err(|error| format!("{} is not a URL: {error}", target.url))?;
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .http1_only()
            .timeout(Duration::from_secs(10) + target.patience)
            .tls_backend_preconfigured(crate::tls::client_config(&url, target.ca.as_deref())?);
        let client = builder.build().map_err(|error| format!("the HTTP client: {error}"))?;
        Ok(Self { client, url, ahead: AtomicI64::new(0) })
    }

    pub(super) async fn send(&self, delivery: &Signed) -> ReceiverReply {
        let request = self.client.post(self.url.clone()).headers(delivery.headers.clone());
        match request.body(delivery.body.clone()).send().await {
            Ok(answer) => {
                let date = answer.headers().get("date").and_then(|date| date.to_str().ok());
                if let Some(ahead) = date.and_then(|date| ahead_of(date, system_now(), Duration::ZERO)) {
                    self.ahead.store(ahead, Ordering::SeqCst);
                }
                ReceiverReply::Status(answer.status().as_u16())
            }
            Err(error) if error.is_timeout() => ReceiverReply::Late,
            Err(error) => ReceiverReply::Unreachable(reason(&error)),
        }
    }

    /// By how much the receiver's clock is ahead of ours, in milliseconds.
    pub(super) fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::SeqCst)
    }
}

/// The fault of TLS behind an error.
fn tls_error(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(fault) = error.downcast_ref::<rustls::Error>() {
        return Some(fault.to_string());
    }
    // An `io::Error` around another error names that as its inner error, not as its source.
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(inner) => tls_error(inner),
        None => error.source().and_then(tls_error),
    }
}

/// The reason why there is no answer.
fn reason(error: &reqwest::Error) -> String {
    let refused = error.source().and_then(tls_error);
    match refused {
        Some(why) => format!("its certificate is not trusted ({why}); `--ca FILE` names the authority that issued it"),
        None if error.is_connect() => "it cannot be reached".to_owned(),
        None => "it closed the connection without an answer".to_owned(),
    }
}
