//! The limit of reads: a process that answers every request with the same bytes from memory.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::get;

/// Makes this program be that process, with the file to serve.
pub(crate) const ARGUMENT: &str = "--bare-server";
/// The entity tag of the bytes.
pub(crate) const ETAG: &str = "\"bare\"";

/// Serves until the end of its life; prints its address.
pub(crate) fn serve(file: &str) -> Result<()> {
    let bytes = Bytes::from(std::fs::read(file)?);
    let answer = move |headers: HeaderMap| {
        let bytes = bytes.clone();
        async move {
            if headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == ETAG) {
                (StatusCode::NOT_MODIFIED, [(header::ETAG, ETAG)]).into_response()
            } else {
                ([(header::ETAG, ETAG), (header::CONTENT_TYPE, "application/json")], bytes).into_response()
            }
        }
    };
    // As many threads as the server has.
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        println!("{}", listener.local_addr()?);
        Ok(axum::serve(listener, Router::new().route("/", get(answer))).await?)
    })
}

/// The process. It ends when this is dropped.
pub(crate) struct Bare {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Bare {
    pub(crate) fn start(bytes: &[u8]) -> Result<Self> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), bytes)?;
        let mut child = Command::new(std::env::current_exe()?)
            .arg(ARGUMENT)
            .arg(file.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line)?;
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
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
