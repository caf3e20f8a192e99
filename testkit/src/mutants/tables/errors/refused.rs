//! Requests that may not be made, or not so.

use http::Method;

use super::plain;
use crate::mutants::{ApiAnswer, Mutant, Plant};

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "forbidden_for_401",
        breaks: "ERR-401-1",
        says: "401 has the code forbidden",
        killed_by: &["ERR-401-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 401 {
                answer.edit(|body| body["error"] = "forbidden".into());
            }
        }),
    },
    Mutant {
        id: "unknown_key_403",
        breaks: "ERR-401-1",
        says: "a key that is not known is 403",
        killed_by: &["ERR-401-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 401 && request.key().is_some() {
                *answer = ApiAnswer::error(403, "forbidden");
            }
        }),
    },
    Mutant {
        id: "unauthorized_for_403",
        breaks: "ERR-403-1",
        says: "403 has the code unauthorized",
        killed_by: &["ERR-403-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 403 {
                answer.edit(|body| body["error"] = "unauthorized".into());
            }
        }),
    },
    Mutant {
        id: "delete_credential",
        breaks: "ERR-405-1",
        says: "any method of the credential reads it",
        killed_by: &["ERR-405-1"],
        plant: Plant::Request(|request, _| {
            if request.under("/credential") {
                request.method = Method::GET;
            }
        }),
    },
    Mutant {
        id: "conflict_for_webhook_limit",
        breaks: "ERR-409-1",
        says: "the sixth webhook is 409 conflict",
        killed_by: &["ERR-409-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 409 && request.is(&Method::POST, "/webhooks") {
                answer.edit(|body| body["error"] = "conflict".into());
            }
        }),
    },
    Mutant {
        id: "conflict_for_delivery_in_flight",
        breaks: "ERR-409-1",
        says: "a resend of an attempt in flight is 409 conflict",
        killed_by: &["ERR-409-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 409 && request.under("/webhooks/*/deliveries/*/resend") {
                answer.edit(|body| body["error"] = "conflict".into());
            }
        }),
    },
    Mutant {
        id: "media_type_415",
        breaks: "ERR-415-1",
        says: "another media type is 415, in plain text",
        killed_by: &["ERR-415-1"],
        plant: Plant::Answer(|request, answer, _| {
            let json = request.headers.get("content-type").is_none_or(|value| value == "application/json");
            if !json {
                plain(answer, 415, "Expected request with `Content-Type: application/json`");
            }
        }),
    },
];
