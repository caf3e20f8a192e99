//! A proxy that records every request.

use std::convert::Infallible;
use std::mem;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, client, server};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};

use crate::support::{Output, World};

/// The parts of answers that are forwarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// Complete answers.
    Whole,
    /// Answers of a deployment that implements only the specification: without hashes of documents.
    WithoutHashes,
    /// No answer about a job.
    WithoutJobs,
    /// The glossary without its last term, as if that had been added after the answer.
    WithoutLastTerm,
    /// This status for a push of several documents, which does not reach the server.
    WithoutBatches(StatusCode),
}

/// Forwards everything and records the requests.
pub(crate) struct RecordingProxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl RecordingProxy {
    /// Starts a proxy to this server.
    pub(crate) async fn to(server: SocketAddr, answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&asked);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let notes = Arc::clone(&notes);
                let service = service_fn(move |request: Request<Incoming>| {
                    notes.lock().unwrap().push(format!("{} {}", request.method(), request.uri().path()));
                    async move { Ok::<_, Infallible>(pass(server, request, answers).await) }
                });
                tokio::spawn(server::conn::http1::Builder::new().serve_connection(TokioIo::new(client), service));
            }
        });
        Self { address, asked }
    }

    /// The address of the API behind it.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Runs the program through this proxy with `--json`, which must succeed. Returns its object and its requests about
    /// documents, such as `GET` for the list and `GET ID` for a document.
    pub(crate) async fn run(&self, world: &World, arguments: &[&str]) -> (Value, Vec<String>) {
        let base_url = self.base_url();
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json", "--base-url", &base_url]).collect();
        let output: Output = world.l10n(&arguments).run().await;
        assert_eq!(output.status, 0, "{arguments:?}\n{}\n{}", output.stdout, output.stderr);
        let documents = format!("/v1/projects/{}/content", world.app.project.id);
        let asked = mem::take(&mut *self.asked.lock().unwrap());
        assert!(!asked.is_empty(), "it took another way");
        let of_documents = asked.iter().filter_map(|asked| {
            let (method, path) = asked.split_once(' ').unwrap();
            let id = path.strip_prefix(&documents)?;
            Some(if id.is_empty() { method.to_owned() } else { format!("{method} ID") })
        });
        (output.json(), of_documents.collect())
    }
}

async fn pass(server: SocketAddr, request: Request<Incoming>, answers: Answers) -> Response<Full<Bytes>> {
    let (mut head, body) = request.into_parts();
    head.headers.remove(ACCEPT_ENCODING);
    let body = body.collect().await.unwrap().to_bytes();
    let refusal = match answers {
        Answers::WithoutJobs if head.uri.to_string().contains("trackingToken=") => Some(StatusCode::FORBIDDEN),
        Answers::WithoutBatches(status) if String::from_utf8_lossy(&body).contains("\"documents\":[") => Some(status),
        _ => None,
    };
    if let Some(status) = refusal {
        let body = Bytes::from_static(b"{\"error\":\"from_the_proxy\",\"message\":\"the proxy refuses it\"}");
        let refused = Response::builder().status(status).header(CONTENT_TYPE, "application/json");
        return refused.body(Full::new(body)).unwrap();
    }
    let request = Request::from_parts(head, Full::new(body));
    let server = TokioIo::new(TcpStream::connect(server).await.unwrap());
    let (mut requests, connection) = client::conn::http1::handshake(server).await.unwrap();
    tokio::spawn(connection);
    let (mut head, body) = requests.send_request(request).await.unwrap().into_parts();
    let mut body = body.collect().await.unwrap().to_bytes();
    let forget: Option<fn(&mut Value)> = match answers {
        Answers::WithoutHashes => Some(forget_hashes),
        Answers::WithoutLastTerm => Some(forget_last_term),
        Answers::Whole | Answers::WithoutJobs | Answers::WithoutBatches(_) => None,
    };
    if let (Some(forget), Ok(mut json)) = (forget, serde_json::from_slice(&body)) {
        forget(&mut json);
        body = json.to_string().into();
        head.headers.remove(CONTENT_LENGTH);
    }
    Response::from_parts(head, Full::new(body))
}

fn forget_last_term(json: &mut Value) {
    if let Some(terms) = json.get_mut("terms").and_then(Value::as_array_mut) {
        terms.pop();
    }
}

fn forget_hashes(json: &mut Value) {
    match json {
        Value::Array(values) => values.iter_mut().for_each(forget_hashes),
        Value::Object(fields) => {
            fields.remove("sourceSha256");
            fields.remove("publishedSha256");
            if let Some(live) = fields.get_mut("live").and_then(Value::as_object_mut) {
                live.remove("files");
            }
            fields.values_mut().for_each(forget_hashes);
        }
        _ => {}
    }
}
