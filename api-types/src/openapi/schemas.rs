//! The schemas of bodies, gathered by name.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::bounds;

/// What an id in a path looks like; anything else is 404.
pub(super) const ID_PATTERN: &str = "^[A-Za-z0-9_-]{1,64}$";

/// What a handle or slug in a path looks like.
pub(super) const NAME_PATTERN: &str = "^[A-Za-z0-9._-]{1,64}$";

/// The schemas that operations refer to.
#[derive(Default)]
pub(super) struct Schemas {
    by_name: BTreeMap<String, Value>,
    strict: Vec<String>,
}

impl Schemas {
    /// Adds a type and all that it consists of; returns a reference to it.
    pub(super) fn add<T: ToSchema>(&mut self) -> Value {
        self.add_as::<T>(T::name().into_owned())
    }

    /// As [`add`](Self::add), under another name than the type's own.
    pub(super) fn add_as<T: ToSchema>(&mut self, name: String) -> Value {
        let mut nested = Vec::new();
        T::schemas(&mut nested);
        nested.push((name.clone(), T::schema()));
        for (name, schema) in nested {
            self.by_name.insert(name, json!(schema));
        }
        reference(&name)
    }

    /// Adds the body of a request; `strict` where unknown fields are refused.
    pub(super) fn add_request<T: ToSchema>(&mut self, strict: bool) -> Value {
        if strict {
            let mut nested = Vec::new();
            T::schemas(&mut nested);
            self.strict.extend(nested.into_iter().map(|(name, _)| name).chain([T::name().into_owned()]));
        }
        self.add::<T>()
    }

    /// The schemas, made as precise as the server is.
    pub(super) fn finish(mut self) -> Map<String, Value> {
        for name in &self.strict {
            if let Some(schema) = self.by_name.get_mut(name).filter(|schema| schema.get("properties").is_some()) {
                schema["additionalProperties"] = json!(false);
            }
        }
        bounds::apply(&mut self.by_name);
        self.by_name.into_iter().collect()
    }
}

/// Takes the links of Rust's documentation out of descriptions.
pub(super) fn without_links(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "description" => *text = text.replace("[`", "`").replace("`]", "`"),
                    other => without_links(other),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_links),
        _ => {}
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}
