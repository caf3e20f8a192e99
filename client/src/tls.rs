//! TLS: rustls with ring, passed to the HTTP client explicitly.
//!
//! A process-wide default provider is neither needed nor installed: the application may have none, or another one.

use std::sync::Arc;

use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use crate::error::ConfigError;

/// The trusted root certificates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trust {
    /// PEM bundles of further roots.
    pub(crate) pem: Vec<Vec<u8>>,
    /// True if the machine's own roots are not trusted.
    pub(crate) added_only: bool,
}

/// The configuration for a server that speaks TLS.
pub(crate) fn client_config(trust: &Trust) -> Result<rustls::ClientConfig, ConfigError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let added = certificates(&trust.pem)?;
    let tls = |error: rustls::Error| ConfigError::Tls { problem: error.to_string() };
    let verifier: Arc<dyn ServerCertVerifier> = if trust.added_only {
        let mut roots = RootCertStore::empty();
        for certificate in added {
            roots.add(certificate).map_err(tls)?;
        }
        WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(&provider))
            .build()
            .map_err(|error| ConfigError::Tls { problem: error.to_string() })?
    } else {
        Arc::new(rustls_platform_verifier::Verifier::new_with_extra_roots(added, Arc::clone(&provider)).map_err(tls)?)
    };
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(tls)?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The configuration for a way without TLS. It trusts no roots, so the machine's need not exist.
pub(crate) fn unused_config() -> Result<rustls::ClientConfig, ConfigError> {
    Ok(rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| ConfigError::Tls { problem: error.to_string() })?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth())
}

fn certificates(bundles: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, ConfigError> {
    let mut all = Vec::new();
    for bundle in bundles {
        let before = all.len();
        for certificate in CertificateDer::pem_slice_iter(bundle) {
            all.push(certificate.map_err(|error| ConfigError::RootCertificate { problem: error.to_string() })?);
        }
        if all.len() == before {
            let problem = "it holds no `-----BEGIN CERTIFICATE-----`".to_owned();
            return Err(ConfigError::RootCertificate { problem });
        }
    }
    Ok(all)
}
