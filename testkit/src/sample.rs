//! Signed sample events, for tests of receivers.
//!
//! ```
//! use l10n_testkit::sample::Event;
//!
//! let event = Event::strings_published();
//! let delivery = event.signed("whsec_of_the_test", 1_795_248_000);
//! // POST delivery.body with delivery.headers to your own handler, and then once more: it must act only once.
//! assert_eq!(delivery.headers["x-service-event-id"], event.id());
//! ```

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::mac::{hex, hmac};
use crate::names::fresh;

/// The webhook that sample events are sent for.
pub const WEBHOOK_ID: &str = "whk_sample";

/// An event as §6 of the specification has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event(Value);

/// A delivery, ready to be posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// `content-type` and the three headers of §6.
    pub headers: HeaderMap,
    /// The bytes that are signed.
    pub body: Bytes,
}

impl Event {
    /// A version was published. Every call makes another event id.
    #[must_use]
    pub fn strings_published() -> Self {
        Self::of(
            "strings.published",
            &json!({
                "versionId": "ver_sample", "label": "Über v7", "keyCount": 128,
                "languages": [{ "code": "en", "isBase": true }, { "code": "de", "isBase": false }],
            }),
        )
    }

    /// Documents were published: so many rows, of 200 at most.
    #[must_use]
    pub fn content_published(rows: usize) -> Self {
        let row = |number: usize| json!({ "docId": format!("doc_{number}"), "action": "published", "versionId": format!("cvr_{number}") });
        let documents: Vec<_> = (0..rows.min(200)).map(row).collect();
        let summary =
            json!({ "docsPublished": rows, "docsHeld": 0, "docsUnchanged": 0, "docsSkipped": 0, "docsTooLarge": 0 });
        let data =
            json!({ "publishId": "pub_sample", "summary": summary, "documents": documents, "truncated": rows > 200 });
        Self::of("content.published", &data)
    }

    /// An event of a kind that no receiver knows yet.
    #[must_use]
    pub fn of_unknown_type() -> Self {
        Self::of("glossary.published", &json!({ "glossaryId": "gls_sample" }))
    }

    fn of(kind: &str, data: &Value) -> Self {
        Self(json!({
            "id": format!("evt_{}", fresh(20)), "type": kind, "schemaVersion": 1, "createdAt": "2026-11-21T08:00:00.000Z",
            "project": { "id": "prj_sample", "handle": "acme", "slug": "app" }, "data": data,
        }))
    }

    /// With one more member, as a later version of the specification may add.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.0[name] = value;
        self
    }

    /// Its id: `evt_…`.
    #[must_use]
    pub fn id(&self) -> &str {
        self.0["id"].as_str().unwrap_or_default()
    }

    /// The bytes of a delivery of it.
    #[must_use]
    pub fn body(&self) -> Bytes {
        self.0.to_string().into()
    }

    /// A delivery of it, signed with the webhook's secret at `t`, in seconds since 1970.
    #[must_use]
    pub fn signed(&self, secret: &str, t: i64) -> Signed {
        self.signed_by_all(&[secret], t)
    }

    /// A delivery of it with a `v1` for each secret, as in the 24 hours after a rotation.
    #[must_use]
    pub fn signed_by_all(&self, secrets: &[&str], t: i64) -> Signed {
        let body = self.body();
        let message = [format!("{t}.").as_bytes(), &body].concat();
        let mut signature = format!("t={t}");
        for secret in secrets {
            signature.push_str(",v1=");
            signature.push_str(&hex(&hmac(secret.as_bytes(), &message)));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("content-type", "application/json"),
            ("x-service-signature", &signature),
            ("x-service-event-id", self.id()),
            ("x-service-webhook-id", WEBHOOK_ID),
        ] {
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
                headers.insert(name, value);
            }
        }
        Signed { headers, body }
    }
}
