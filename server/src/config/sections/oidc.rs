//! The section `[oidc]`.

use confique::Config;
use ipnet::IpNet;

use super::OptionalPath;
use crate::config::SecretText;
use crate::config::values::{domains, issuer, networks, optional_path};

/// Sign-in to the dashboard with an identity provider (OpenID Connect). The provider's redirect URI is the origin of
/// `base_url` with /dashboard/oidc/callback.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(crate) struct OidcSection {
    /// Issuer of the identity provider, exactly as it names itself, such as "https://id.example.com". Empty: none.
    #[config(default = "", deserialize_with = issuer)]
    pub(crate) issuer: String,
    /// Client id that the identity provider gave this server.
    #[config(default = "")]
    pub(crate) client_id: String,
    /// Client secret that the identity provider gave this server. Empty: a public client, which proves itself by PKCE
    /// alone. Prefer the environment (L10N_SERVER_OIDC_CLIENT_SECRET) or a file.
    #[config(default = "")]
    pub(crate) client_secret: SecretText,
    /// File with the client secret.
    #[config(default = "", deserialize_with = optional_path)]
    pub(crate) client_secret_file: OptionalPath,
    /// Name of the identity provider, as in "Sign in with Example".
    #[config(default = "single sign-on")]
    pub(crate) name: String,
    /// Signs a person in to the account of their address when they come for the first time, if the provider says that it
    /// has verified the address. Otherwise people link the provider in their account. Anyone who can have the provider
    /// verify an address gets its account: state true only for a provider of your own organisation.
    #[config(default = false)]
    pub(crate) link_verified_email: bool,
    /// Domains of addresses that may sign in with the provider, such as ["example.com"]; the provider must have verified
    /// the address. Empty: every address.
    #[config(default = [], deserialize_with = domains)]
    pub(crate) allowed_email_domains: Vec<String>,
    /// Networks or addresses that the provider may be reached at although they are not public, such as ["10.1.0.0/16"].
    /// Only these make names such as sso.internal reachable.
    #[config(default = [], deserialize_with = networks)]
    pub(crate) allow_targets: Vec<IpNet>,
    /// PEM file of certificates that are trusted beside this machine's when the provider is asked. Empty: none.
    #[config(default = "", deserialize_with = optional_path)]
    pub(crate) extra_ca: OptionalPath,
}
