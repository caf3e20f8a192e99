//! Each name of a set, at each place of each answer and event, may be one of a later version (ENV-12); in a request none may.
//! The places come from `openapi.json`, which is built from the types.

use std::collections::BTreeSet;

use l10n_client::api::events::{ContentPublished, Envelope, StringsPublished};
use l10n_client::api::{self, Endpoint, ErrorBody};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A name that no version has.
const LATER: &str = "added_later";

/// A value of a schema, with all of its fields, and the places of names in it: their JSON pointer, and their set.
#[derive(Clone)]
struct Sample {
    value: Value,
    places: Vec<(String, String)>,
}

impl Sample {
    fn plain(value: Value) -> Self {
        Self { value, places: Vec::new() }
    }

    /// The value inside of `around`, at a place.
    fn within(self, place: &str, around: impl FnOnce(Value) -> Value) -> Self {
        let places = self.places.into_iter().map(|(inner, set)| (format!("/{place}{inner}"), set)).collect();
        Self { value: around(self.value), places }
    }
}

struct Document(Value);

impl Document {
    fn read() -> Self {
        Self(serde_json::from_str(include_str!("../../../api-types/openapi.json")).unwrap())
    }

    /// A sample for each alternative of a schema, and of its parts.
    fn samples(&self, schema: &Value) -> Vec<Sample> {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            let target = &self.0["components"]["schemas"][name];
            assert!(target.is_object(), "{name}");
            return match target["enum"].get(0) {
                Some(first) => {
                    let value = schema.get("const").unwrap_or(first).clone();
                    vec![Sample { value, places: vec![(String::new(), name.to_owned())] }]
                }
                None => self.samples(target),
            };
        }
        if let Some(first) = schema["enum"].get(0) {
            return vec![Sample { value: first.clone(), places: vec![(String::new(), "(inline)".to_owned())] }];
        }
        if let Some(fixed) = schema.get("const") {
            return vec![Sample::plain(fixed.clone())];
        }
        if let Some(fields) = schema["properties"].as_object() {
            return self.objects(fields);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            assert_eq!(parts.len(), 1, "{schema}");
            return self.samples(&parts[0]);
        }
        if let Some(alternatives) = schema["oneOf"].as_array() {
            let alternatives = alternatives.iter().filter(|one| one["type"] != "null");
            return alternatives.flat_map(|one| self.samples(one)).collect();
        }
        if schema["additionalProperties"].is_object() {
            let values = self.samples(&schema["additionalProperties"]);
            return values.into_iter().map(|value| value.within("other", |value| json!({ "other": value }))).collect();
        }
        let kind = schema["type"].as_array().map_or(&schema["type"], |kinds| &kinds[0]);
        match kind.as_str().unwrap_or_else(|| panic!("{schema}")) {
            "array" => {
                let items = self.samples(&schema["items"]);
                items.into_iter().map(|item| item.within("0", |item| json!([item]))).collect()
            }
            "string" if schema["format"] == "date-time" => vec![Sample::plain(json!("2027-01-15T08:00:00.000Z"))],
            "string" => vec![Sample::plain(json!("x"))],
            "integer" => vec![Sample::plain(schema.get("minimum").cloned().unwrap_or(json!(1)))],
            "boolean" => vec![Sample::plain(json!(true))],
            "object" => vec![Sample::plain(json!({}))],
            other => panic!("{other}: {schema}"),
        }
    }

    /// An object with the first sample of each field, and one more for each further sample of a field.
    fn objects(&self, fields: &Map<String, Value>) -> Vec<Sample> {
        let mut whole = Sample::plain(json!({}));
        let mut others = Vec::new();
        for (name, schema) in fields {
            let mut samples = self.samples(schema).into_iter().map(|sample| sample.within(name, |value| value));
            let first = samples.next().unwrap_or_else(|| panic!("{name}: {schema}"));
            whole.value[name] = first.value;
            whole.places.extend(first.places);
            others.extend(samples.map(|sample| (name, sample)));
        }
        let others: Vec<_> = others
            .into_iter()
            .map(|(name, sample)| {
                let mut other = whole.clone();
                other.places.retain(|(place, _)| place.split('/').nth(1) != Some(name.as_str()));
                other.value[name] = sample.value;
                other.places.extend(sample.places);
                other
            })
            .collect();
        [whole].into_iter().chain(others).collect()
    }

    fn operations(&self) -> impl Iterator<Item = &Value> {
        let paths = self.0["paths"].as_object().unwrap().values();
        paths.flat_map(|path| path.as_object().unwrap().values())
    }

    /// The schemas of an operation's JSON answers with a success status.
    fn answers(operation: &Value) -> impl Iterator<Item = &Value> {
        let responses = operation["responses"].as_object().unwrap().iter();
        let successes = responses.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| response);
        successes.filter_map(|response| response.pointer("/content/application~1json/schema"))
    }
}

