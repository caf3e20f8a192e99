//! Schemas of arguments and results, short enough for a list that a model reads in every conversation.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema of a tool's arguments.
pub(crate) fn input<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12();
    let mut schema = generate::<T>(settings);
    tidy(&mut schema);
    into_object(schema)
}

/// The schema of a tool's result: the types of some fields. Which of them there are depends on the outcome.
pub(crate) fn output<T: JsonSchema>(more: Option<Value>, named: &[&str]) -> JsonObject {
    let mut all = fields::<T>().as_object().cloned().unwrap_or_default();
    if let Some(Value::Object(more)) = more {
        all.extend(more);
    }
    let known = named.iter().filter_map(|name| Some(((*name).to_owned(), shallow(all.get(*name)?))));
    let mut object = JsonObject::new();
    object.insert("type".into(), "object".into());
    object.insert("properties".into(), Value::Object(known.collect()));
    object
}

/// The fields of a type, for the results of several tools.
pub(crate) fn fields<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(SchemaSettings::draft2020_12().for_serialize());
    tidy(&mut schema);
    schema["properties"].take()
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn into_object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(mut object) => {
            object.remove("description");
            // Some clients do not read a schema without it.
            object.entry("properties").or_insert_with(|| JsonObject::new().into());
            object
        }
        _ => JsonObject::new(),
    }
}

/// A field's type alone.
fn shallow(field: &Value) -> Value {
    let kind = field.get("type").cloned().unwrap_or_else(|| "object".into());
    serde_json::json!({ "type": kind })
}

/// Drops what no client needs: titles, number formats of Rust, and `null` beside a type, since an absent argument is left out.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(tidy),
        Value::Object(object) => {
            if let Some(Value::Array(options)) = object.get_mut("anyOf") {
                options.retain(|option| option.get("type") != Some(&"null".into()));
                if let [Value::Object(only)] = &mut options[..] {
                    let only = std::mem::take(only);
                    object.remove("anyOf");
                    for (name, value) in only {
                        object.entry(name).or_insert(value);
                    }
                }
            }
            let is_property_map = |value: &Value| value.is_object();
            for name in ["title", "format", "default"] {
                if object.get(name).is_some_and(|value| !is_property_map(value)) {
                    object.remove(name);
                }
            }
            if object.get("minimum") == Some(&0.into()) {
                object.remove("minimum");
            }
            if let Some(Value::Array(kinds)) = object.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [only] = &kinds[..] {
                    let only = only.clone();
                    object.insert("type".into(), only);
                }
            }
            if let Some(Value::Array(values)) = object.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            object.values_mut().for_each(tidy);
        }
        _ => {}
    }
}
