//! The least that an axum server does for these reads: bytes from memory, compressed beforehand, and entity tags.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::process::Served;

/// Makes this program be that process, with the folder to serve.
pub(crate) const ARGUMENT: &str = "--bare-server";

/// Serves until the end of its life; prints its address.
pub(crate) fn serve(folder: &Path) -> Result<()> {
    let mut router = Router::new();
    for name in ["small.json", "large.json", "manifest.json"] {
        let plain = Bytes::from(std::fs::read(folder.join(name))?);
        let gzip = Bytes::from(std::fs::read(folder.join(format!("{name}.gz")))?);
        router =
            router.route(&format!("/{name}"), get(async move |headers: HeaderMap| answer(&headers, &plain, &gzip)));
    }
    // As many threads as the server has.
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        println!("{}", listener.local_addr()?);
        Ok(axum::serve(listener, router).await?)
    })
}

fn answer(headers: &HeaderMap, plain: &Bytes, gzip: &Bytes) -> Response {
    const ETAG: &str = "\"bare\"";
    const JSON: (header::HeaderName, &str) = (header::CONTENT_TYPE, "application/json");
    if headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == ETAG) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, ETAG)]).into_response();
    }
    if headers.get(header::ACCEPT_ENCODING).is_some_and(|coding| coding == "gzip") {
        return ([JSON, (header::ETAG, ETAG), (header::CONTENT_ENCODING, "gzip")], gzip.clone()).into_response();
    }
    ([JSON, (header::ETAG, ETAG)], plain.clone()).into_response()
}

/// Starts the process.
pub(crate) fn start(folder: &Path) -> Result<Served> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(ARGUMENT)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line)?;
    }
    let address = line.trim().parse().context("the bare server does not say where it is")?;
    Ok(Served::new(child, address))
}
