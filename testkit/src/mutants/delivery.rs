//! The delivery that a deviation between the server and the receiver reads and changes.

use std::time::Duration;

use crate::mac::{hex, hmac};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

/// A delivery on its way to the receiver.
#[derive(Debug, Clone)]
pub struct Relayed {
    /// Method.
    pub method: Method,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
    /// The secrets of its webhook, newest first.
    pub secrets: Vec<String>,
    /// The secrets of every webhook that was seen, oldest first.
    pub all_secrets: Vec<String>,
    /// The number of this relay of the event to this webhook, counted from 1.
    pub attempt: usize,
    /// The number of this relay among all deliveries, counted from 1.
    pub number: usize,
}

/// The treatment of a delivery.
#[derive(Debug, Clone, Copy)]
pub enum RelayAction {
    /// It goes on, as it was changed; the receiver's answer goes back.
    Forward,
    /// It goes on twice.
    Duplicate,
    /// It goes on after this time.
    Delay(Duration),
    /// It does not go on, and the server is answered this.
    Drop(u16),
    /// It goes on; where the receiver redirects, its target is asked as well.
    FollowRedirect,
    /// It goes on; the server is told of another status than the receiver's.
    ReportAs(fn(u16) -> u16),
}

impl Relayed {
    /// A header as text; empty where there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Sets a header in place of all of its name.
    pub fn set_header(&mut self, name: &str, value: &str) {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            self.headers.insert(name, value);
        }
    }

    /// The `t` of the signature; 0 where there is none.
    #[must_use]
    pub fn timestamp(&self) -> i64 {
        let first = self.header("x-service-signature").split(',').next().unwrap_or_default();
        first.strip_prefix("t=").and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// Signs `message` anew with `secrets` and writes the header `t=…,v1=…`.
    pub fn sign(&mut self, t: i64, secrets: &[&[u8]], message: &[u8]) {
        let mut value = format!("t={t}");
        for secret in secrets {
            value.push_str(",v1=");
            value.push_str(&hex(&hmac(secret, message)));
        }
        self.set_header("x-service-signature", &value);
    }

    /// The bytes that are signed: `t`, a dot, the body.
    #[must_use]
    pub fn message(&self, t: i64) -> Vec<u8> {
        [format!("{t}.").as_bytes(), &self.body].concat()
    }
}
