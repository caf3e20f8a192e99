//! The least that an axum server does for reads: bytes from memory, compressed beforehand, and entity tags.

use std::io::BufRead as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

/// Makes this program be that process, with the folder to serve.
pub(crate) const ARGUMENT: &str = "--bare-server";
/// The entity tag of all files.
pub(crate) const ETAG: &str = "\"bare\"";

/// Serves the files of a folder until the end of its life, `NAME` compressed as `NAME.gz` where that is there; prints its
/// address.
pub(crate) fn serve(folder: &Path) -> Result<()> {
    let mut router = Router::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().into_string().ok().context("a name that is no text")?;
        if name.ends_with(".gz") {
            continue;
        }
        let plain = Bytes::from(std::fs::read(folder.join(&name))?);
        let gzip = std::fs::read(folder.join(format!("{name}.gz"))).ok().map(Bytes::from);
        let answered = async move |headers: HeaderMap| answer(&headers, &plain, gzip.as_ref());
        router = router.route(&format!("/{name}"), get(answered));
    }
    // As many threads as the server has.
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        println!("{}", listener.local_addr()?);
        Ok(axum::serve(listener, router).await?)
    })
}

fn answer(headers: &HeaderMap, plain: &Bytes, gzip: Option<&Bytes>) -> Response {
    const JSON: (header::HeaderName, &str) = (header::CONTENT_TYPE, "application/json");
    if headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == ETAG) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, ETAG)]).into_response();
    }
    if let Some(gzip) = gzip
        && headers.get(header::ACCEPT_ENCODING).is_some_and(|coding| coding == "gzip")
    {
        return ([JSON, (header::ETAG, ETAG), (header::CONTENT_ENCODING, "gzip")], gzip.clone()).into_response();
    }
    ([JSON, (header::ETAG, ETAG)], plain.clone()).into_response()
}

/// The process. It ends when this is dropped.
pub(crate) struct Bare {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Bare {
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(ARGUMENT)
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            std::io::BufReader::new(out).read_line(&mut line)?;
        }
        let address = line.trim().parse().context("the bare server does not say where it is");
        match address {
            Ok(address) => Ok(Self { child, address }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
