//! Certificates, good and bad.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// An authority that exists for a test alone. Clones are the same authority; several receivers may share it.
#[derive(Clone)]
pub struct Authority(Arc<Inner>);

struct Inner {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// The certificate that a receiver presents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Certificate {
    /// One that is in order.
    #[default]
    Valid,
    /// Of the right authority, for `other.example` alone.
    WrongHost,
    /// Of the right authority, for the right host, until the year 2001.
    Expired,
    /// For the right host, signed by its own key.
    SelfSigned,
}

/// A certificate and its key, as rustls has them.
pub type CertifiedKey = (CertificateDer<'static>, PrivateKeyDer<'static>);

impl Authority {
    /// Makes an authority.
    ///
    /// # Errors
    ///
    /// Returns an error if the system gives no random bytes for its key.
    pub fn new() -> Result<Self, rcgen::Error> {
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, "Authority of a test");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let key = KeyPair::generate()?;
        let pem = params.self_signed(&key)?.pem();
        let issuer = Issuer::new(params, key);
        Ok(Self(Arc::new(Inner { issuer, pem })))
    }

    /// The authority whose certificate and key these are, in PEM.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not PEM, or do not belong together.
    pub fn load(certificate: &str, key: &str) -> Result<Self, rcgen::Error> {
        let issuer = Issuer::from_ca_cert_pem(certificate, KeyPair::from_pem(key)?)?;
        Ok(Self(Arc::new(Inner { issuer, pem: certificate.to_owned() })))
    }

    /// Its key in PEM: for a file that nobody else reads.
    #[must_use]
    pub fn key_pem(&self) -> String {
        self.0.issuer.key().serialize_pem()
    }

    /// Its certificate in PEM.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.0.pem
    }

    /// Issues a certificate of that kind for these names and addresses.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is neither a name nor an address.
    pub fn issue(&self, kind: Certificate, hosts: &[String]) -> Result<CertifiedKey, rcgen::Error> {
        let hosts = if kind == Certificate::WrongHost { vec!["other.example".to_owned()] } else { hosts.to_vec() };
        let mut params = CertificateParams::new(hosts)?;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        if kind == Certificate::Expired {
            (params.not_before, params.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
        }
        let key = KeyPair::generate()?;
        let certificate = match kind {
            Certificate::SelfSigned => params.self_signed(&key)?,
            _ => params.signed_by(&key, &self.0.issuer)?,
        };
        Ok((certificate.der().clone(), PrivatePkcs8KeyDer::from(key.serialize_der()).into()))
    }
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

/// An address as the host of a URL.
pub(super) fn host_of(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}
