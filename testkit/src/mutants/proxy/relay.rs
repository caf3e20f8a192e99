//! The proxy between the server and the suite's receiver: one listener before each address that a webhook names.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST, LOCATION};
use http::{HeaderValue, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::forward::{self, ProxyBody, ProxyError};
use crate::mutants::delivery::{RelayAction, Relayed};
use crate::receiver::{Authority, Certificate};

const LONGEST_BODY: usize = 16 * 1024 * 1024;

/// Every relay of a lab.
pub(super) struct Relays {
    address: IpAddr,
    change: Option<fn(&mut Relayed) -> RelayAction>,
    acceptor: TlsAcceptor,
    connector: TlsConnector,
    /// Each origin of the suite's and that of the relay before it.
    origins: Mutex<Vec<(String, String)>>,
    starting: tokio::sync::Mutex<()>,
    seen: Mutex<RelayState>,
    ends: CancellationToken,
}

/// The relayed deliveries, and the known webhooks.
#[derive(Default)]
struct RelayState {
    /// By webhook, newest first.
    secrets: HashMap<String, Vec<String>>,
    /// Oldest first.
    all_secrets: Vec<String>,
    /// By webhook and event.
    attempts: HashMap<(String, String), usize>,
    number: usize,
}

impl std::fmt::Debug for Relays {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relays").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Relays {
    pub(super) fn new(
        authority: &Authority,
        address: IpAddr,
        change: Option<fn(&mut Relayed) -> RelayAction>,
        ends: CancellationToken,
    ) -> io::Result<Self> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let issued = authority.issue(Certificate::Valid, &[address.to_string()]).map_err(io::Error::other)?;
        let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(vec![issued.0], issued.1))
            .map_err(io::Error::other)?;
        let mut roots = RootCertStore::empty();
        let ca = CertificateDer::from_pem_slice(authority.pem().as_bytes()).map_err(io::Error::other)?;
        roots.add(ca).map_err(io::Error::other)?;
        let client = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self {
            address,
            change,
            acceptor: Arc::new(server).into(),
            connector: Arc::new(client).into(),
            origins: Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            seen: Mutex::default(),
            ends,
        })
    }

    /// The origin of a URL, where it is one of the suite's receivers with TLS.
    pub(super) fn origin_of(&self, url: &str) -> Option<String> {
        let start = format!("https://{}:", self.address);
        let port: String = url.strip_prefix(&start)?.chars().take_while(char::is_ascii_digit).collect();
        port.parse::<u16>().ok()?;
        Some(format!("{start}{port}"))
    }

    /// The origin of the relay before that of a receiver. It is started where there is none.
    pub(super) async fn before(self: &Arc<Self>, origin: &str) -> io::Result<String> {
        let _one = self.starting.lock().await;
        if let Some((_, relayed)) = self.origins().into_iter().find(|(known, _)| known == origin) {
            return Ok(relayed);
        }
        let port = origin.rsplit(':').next().and_then(|port| port.parse().ok());
        let receiver = SocketAddr::new(self.address, port.ok_or_else(|| io::Error::other("no port"))?);
        let listener = TcpListener::bind((self.address, 0)).await?;
        let relayed = format!("https://{}", listener.local_addr()?);
        let relays = Arc::clone(self);
        tokio::spawn(self.ends.clone().run_until_cancelled_owned(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let relay = Relay { relays: Arc::clone(&relays), receiver, idle: tokio::sync::Mutex::default() };
                tokio::spawn(relays.ends.clone().run_until_cancelled_owned(async move {
                    // What breaks is what the server sees.
                    let _ = relay.welcome(stream).await;
                }));
            }
        }));
        lock(&self.origins).push((origin.to_owned(), relayed.clone()));
        Ok(relayed)
    }

    /// Each origin of the suite's and that of the relay before it.
    pub(super) fn origins(&self) -> Vec<(String, String)> {
        lock(&self.origins).clone()
    }

    /// Learns a secret of a webhook.
    pub(super) fn learn(&self, webhook: &str, secret: &str) {
        let mut seen = lock(&self.seen);
        seen.secrets.entry(webhook.to_owned()).or_default().insert(0, secret.to_owned());
        seen.all_secrets.push(secret.to_owned());
    }

    /// A delivery as a deviation sees it.
    fn relayed(&self, request: &Request<()>, body: Bytes) -> Relayed {
        let text = |name: &str| {
            request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        let (webhook, event) = (text("x-service-webhook-id"), text("x-service-event-id"));
        let mut seen = lock(&self.seen);
        seen.number += 1;
        let attempt = seen.attempts.entry((webhook.clone(), event)).or_default();
        *attempt += 1;
        let attempt = *attempt;
        Relayed {
            method: request.method().clone(),
            headers: request.headers().clone(),
            body,
            secrets: seen.secrets.get(&webhook).cloned().unwrap_or_default(),
            all_secrets: seen.all_secrets.clone(),
            attempt,
            number: seen.number,
        }
    }

    async fn connect(&self, to: SocketAddr, tls: bool) -> Result<SendRequest<ProxyBody>, ProxyError> {
        let stream = TcpStream::connect(to).await?;
        stream.set_nodelay(true)?;
        if !tls {
            return Ok(forward::begin(Box::pin(stream)).await?);
        }
        Ok(forward::begin(Box::pin(self.connector.connect(to.ip().into(), stream).await?)).await?)
    }
}

