//! `POST /projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend` (§4): one more attempt.

use serde::{Deserialize, Serialize};

use super::Delivery;
use crate::{Access, DeliveryId, Endpoint, ErrorCode, Method, NoBody, NoQuery, ProjectId, Scope, WebhookId};

/// Sends a delivery once more, whatever its status: the same event, byte for byte, freshly signed. Its planned retries
/// stay as they are.
#[derive(Debug)]
pub enum Resend {}

/// Path of a route that belongs to a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryPath {
    /// The project, by its id.
    pub project_id: ProjectId,
    /// The webhook, by its id.
    pub webhook_id: WebhookId,
    /// The delivery, by its id.
    pub delivery_id: DeliveryId,
}

impl Endpoint for Resend {
    const NAME: &'static str = "deliveries::resend";
    const OPERATION_ID: &'static str = "resendDelivery";
    const EXAMPLE: &'static str = include_str!("resend.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend";
    const SUMMARY: &'static str = "Send a delivery again";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[202];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::DeliveryInFlight];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);

    type Path = DeliveryPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Delivery;
}
