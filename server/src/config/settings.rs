//! Settings as the rules and the HTTP layer use them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::load::defaults;
use super::oidc::Oidc;
use super::sections::{Delivery, Http, Limits, Pricing, Retention, WebhooksSection};
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
