//! Files that `dev` makes once and keeps in its folder; secret ones are readable only by the owner.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::vault::MasterKey;
use anyhow::{Context as _, Result};
use rcgen::{BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, KeyPair, KeyUsagePurpose};
use secrecy::ExposeSecret as _;

pub(super) const SECRET: u32 = 0o600;
const PUBLIC: u32 = 0o644;

/// The master key of this folder, made when missing.
pub(super) fn master_key(folder: &Path) -> Result<MasterKey> {
    let path = folder.join("master-key");
    if !path.exists() {
        let fresh = MasterKey::generate();
        write(&path, fresh.expose().expose_secret(), SECRET)?;
        return Ok(fresh);
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    MasterKey::parse(&text).with_context(|| format!("{} does not contain a master key", path.display()))
}

/// The certificate authority of this folder, made when missing: it signs for receivers on this machine.
pub(super) fn certificate_authority(folder: &Path) -> Result<PathBuf> {
    let (certificate, key) = (folder.join("dev-ca.pem"), folder.join("dev-ca.key"));
    if certificate.exists() {
        return Ok(certificate);
    }
    let pair = KeyPair::generate().context("cannot make a key")?;
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "l10n development");
    // It may sign for receivers, not for other authorities.
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let signed = params.self_signed(&pair).context("cannot make a certificate")?;
    // The certificate last: where it is, its key is, too.
    write(&key, &pair.serialize_pem(), SECRET)?;
    write(&certificate, &signed.pem(), PUBLIC)?;
    Ok(certificate)
}

/// Writes a file whole or not at all, in place of one that is there. Where files have no mode, the folder's rights hold.
#[cfg_attr(not(unix), expect(unused_variables, reason = "files have no mode there"))]
pub(super) fn write(path: &Path, text: &str, mode: u32) -> Result<()> {
    let new = path.with_extension("new");
    let written = || -> std::io::Result<()> {
        if new.exists() {
            fs::remove_file(&new)?;
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        let mut file = options.open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    written().with_context(|| format!("cannot write {}", path.display()))
}
