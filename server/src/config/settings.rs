//! Settings as the rules and the HTTP layer use them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::load::defaults;
use super::oidc::Oidc;
use super::pricing::Pricing;
use super::sections::{Delivery, Http, Limits, Mcp, Retention, WebhooksSection};
use crate::egress::EgressSettings;
use crate::vault::MasterKey;

/// Settings that hold while the server runs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// URL under which clients reach the API, ending in `/v1`, without a slash at the end.
    pub base_url: String,
    /// Prices.
    pub pricing: Pricing,
    /// Limits.
    pub limits: Limits,
    /// Connections of clients.
    pub http: Http,
    /// Delivery of published files.
    pub delivery: Delivery,
    /// Tools for AI agents.
    pub mcp: Mcp,
    /// Deliveries to webhooks.
    pub webhooks: Webhooks,
    /// Retention of records.
    pub retention: Retention,
    /// The identity provider that people may sign in with.
    pub oidc: Option<Oidc>,
    /// Keys that seal secrets at rest: the first seals, all of them open. Without one nothing can be sealed.
    pub master_keys: Vec<MasterKey>,
    /// Plans by name.
    pub plans: BTreeMap<String, Plan>,
}

/// Settings of deliveries to webhooks.
#[derive(Debug, Clone)]
pub struct Webhooks {
    /// The targets that they may reach, and the certificates that they trust.
    pub egress: EgressSettings,
    /// Simultaneous attempts at one webhook.
    pub slots_per_webhook: u32,
    /// Simultaneous attempts at one host, whoever owns the webhooks.
    pub slots_per_host: u32,
    /// Simultaneous attempts of a server process.
    pub slots: u32,
    /// Webhooks of a project up to which people make more.
    pub most_per_project: u32,
}

/// Limits of a project. `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Active keys of a project.
    pub keys: Option<u64>,
    /// Languages of a project, the base language included.
    pub languages: Option<u64>,
    /// Documents of a project.
    pub documents: Option<u64>,
}

impl Settings {
    /// Scheme, host and port of the server, as browsers write them in `Origin`.
    pub(crate) fn origin(&self) -> &str {
        let after_scheme = self.base_url.find("://").map_or(0, |at| at + 3);
        let end = self.base_url[after_scheme..].find('/').map_or(self.base_url.len(), |at| after_scheme + at);
        &self.base_url[..end]
    }

    /// URL of the dashboard, without a slash at the end. It lies beside the API.
    #[must_use]
    pub fn dashboard_url(&self) -> String {
        format!("{}/dashboard", self.base_url.strip_suffix("/v1").unwrap_or(&self.base_url))
    }

    /// The plan of that name; an unknown name has no limits.
    #[must_use]
    pub fn plan(&self, name: &str) -> Plan {
        self.plans.get(name).copied().unwrap_or_default()
    }
}

impl Default for Settings {
    fn default() -> Self {
        defaults().settings
    }
}

impl From<WebhooksSection> for Webhooks {
    fn from(section: WebhooksSection) -> Self {
        let WebhooksSection {
            allow_targets,
            deny_targets,
            extra_ca,
            slots_per_webhook,
            slots_per_host,
            slots,
            most_per_project,
        } = section;
        let egress = EgressSettings { allow_targets, deny_targets, extra_ca, ..EgressSettings::default() };
        Self { egress, slots_per_webhook, slots_per_host, slots, most_per_project }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_is_scheme_host_and_port() {
        for (base_url, expected) in [
            ("https://l10n.example.com/v1", "https://l10n.example.com"),
            ("http://127.0.0.1:8787/v1", "http://127.0.0.1:8787"),
            ("https://example.com/l10n/v1", "https://example.com"),
            ("https://[::1]:1/v1", "https://[::1]:1"),
            ("https://example.com", "https://example.com"),
        ] {
            assert_eq!(Settings { base_url: base_url.to_owned(), ..Settings::default() }.origin(), expected);
        }
    }
}
