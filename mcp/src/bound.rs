//! The size of results: a model's context is bounded, and so is what clients take.

use serde_json::{Map, Value};

/// Largest result, in characters of its JSON.
pub(crate) const LARGEST_RESULT: usize = 25_000;

/// Lengths to which texts are cut until a result fits, the longest first.
const CUTS: [usize; 4] = [4_000, 1_000, 300, 80];

/// Number of characters of a value's JSON.
pub(crate) fn characters(value: &Value) -> usize {
    value.to_string().chars().count()
}

/// Cuts long texts, and then long lists, until the result fits. `truncated` says that it was cut.
pub(crate) fn bounded(result: Map<String, Value>) -> Map<String, Value> {
    let mut result = Value::Object(result);
    let fits = |result: &Value| characters(result) <= LARGEST_RESULT;
    let mut cut = false;
    for longest in CUTS {
        if fits(&result) {
            break;
        }
        cut_texts(&mut result, longest);
        cut = true;
    }
    let mut entries = 64;
    while !fits(&result) && entries > 0 {
        cut_lists(&mut result, entries);
        entries /= 2;
    }
    let Value::Object(mut result) = result else { return Map::new() };
    if cut {
        result.insert("truncated".into(), true.into());
    }
    result
}

fn cut_texts(value: &mut Value, longest: usize) {
    match value {
        Value::String(text) => {
            if let Some((at, _)) = text.char_indices().nth(longest) {
                text.truncate(at);
                text.push('…');
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| cut_texts(value, longest)),
        Value::Object(fields) => fields.values_mut().for_each(|value| cut_texts(value, longest)),
        _ => {}
    }
}

fn cut_lists(value: &mut Value, entries: usize) {
    match value {
        Value::Array(values) => {
            values.truncate(entries);
            values.iter_mut().for_each(|value| cut_lists(value, entries));
        }
        Value::Object(fields) => fields.values_mut().for_each(|value| cut_lists(value, entries)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_small_result_is_left_alone_and_a_large_one_is_cut_and_says_so() {
        let object = |value: Value| value.as_object().unwrap().clone();
        let small = object(json!({"keys": [{"text": "ä".repeat(4_500)}]}));
        assert_eq!(bounded(small.clone()), small);
        for large in [
            json!({"text": "\"".repeat(40_000)}),
            json!({"keys": vec![json!({"ref": "a".repeat(500), "text": "b".repeat(9_000)}); 100]}),
            json!({"keys": vec!["a"; 20_000]}),
        ] {
            let cut = bounded(object(large));
            assert_eq!(cut["truncated"], true);
            assert!(characters(&Value::Object(cut)) <= LARGEST_RESULT);
        }
    }
}
