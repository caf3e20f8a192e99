//! `DELETE /projects/{projectId}/webhooks/{webhookId}` (§4): deletes a webhook with its log.

use super::WebhookPath;
use crate::{Access, Endpoint, Method, NoBody, NoQuery, Scope};

/// Deletes a webhook and its log. Its planned deliveries stop.
#[derive(Debug)]
pub enum Delete {}

impl Endpoint for Delete {
    const NAME: &'static str = "webhooks::delete";
    const OPERATION_ID: &'static str = "deleteWebhook";
    const METHOD: Method = Method::Delete;
    const PATH: &'static str = "/projects/{projectId}/webhooks/{webhookId}";
    const SUMMARY: &'static str = "Delete a webhook";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[204];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);
    // The second time it is `not_found`, which the client takes for success.
    const IDEMPOTENT: bool = true;

    type Path = WebhookPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = NoBody;
}
