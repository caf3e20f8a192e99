//! The proxy before the API.

use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::uri::PathAndQuery;
use http::{HeaderValue, Method, Request, Response, StatusCode, Version};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::first_bytes::{self, ConnectionKind};
use super::forward::{self, ProxyBody, ProxyError};
use super::relay::Relays;
use super::rewrite;
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::Plant;

/// Beyond every body that the suite sends or is sent.
const LONGEST_BODY: usize = 128 * 1024 * 1024;

/// The state that all connections of a proxy share.
#[derive(Debug)]
pub(super) struct ApiProxy {
    upstreams: Vec<SocketAddr>,
    turn: AtomicUsize,
    /// The path of the base URL.
    below: String,
    plant: Option<Plant>,
    known: ProxyState,
    relays: Option<Arc<Relays>>,
}

/// Serves until `ends`.
pub(super) fn serve(front: Arc<ApiProxy>, door: std::net::TcpListener, ends: CancellationToken) -> io::Result<()> {
    door.set_nonblocking(true)?;
    let listener = TcpListener::from_std(door)?;
    let accepting = ends.clone();
    tokio::spawn(accepting.run_until_cancelled_owned(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let front = Arc::clone(&front);
            tokio::spawn(ends.clone().run_until_cancelled_owned(async move {
                // A connection that breaks is the suite's matter, or the server's.
                let _ = front.welcome(stream).await;
            }));
        }
    }));
    Ok(())
}

impl ApiProxy {
    pub(super) fn new(
        upstreams: Vec<SocketAddr>,
        below: String,
        plant: Option<Plant>,
        known: ProxyState,
        relays: Option<Arc<Relays>>,
    ) -> Self {
        Self { upstreams, turn: AtomicUsize::new(0), below, plant, known, relays }
    }

    async fn upstream(&self) -> io::Result<TcpStream> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.upstreams.len();
        let stream = TcpStream::connect(self.upstreams[turn]).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    async fn welcome(self: Arc<Self>, mut stream: TcpStream) -> Result<(), ProxyError> {
        stream.set_nodelay(true)?;
        let (begun, begins) = first_bytes::read(&mut stream).await;
        if begins == ConnectionKind::Otherwise {
            let mut upstream = self.upstream().await?;
            upstream.write_all(&begun).await?;
            tokio::io::copy_bidirectional(&mut stream, &mut upstream).await?;
            return Ok(());
        }
        let (read, write) = stream.into_split();
        let stream = TokioIo::new(tokio::io::join(Cursor::new(begun).chain(read), write));
        if begins == ConnectionKind::Http2 {
            let service = service_fn(move |request| Arc::clone(&self).answer(request));
            return Ok(http2::Builder::new(TokioExecutor::new()).serve_connection(stream, service).await?);
        }
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .max_buf_size(4 * 1024 * 1024)
            .max_headers(1024)
            .serve_connection(stream, service_fn(move |request| Arc::clone(&self).answer(request)));
        Ok(serving.await?)
    }

    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Response<ProxyBody>, ProxyError> {
        let (mut head, body) = request.into_parts();
        let by_http2 = head.version == Version::HTTP_2;
        if by_http2 {
            as_http1(&mut head)?;
        }
        let chunked = head.headers.contains_key(TRANSFER_ENCODING);
        let asks_head = head.method == Method::HEAD;
        let body = Limited::new(body, LONGEST_BODY).collect().await?.to_bytes();
        // What is not below the base URL is not the API: nothing is planted there.
        let below = head.uri.path().strip_prefix(&self.below).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let Some(path) = below else {
            let answer = self.pass(Request::from_parts(head, ()), body, chunked).await?;
            return Ok(response(answer, asks_head));
        };
        let mut request = ApiRequest {
            method: head.method.clone(),
            path: path.to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            headers: head.headers.clone(),
            by_http2,
            body,
        };
        if let Some(Plant::Instead(answer)) = self.plant
            && let Some(answer) = answer(&request, &self.known)
        {
            return Ok(response(answer, asks_head));
        }
        if let Some(Plant::Request(change) | Plant::Both(change, _)) = self.plant {
            change(&mut request, &self.known);
        }
        let mut answer = self.forward(&request, head, chunked).await?;
        if let Some(Plant::Answer(change) | Plant::Both(_, change)) = self.plant {
            change(&request, &mut answer, &self.known);
        }
        Ok(response(answer, asks_head))
    }

    /// Asks the server, with the URLs of webhooks changed on the way where deliveries are relayed.
    async fn forward(
        &self,
        request: &ApiRequest,
        mut head: http::request::Parts,
        chunked: bool,
    ) -> Result<ApiAnswer, ProxyError> {
        let query = if request.query.is_empty() { String::new() } else { format!("?{}", request.query) };
        let target = format!("{}{}{query}", self.below, request.path);
        let mut uri = head.uri.into_parts();
        uri.path_and_query = Some(PathAndQuery::try_from(target)?);
        head.uri = uri.try_into()?;
        head.method.clone_from(&request.method);
        head.headers.clone_from(&request.headers);
        let body = match &self.relays {
            Some(relays) => rewrite::outwards(relays, request).await?,
            None => request.body.clone(),
        };
        let mut answer = self.pass(Request::from_parts(head, ()), body, chunked).await?;
        if let Some(relays) = &self.relays {
            rewrite::learn(relays, request, &answer);
            answer.body = rewrite::back(relays, &answer.body);
        }
        Ok(answer)
    }

    async fn pass(&self, request: Request<()>, body: Bytes, chunked: bool) -> Result<ApiAnswer, ProxyError> {
        let mut sender = forward::begin(Box::pin(self.upstream().await?)).await?;
        let answer = forward::send(&mut sender, request, body, chunked).await?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, LONGEST_BODY).collect().await?.to_bytes();
        Ok(ApiAnswer { status: head.status.as_u16(), headers: head.headers, body })
    }
}

/// The head for a server that speaks HTTP/1.1: there the host is a header, and the target is without it.
fn as_http1(head: &mut http::request::Parts) -> Result<(), ProxyError> {
    if let Some(authority) = head.uri.authority() {
        head.headers.insert(HOST, HeaderValue::from_str(authority.as_str())?);
    }
    let path_and_query = head.uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
    head.uri = path_and_query.into();
    head.version = Version::HTTP_11;
    Ok(())
}

fn response(mut answer: ApiAnswer, asks_head: bool) -> Response<ProxyBody> {
    forward::without_hop(&mut answer.headers);
    // The answer to HEAD tells the length of a body that is not there.
    if !asks_head {
        answer.headers.remove(CONTENT_LENGTH);
    }
    let mut response = Response::new(forward::whole(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = answer.headers;
    response
}
