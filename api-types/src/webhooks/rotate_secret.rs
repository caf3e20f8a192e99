//! `POST /projects/{projectId}/webhooks/{webhookId}/rotate-secret` (§4): replaces the secret.

use serde::{Deserialize, Serialize};

use super::WebhookPath;
use crate::{Access, Endpoint, Method, NoBody, NoQuery, Scope, Timestamp, WebhookId};

/// Replaces the secret. For 24 hours each delivery is signed with both the new and the previous secret (§6.9); a second
/// rotation within that time drops the oldest of the three at once.
#[derive(Debug)]
pub enum RotateSecret {}

/// The new secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RotatedSecret))]
#[serde(rename_all = "camelCase")]
pub struct Rotated {
    /// The webhook.
    pub webhook_id: WebhookId,
    /// The new secret, `whsec_…`. Keep it: it is not shown again.
    pub secret: String,
    /// End of the time in which deliveries are also signed with the previous secret.
    pub previous_secret_expires_at: Timestamp,
}

impl std::fmt::Debug for Rotated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rotated")
            .field("webhook_id", &self.webhook_id)
            .field("previous_secret_expires_at", &self.previous_secret_expires_at)
            .finish_non_exhaustive()
    }
}

impl Endpoint for RotateSecret {
    const NAME: &'static str = "webhooks::rotate_secret";
    const OPERATION_ID: &'static str = "rotateWebhookSecret";
    const EXAMPLE: &'static str = include_str!("rotate_secret.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/webhooks/{webhookId}/rotate-secret";
    const SUMMARY: &'static str = "Replace a webhook's secret";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);
    const MAKES_SECRET: bool = true;

    type Path = WebhookPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Rotated;
}
