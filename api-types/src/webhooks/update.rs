//! `PATCH /projects/{projectId}/webhooks/{webhookId}` (§4): change address, events or the enabled state.

use serde::{Deserialize, Deserializer, Serialize};

use super::{Webhook, WebhookPath};
use crate::events::EventType;
use crate::{Access, BodyKind, Endpoint, Method, NoQuery, Scope};

/// Changes the given fields, all or none. The secret stays.
#[derive(Debug)]
pub enum Update {}

/// Body of [`Update`]: at least one of the three.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WebhookChanges))]
#[serde(rename_all = "camelCase")]
pub struct UpdateBody {
    /// The new address, judged as at registration. Attempts still to come go there.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_length = 2048))]
    pub url: Option<String>,
    /// The new events: at least one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, min_items = 1))]
    pub events: Option<Vec<EventType>>,
    /// `false` stops deliveries, planned retries included; `true` resumes them and clears the count of failures.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub enabled: Option<bool>,
}

/// Reads a field that may be left out but must not be `null`.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Endpoint for Update {
    const NAME: &'static str = "webhooks::update";
    const OPERATION_ID: &'static str = "updateWebhook";
    const EXAMPLE: &'static str = include_str!("update.example.json");
    const METHOD: Method = Method::Patch;
    const PATH: &'static str = "/projects/{projectId}/webhooks/{webhookId}";
    const SUMMARY: &'static str = "Change a webhook";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);
    const BODY: BodyKind = BodyKind::Required;
    // It sets values.
    const IDEMPOTENT: bool = true;

    type Path = WebhookPath;
    type Query = NoQuery;
    type Body = UpdateBody;
    type Response = Webhook;
}
