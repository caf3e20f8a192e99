//! `POST /projects/{projectId}/webhooks` (§4): register an address for events.

use serde::{Deserialize, Serialize};

use crate::events::EventType;
use crate::{Access, BodyKind, Endpoint, ErrorCode, Method, NoQuery, ProjectPath, Scope, Timestamp, WebhookId};

/// Registers a webhook. A project holds at most five (§8), whether enabled or not.
#[derive(Debug)]
pub enum Create {}

/// Body of [`Create`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = NewWebhook))]
#[serde(rename_all = "camelCase")]
pub struct CreateBody {
    /// An https URL of at most 2,048 bytes, without credentials and fragment, whose host resolves to public addresses
    /// alone.
    #[cfg_attr(feature = "openapi", schema(max_length = 2048))]
    pub url: String,
    /// At least one event; duplicates count once.
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub events: Vec<EventType>,
}

impl CreateBody {
    /// A webhook at this address for these events.
    #[must_use]
    pub fn new(url: impl Into<String>, events: impl Into<Vec<EventType>>) -> Self {
        Self { url: url.into(), events: events.into() }
    }
}

/// A newly registered webhook. Only this answer and that of a rotation show a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CreatedWebhook))]
#[serde(rename_all = "camelCase")]
pub struct Created {
    /// Its id.
    pub webhook_id: WebhookId,
    /// The address, as it was registered.
    pub url: String,
    /// The events that are delivered to it.
    #[serde(deserialize_with = "crate::later_name::many")]
    pub events: Vec<EventType>,
    /// True if events are delivered to it; always true here.
    pub enabled: bool,
    /// The secret, `whsec_…`, whose whole text is the key of every signature. Keep it: it is not shown again.
    pub secret: String,
    /// The time of its registration.
    pub created_at: Timestamp,
}

impl std::fmt::Debug for Created {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Created")
            .field("webhook_id", &self.webhook_id)
            .field("url", &self.url)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

impl Endpoint for Create {
    const NAME: &'static str = "webhooks::create";
    const OPERATION_ID: &'static str = "createWebhook";
    const EXAMPLE: &'static str = include_str!("create.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/webhooks";
    const SUMMARY: &'static str = "Register a webhook";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[201];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::WebhookLimit];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);
    const BODY: BodyKind = BodyKind::Required;
    const MAKES_SECRET: bool = true;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = CreateBody;
    type Response = Created;
}
