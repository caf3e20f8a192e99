//! Network checks of `l10n doctor`, below the API's client.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use l10n_client::{is_loopback, reqwest};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use url::Url;

/// No connection.
#[derive(Debug)]
pub(crate) enum NetworkError {
    /// The name has no address.
    Dns(String),
    /// Nothing listens there, or something blocks the connection.
    Tcp(String),
}

impl NetworkError {
    pub(crate) fn fix(&self) -> String {
        match self {
            Self::Dns(_) => "check the spelling of the host in the base URL, and this machine's DNS".into(),
            Self::Tcp(_) => "check the port in the base URL, that the server runs, and firewalls".into(),
        }
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dns(why) => write!(f, "the host's name cannot be resolved: {why}"),
            Self::Tcp(why) => write!(f, "no connection: {why}"),
        }
    }
}

/// The proxy for requests, from the environment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Proxy {
    /// Its address without user and password.
    pub(crate) url: Url,
    /// The variable that sets it.
    pub(crate) variable: &'static str,
}

/// Finds the proxy for a URL like the HTTP client does: there is none for this machine, and `NO_PROXY` wins over all others.
pub(crate) fn proxy_for(url: &Url) -> Option<Proxy> {
    if is_loopback(url) {
        return None;
    }
    let destination = url.as_str().parse().ok()?;
    let intercept = Matcher::from_env().intercept(&destination)?;
    let mut address = Url::parse(&intercept.uri().to_string()).ok()?;
    // Neither call fails on a URL with a host.
    let _ = address.set_username("");
    let _ = address.set_password(None);
    let own = if url.scheme() == "https" { ["HTTPS_PROXY", "https_proxy"] } else { ["HTTP_PROXY", "http_proxy"] };
    // Of two spellings the first that is set counts, even if it is empty.
    let set = |names: [&'static str; 2]| names.into_iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let leads = |value: &str| Matcher::builder().all(value).build().intercept(&destination).is_some();
    let mut set = [own, ["ALL_PROXY", "all_proxy"]].into_iter().filter_map(set);
    let variable = set.find(|(_, value)| leads(value)).map_or("the environment", |(name, _)| name);
    Some(Proxy { url: address, variable })
}

/// Resolves the host and opens a connection. Returns the address that answered.
pub(crate) async fn connect(url: &Url, limit: Duration) -> Result<IpAddr, NetworkError> {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let port = url.port_or_known_default().unwrap_or(443);
    let found = match timeout(limit, lookup_host((host.as_str(), port))).await {
        Ok(Ok(found)) => found.collect::<Vec<_>>(),
        Ok(Err(error)) => return Err(NetworkError::Dns(format!("{host}: {error}"))),
        Err(_) => return Err(NetworkError::Dns(format!("{host}: no answer in {} s", limit.as_secs()))),
    };
    let mut last = format!("{host} has no address");
    for address in found {
        match timeout(limit, TcpStream::connect(address)).await {
            Ok(Ok(_)) => return Ok(address.ip()),
            Ok(Err(error)) => last = format!("{address}: {error}"),
            Err(_) => last = format!("{address}: no answer in {} s", limit.as_secs()),
        }
    }
    Err(NetworkError::Tcp(last))
}

/// The number of seconds by which this machine's clock is ahead of the server's, from the `Date` of an answer.
pub(crate) async fn clock_skew(url: &Url, limit: Duration) -> Option<jiff::SignedDuration> {
    // The program does not use a process-wide provider otherwise; a second call changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder().timeout(limit).redirect(reqwest::redirect::Policy::none());
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    let client = builder.build().ok()?;
    let answer = client.get(format!("{}/health", url.as_str().trim_end_matches('/'))).send().await.ok()?;
    let date = answer.headers().get(reqwest::header::DATE)?.to_str().ok()?;
    let theirs = jiff::fmt::rfc2822::parse(date).ok()?.timestamp();
    #[expect(clippy::disallowed_methods, reason = "the check is about the machine's own clock")]
    let ours = jiff::Timestamp::now();
    Some(ours.duration_since(theirs))
}
