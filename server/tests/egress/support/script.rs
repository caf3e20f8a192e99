//! An endpoint that says byte for byte what a test dictates, without TLS.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Reads the head of a request from each connection, says `answer`, and closes.
pub(crate) async fn saying(answer: impl Into<Vec<u8>>) -> String {
    let answer = answer.into();
    on_each_connection(move |mut stream| {
        let answer = answer.clone();
        async move {
            read_head(&mut stream).await;
            // The other end may hang up, having read enough.
            let _ = stream.write_all(&answer).await;
        }
    })
    .await
}

/// Reads the head of a request from each connection and says `answer` again and again, for as long as it is listened to.
pub(crate) async fn repeating(start: &'static str, answer: &'static str) -> String {
    on_each_connection(move |mut stream| async move {
        read_head(&mut stream).await;
        let mut next = start;
        while stream.write_all(next.as_bytes()).await.is_ok() {
            next = answer;
        }
    })
    .await
}

async fn on_each_connection<F, A>(act: F) -> String
where
    F: Fn(TcpStream) -> A + Send + 'static,
    A: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(act(stream));
        }
    });
    format!("http://{address}/")
}

async fn read_head(stream: &mut TcpStream) {
    let mut read = Vec::new();
    while !read.windows(4).any(|four| four == b"\r\n\r\n") {
        if stream.read_buf(&mut read).await.unwrap_or(0) == 0 {
            return;
        }
    }
}
