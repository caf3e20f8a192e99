//! TLS before a proxy, with HTTP/2 for clients that ask for it, as load balancers offer it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use l10n_testkit::receiver::{Authority, Certificate};
use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_util::task::AbortOnDropHandle;

/// It ends when it is dropped.
pub(crate) struct Tls {
    /// Under which it is reached.
    pub(crate) base_url: String,
    /// The file with the certificate of its authority.
    pub(crate) ca: PathBuf,
    /// Connections on which HTTP/2 was agreed.
    by_http2: Arc<AtomicUsize>,
    _serving: AbortOnDropHandle<()>,
}

impl Tls {
    /// Hands on what it is sent to `behind`. Its file is in `folder`.
    pub(crate) async fn before(behind: SocketAddr, folder: &Path) -> Self {
        let authority = Authority::new().unwrap();
        let ca = folder.join("front.pem");
        std::fs::write(&ca, authority.pem()).unwrap();
        let (certificate, key) = authority.issue(Certificate::Valid, &["127.0.0.1".to_owned()]).unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base_url = format!("https://{}/v1", listener.local_addr().unwrap());
        let by_http2 = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&by_http2);
        let serving = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (acceptor, seen) = (acceptor.clone(), Arc::clone(&seen));
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                        seen.fetch_add(1, Ordering::SeqCst);
                    }
                    let mut behind = TcpStream::connect(behind).await.unwrap();
                    // Who goes away without a word is no matter of this test.
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut behind).await;
                });
            }
        });
        Self { base_url, ca, by_http2, _serving: AbortOnDropHandle::new(serving) }
    }

    /// Returns true if HTTP/2 was negotiated on a connection.
    pub(crate) fn spoke_http2(&self) -> bool {
        self.by_http2.load(Ordering::SeqCst) > 0
    }
}