/// One connection of the server's.
struct Relay {
    relays: Arc<Relays>,
    receiver: SocketAddr,
    /// The connection to the receiver.
    idle: tokio::sync::Mutex<Option<SendRequest<ProxyBody>>>,
}

impl Relay {
    /// Agrees on TLS with the receiver first: one whose certificate is bad must look bad to the server too.
    async fn welcome(self, stream: TcpStream) -> Result<(), ProxyError> {
        stream.set_nodelay(true)?;
        let sender = self.relays.connect(self.receiver, true).await?;
        *self.idle.lock().await = Some(sender);
        let stream = self.relays.acceptor.accept(stream).await?;
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .serve_connection(TokioIo::new(stream), service_fn(|request| self.answer(request)));
        Ok(serving.await?)
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<ProxyBody>, ProxyError> {
        let (mut head, body) = request.into_parts();
        let body = Limited::new(body, LONGEST_BODY).collect().await?.to_bytes();
        head.headers.insert(HOST, HeaderValue::from_str(&self.receiver.to_string())?);
        let uri = head.uri.clone();
        let mut relayed = self.relays.relayed(&Request::from_parts(head, ()), body);
        let fate = self.relays.change.map_or(RelayAction::Forward, |change| change(&mut relayed));
        match fate {
            RelayAction::Forward => Ok(answer(self.forward(&relayed, &uri).await?)),
            RelayAction::Duplicate => {
                self.forward(&relayed, &uri).await?.into_body().collect().await?;
                Ok(answer(self.forward(&relayed, &uri).await?))
            }
            RelayAction::Delay(time) => {
                tokio::time::sleep(time).await;
                Ok(answer(self.forward(&relayed, &uri).await?))
            }
            RelayAction::Drop(status) => {
                let mut answer = Response::new(forward::whole(Bytes::new()));
                *answer.status_mut() = StatusCode::from_u16(status)?;
                Ok(answer)
            }
            RelayAction::FollowRedirect => Ok(answer(self.follow(&relayed, &uri).await?)),
            RelayAction::ReportAs(told) => {
                let mut answer = answer(self.forward(&relayed, &uri).await?);
                *answer.status_mut() = StatusCode::from_u16(told(answer.status().as_u16()))?;
                Ok(answer)
            }
        }
    }

    async fn forward(&self, relayed: &Relayed, uri: &Uri) -> Result<Response<Incoming>, ProxyError> {
        let mut idle = self.idle.lock().await;
        let mut sender = match idle.take().filter(|sender| !sender.is_closed()) {
            Some(sender) => sender,
            None => self.relays.connect(self.receiver, true).await?,
        };
        let answer = send(&mut sender, relayed, uri.clone()).await?;
        *idle = Some(sender);
        Ok(answer)
    }

    /// As a client that follows redirects, the first of them.
    async fn follow(&self, relayed: &Relayed, uri: &Uri) -> Result<Response<Incoming>, ProxyError> {
        let answer = self.forward(relayed, uri).await?;
        let location = answer.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        let Some(location) = location.filter(|_| answer.status().is_redirection()) else { return Ok(answer) };
        let target = Url::parse(&format!("https://{}{uri}", self.receiver))?.join(location)?;
        let to = target.socket_addrs(|| None)?.into_iter().next().ok_or("no address")?;
        let mut sender = self.relays.connect(to, target.scheme() == "https").await?;
        let mut relayed = relayed.clone();
        relayed.set_header(HOST.as_str(), &to.to_string());
        let path = &target[url::Position::BeforePath..url::Position::AfterQuery];
        send(&mut sender, &relayed, path.parse()?).await
    }
}

async fn send(
    sender: &mut SendRequest<ProxyBody>,
    relayed: &Relayed,
    uri: Uri,
) -> Result<Response<Incoming>, ProxyError> {
    let mut request = Request::new(());
    *request.method_mut() = relayed.method.clone();
    *request.uri_mut() = uri;
    *request.headers_mut() = relayed.headers.clone();
    forward::send(sender, request, relayed.body.clone(), false).await
}

/// The receiver's answer for the server, as it comes.
fn answer(mut answer: Response<Incoming>) -> Response<ProxyBody> {
    forward::without_hop(answer.headers_mut());
    if answer.headers().get(CONTENT_LENGTH).is_some_and(|length| length == "0") {
        answer.headers_mut().remove(CONTENT_LENGTH);
    }
    answer.map(|body| BodyExt::boxed_unsync(body.map_err(ProxyError::from)))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