/// A request or answer as the client's types read it.
#[derive(Clone, Copy)]
enum Part {
    Answer,
    Body,
    Query,
}

impl Part {
    fn again<E: Endpoint>(self, value: Value) -> serde_json::Result<Value> {
        match self {
            Self::Answer => again::<E::Response>(value),
            Self::Body => again::<E::Body>(value),
            Self::Query => again::<E::Query>(value),
        }
    }
}

fn again<T: DeserializeOwned + Serialize>(value: Value) -> serde_json::Result<Value> {
    serde_json::from_value::<T>(value).and_then(serde_json::to_value)
}

macro_rules! read_again {
    ($($resource:ident :: $verb:ident,)+) => {
        /// Reads a value by the type that an operation has for it, and writes what was read.
        fn read_again(operation: &str, part: Part, value: Value) -> serde_json::Result<Value> {
            $(if operation == api::$resource::$verb::OPERATION_ID {
                return part.again::<api::$resource::$verb>(value);
            })+
            panic!("{operation}");
        }
    };
}
api::for_each_endpoint!(read_again);

/// Reads an answer with each of its names replaced, and adds the sets of these names.
fn read_later(
    samples: Vec<Sample>,
    sets: &mut BTreeSet<String>,
    read: impl Fn(Value) -> serde_json::Result<Value>,
) -> usize {
    let mut count = 0;
    for Sample { value, places } in samples {
        assert_eq!(read(value.clone()).unwrap(), value);
        for (place, set) in places {
            let mut later = value.clone();
            *later.pointer_mut(&place).unwrap() = json!(LATER);
            match read(later.clone()) {
                Ok(read) => assert_eq!(read, later, "{set} at {place}: its name is kept"),
                Err(error) => panic!("{set} at {place}: {error}"),
            }
            sets.insert(set);
            count += 1;
        }
    }
    count
}

/// ENV-12: a value that a client does not know keeps nobody from the rest of the answer, and is told by its name.
#[test]
fn every_name_of_every_answer_may_be_of_a_later_version() {
    let document = Document::read();
    let mut sets = BTreeSet::new();
    let mut count = 0;
    for operation in document.operations() {
        let id = operation["operationId"].as_str().unwrap();
        for schema in Document::answers(operation) {
            count += read_later(document.samples(schema), &mut sets, |value| read_again(id, Part::Answer, value));
        }
    }
    let error = document.samples(&json!({"$ref": "#/components/schemas/ErrorBody"}));
    count += read_later(error, &mut sets, again::<ErrorBody>);
    let event = |name: &str| {
        let path = format!("/webhooks/{name}/post/requestBody/content/application~1json/schema");
        document.samples(document.0.pointer(&path).unwrap_or_else(|| panic!("{path}")))
    };
    count += read_later(event("strings.published"), &mut sets, again::<Envelope<StringsPublished>>);
    count += read_later(event("content.published"), &mut sets, again::<Envelope<ContentPublished>>);

    // What the walk has not met stands in requests alone.
    let schemas = document.0["components"]["schemas"].as_object().unwrap().iter();
    let all: BTreeSet<_> =
        schemas.filter(|(_, schema)| schema.get("enum").is_some()).map(|(name, _)| name.clone()).collect();
    let of_requests: Vec<_> = all.difference(&sets).collect();
    assert_eq!(of_requests, ["OnRemoved", "PublishTarget"]);
    assert!(sets.is_subset(&all), "a set without a name: {sets:?}");
    assert!(count > sets.len(), "{count}");
}

/// A request says only what its reader knows: a misspelt name is refused, not done in another way.
#[test]
fn no_name_of_a_request_may_be_of_a_later_version() {
    let document = Document::read();
    let mut count = 0;
    for operation in document.operations() {
        let id = operation["operationId"].as_str().unwrap();
        let body = operation.pointer("/requestBody/content/application~1json/schema");
        let bodies = body.map(|schema| (Part::Body, document.samples(schema)));
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let queries = parameters.filter(|parameter| parameter["in"] == "query").map(|parameter| {
            let name = parameter["name"].as_str().unwrap();
            let samples = document.samples(&parameter["schema"]).into_iter();
            (Part::Query, samples.map(|sample| sample.within(name, |value| json!({ name: value }))).collect())
        });
        for (part, samples) in bodies.into_iter().chain(queries) {
            for Sample { value, places } in samples {
                for (place, set) in places {
                    let mut later = value.clone();
                    *later.pointer_mut(&place).unwrap() = json!(LATER);
                    let read = read_again(id, part, later);
                    assert!(read.is_err(), "{id}: {set} at {place}");
                    // It is the name that is refused.
                    assert!(read_again(id, part, value.clone()).is_ok(), "{id}: {value}");
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 12, "{count}");
}
