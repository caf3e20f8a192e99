//! docs/spec.md is complete, and everything that refers to it finds its place there.

use serde_json::Value;
use xtask::root;
use xtask::spec::{dangling_citations, document, examples, wrong_references};

#[test]
fn the_rules_name_every_statement_with_its_level_and_no_other() {
    assert_eq!(wrong_references(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn every_section_that_is_cited_can_be_looked_up() {
    assert_eq!(dangling_citations(&root()).unwrap(), Vec::<String>::new());
}

#[test]
fn examples_of_the_rules_fit_the_openapi_document() {
    let openapi = l10n_api_types::openapi::document().unwrap().to_pretty_json().unwrap();
    let openapi: Value = serde_json::from_str(&openapi).unwrap();
    let schemas = &openapi["components"]["schemas"];
    let document = document(&root()).unwrap();
    let examples = examples(&document);
    assert_eq!(examples.len(), document.matches("```json").count(), "an example without the name of its schema");
    for (name, text) in examples {
        assert!(schemas[name].is_object(), "{name} is no schema");
        let value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(misfit(&schemas[name], &value, schemas), None, "{name}");
    }
}

/// The first place where the value does not fit the schema. Knows types, members, constants and alternatives, not lengths
/// and patterns.
fn misfit(schema: &Value, value: &Value, schemas: &Value) -> Option<String> {
    if let Some(target) = schema["$ref"].as_str() {
        return misfit(&schemas[target.rsplit('/').next()?], value, schemas);
    }
    let allowed = schema["enum"].as_array().cloned().or_else(|| schema.get("const").map(|one| vec![one.clone()]));
    if allowed.is_some_and(|allowed| !allowed.contains(value)) {
        return Some(format!("{value} is not among the values of {schema}"));
    }
    let is_of_type = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        _ => value.is_object(),
    };
    let fits_type = match &schema["type"] {
        Value::Null => true,
        Value::Array(names) => names.iter().any(is_of_type),
        name => is_of_type(name),
    };
    if !fits_type {
        return Some(format!("{value} is not a {}", schema["type"]));
    }
    if schema["type"].is_null() {
        let alternatives = ["oneOf", "anyOf"].iter().find_map(|name| schema[name].as_array());
        return alternatives?.iter().map(|one| misfit(one, value, schemas)).min_by_key(Option::is_some)?;
    }
    match value {
        Value::Array(items) => items.iter().find_map(|item| misfit(&schema["items"], item, schemas)),
        Value::Object(members) => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let missing =
                required.filter(|name| !members.contains_key(*name)).map(|name| format!("`{name}` is missing"));
            let wrong = members.iter().filter_map(|(name, value)| {
                let known = schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
                match known {
                    Some(known) if known.is_object() => misfit(known, value, schemas),
                    _ => Some(format!("`{name}` is unknown")),
                }
            });
            missing.chain(wrong).next()
        }
        _ => None,
    }
}
