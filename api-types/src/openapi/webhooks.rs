//! The requests that the service sends to webhooks (§6): the section `webhooks` of OpenAPI 3.1.

use serde_json::{Value, json};
use utoipa::ToSchema;

use super::schemas::Schemas;
use crate::events::{ContentPublished, Envelope, EventType, StringsPublished};

/// The requests that receivers get, by the name of their event.
pub(super) fn webhooks(schemas: &mut Schemas) -> Value {
    json!({
        EventType::StringsPublished.as_str(): {"post": request::<StringsPublished>(
            schemas,
            "receiveStringsPublished",
            "A version of the project's keys was published or restored",
        )},
        EventType::ContentPublished.as_str(): {"post": request::<ContentPublished>(
            schemas,
            "receiveContentPublished",
            "A publish of documents published at least one, or a document was rolled back",
        )},
    })
}

fn request<D: ToSchema>(schemas: &mut Schemas, operation_id: &str, summary: &str) -> Value
where
    Envelope<D>: ToSchema,
{
    // The envelopes of all events are one generic type with one name.
    schemas.add::<D>();
    let body = schemas.add_as::<Envelope<D>>(format!("{}Event", D::name()));
    json!({
        "operationId": operation_id,
        "tags": ["webhooks"],
        "summary": summary,
        "description": "A POST to every enabled webhook that has subscribed to the event. It is sent at least once: \
            deduplicate on the pair of `X-Service-Webhook-Id` and `X-Service-Event-Id`. Answer 2xx within 10 seconds; \
            anything else, a redirect too, is tried again after 30 s, 2 min, 10 min, 1 h and 6 h. (§6 of the \
            specification)",
        "parameters": [
            header(
                "X-Service-Signature",
                "`t=<unix seconds>,v1=<signature>`: HMAC-SHA256 with the webhook's whole secret as key over `<t>.<body>`, \
                 the body as it was received, in lowercase hex. For 24 hours after a rotation there are two `v1`, one for \
                 each secret. Accept the request when any of them is right and `t` is within 300 seconds of your clock.",
                json!({"type": "string", "pattern": "^t=[0-9]+,v1=[0-9a-f]{64}(,v1=[0-9a-f]{64})?$"}),
            ),
            header(
                "X-Service-Event-Id",
                "The event: `id` of the body. The same at every retry and resend.",
                json!({"$ref": "#/components/schemas/EventId"}),
            ),
            header(
                "X-Service-Webhook-Id",
                "The webhook of the delivery.",
                json!({"$ref": "#/components/schemas/WebhookId"}),
            ),
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": body}}},
        "responses": {
            "2XX": {"description": "The delivery has arrived."},
            "default": {"description": "The attempt failed and is retried as planned."},
        },
        "security": [],
    })
}

fn header(name: &str, description: &str, schema: Value) -> Value {
    json!({"name": name, "in": "header", "required": true, "description": description, "schema": schema})
}
