//! One operation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use utoipa::IntoParams as _;
use utoipa::openapi::path::ParameterIn;

use super::bounds::{LANGUAGE_PATTERN, LONGEST_LANGUAGE};
use super::examples::{Example, example};
use super::schemas::{CORRELATION_ID_PATTERN, ID_PATTERN, NAME_PATTERN, Schemas};
use crate::{Access, BodyKind, DryRun, Endpoint, ErrorCode, UnknownFields};

/// Errors that any route may answer.
const COMMON: &[ErrorCode] = &[
    ErrorCode::InvalidArgument,
    ErrorCode::NotFound,
    ErrorCode::MethodNotAllowed,
    ErrorCode::PayloadTooLarge,
    ErrorCode::RateLimited,
    ErrorCode::Internal,
    ErrorCode::Unavailable,
];

/// Adds an endpoint to the paths.
pub(super) fn operation<E: Endpoint>(paths: &mut Map<String, Value>, schemas: &mut Schemas) {
    let (resource, _) = E::NAME.split_once("::").unwrap_or((E::NAME, ""));
    let Example { request, status, response } = example::<E>();
    let mut operation = json!({
        "operationId": E::OPERATION_ID,
        "tags": [resource],
        "summary": E::SUMMARY,
        "description": description::<E>(),
        "parameters": parameters::<E>(),
        "responses": responses::<E>(schemas, status.zip(response)),
        "security": security::<E>(),
    });
    if E::BODY != BodyKind::None {
        let schema = schemas.add_request::<E::Body>(E::UNKNOWN_FIELDS == UnknownFields::Refused);
        operation["requestBody"] = json!({
            "required": E::BODY == BodyKind::Required,
            "content": {"application/json": {"schema": schema}},
        });
        if let Some(request) = request {
            operation["requestBody"]["content"]["application/json"]["example"] = request;
        }
    }
    let item = paths.entry(E::PATH.replace("{*", "{")).or_insert_with(|| json!({}));
    item[E::METHOD.as_str().to_ascii_lowercase()] = operation;
}

fn description<E: Endpoint>() -> String {
    let access = match E::ACCESS {
        Access::Public => "Needs no key.".to_owned(),
        Access::AnyKey => "Any key of the project.".to_owned(),
        Access::Scopes(scopes) => {
            let scopes: Vec<_> = scopes.iter().map(|scope| format!("`{scope}`")).collect();
            format!("Scope {}.", scopes.join(" or "))
        }
    };
    let flag = match E::DRY_RUN {
        DryRun::Query => " `?dryRun=true` previews: nothing is written.",
        DryRun::Body => " `\"dryRun\": true` previews: nothing is written.",
        DryRun::Refused => " There is no preview: `dryRun` is 400.",
        DryRun::Unchecked => "",
    };
    let cap = match E::BODY {
        BodyKind::None => String::new(),
        BodyKind::Optional | BodyKind::Required => format!(" Body of at most {} bytes.", E::BODY_CAP),
    };
    let pages = if E::CROSS_ORIGIN { " Pages of any origin may call it (CORS)." } else { "" };
    format!("{access}{flag}{cap}{pages} ({} of the specification)", E::SECTION)
}

fn security<E: Endpoint>() -> Value {
    match E::ACCESS {
        Access::Public => json!([]),
        Access::AnyKey => json!([{"apiKey": []}]),
        // For a scheme that is not OAuth, the list holds roles: any of them opens the route.
        Access::Scopes(scopes) => json!([{"apiKey": scopes}]),
    }
}

