//! The certificates that a delivery's connection trusts, and the meaning of its errors.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use l10n_api_types::deliveries::DeliveryErrorKind;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{AlertDescription, CertificateError, ClientConfig, RootCertStore};

use super::{EgressError, SendFailure};

/// The certificates that the machine trusts, read once for a process: it takes milliseconds, and they rarely change.
static MACHINE_ROOTS: LazyLock<Vec<CertificateDer<'static>>> = LazyLock::new(|| {
    let found = rustls_native_certs::load_native_certs();
    for error in found.errors {
        tracing::warn!(%error, "a root certificate of this machine cannot be read");
    }
    if found.certs.is_empty() {
        tracing::warn!(
            "this machine trusts no certificate authority: deliveries reach endpoints of `webhooks.extra_ca` alone. Install \
             the package ca-certificates"
        );
    }
    found.certs
});

/// The TLS settings of deliveries: trust in the machine's certificates and those in `extra_ca`, HTTP/1.1, no client
/// certificate.
pub(super) fn client_config(extra_ca: Option<&Path>) -> Result<ClientConfig, EgressError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(MACHINE_ROOTS.iter().cloned());
    if let Some(path) = extra_ca {
        add_extra(&mut roots, path)?;
    }
    // Stated, since a process may have no default provider or one of another library's choice.
    let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(EgressError::Tls)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// The TLS settings of calls to services that the operator names: trust in the machine's certificates.
pub(crate) fn machine_tls() -> Result<ClientConfig, EgressError> {
    client_config(None)
}

fn add_extra(roots: &mut RootCertStore, path: &Path) -> Result<(), EgressError> {
    let wrong = |what: String| EgressError::ExtraCa { path: path.to_owned(), what };
    let mut count = 0;
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| wrong(error.to_string()))? {
        let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
        roots.add(certificate).map_err(|error| wrong(error.to_string()))?;
        count += 1;
    }
    if count == 0 {
        return Err(wrong("it does not contain a certificate in PEM form".to_owned()));
    }
    Ok(())
}

/// Explains an error of TLS to the owner of the endpoint.
pub(super) fn failure(error: &rustls::Error) -> SendFailure {
    use rustls::Error as E;
    let text = match error {
        E::InvalidCertificate(error) => certificate(error),
        E::InvalidMessage(_) => "the endpoint does not speak TLS on the URL's port. Check the port.",
        E::PeerIncompatible(_)
        | E::AlertReceived(AlertDescription::ProtocolVersion | AlertDescription::HandshakeFailure) => {
            "the endpoint and this service have no TLS version or cipher in common. Let it offer TLS 1.2 or 1.3."
        }
        E::AlertReceived(AlertDescription::UnrecognisedName) => {
            "the endpoint knows no certificate for the URL's host. Set its server up for that name."
        }
        E::AlertReceived(AlertDescription::CertificateRequired) => {
            "the endpoint asks for a client certificate. Let it check the signature of deliveries instead."
        }
        E::NoApplicationProtocol | E::AlertReceived(AlertDescription::NoApplicationProtocol) => {
            "the endpoint does not offer HTTP/1.1. Let it do so beside HTTP/2."
        }
        _ => "the TLS handshake failed. Check the endpoint's TLS settings with a public TLS checker.",
    };
    SendFailure::new(DeliveryErrorKind::Tls, text)
}

fn certificate(error: &CertificateError) -> &'static str {
    use CertificateError as C;
    match error {
        C::Expired | C::ExpiredContext { .. } => "the endpoint's certificate has expired. Renew it.",
        C::NotValidYet | C::NotValidYetContext { .. } => {
            "the endpoint's certificate is not valid yet. Check the clock of the machine that made it."
        }
        C::NotValidForName | C::NotValidForNameContext { .. } => {
            "the endpoint's certificate is for another host. Use one that names the URL's host."
        }
        C::Revoked => "the endpoint's certificate has been revoked. Use another.",
        C::UnknownIssuer => {
            "the endpoint's certificate is self-signed, of an authority that is not publicly trusted, or sent without its \
             intermediate certificates. Use one of a public authority and send the whole chain."
        }
        _ => "the endpoint's certificate is not one that a server may use. Use one of a public authority.",
    }
}
