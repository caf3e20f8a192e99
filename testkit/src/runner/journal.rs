//! What the run makes in the deployment, so that it can be removed, whatever happens.

use std::io;

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Options;
use crate::cx::Exchange;

/// Something that was made and is to be deleted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Journaled {
    /// The URL to `DELETE`.
    pub(crate) url: String,
}

impl Journaled {
    /// What an exchange made: a webhook that was created.
    pub(crate) fn of(exchange: &Exchange) -> Option<Self> {
        let request = &exchange.request;
        let url = request.url.split('?').next().unwrap_or_default();
        if request.method != Method::POST || !url.ends_with("/webhooks") || !(200..300).contains(&exchange.status) {
            return None;
        }
        let body: Value = serde_json::from_slice(&exchange.body).ok()?;
        let id = body["webhookId"].as_str()?;
        Some(Self { url: format!("{url}/{id}") })
    }
}

/// The record of it.
#[derive(Debug)]
pub(crate) struct Journal;

impl Journal {
    pub(crate) fn begin(_run_id: &str, _options: &Options) -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) fn made(&self, _made: &Journaled) {}

    pub(crate) fn removed(&self, _made: &Journaled) {}
}
