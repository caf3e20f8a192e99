//! The record of what went over the wire: deliveries for the reports, and with `--trace` everything in a file.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::clock::system_now;
use super::secrets::Secrets;
use crate::receiver::Delivery;
use crate::wire::{Exchange, WireEvent};

/// The longest body in a trace, in bytes.
const LONGEST: usize = 64 * 1024;

/// The requests and deliveries of a run.
#[derive(Debug)]
pub(crate) struct WireLog {
    secrets: Arc<Secrets>,
    trace: Option<Mutex<File>>,
    deliveries: Mutex<Vec<Delivery>>,
}

impl WireLog {
    /// With a file of the run's name in this folder, where there is one.
    pub(crate) fn new(run_id: &str, folder: Option<&Path>, secrets: Arc<Secrets>) -> io::Result<Self> {
        let open = |folder: &Path| {
            fs::create_dir_all(folder)?;
            File::create(folder.join(format!("{run_id}.jsonl"))).map(Mutex::new)
        };
        Ok(Self { secrets, trace: folder.map(open).transpose()?, deliveries: Mutex::default() })
    }

    /// A request of the suite, with its answer or without.
    pub(crate) fn sent(&self, event: WireEvent<'_>) {
        match event {
            WireEvent::Answered(exchange) => {
                // A secret that it gives is one from here on.
                self.secrets.learn(exchange);
                self.note(|| self.answered(exchange));
            }
            WireEvent::Failed(request, error) => self.note(|| {
                json!({
                    "direction": "request", "at": now(), "method": request.method.as_str(),
                    "url": self.secrets.redact(&request.url), "requestHeaders": self.headers(&request.headers),
                    "requestBody": self.body(&request.body), "error": self.secrets.redact(error),
                })
            }),
        }
    }

    /// A delivery of the deployment.
    pub(crate) fn arrived(&self, delivery: &Delivery) {
        self.deliveries.lock().unwrap_or_else(PoisonError::into_inner).push(delivery.clone());
        self.note(|| {
            json!({
                "direction": "delivery", "at": now(), "connection": delivery.connection,
                "method": delivery.method.as_str(), "url": self.secrets.redact(&delivery.uri.to_string()),
                "headers": self.headers(&delivery.headers), "body": self.body(&delivery.body),
            })
        });
    }

    /// The deliveries to paths with this beginning, in their order.
    pub(crate) fn deliveries_below(&self, path: &str) -> Vec<Delivery> {
        let all = self.deliveries.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|one| one.uri.path().starts_with(path)).cloned().collect()
    }

    fn answered(&self, exchange: &Exchange) -> Value {
        let request = &exchange.request;
        json!({
            "direction": "request", "at": now(), "method": request.method.as_str(),
            "url": self.secrets.redact(&request.url), "requestHeaders": self.headers(&request.headers),
            "requestBody": self.body(&request.body), "status": exchange.status,
            "responseHeaders": self.headers(&exchange.headers), "responseBody": self.body(&exchange.body),
            "tookMs": u64::try_from(exchange.took.as_millis()).unwrap_or(u64::MAX),
        })
    }

    fn headers(&self, headers: &http::HeaderMap) -> Vec<(String, String)> {
        let text = |value: &http::HeaderValue| self.secrets.redact(&String::from_utf8_lossy(value.as_bytes()));
        headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
    }

    fn body(&self, bytes: &[u8]) -> String {
        let shown = self.secrets.redact(&String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]));
        if bytes.len() > LONGEST { format!("{shown}… ({} bytes in all)", bytes.len()) } else { shown }
    }

    fn note(&self, line: impl FnOnce() -> Value) {
        let Some(file) = &self.trace else { return };
        let line = format!("{}\n", line());
        // A full disk is no fault of the deployment, and the reports do without the trace.
        let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    }
}

fn now() -> String {
    Timestamp::from_millisecond(system_now()).unwrap_or_default().to_string()
}
