//! The suite's HTTP client: follows nothing, trusts no proxy, keeps what it sends.

use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::StreamBody;
use reqwest::redirect::Policy;
use tokio::time::Instant;
use url::Url;

use super::breaker::Breaker;
use super::exchange::{Exchange, Request};
use super::raw::{self, RawAnswer};
use crate::errors::one_line;
use crate::profile::Profile;
use crate::tls;

/// By which a deployment's operator, and the suite's own proxy, know its requests.
pub(crate) const USER_AGENT: &str = concat!("l10n-testkit/", env!("CARGO_PKG_VERSION"));

/// Longest idle time of a connection that is used again. Servers close idle connections, some after 5 s: a request on a
/// closed connection would be lost, which is not a fault of the deployment.
const IDLE: Duration = Duration::from_secs(4);

/// Something that went over the wire.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WireEvent<'a> {
    /// A request that was answered.
    Answered(&'a Exchange),
    /// A request that was not, and why.
    Failed(&'a Request, &'a str),
}

/// Is told of every request.
struct WireObserver(Box<dyn Fn(WireEvent<'_>) + Send + Sync>);

impl fmt::Debug for WireObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WireObserver")
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Http {
    client: reqwest::Client,
    http2: reqwest::Client,
    base: Url,
    patience: Duration,
    breaker: Breaker,
    watch: Option<WireObserver>,
}

impl Http {
    /// A client that waits for an answer for `patience`, and gives the deployment up after so many connections in a row
    /// that fail; 0: never.
    pub(crate) fn new(profile: &Profile, patience: Duration, give_up_after: u32) -> Result<Self, String> {
        let base = Url::parse(&profile.base_url).map_err(|error| format!("base_url is not a URL: {error}"))?;
        let ca = profile.api_ca.as_deref();
        let build = |builder: reqwest::ClientBuilder, alpn: &[&[u8]]| {
            let mut config = tls::client_config(&base, ca)?;
            config.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
            let builder = builder
                .redirect(Policy::none())
                .no_proxy()
                .user_agent(USER_AGENT)
                .timeout(patience)
                .pool_idle_timeout(IDLE)
                .tls_backend_preconfigured(config);
            builder.build().map_err(|error| format!("the HTTP client: {error}"))
        };
        let client = build(reqwest::Client::builder().http1_only(), &[])?;
        let http2 = build(reqwest::Client::builder().http2_prior_knowledge(), &[b"h2"])?;
        let breaker = Breaker::after(give_up_after);
        Ok(Self { client, http2, base, patience, breaker, watch: None })
    }

    /// Tells `watch` of every request.
    pub(crate) fn watched(self, watch: impl Fn(WireEvent<'_>) + Send + Sync + 'static) -> Self {
        Self { watch: Some(WireObserver(Box::new(watch))), ..self }
    }

    fn tell(&self, event: WireEvent<'_>) {
        if let Some(WireObserver(watch)) = &self.watch {
            watch(event);
        }
    }

    /// The counter of failed connections.
    pub(crate) fn breaker(&self) -> &Breaker {
        &self.breaker
    }

    /// Makes a request. `at` is the time by the deployment's clock.
    pub(crate) async fn send(&self, request: &Request, chunked: bool, at: i64) -> Result<Exchange, String> {
        let mut outgoing = self.client.request(request.method.clone(), url(request)?).headers(request.headers.clone());
        if chunked {
            let frames = request.body.chunks(64 * 1024).map(Bytes::copy_from_slice).collect::<Vec<_>>();
            let frames = frames.into_iter().map(|chunk| Ok::<_, Infallible>(http_body::Frame::data(chunk)));
            outgoing = outgoing.body(reqwest::Body::wrap(StreamBody::new(futures_util::stream::iter(frames))));
        } else if !request.body.is_empty() {
            outgoing = outgoing.body(request.body.clone());
        }
        self.complete(outgoing, request, at).await
    }

    /// Makes a request over HTTP/2.
    pub(crate) async fn send_by_http2(&self, request: &Request, at: i64) -> Result<Exchange, String> {
        let outgoing = self.http2.request(request.method.clone(), url(request)?).headers(request.headers.clone());
        self.complete(outgoing.body(request.body.clone()), request, at).await
    }

    async fn complete(
        &self,
        outgoing: reqwest::RequestBuilder,
        request: &Request,
        at: i64,
    ) -> Result<Exchange, String> {
        let started = Instant::now();
        let failed = |error: reqwest::Error| {
            let text = format!("{} {}: {}", request.method, request.url, one_line(&error.without_url()));
            self.breaker.failed(&text);
            self.tell(WireEvent::Failed(request, &text));
            text
        };
        let answer = outgoing.send().await.map_err(failed)?;
        self.breaker.worked();
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let body = answer.bytes().await.map_err(failed)?;
        let exchange = Exchange { request: request.clone(), status, headers, body, at, took: started.elapsed() };
        self.tell(WireEvent::Answered(&exchange));
        Ok(exchange)
    }

    /// Moves a clock.
    pub(crate) async fn advance(&self, url: &str, by: Duration) -> Result<(), String> {
        let body = format!("{{\"seconds\":{}}}", by.as_secs());
        let answer = self.client.post(url).header("content-type", "application/json").body(body).send().await;
        let answer = answer.map_err(|error| error.to_string())?;
        if answer.status().is_success() { Ok(()) } else { Err(format!("answered {}", answer.status())) }
    }

    /// Sends bytes on a connection of its own and reads up to `count` answers.
    pub(crate) async fn raw(&self, bytes: &[u8], count: usize) -> Result<Vec<RawAnswer>, String> {
        let reading = raw::exchange(&self.base, bytes, count);
        tokio::time::timeout(self.patience, reading)
            .await
            .map_err(|_| format!("no complete answer within {:?}", self.patience))?
            .map_err(|error| format!("connection to {}: {error}", self.base.origin().ascii_serialization()))
    }
}

fn url(request: &Request) -> Result<Url, String> {
    Url::parse(&request.url).map_err(|error| format!("{} is not a URL: {error}", request.url))
}
