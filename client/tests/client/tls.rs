//! TLS with ring, whatever the process has installed.

use std::env;
use std::process::Command;
use std::sync::Arc;

use l10n_client::{Builder, Error, TransportKind, reqwest};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::support::{builder, health, raw_answer};

/// A root that is trusted nowhere, and its certificate for 127.0.0.1 and localhost. Made only for these tests; the
/// root's own key was thrown away.
const ROOT: &[u8] = include_bytes!("tls/root.pem");
const CERTIFICATE: &[u8] = include_bytes!("tls/server.pem");
const KEY: &[u8] = include_bytes!("tls/server.key.pem");

/// A TLS server that answers health requests.
async fn server() -> u16 {
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from_pem_slice(CERTIFICATE).unwrap()],
            PrivateKeyDer::from_pem_slice(KEY).unwrap(),
        )
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(socket).await else { return };
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(&raw_answer("200 OK", "", &health().to_string())).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    port
}

async fn client(host: &str, with: impl FnOnce(Builder) -> Builder) -> Result<(), Error> {
    let address = format!("https://{host}:{}", server().await);
    with(builder(&address)).build()?.health().await.map(drop)
}

/// No default provider is installed, and none is needed.
#[tokio::test]
async fn tls_needs_no_process_wide_provider_and_installs_none() {
    assert!(rustls::crypto::CryptoProvider::get_default().is_none());
    client("localhost", |builder| builder.root_certificates_pem(ROOT)).await.unwrap();
    client("127.0.0.1", |builder| builder.root_certificates_pem(ROOT).only_these_roots()).await.unwrap();
    assert!(rustls::crypto::CryptoProvider::get_default().is_none());
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_told_and_not_tried_again() {
    let failure = client("localhost", |builder| builder.root_certificates_pem(CERTIFICATE).only_these_roots()).await;
    let failure = failure.unwrap_err();
    let Error::Transport(error) = &failure else { panic!("{failure:?}") };
    assert_eq!((error.kind, error.may_have_reached_server), (TransportKind::Tls, false), "{error:?}");
    assert!(!failure.is_retryable());
    assert!(failure.to_string().contains("certificate"), "{failure}");
}

#[tokio::test]
async fn a_plain_server_behind_an_https_url_is_told() {
    let plain = crate::support::answering([crate::support::ok(health())]).await;
    let address = plain.uri().replace("http://", "https://");
    let client = builder(&address).root_certificates_pem(ROOT).max_retries(0).build().unwrap();
    let Error::Transport(error) = client.health().await.unwrap_err() else { panic!() };
    assert_eq!((error.kind, error.may_have_reached_server), (TransportKind::Tls, false), "{error:?}");
}

/// The service behind the proxy needs no TLS, and the proxy is trusted as the machine trusts.
#[tokio::test]
async fn a_proxy_may_speak_tls_to_a_service_that_does_not() {
    const WITH_ROOTS: &str = "L10N_TEST_WITH_ROOTS";
    if env::var_os(WITH_ROOTS).is_none() {
        // Another process has the test's root among those of its machine.
        let roots = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/client/tls/root.pem");
        let mut test = Command::new(env::current_exe().unwrap());
        test.args(["--exact", "tls::a_proxy_may_speak_tls_to_a_service_that_does_not"]);
        let ended = test.env(WITH_ROOTS, "1").env("SSL_CERT_FILE", roots).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let proxy = reqwest::Proxy::all(format!("https://localhost:{}", server().await)).unwrap();
    let http = reqwest::Client::builder().proxy(proxy);
    builder("http://l10n.test").http_builder(http).build().unwrap().health().await.unwrap();
}
