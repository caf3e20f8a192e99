//! The answers of a null server.

use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Map, Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A kind of null server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// This status and `{}`.
    Empty(u16),
    /// This status and one object that has every field of the API, whatever is asked. Each `status` in it is this word.
    Constant(u16, &'static str),
    /// 204 and nothing.
    Nothing,
    /// 200 and members of the API with values at random.
    Random,
    /// 200 and the body of the request.
    Echo,
    /// 200 and a page of HTML, as a proxy on the way gives it.
    Page,
    /// This error, as §7 writes it.
    Error(u16, &'static str),
    /// Closes every connection.
    Closes,
    /// Never answers.
    Hangs,
}

impl Null {
    /// Every kind.
    pub const ALL: [Self; 18] = [
        Self::Empty(200),
        Self::Empty(201),
        Self::Constant(200, "completed"),
        Self::Constant(200, "pending"),
        Self::Constant(201, "delivered"),
        Self::Constant(202, "queued"),
        Self::Nothing,
        Self::Random,
        Self::Echo,
        Self::Page,
        Self::Error(400, "bad_request"),
        Self::Error(401, "unauthorized"),
        Self::Error(403, "forbidden"),
        Self::Error(404, "not_found"),
        Self::Error(429, "rate_limited"),
        Self::Error(500, "internal"),
        Self::Closes,
        Self::Hangs,
    ];
}

impl std::fmt::Display for Null {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty(status) => write!(f, "{status} {{}}"),
            Self::Constant(status, word) => write!(f, "{status} constant, {word}"),
            Self::Nothing => f.write_str("204"),
            Self::Random => f.write_str("200 at random"),
            Self::Echo => f.write_str("200 echo"),
            Self::Page => f.write_str("200 HTML"),
            Self::Error(status, code) => write!(f, "{status} {code}"),
            Self::Closes => f.write_str("closes"),
            Self::Hangs => f.write_str("hangs"),
        }
    }
}

/// A listening null server. It ends when it is dropped.
#[derive(Debug)]
pub struct NullServer {
    /// Its base URL.
    pub base_url: String,
    _ends: DropGuard,
}

impl NullServer {
    /// Listens on a free port of 127.0.0.1.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is available.
    pub async fn start(null: Null) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let base_url = format!("http://{}/v1", listener.local_addr()?);
        let ends = CancellationToken::new();
        let number = Arc::new(AtomicU64::new(0));
        let connections = ends.clone();
        tokio::spawn(ends.clone().run_until_cancelled_owned(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let serving = serve(stream, null, Arc::clone(&number));
                tokio::spawn(connections.clone().run_until_cancelled_owned(serving));
            }
        }));
        Ok(Self { base_url, _ends: ends.drop_guard() })
    }
}

async fn serve(stream: TcpStream, null: Null, number: Arc<AtomicU64>) {
    match null {
        Null::Closes => return,
        Null::Hangs => std::future::pending().await,
        _ => {}
    }
    let service = service_fn(|request| answer(request, null, number.fetch_add(1, Ordering::Relaxed)));
    // Who breaks the connection off need not be told.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(request: Request<Incoming>, null: Null, number: u64) -> Result<Response<Full<Bytes>>, Infallible> {
    let asked = Limited::new(request.into_body(), 64 * 1024 * 1024).collect().await;
    let asked = asked.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let (status, media_type, body) = match null {
        Null::Nothing => (204, None, Bytes::new()),
        Null::Random => (200, Some("application/json"), random(number).to_string().into()),
        Null::Echo => (200, Some("application/json"), asked),
        Null::Page => (200, Some("text/html"), Bytes::from_static(b"<!doctype html><title>Welcome</title>\n")),
        Null::Error(status, code) => {
            (status, Some("application/json"), json!({ "error": code, "message": "null" }).to_string().into())
        }
        Null::Empty(status) => (status, Some("application/json"), Bytes::from_static(b"{}")),
        Null::Constant(status, word) => (status, Some("application/json"), CONSTANT.replace(STATUS, word).into()),
        Null::Closes | Null::Hangs => (200, None, Bytes::new()),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    let headers = response.headers_mut();
    // The invariants of every exchange are kept, so that none of them hides a check that would pass.
    if let Ok(id) = HeaderValue::from_str(&format!("null-{number:016x}")) {
        headers.insert(HeaderName::from_static("x-correlation-id"), id);
    }
    if let Some(media_type) = media_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    }
    if status == 429 {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("0"));
    }
    Ok(response)
}

/// An object that has every field of the API, with a value that some answer has there.
const CONSTANT: &str = include_str!("constant.json");

/// Stands for a `status` there.
const STATUS: &str = "{status}";

/// Members that answers of the API have.
const MEMBERS: &[&str] = &[
    "webhookId",
    "secret",
    "url",
    "events",
    "versionId",
    "trackingToken",
    "status",
    "deliveries",
    "webhooks",
    "scopes",
    "languages",
    "projectId",
    "code",
    "enabled",
    "createdAt",
    "estimatedCredits",
    "creditsCharged",
    "versions",
    "keys",
];

/// An object at random: the same for the same number.
fn random(number: u64) -> Value {
    let mut random = StdRng::seed_from_u64(number);
    let mut body = Map::new();
    for name in MEMBERS {
        let value = match random.random_range(0..6) {
            0 => continue,
            1 => Value::Null,
            2 => json!(random.random_range(0..1000)),
            3 => json!(format!("{:016x}", random.random::<u64>())),
            4 => json!([]),
            _ => json!([{ "id": format!("{:08x}", random.random::<u32>()), "status": "delivered" }]),
        };
        body.insert((*name).to_owned(), value);
    }
    body.into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every name of a property in a JSON schema.
    fn properties(schema: &Value, names: &mut BTreeSet<String>) {
        match schema {
            Value::Object(members) => {
                if let Some(Value::Object(named)) = members.get("properties") {
                    names.extend(named.keys().cloned());
                }
                members.values().for_each(|value| properties(value, names));
            }
            Value::Array(values) => values.iter().for_each(|value| properties(value, names)),
            _ => {}
        }
    }

    #[test]
    fn the_constant_object_has_every_field_of_the_api() {
        let constant: Map<String, Value> = serde_json::from_str(CONSTANT).unwrap();
        // A package without the repository around it has no description of the API.
        let api = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../api-types/openapi.json"));
        let Ok(api) = api else { return };
        let mut names = BTreeSet::new();
        properties(&serde_json::from_slice(&api).unwrap(), &mut names);
        let missing: Vec<_> = names.iter().filter(|name| !constant.contains_key(*name)).collect();
        assert!(!names.is_empty() && missing.is_empty(), "{missing:?}");
    }
}
