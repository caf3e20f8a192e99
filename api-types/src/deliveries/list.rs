//! `GET /projects/{projectId}/webhooks/{webhookId}/deliveries` (§4): the last 50 deliveries, newest first.

use serde::{Deserialize, Serialize};

use super::Delivery;
use crate::webhooks::WebhookPath;
use crate::{Access, Endpoint, Method, NoBody, NoQuery, Scope};

/// Lists the last 50 deliveries to a webhook, newest first (§8).
#[derive(Debug)]
pub enum List {}

/// The delivery log of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Deliveries {
    /// The deliveries, newest first.
    pub deliveries: Vec<Delivery>,
}

impl Endpoint for List {
    const NAME: &'static str = "deliveries::list";
    const OPERATION_ID: &'static str = "listDeliveries";
    const EXAMPLE: &'static str = include_str!("list.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/webhooks/{webhookId}/deliveries";
    const SUMMARY: &'static str = "List the last deliveries to a webhook";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);

    type Path = WebhookPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Deliveries;
}
