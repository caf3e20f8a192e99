//! The schemas of bodies, gathered by name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::bounds;

/// The pattern of an id in a path; any other id is 404.
pub(super) const ID_PATTERN: &str = "^[A-Za-z0-9_-]{1,64}$";

/// The pattern of a handle or slug in a path.
pub(super) const NAME_PATTERN: &str = "^[A-Za-z0-9._-]{1,64}$";

/// The pattern of a correlation id in a path. A caller may choose it; URLs cannot hold one that is `.` or `..`.
pub(super) const CORRELATION_ID_PATTERN: &str = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$";

/// The schemas that operations refer to.
#[derive(Default)]
pub(super) struct Schemas {
    by_name: BTreeMap<String, Value>,
    ambiguous: BTreeSet<String>,
    strict: Vec<String>,
}

impl Schemas {
    /// Adds a type and all types that it refers to; returns a reference to it.
    pub(super) fn add<T: ToSchema>(&mut self) -> Value {
        self.add_as::<T>(T::name().into_owned())
    }

    /// Like [`add`](Self::add), under another name than the type's own.
    pub(super) fn add_as<T: ToSchema>(&mut self, name: String) -> Value {
        let mut nested = Vec::new();
        T::schemas(&mut nested);
        nested.push((name.clone(), T::schema()));
        for (name, schema) in nested {
            let schema = json!(schema);
            match self.by_name.get(&name) {
                Some(known) if *known != schema => drop(self.ambiguous.insert(name)),
                Some(_) => {}
                None => drop(self.by_name.insert(name, schema)),
            }
        }
        reference(&name)
    }

    /// Adds the body of a request; `strict` refuses unknown fields.
    pub(super) fn add_request<T: ToSchema>(&mut self, strict: bool) -> Value {
        if strict {
            let mut nested = Vec::new();
            T::schemas(&mut nested);
            self.strict.extend(nested.into_iter().map(|(name, _)| name).chain([T::name().into_owned()]));
        }
        self.add::<T>()
    }

    /// Returns the schemas, narrowed to the server's bounds.
    ///
    /// # Errors
    ///
    /// Returns an error if one name was given to two different schemas.
    pub(super) fn finish(mut self) -> Result<Map<String, Value>, AmbiguousNames> {
        if !self.ambiguous.is_empty() {
            return Err(AmbiguousNames(self.ambiguous.into_iter().collect()));
        }
        for name in &self.strict {
            if let Some(schema) = self.by_name.get_mut(name).filter(|schema| schema.get("properties").is_some()) {
                schema["additionalProperties"] = json!(false);
            }
        }
        bounds::apply(&mut self.by_name);
        Ok(self.by_name.into_iter().collect())
    }
}

/// Removes rustdoc links from descriptions.
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

/// Names that more than one schema uses: rename all but one of them with `schema(as = …)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmbiguousNames(Vec<String>);

impl std::fmt::Display for AmbiguousNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "different schemas have the same name: {}", self.0.join(", "))
    }
}

impl std::error::Error for AmbiguousNames {}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

#[cfg(test)]
mod tests {
    use super::*;

    mod webhooks {
        #[derive(utoipa::ToSchema)]
        pub(super) struct CreateBody {
            #[expect(dead_code, reason = "only its schema is asked for")]
            url: String,
        }
    }

    mod documents {
        #[derive(utoipa::ToSchema)]
        pub(super) struct CreateBody {
            #[expect(dead_code, reason = "only its schema is asked for")]
            title: String,
        }

        #[derive(utoipa::ToSchema)]
        #[schema(as = NewDocument)]
        pub(super) struct Named {
            #[expect(dead_code, reason = "only its schema is asked for")]
            title: String,
        }

        /// Refers to a body that has the other one's name.
        #[derive(utoipa::ToSchema)]
        pub(super) struct Many {
            #[expect(dead_code, reason = "only its schema is asked for")]
            all: Vec<CreateBody>,
        }
    }

    #[test]
    fn two_different_schemas_with_one_name_are_refused() {
        let mut schemas = Schemas::default();
        schemas.add::<webhooks::CreateBody>();
        schemas.add_request::<documents::CreateBody>(true);
        let refused = schemas.finish().unwrap_err();
        assert_eq!(refused.to_string(), "different schemas have the same name: CreateBody");

        let mut nested = Schemas::default();
        nested.add::<webhooks::CreateBody>();
        nested.add::<documents::Many>();
        assert_eq!(nested.finish().unwrap_err(), refused);
    }

    #[test]
    fn one_schema_may_be_met_twice_and_two_may_have_names_of_their_own() {
        let mut schemas = Schemas::default();
        schemas.add::<webhooks::CreateBody>();
        schemas.add::<webhooks::CreateBody>();
        assert_eq!(schemas.add::<documents::Named>(), reference("NewDocument"));
        assert!(schemas.ambiguous.is_empty());
        assert_eq!(schemas.by_name.keys().collect::<Vec<_>>(), ["CreateBody", "NewDocument"]);
    }
}
