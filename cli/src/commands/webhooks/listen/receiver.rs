//! Receives deliveries over TLS, verifies and answers them.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::LOCATION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use l10n_client::api::Timestamp;
use l10n_webhook_verify::{EVENT_ID_HEADER, Verifier};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::clock::now;
use crate::receiver::{Forward, ForwardedResponse, ReceiverResponse, SLOW, Script};

/// Longest body; events have well under 100 KB.
const LONGEST_BODY: usize = 1024 * 1024;

/// Time limit for the TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The observations of the listener.
#[derive(Debug)]
pub(crate) enum Heard {
    Delivery(Delivery),
    /// A request to the listener's URL that is not from the service.
    Refused(String),
    /// The service does not trust the certificate.
    Distrusted(String),
}

/// A verified delivery.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) received_at: Timestamp,
    /// Time of signing, in Unix seconds.
    pub(crate) signed_at: i64,
    pub(crate) event_id: String,
    pub(crate) body: Bytes,
    pub(crate) reply: Reply,
}

/// The answer to the service.
#[derive(Debug)]
pub(crate) enum Reply {
    AsTold(ReceiverResponse),
    /// The status from the program that it was forwarded to.
    Passed(u16),
    /// That program could not be reached; the answer was 502.
    Unreachable(String),
}

/// The state that all connections share.
pub(crate) struct Receiver {
    pub(crate) path: String,
    pub(crate) verifier: Verifier,
    pub(crate) script: Script,
    pub(crate) forward: Option<Forward>,
    pub(crate) heard: Sender<Heard>,
}

impl Receiver {
    /// Accepts connections until it is dropped; `graceful` closes those that are open then.
    pub(crate) async fn serve(
        self: Arc<Self>,
        listener: TcpListener,
        tls: TlsAcceptor,
        graceful: &GracefulShutdown,
    ) -> Infallible {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    tokio::spawn(Arc::clone(&self).welcome(stream, tls.clone(), graceful.watcher()));
                }
                // For example, there may be no free file descriptor; one will be freed.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    async fn welcome(self: Arc<Self>, stream: TcpStream, tls: TlsAcceptor, watcher: Watcher) {
        let stream = match timeout(HANDSHAKE, tls.accept(stream)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => {
                if let Some(why) = distrust(&error) {
                    self.tell(Heard::Distrusted(why)).await;
                }
                return;
            }
            Err(_) => return,
        };
        let service = service_fn(|request| Arc::clone(&self).receive(request));
        let connection = http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service);
        // A broken connection is the sender's problem.
        let _ = watcher.watch(connection).await;
    }

    /// Goes on if the sender disconnects, so that every delivery is reported.
    async fn receive(self: Arc<Self>, request: Request<Incoming>) -> io::Result<Response<Full<Bytes>>> {
        let (head, body) = request.into_parts();
        if head.uri.path() != self.path {
            return Ok(says(StatusCode::NOT_FOUND, "not found"));
        }
        if head.method != Method::POST {
            return Ok(says(StatusCode::METHOD_NOT_ALLOWED, "deliveries use POST"));
        }
        let Ok(body) = Limited::new(body, LONGEST_BODY).collect().await else {
            return Ok(says(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long for an event"));
        };
        let body = body.to_bytes();
        tokio::spawn(async move { self.judge(&head.headers, body).await }).await.map_err(io::Error::other)?
    }

    async fn judge(&self, headers: &HeaderMap, body: Bytes) -> io::Result<Response<Full<Bytes>>> {
        let verified = match self.verifier.verify_request(headers, &body) {
            Ok(verified) => verified,
            Err(error) => {
                self.tell(Heard::Refused(error.to_string())).await;
                return Ok(says(StatusCode::BAD_REQUEST, &error.to_string()));
            }
        };
        let delivery = |reply| Delivery {
            received_at: now(),
            signed_at: verified.time,
            event_id: event_id(headers, &body),
            body: body.clone(),
            reply,
        };
        let Some(forward) = &self.forward else {
            let answer = self.script.next();
            self.tell(Heard::Delivery(delivery(Reply::AsTold(answer)))).await;
            return respond(answer).await;
        };
        match forward.send(headers, body.clone()).await {
            Ok(ForwardedResponse { status, headers, body }) => {
                self.tell(Heard::Delivery(delivery(Reply::Passed(status.as_u16())))).await;
                let mut response = Response::new(Full::new(body));
                *response.status_mut() = status;
                *response.headers_mut() = headers;
                Ok(response)
            }
            Err(why) => {
                self.tell(Heard::Delivery(delivery(Reply::Unreachable(why)))).await;
                Ok(says(StatusCode::BAD_GATEWAY, "the program behind the listener cannot be reached"))
            }
        }
    }

    async fn tell(&self, heard: Heard) {
        // No one receives it if the listener has ended.
        let _ = self.heard.send(heard).await;
    }
}

async fn respond(answer: ReceiverResponse) -> io::Result<Response<Full<Bytes>>> {
    match answer {
        ReceiverResponse::Status(status) => Ok(says(status, "")),
        ReceiverResponse::Slow => {
            sleep(SLOW).await;
            Ok(says(StatusCode::OK, ""))
        }
        ReceiverResponse::Redirect => {
            let mut response = says(StatusCode::FOUND, "");
            response.headers_mut().insert(LOCATION, hyper::header::HeaderValue::from_static("/elsewhere"));
            Ok(response)
        }
        ReceiverResponse::Close => Err(io::ErrorKind::ConnectionAborted.into()),
    }
}

fn says(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::copy_from_slice(text.as_bytes())));
    *response.status_mut() = status;
    response
}

/// The id in the body, because it is signed; the header's if the body has an unknown shape.
fn event_id(headers: &HeaderMap, body: &[u8]) -> String {
    let event: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let header = || headers.get(EVENT_ID_HEADER).and_then(|id| id.to_str().ok());
    event["id"].as_str().or_else(header).unwrap_or_default().to_owned()
}

/// The sender's objection to the certificate; `None` if it only disconnected.
fn distrust(error: &io::Error) -> Option<String> {
    match error.get_ref()?.downcast_ref::<rustls::Error>()? {
        rustls::Error::AlertReceived(alert) => Some(format!("{alert:?}")),
        _ => None,
    }
}
