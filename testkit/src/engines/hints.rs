//! The hints that go along with the texts of a batch, as `docs/engines.md` of the server describes them.

use serde_json::Value;

use super::asked::EngineRequest;

/// The hints of an item.
pub(super) const FIELDS: [&str; 5] = ["key", "plural", "glossary", "neighbours", "memory"];

/// The names of plural forms, but for those of one number.
const FORMS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// Complains of hints that are not as they are described, and of fields of an item that are neither these nor `others`.
pub(super) fn check(asked: &mut EngineRequest, style: Option<&Value>, items: &[Value], others: &[&str]) {
    asked.require(style.is_none_or(|style| is_text(style, 1_000)), "`style` is no text of 1 to 1,000 characters");
    for item in items {
        let Some(fields) = item.as_object() else {
            asked.complain("an item is no object");
            continue;
        };
        let unknown = fields.keys().find(|name| !FIELDS.contains(&name.as_str()) && !others.contains(&name.as_str()));
        asked.require(unknown.is_none(), &format!("the field {unknown:?} of an item is not known"));
        let sound = |name: &str, is: fn(&Value) -> bool| fields.get(name).is_none_or(is);
        asked.require(sound("key", |key| is_text(key, 512)), "`key` is no name of a key");
        asked.require(sound("plural", is_form), "`plural` is no plural form");
        asked.require(sound("glossary", |terms| list(terms, usize::MAX, is_term)), "`glossary` has no terms");
        asked.require(sound("neighbours", are_neighbours), "`neighbours` are not up to 2 short texts on each side");
        let memory = sound("memory", |found| list(found, 2, is_translation));
        asked.require(memory, "`memory` is not 1 or 2 short translations");
    }
}

fn is_text(value: &Value, longest: usize) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty() && text.chars().count() <= longest)
}

/// Returns true for a list of 1 to `most` values that are all `sound`.
fn list(value: &Value, most: usize, sound: impl Fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|values| !values.is_empty() && values.len() <= most && values.iter().all(sound))
}

/// Returns true for an object that has no other fields than these, and the first ones in any case.
fn object(value: &Value, needed: &[&str], others: &[&str]) -> bool {
    value.as_object().is_some_and(|fields| {
        let known = |name: &String| needed.contains(&name.as_str()) || others.contains(&name.as_str());
        fields.keys().all(known) && needed.iter().all(|name| fields.contains_key(*name))
    })
}

fn is_form(value: &Value) -> bool {
    let form = value["form"].as_str().unwrap_or_default();
    let number = form.strip_prefix('=').and_then(|number| number.parse::<u64>().ok());
    let example = value.get("example").map(Value::as_u64);
    object(value, &["form"], &["example", "ordinal"])
        && (FORMS.contains(&form) || number.is_some_and(|number| example == Some(Some(number))))
        && example != Some(None)
        && value.get("ordinal").is_none_or(|ordinal| ordinal == &Value::Bool(true))
}

fn is_term(value: &Value) -> bool {
    object(value, &["term", "rule"], &["translation", "note"])
        && matches!(value["rule"].as_str(), Some("translate" | "keep"))
        && value.as_object().is_some_and(|fields| fields.values().all(|field| is_text(field, 1_024)))
}

fn are_neighbours(value: &Value) -> bool {
    let fields = value.as_object();
    object(value, &[], &["before", "after"])
        && fields.is_some_and(|fields| {
            !fields.is_empty() && fields.values().all(|texts| list(texts, 2, |text| is_text(text, 300)))
        })
}

fn is_translation(value: &Value) -> bool {
    object(value, &["source", "translation", "percent"], &[])
        && is_text(&value["source"], 1_000)
        && is_text(&value["translation"], 300)
        && value["percent"].as_u64().is_some_and(|percent| (70..=100).contains(&percent))
}
