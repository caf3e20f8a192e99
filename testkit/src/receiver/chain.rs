//! A certificate that an authority of the world outside has issued.

use std::fmt;
use std::sync::Arc;

use rustls::pki_types::pem::{Error, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate, those up to its authority, and its key. Clones are the same.
#[derive(Clone)]
pub struct Chain(Arc<Inner>);

struct Inner {
    certificates: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Chain {
    /// The chain whose certificates (its own first) and key these are, in PEM.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the texts is not PEM, or contains none. A mismatch of key and certificate is reported
    /// when a receiver starts.
    pub fn load(certificates: &str, key: &str) -> Result<Self, Error> {
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(certificates.as_bytes()).collect::<Result<_, _>>()?;
        if certificates.is_empty() {
            return Err(Error::NoItemsFound);
        }
        Ok(Self(Arc::new(Inner { certificates, key: PrivateKeyDer::from_pem_slice(key.as_bytes())? })))
    }

    pub(super) fn parts(&self) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        (self.0.certificates.clone(), self.0.key.clone_key())
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").field("certificates", &self.0.certificates.len()).finish_non_exhaustive()
    }
}
