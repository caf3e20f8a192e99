//! The certificate authority in a development server's folder, and a certificate for this listener.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::error::Failure;
use crate::exit::ExitStatus;

/// The data folder of `l10n-server dev`.
const FOLDER: &str = "l10n-data";

/// The authority's certificate in that folder, which the server trusts.
const CERTIFICATE: &str = "dev-ca.pem";

/// Its key, readable only by the owner.
const KEY: &str = "dev-ca.key";

/// No certificate is available.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AuthorityError {
    #[error("{path} could not be read: {source}", path = .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} could not be written: {source}", path = .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{path} could not be used: {source}", path = .path.display())]
    Unusable { path: PathBuf, source: rcgen::Error },
}

impl Failure for AuthorityError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "certificates"
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Read { .. } => "name the data folder of the development server with --ca-dir".into(),
            Self::Write { .. } => "name a writable folder with --ca-dir".into(),
            Self::Unusable { .. } => {
                "remove dev-ca.pem and dev-ca.key there and restart `l10n-server dev`, which makes new ones".into()
            }
        })
    }
}

/// An authority that a development server trusts.
pub(crate) struct Authority {
    certificate: PathBuf,
    issuer: Issuer<'static, KeyPair>,
    /// True if it was made just now, so that no server knows it yet.
    pub(crate) is_new: bool,
}

impl Authority {
    /// Opens the authority of `folder`, or makes one. Without a folder, uses `l10n-data` here or in a parent folder.
    pub(crate) fn open(here: &Path, folder: Option<&Path>) -> Result<Self, AuthorityError> {
        let folder = folder.map_or_else(|| find(here), |folder| here.join(folder));
        let (certificate, key) = (folder.join(CERTIFICATE), folder.join(KEY));
        let is_new = !certificate.exists();
        if is_new {
            make(&folder, &certificate, &key)?;
        }
        let unusable = |path: &Path| {
            let path = path.to_owned();
            move |source| AuthorityError::Unusable { path, source }
        };
        let pair = KeyPair::from_pem(&read(&key)?).map_err(unusable(&key))?;
        let issuer = Issuer::from_ca_cert_pem(&read(&certificate)?, pair).map_err(unusable(&certificate))?;
        Ok(Self { certificate, issuer, is_new })
    }

    /// The file with its certificate, which a server can trust.
    pub(crate) fn certificate(&self) -> &Path {
        &self.certificate
    }

    /// A certificate for these names and addresses, with its key.
    pub(crate) fn issue(
        &self,
        hosts: Vec<String>,
    ) -> Result<(CertificateDer<'static>, PrivateKeyDer<'static>), AuthorityError> {
        let issued = || {
            let mut params = CertificateParams::new(hosts)?;
            params.distinguished_name = DistinguishedName::new();
            params.distinguished_name.push(DnType::CommonName, "l10n webhooks listen");
            params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
            let key = KeyPair::generate()?;
            let certificate = params.signed_by(&key, &self.issuer)?;
            Ok((certificate.der().clone(), PrivatePkcs8KeyDer::from(key.serialize_der()).into()))
        };
        issued().map_err(|source| AuthorityError::Unusable { path: self.certificate.clone(), source })
    }
}

/// The nearest `l10n-data` with an authority, here or in a parent folder; here if there is none.
pub(crate) fn find(here: &Path) -> PathBuf {
    let found = here.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.join(CERTIFICATE).exists());
    found.unwrap_or_else(|| here.join(FOLDER))
}

/// The authority's certificate in `folder` as text, if there is one.
pub(crate) fn certificate_of(folder: &Path) -> Option<Vec<u8>> {
    fs::read(folder.join(CERTIFICATE)).ok()
}

fn read(path: &Path) -> Result<String, AuthorityError> {
    fs::read_to_string(path).map_err(|source| AuthorityError::Read { path: path.to_owned(), source })
}

/// Makes an authority like the server does: it may sign for receivers, not for other authorities.
fn make(folder: &Path, certificate: &Path, key: &Path) -> Result<(), AuthorityError> {
    let made = || {
        let pair = KeyPair::generate()?;
        let mut params = CertificateParams::default();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "l10n development");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let signed = params.self_signed(&pair)?;
        Ok((pair.serialize_pem(), signed.pem()))
    };
    let (pair, signed) = made().map_err(|source| AuthorityError::Unusable { path: certificate.to_owned(), source })?;
    let is_new = !folder.exists();
    let write = |path: &Path, text: &str, secret| {
        keep(path, text, secret).map_err(|source| AuthorityError::Write { path: path.to_owned(), source })
    };
    fs::create_dir_all(folder).map_err(|source| AuthorityError::Write { path: folder.to_owned(), source })?;
    if is_new {
        // The folder may be in an app's repository, where a key must not be committed.
        write(&folder.join(".gitignore"), "*\n", false)?;
    }
    // The certificate is written last: if it exists, so does its key.
    write(key, &pair, true)?;
    write(certificate, &signed, false)
}

/// Writes a file completely or not at all; a secret one readable only by its owner.
fn keep(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(file.path(), text)?;
    #[cfg(unix)]
    if !secret {
        file.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = secret;
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_made_once_and_found_from_below() {
        let folder = tempfile::tempdir().unwrap();
        let first = Authority::open(folder.path(), None).unwrap();
        assert!(first.is_new && first.certificate().ends_with("l10n-data/dev-ca.pem"));
        let below = folder.path().join("app/src");
        fs::create_dir_all(&below).unwrap();
        let second = Authority::open(&below, None).unwrap();
        assert!(!second.is_new);
        assert_eq!(second.certificate(), first.certificate());
        assert_eq!(fs::read_to_string(folder.path().join("l10n-data/.gitignore")).unwrap(), "*\n");
        second.issue(vec!["127.0.0.1".into(), "localhost".into()]).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn its_key_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        Authority::open(folder.path(), Some("keys".as_ref())).unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join("keys").join(name)).unwrap().permissions().mode();
        assert_eq!([mode("dev-ca.key") & 0o777, mode("dev-ca.pem") & 0o777], [0o600, 0o644]);
    }

    #[test]
    fn what_is_no_authority_is_told_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        Authority::open(folder.path(), Some("".as_ref())).unwrap();
        fs::write(folder.path().join("dev-ca.pem"), "no certificate").unwrap();
        let error = Authority::open(folder.path(), Some("".as_ref())).err().unwrap();
        assert!(error.to_string().contains("dev-ca.pem could not be used"), "{error}");
        fs::remove_file(folder.path().join("dev-ca.key")).unwrap();
        let error = Authority::open(folder.path(), Some("".as_ref())).err().unwrap();
        assert!(error.to_string().contains("dev-ca.key could not be read"), "{error}");
    }
}
