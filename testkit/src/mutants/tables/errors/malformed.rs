//! Requests that cannot be read or hold what cannot be stored.

use http::Method;
use serde_json::{Value, json};

use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "status_422" breaks "ERR-400-1": "a body of the wrong types is 422",
        |request, answer, _| if answer.status == 400 && !request.json().is_null() { answer.status = 422; };
    request "array_for_object" breaks "ERR-400-1": "an array in the order of the fields is taken for the object",
        |request, _| {
            let body = request.json();
            if body.is_array() {
                request.set_json(&json!({ "url": body[0], "events": body[1] }));
            }
        };
    request "trailing_bytes_ignored" breaks "ERR-400-1": "what follows the JSON value is not looked at",
        |request, _| {
            let mut values = serde_json::Deserializer::from_slice(&request.body).into_iter::<Value>();
            if let Some(Ok(first)) = values.next()
                && values.next().is_some()
            {
                request.set_json(&first);
            }
        };
    both "partial_patch" breaks "ERR-400-2": "PATCH of a webhook writes the good fields before it refuses the bad one",
        |request, _| {
            let body = request.json();
            if request.is(&Method::PATCH, "/webhooks/*")
                && body["enabled"].is_boolean()
                && !body["events"].is_null()
            {
                request.set_json(&json!({ "enabled": body["enabled"] }));
                request.query = "refused".to_owned();
            }
        },
        |request, answer, _| if request.query == "refused" && answer.ok() {
            *answer = ApiAnswer::error(400, "invalid_argument");
        };
    both "partial_translate" breaks "ERR-400-2": "POST /translate registers the keys before the one that it refuses",
        |request, _| {
            let mut body = request.json();
            let bad = |key: &Value| !key["text"].is_string() && key["plural"].is_null();
            // Other checks send what is no object.
            let keys = body.get_mut("keys").and_then(Value::as_array_mut);
            let Some(keys) = keys.filter(|keys| keys.iter().any(bad)) else { return };
            keys.retain(|key| !bad(key));
            if !keys.is_empty() && request.under("/translate") {
                request.set_json(&body);
                request.headers.insert("x-planted", http::HeaderValue::from_static("refused"));
            }
        },
        |request, answer, _| if request.headers.contains_key("x-planted") && answer.ok() {
            *answer = ApiAnswer::error(400, "invalid_argument");
        };
    instead "nul_is_internal" breaks "ERR-400-3": "NUL in a string reaches the database, which refuses it",
        |request, _| {
            let nul = String::from_utf8_lossy(&request.body).contains("\\u0000");
            nul.then(|| ApiAnswer::error(500, "internal"))
        };
    instead "nul_in_a_path_is_internal" breaks "ERR-400-3":
        "an id with NUL in it reaches the database, which refuses it",
        |request, _| request.path.contains("%00").then(|| ApiAnswer::error(500, "internal"));
    request "lone_surrogate_replaced" breaks "ERR-400-3": "half a surrogate pair is replaced and stored",
        |request, _| {
            let text = String::from_utf8_lossy(&request.body).into_owned();
            if text.contains("\\ud800") {
                request.body = text.replace("\\ud800", "\\ufffd").into();
            }
        };
};
