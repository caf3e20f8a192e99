//! Every secret that the run knows, so that none reaches a report.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::cx::Exchange;
use crate::profile::{Profile, Project};

/// Secrets and what stands for them in reports.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Mutex<Vec<(String, String)>>);

impl Secrets {
    pub(crate) fn of(profile: &Profile) -> Self {
        let mut known = Vec::new();
        for project in projects(profile) {
            for (identity, key) in &project.keys {
                known.push((key.expose().to_owned(), format!("‹{identity} key of {}›", project.id)));
            }
        }
        Self(Mutex::new(known))
    }

    /// Learns the webhook secret that an answer gives.
    pub(crate) fn learn(&self, exchange: &Exchange) {
        let Ok(body) = serde_json::from_slice::<Value>(&exchange.body) else { return };
        let Some(secret) = body["secret"].as_str().filter(|secret| secret.len() > 8) else { return };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("‹webhook secret {}›", known.len());
        known.push((secret.to_owned(), name));
    }

    /// A text without secrets.
    pub(crate) fn redact(&self, text: &str) -> String {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().fold(text.to_owned(), |text, (secret, name)| text.replace(secret.as_str(), name))
    }

    /// The API keys, with what stands for them.
    pub(crate) fn keys(&self) -> Vec<(String, String)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().filter(|(_, name)| name.contains(" key of ")).cloned().collect()
    }
}

/// Every project of a profile.
pub(crate) fn projects(profile: &Profile) -> impl Iterator<Item = &Project> {
    let single = [&profile.other, &profile.no_credits, &profile.at_cap, &profile.at_plan_limit, &profile.sibling];
    profile.lanes.iter().chain(&profile.scratch).chain(&profile.burn).chain(single.into_iter().flatten())
}

/// A number by which checks are shuffled, another at each run.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the suite shuffles by itself")]
pub fn seed() -> u64 {
    use rand::RngExt as _;
    rand::rng().random_range(0..1_000_000)
}

/// A name for a run: short, and another at each.
pub(crate) fn run_id() -> String {
    crate::names::fresh(10)
}
