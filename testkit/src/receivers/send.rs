//! The sender's side of a delivery, as §6 has it: 10 seconds, redirects are not followed.

use std::fmt;
use std::time::Duration;

use reqwest::redirect::Policy;
use url::Url;

use super::target::Target;
use crate::sample::Signed;

pub(super) struct Sender {
    client: reqwest::Client,
    url: Url,
}

/// The reaction of a receiver.
#[derive(Debug)]
pub(super) enum Reply {
    /// It answered this status.
    Status(u16),
    /// It took too long.
    Late,
    /// It closed the connection, or is not there.
    Unreachable(String),
}

impl Reply {
    pub(super) fn accepts(&self) -> bool {
        matches!(self, Self::Status(200..=299))
    }

    pub(super) fn answers(&self) -> bool {
        matches!(self, Self::Status(_))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "it answered {status}"),
            Self::Late => f.write_str("it did not answer in time"),
            Self::Unreachable(problem) => f.write_str(problem),
        }
    }
}

impl Sender {
    pub(super) fn new(target: &Target) -> Result<Self, String> {
        let url = Url::parse(&target.url).map_err(|error| format!("{} is not a URL: {error}", target.url))?;
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .http1_only()
            .timeout(Duration::from_secs(10) + target.patience)
            .tls_backend_preconfigured(crate::tls::client_config(&url, target.ca.as_deref())?);
        let client = builder.build().map_err(|error| format!("the HTTP client: {error}"))?;
        Ok(Self { client, url })
    }

    pub(super) async fn send(&self, delivery: &Signed) -> Reply {
        let request = self.client.post(self.url.clone()).headers(delivery.headers.clone());
        match request.body(delivery.body.clone()).send().await {
            Ok(answer) => Reply::Status(answer.status().as_u16()),
            Err(error) if error.is_timeout() => Reply::Late,
            Err(error) if error.is_connect() => Reply::Unreachable("it cannot be reached".to_owned()),
            Err(_) => Reply::Unreachable("it closed the connection without an answer".to_owned()),
        }
    }
}
