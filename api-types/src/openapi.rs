//! The OpenAPI 3.1 document, built from the endpoint declarations.

mod bounds;
mod examples;
mod operation;
mod schemas;
mod tags;
mod webhooks;

use serde_json::{Map, Value, json};

use operation::operation;
use schemas::Schemas;

pub use schemas::AmbiguousNames;

/// An OpenAPI document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document(Value);

impl Document {
    /// Returns the document as indented JSON without a newline at the end.
    ///
    /// # Errors
    ///
    /// Never fails: the document is plain JSON.
    pub fn to_pretty_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(&self.0)
    }

    /// Returns the document as a JSON value.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

macro_rules! describe_all {
    ($($resource:ident :: $verb:ident,)+) => {
        fn describe_all(paths: &mut Map<String, Value>, schemas: &mut Schemas) {
            $(operation::<crate::$resource::$verb>(paths, schemas);)+
        }
    };
}
for_each_endpoint!(describe_all);

/// Describes the whole API.
///
/// # Errors
///
/// Returns an error if two different schemas have the same name, because the document could hold only one of them.
pub fn document() -> Result<Document, AmbiguousNames> {
    let mut paths = Map::new();
    let mut schemas = Schemas::default();
    schemas.add::<crate::ErrorBody>();
    describe_all(&mut paths, &mut schemas);
    let webhooks = webhooks::webhooks(&mut schemas);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Localization Service",
            "version": "1",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": "Translations of an application's strings: register, price, translate, publish, deliver. \
                Amounts are millicredits (1,000 are 1 credit), times are ISO 8601 in UTC with milliseconds. Every \
                answer carries `x-correlation-id`; every error is `{error, message}`, to be branched on by `error`. \
                Every write takes an `Idempotency-Key` of 1 to 255 visible ASCII characters: for 24 hours the same \
                request is not done again but answered as it was the first time, with `idempotency-replayed: true`; \
                an answer over 64 KiB without its `items` (`itemsTruncated: true`). Of a project's answers the oldest \
                may be forgotten early: then 409 `idempotency_conflict` names the receipt of the first request. \
                The specification, to whose sections § refers, is `docs/spec.md` of the service's repository.",
        },
        "servers": [{"url": "/v1"}],
        "tags": tags::tags(),
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": schemas.finish()?,
            "headers": {
                "CorrelationId": {
                    "description": "The id of this exchange: the caller's own, if it sent one of 1 to 128 characters of \
                        `A-Za-z0-9._-`, else a new one.",
                    "required": true,
                    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
                },
            },
            "securitySchemes": {
                "apiKey": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": format!("{}…", crate::API_KEY_PREFIX),
                    "description": "An API key of the project.",
                },
            },
        },
    });
    schemas::without_links(&mut document);
    // Some builds keep the order of insertion: a feature of serde_json that any crate beside this one may turn on.
    document.sort_all_objects();
    Ok(Document(document))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(target)) = members.get("$ref") {
                    found.push(target.clone());
                }
                members.values().for_each(|value| references(value, found));
            }
            Value::Array(elements) => elements.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document().unwrap();
        let mut found = Vec::new();
        references(document.as_value(), &mut found);
        assert!(found.len() > 100);
        for target in found {
            let pointer = target.strip_prefix('#').unwrap();
            assert!(document.as_value().pointer(pointer).is_some(), "{target}");
        }
    }

    #[test]
    fn the_committed_document_is_current() {
        let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json")).unwrap();
        let current = document().unwrap().to_pretty_json().unwrap() + "\n";
        assert!(committed == current, "openapi.json is not current: run `cargo xtask openapi`");
    }

    /// CONV-5, ERR-1: declared for every answer.
    #[test]
    fn every_answer_of_every_operation_is_declared() {
        let document = document().unwrap();
        let mut operations = 0;
        for (path, item) in document.as_value()["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                operations += 1;
                let responses = operation["responses"].as_object().unwrap();
                for status in ["400", "404", "405", "413", "429", "500", "503"] {
                    assert!(responses.contains_key(status), "{method} {path} {status}");
                }
                for (status, response) in responses {
                    assert!(response["headers"]["x-correlation-id"].is_object(), "{method} {path} {status}");
                }
                assert_eq!(responses.contains_key("401"), operation["security"] != json!([]), "{method} {path}");
            }
        }
        macro_rules! count {
            ($($endpoint:path,)+) => { [$(stringify!($endpoint)),+].len() };
        }
        assert_eq!(operations, for_each_endpoint!(count));
    }

    /// SIG-1, SIG-2, SIG-3, SIG-4: the document describes the requests to receivers, too.
    #[test]
    fn every_event_is_a_request_with_its_three_headers() {
        let document = document().unwrap();
        let webhooks = document.as_value()["webhooks"].as_object().unwrap();
        let names: Vec<_> = crate::events::EventType::ALL.iter().map(|event| event.as_str()).collect();
        assert_eq!(webhooks.len(), names.len());
        for name in names {
            let request = &webhooks[name]["post"];
            let body = &request["requestBody"]["content"]["application/json"]["schema"]["$ref"];
            let body = document.as_value().pointer(body.as_str().unwrap().trim_start_matches('#')).unwrap();
            assert_eq!(body["properties"]["type"]["const"], json!(name));
            let data = if name == "strings.published" { "StringsPublished" } else { "ContentPublished" };
            let data = format!("#/components/schemas/{data}");
            assert!(body["properties"]["data"].to_string().contains(&data), "{body}");
            let headers: Vec<_> =
                request["parameters"].as_array().unwrap().iter().map(|header| &header["name"]).collect();
            assert_eq!(headers, ["X-Service-Signature", "X-Service-Event-Id", "X-Service-Webhook-Id"]);
        }
    }

    /// CONV-1: code generators turn these names into functions, so each is unique.
    #[test]
    fn every_operation_has_a_camel_case_name_of_its_own() {
        let document = document().unwrap();
        let items = [&document.as_value()["paths"], &document.as_value()["webhooks"]];
        let items = items.into_iter().flat_map(|items| items.as_object().unwrap().values());
        let operations = items.flat_map(|item| item.as_object().unwrap().values());
        let names: Vec<_> = operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
        for name in &names {
            let verb = name.find(char::is_uppercase).unwrap_or_default();
            assert!(verb > 2 && name.chars().all(|c| c.is_ascii_alphabetic()), "{name}");
        }
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }

    #[test]
    fn every_tag_is_described_and_every_described_tag_is_in_use() {
        let document = document().unwrap();
        let described: Vec<_> = document.as_value()["tags"].as_array().unwrap().iter().collect();
        assert!(described.iter().all(|tag| tag["description"].as_str().is_some_and(|text| text.ends_with('.'))));
        let described: std::collections::BTreeSet<_> =
            described.iter().map(|tag| tag["name"].as_str().unwrap()).collect();
        let paths = document.as_value()["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|item| item.as_object().unwrap().values());
        let used: std::collections::BTreeSet<_> =
            operations.map(|operation| operation["tags"][0].as_str().unwrap()).collect();
        assert_eq!(described, used);
    }

    /// A bound whose place no longer exists would be lost silently.
    #[test]
    fn every_bound_has_its_place() {
        let document = document().unwrap();
        for (name, pointer, bounds) in bounds::bounds() {
            let schema = document.as_value()["components"]["schemas"][name].pointer(pointer);
            let schema = schema.unwrap_or_else(|| panic!("{name}{pointer} is not there"));
            for (keyword, value) in bounds.as_object().unwrap() {
                assert_eq!(&schema[keyword], value, "{name}{pointer} {keyword}");
            }
        }
    }

    /// An attribute takes a number alone, not the name of one.
    #[test]
    fn a_wait_is_bounded_by_the_constant() {
        let document = document().unwrap();
        let paths = document.as_value()["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|item| item.as_object().unwrap().values());
        let parameters = operations.filter_map(|operation| operation["parameters"].as_array()).flatten();
        let waits: Vec<_> = parameters.filter(|parameter| parameter["name"] == "waitSeconds").collect();
        assert_eq!(waits.len(), 2);
        for wait in waits {
            assert_eq!(wait["schema"]["maximum"], json!(crate::LONGEST_WAIT_SECONDS), "{wait}");
        }
    }

    #[test]
    fn names_are_as_they_travel() {
        let document = document().unwrap();
        let schemas = &document.as_value()["components"]["schemas"];
        assert_eq!(schemas["FormatId"]["enum"], json!(crate::FormatId::ALL));
        assert_eq!(
            schemas["EmptyAs"]["description"],
            json!("The entry in a file for a key that has no publishable translation.")
        );
        let forms = &schemas["Plural"]["properties"]["forms"];
        assert_eq!(forms["propertyNames"]["pattern"], "^(zero|one|two|few|many|other|=(0|[1-9][0-9]{0,8}))$");
    }

    #[test]
    fn bodies_of_strict_routes_take_no_unknown_fields() {
        let document = document().unwrap();
        let schemas = &document.as_value()["components"]["schemas"];
        for name in ["SyncBody", "FileUpload", "TranslateBody", "Key", "AddLanguages", "NewLanguage", "Publish"] {
            assert_eq!(schemas[name]["additionalProperties"], json!(false), "{name}");
        }
        assert_eq!(schemas["Run"].get("additionalProperties"), None);
    }
}
