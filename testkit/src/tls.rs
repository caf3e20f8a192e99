//! TLS towards the deployment: the machine's roots, and those of the profile.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use url::Url;

/// The configuration for a deployment. One that speaks plain HTTP trusts no one: the machine's roots need not be there.
pub(crate) fn client_config(base: &Url, ca: Option<&Path>) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    if base.scheme() == "http" {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    let added = match ca {
        None => Vec::new(),
        Some(path) => CertificateDer::pem_file_iter(path)
            .and_then(Iterator::collect)
            .map_err(|error| format!("cannot use the certificates in {} (api_ca): {error}", path.display()))?,
    };
    let verifier = rustls_platform_verifier::Verifier::new_with_extra_roots(added, provider)
        .map_err(|error| format!("cannot use the machine's certificates: {error}"))?;
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}
