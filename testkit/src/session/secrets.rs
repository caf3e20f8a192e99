//! Every secret that the run knows, so that none reaches a report.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::profile::Profile;
use crate::wire::Exchange;

/// Secrets and what stands for them in reports.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Mutex<Vec<(String, String)>>);

impl Secrets {
    pub(crate) fn of(profile: &Profile) -> Self {
        let mut known = Vec::new();
        for project in profile.projects() {
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
