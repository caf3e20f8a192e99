//! Connections: what comes in is recorded, what goes out is counted.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Interval, MissedTickBehavior};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::answer::{Answer, AnswerBody, Scripts};
use super::log::Log;
use super::{Delivery, Handshake};

/// No delivery comes near it; one that exceeds it is cut off, so that no sender fills the memory of a test.
const LONGEST_BODY: usize = 16 * 1024 * 1024;
const ZEROS: Bytes = Bytes::from_static(&[0; 64 * 1024]);

/// The state that all connections share.
#[derive(Clone)]
pub(super) struct ConnectionContext {
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) handshake: Handshake,
    pub(super) log: Arc<Log>,
    pub(super) scripts: Arc<Scripts>,
}

/// Accepts connections, each of which ends at `ends`.
pub(super) async fn accept(listener: TcpListener, context: ConnectionContext, ends: CancellationToken) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // No descriptor is left, for one; some will be.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let number = context.log.connected();
        let (context, ends) = (context.clone(), ends.clone());
        tokio::spawn(async move { ends.run_until_cancelled(context.welcome(stream, number)).await });
    }
}

impl ConnectionContext {
    async fn welcome(self, stream: TcpStream, number: usize) {
        match self.handshake {
            Handshake::Close => return,
            Handshake::Stall => return std::future::pending().await,
            Handshake::Late(time) => tokio::time::sleep(time).await,
            Handshake::Complete => {}
        }
        // Answers are small, and tests measure how long they take.
        let _ = stream.set_nodelay(true);
        match self.tls.clone() {
            None => self.serve(stream, number).await,
            // One that fails is the sender's matter: it does not like the certificate.
            Some(tls) => match tls.accept(stream).await {
                Ok(stream) => self.serve(stream, number).await,
                Err(error) => {
                    let refused = error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
                    if let Some(rustls::Error::AlertReceived(alert)) = refused {
                        self.log.refused(format!("TLS alert {alert:?}"));
                    }
                }
            },
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin, number: usize) {
        let service = service_fn(|request| self.answer(request, number));
        // A connection that breaks is what some tests are about.
        let _ = http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service).await;
    }

    async fn answer(&self, request: Request<Incoming>, connection: usize) -> io::Result<Response<BodyStream>> {
        let arrived = Instant::now();
        let (head, body) = request.into_parts();
        let body = Limited::new(body, LONGEST_BODY).collect().await.map_err(io::Error::other)?.to_bytes();
        let delivery = Delivery {
            connection,
            method: head.method,
            uri: head.uri,
            headers: head.headers,
            body,
            arrived,
            ended: None,
            answered: false,
            sent: 0,
        };
        let answer = self.scripts.answer(&delivery);
        let mut running = AnsweredDelivery::new(&self.log, delivery);
        let Answer { head, body, delay, gate } = answer;
        tokio::time::sleep(delay).await;
        if let Some(gate) = gate {
            gate.opened().await;
        }
        let Some((status, headers)) = head else {
            return Err(io::Error::other("closed as scripted"));
        };
        let rest = Rest::of(body);
        // Of a body that is empty nobody asks for a frame.
        running.whole = rest.is_over();
        let mut response = Response::new(BodyStream { rest, running });
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// A delivery that is being answered. Its end is recorded when this is dropped, for whatever reason.
struct AnsweredDelivery {
    log: Arc<Log>,
    place: usize,
    whole: bool,
    sent: u64,
}

impl AnsweredDelivery {
    fn new(log: &Arc<Log>, delivery: Delivery) -> Self {
        Self { log: Arc::clone(log), place: log.arrived(delivery), whole: false, sent: 0 }
    }
}

impl Drop for AnsweredDelivery {
    fn drop(&mut self) {
        self.log.ended(self.place, self.whole, self.sent);
    }
}

/// The body of an answer on its way.
struct BodyStream {
    rest: Rest,
    running: AnsweredDelivery,
}

enum Rest {
    Bytes(Bytes),
    Zeros(u64),
    Drip(Interval),
}

impl Rest {
    fn of(body: AnswerBody) -> Self {
        match body {
            AnswerBody::Bytes(bytes) => Self::Bytes(bytes),
            AnswerBody::Zeros(length) => Self::Zeros(length),
            AnswerBody::Drip(pause) => {
                // An interval of nothing is not allowed.
                let mut interval = tokio::time::interval(pause.max(Duration::from_millis(1)));
                interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
                Self::Drip(interval)
            }
        }
    }

    fn is_over(&self) -> bool {
        match self {
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::Zeros(left) => *left == 0,
            Self::Drip(_) => false,
        }
    }
}

impl http_body::Body for BodyStream {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let next = match &mut self.rest {
            Rest::Bytes(bytes) => std::mem::take(bytes),
            Rest::Zeros(left) => {
                let next = ZEROS.slice(..usize::try_from(*left).unwrap_or(usize::MAX).min(ZEROS.len()));
                *left -= next.len() as u64;
                next
            }
            Rest::Drip(interval) => {
                ready!(interval.poll_tick(context));
                Bytes::from_static(b" ")
            }
        };
        self.running.sent += next.len() as u64;
        self.running.whole = self.rest.is_over();
        Poll::Ready((!next.is_empty()).then(|| Ok(Frame::data(next))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_over()
    }

    fn size_hint(&self) -> SizeHint {
        match &self.rest {
            Rest::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Rest::Zeros(left) => SizeHint::with_exact(*left),
            Rest::Drip(_) => SizeHint::default(),
        }
    }
}
