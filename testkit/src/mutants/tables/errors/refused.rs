//! Requests that may not be made, or not so.

use http::Method;

use super::plain;
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "forbidden_for_401" breaks "ERR-401-1": "401 has the code forbidden",
        |_, answer, _| if answer.status == 401 { answer.edit(|body| body["error"] = "forbidden".into()); };
    answer "unknown_key_403" breaks "ERR-401-1": "a key that is not known is 403",
        |request, answer, _| if answer.status == 401 && request.key().is_some() {
            *answer = ApiAnswer::error(403, "forbidden");
        };
    answer "unauthorized_for_403" breaks "ERR-403-1": "403 has the code unauthorized",
        |_, answer, _| if answer.status == 403 { answer.edit(|body| body["error"] = "unauthorized".into()); };
    request "delete_credential" breaks "ERR-405-1": "any method of the credential reads it",
        |request, _| if request.under("/credential") { request.method = Method::GET; };
    answer "conflict_for_webhook_limit" breaks "ERR-409-1": "the sixth webhook is 409 conflict",
        |request, answer, _| if answer.status == 409 && request.is(&Method::POST, "/webhooks") {
            answer.edit(|body| body["error"] = "conflict".into());
        };
    answer "conflict_for_delivery_in_flight" breaks "ERR-409-1": "a resend of an attempt in flight is 409 conflict",
        |request, answer, _| if answer.status == 409 && request.under("/webhooks/*/deliveries/*/resend") {
            answer.edit(|body| body["error"] = "conflict".into());
        };
    answer "media_type_415" breaks "ERR-415-1": "another media type is 415, in plain text",
        |request, answer, _| {
            let json = request.headers.get("content-type").is_none_or(|value| value == "application/json");
            if !json {
                plain(answer, 415, "Expected request with `Content-Type: application/json`");
            }
        };
};
