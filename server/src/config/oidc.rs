//! The identity provider of `[oidc]`.

use std::path::Path;

use secrecy::zeroize::Zeroizing;

use super::sections::OidcSection;
use super::{ConfigError, SecretText};
use crate::egress::{EgressSettings, Timeouts};

/// An identity provider that people may sign in with.
#[derive(Debug, Clone)]
pub struct Oidc {
    /// Its issuer, exactly as it names itself.
    pub issuer: String,
    /// The id that it gave this server.
    pub client_id: String,
    /// The secret that it gave this server; `None` for a public client.
    pub client_secret: Option<SecretText>,
    /// Its name for people.
    pub name: String,
    /// Links an identity to the account of its verified address when it comes for the first time.
    pub link_verified_email: bool,
    /// Domains of addresses that may sign in, in lower case; empty for all.
    pub allowed_email_domains: Vec<String>,
    /// The way to it.
    pub egress: EgressSettings,
}

/// The provider, where one is stated.
pub(super) fn oidc(stated: OidcSection) -> Result<Option<Oidc>, ConfigError> {
    if stated.issuer.is_empty() {
        return Ok(None);
    }
    if stated.client_id.is_empty() {
        return Err(ConfigError::invalid("oidc.client_id", "it is needed where `oidc.issuer` is set"));
    }
    let secret = Some(stated.client_secret).filter(|secret| !secret.expose().is_empty());
    let client_secret = match (secret, stated.client_secret_file) {
        (Some(_), Some(_)) => {
            let message = "`oidc.client_secret` is set, too: only one of them can be the secret";
            return Err(ConfigError::invalid("oidc.client_secret_file", message));
        }
        (secret, None) => secret,
        (None, Some(path)) => Some(read(&path)?),
    };
    let egress = EgressSettings {
        inside_names: !stated.allow_targets.is_empty(),
        allow_targets: stated.allow_targets,
        extra_ca: stated.extra_ca,
        timeouts: Timeouts::OF_A_PAGE,
        ..EgressSettings::default()
    };
    Ok(Some(Oidc {
        issuer: stated.issuer,
        client_id: stated.client_id,
        client_secret,
        name: stated.name,
        link_verified_email: stated.link_verified_email,
        allowed_email_domains: stated.allowed_email_domains,
        egress,
    }))
}

fn read(path: &Path) -> Result<SecretText, ConfigError> {
    const SETTING: &str = "oidc.client_secret_file";
    let text = std::fs::read_to_string(path)
        .map(Zeroizing::new)
        .map_err(|error| ConfigError::invalid(SETTING, format!("cannot read {}: {error}", path.display())))?;
    match text.trim() {
        "" => Err(ConfigError::invalid(SETTING, format!("{} is empty", path.display()))),
        secret => Ok(secret.to_owned().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated() -> OidcSection {
        OidcSection {
            issuer: "https://id.example.com".to_owned(),
            client_id: "l10n".to_owned(),
            client_secret: SecretText::default(),
            client_secret_file: None,
            name: "Example".to_owned(),
            link_verified_email: false,
            allowed_email_domains: Vec::new(),
            allow_targets: Vec::new(),
            extra_ca: None,
        }
    }

    #[test]
    fn a_secret_comes_from_one_place_and_is_not_shown() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "hunter2\n").unwrap();
        let with = |secret: &str, file: Option<&Path>| {
            let client_secret = SecretText::from(secret.to_owned());
            oidc(OidcSection { client_secret, client_secret_file: file.map(Path::to_owned), ..stated() })
        };
        let secret = |found: Option<Oidc>| found.unwrap().client_secret.map(|secret| secret.expose().to_owned());
        assert_eq!(secret(with("", None).unwrap()), None);
        assert_eq!(secret(with("abc", None).unwrap()).as_deref(), Some("abc"));
        assert_eq!(secret(with("", Some(file.path())).unwrap()).as_deref(), Some("hunter2"));
        assert!(!format!("{:?}", with("", Some(file.path())).unwrap()).contains("hunter2"));
        assert!(with("abc", Some(file.path())).unwrap_err().to_string().contains("only one of them"));
        assert!(with("", Some(Path::new("/nowhere"))).unwrap_err().to_string().contains("cannot read"));
        let without = OidcSection { client_id: String::new(), ..stated() };
        assert!(oidc(without).unwrap_err().to_string().contains("oidc.client_id"));
        assert!(oidc(OidcSection { issuer: String::new(), ..stated() }).unwrap().is_none());
    }

    #[test]
    fn names_of_inside_are_for_operators_who_allow_targets() {
        assert!(!oidc(stated()).unwrap().unwrap().egress.inside_names);
        let allowed = OidcSection { allow_targets: vec!["10.0.0.0/8".parse().unwrap()], ..stated() };
        assert!(oidc(allowed).unwrap().unwrap().egress.inside_names);
    }
}