fn parameters<E: Endpoint>() -> Vec<Value> {
    let path = E::Path::into_params(|| Some(ParameterIn::Path)).into_iter().map(|parameter| {
        let mut parameter = json!(parameter);
        parameter["in"] = json!("path");
        let pattern = match parameter["name"].as_str() {
            Some("handle" | "slug") => Some(NAME_PATTERN),
            Some("requestId") => Some(CORRELATION_ID_PATTERN),
            Some("path") => None,
            _ => Some(ID_PATTERN),
        };
        parameter["schema"] = match pattern {
            Some(pattern) => json!({"type": "string", "pattern": pattern}),
            None => json!({"type": "string", "minLength": 1}),
        };
        parameter
    });
    let query = E::Query::into_params(|| Some(ParameterIn::Query)).into_iter().map(|parameter| {
        let mut parameter = json!(parameter);
        parameter["in"] = json!("query");
        without_null(&mut parameter["schema"]);
        if parameter["name"] == "language" {
            parameter["schema"]["pattern"] = json!(LANGUAGE_PATTERN);
            parameter["schema"]["maxLength"] = json!(LONGEST_LANGUAGE);
        }
        parameter
    });
    path.chain(query).collect()
}

/// Removes null from the schema of a parameter: a query cannot express null.
fn without_null(schema: &mut Value) {
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            schema["type"] = one.clone();
        }
    }
    if let Some(choices) = schema.get_mut("oneOf").and_then(Value::as_array_mut) {
        choices.retain(|choice| choice["type"] != "null");
        if let [one] = choices.as_slice() {
            *schema = one.clone();
        }
    }
}

/// The responses; `example` is the status and the body of one.
fn responses<E: Endpoint>(schemas: &mut Schemas, example: Option<(u16, Value)>) -> Map<String, Value> {
    let mut responses = Map::new();
    for status in E::SUCCESS {
        let mut response = json!({"description": reason(*status), "headers": headers(*status, &BTreeSet::new())});
        if *status != 304 && *status != 204 {
            let schema = if E::MEDIA_TYPE == "application/json" { schemas.add::<E::Response>() } else { json!({}) };
            response["content"] = json!({E::MEDIA_TYPE: {"schema": schema}});
            if let Some((_, body)) = example.as_ref().filter(|(of, _)| of == status) {
                response["content"][E::MEDIA_TYPE]["example"] = body.clone();
            }
        }
        responses.insert(status.to_string(), response);
    }
    for (status, codes) in errors::<E>() {
        let names: Vec<_> = codes.iter().map(|code| code.as_str()).collect();
        let schema = json!({
            "allOf": [
                {"$ref": "#/components/schemas/ErrorBody"},
                {"properties": {"error": {"enum": names}}},
            ],
        });
        let response = json!({
            "description": names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            "headers": headers(status, &codes),
            "content": {"application/json": {"schema": schema}},
        });
        responses.insert(status.to_string(), response);
    }
    responses
}

fn errors<E: Endpoint>() -> BTreeMap<u16, BTreeSet<&'static ErrorCode>> {
    let by_access: &[ErrorCode] = match E::ACCESS {
        Access::Public => &[],
        Access::AnyKey => &[ErrorCode::Unauthorized],
        Access::Scopes(_) => &[ErrorCode::Unauthorized, ErrorCode::Forbidden],
    };
    let mut errors: BTreeMap<u16, BTreeSet<&'static ErrorCode>> = BTreeMap::new();
    for code in COMMON.iter().chain(by_access).chain(E::ERRORS) {
        if let Some(status) = code.status() {
            errors.entry(status).or_default().insert(code);
        }
    }
    errors
}

fn headers(status: u16, codes: &BTreeSet<&ErrorCode>) -> Value {
    let text = json!({"type": "string"});
    let mut headers = json!({"x-correlation-id": {"$ref": "#/components/headers/CorrelationId"}});
    let more = match status {
        401 => Some(("WWW-Authenticate", "The required scheme: `Bearer`.", text)),
        405 => Some(("Allow", "The methods of the path.", text)),
        429 => Some(("Retry-After", "Seconds to wait.", json!({"type": "integer", "const": 60}))),
        _ => None,
    };
    if let Some((name, description, schema)) = more {
        // Of the budgets, only the window's refusal says when to come back (§7 rule 3).
        let required = status != 429 || codes.iter().all(|code| **code == ErrorCode::RateLimited);
        headers[name] = json!({"description": description, "required": required, "schema": schema});
    }
    headers
}

fn reason(status: u16) -> &'static str {
    match status {
        201 => "Created",
        202 => "Work was queued",
        204 => "Done",
        304 => "The client's copy is current",
        _ => "OK",
    }
}
