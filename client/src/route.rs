//! Path and query of a request, made from an endpoint's declaration and its values.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::{Map, Value};

/// Every character except those that RFC 3986 calls unreserved.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Fills a path template: `{name}` with one segment, `{*name}` with one or more. The error describes an invalid value.
pub(crate) fn path(template: &str, values: &impl Serialize) -> Result<String, String> {
    let values = fields(values)?;
    let mut out = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, after) = after.split_once('}').ok_or_else(|| format!("the template `{template}` is not closed"))?;
        let (name, many) = name.strip_prefix('*').map_or((name, false), |name| (name, true));
        let value = values.get(name).and_then(Value::as_str).ok_or_else(|| format!("`{name}` is missing"))?;
        if many {
            for (index, part) in value.split('/').enumerate() {
                if index > 0 {
                    out.push('/');
                }
                push_segment(&mut out, name, part)?;
            }
        } else {
            push_segment(&mut out, name, value)?;
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Refuses dot segments: they would be resolved away, encoded or not, and lead to another route.
fn push_segment(out: &mut String, name: &str, segment: &str) -> Result<(), String> {
    match segment {
        "" => Err(format!("`{name}` is empty or has an empty segment")),
        "." | ".." => Err(format!("`{name}` has the segment `{segment}`")),
        _ => {
            out.extend(utf8_percent_encode(segment, ENCODED));
            Ok(())
        }
    }
}

/// The query without its `?`; parameters that are left out are not sent.
pub(crate) fn query(values: &impl Serialize) -> Result<String, String> {
    let mut out = String::new();
    for (name, value) in &fields(values)? {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            Value::Array(_) | Value::Object(_) => return Err(format!("`{name}` cannot travel in a query")),
        };
        if !out.is_empty() {
            out.push('&');
        }
        out.extend(utf8_percent_encode(name, ENCODED));
        out.push('=');
        out.extend(utf8_percent_encode(&text, ENCODED));
    }
    Ok(out)
}

fn fields(values: &impl Serialize) -> Result<Map<String, Value>, String> {
    match serde_json::to_value(values) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("it has no named fields".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_segment_is_encoded_by_itself() {
        let template = "/@{handle}/{slug}/bundles/{versionId}/{*path}";
        let values = json!({"handle": "a/b", "slug": "ä?#", "versionId": "ver_1", "path": "loc ales/en%2F.json"});
        insta::assert_snapshot!(path(template, &values).unwrap(), @"/@a%2Fb/%C3%A4%3F%23/bundles/ver_1/loc%20ales/en%252F.json");
    }

    #[test]
    fn values_that_would_name_another_route_are_refused() {
        for value in ["", ".", ".."] {
            assert!(path("/projects/{projectId}/meta", &json!({"projectId": value})).is_err(), "{value:?}");
        }
        for value in ["", "/a", "a/", "a//b", "a/../b", "./a"] {
            assert!(path("/b/{*path}", &json!({"path": value})).is_err(), "{value:?}");
        }
        assert!(path("/projects/{projectId}", &json!({})).is_err());
    }

    #[test]
    fn a_query_holds_what_is_there_and_no_more() {
        let values = json!({"ref": "a&b=c d+é", "dryRun": true, "limit": 5, "cursor": null});
        insta::assert_snapshot!(query(&values).unwrap(), @"dryRun=true&limit=5&ref=a%26b%3Dc%20d%2B%C3%A9");
        assert_eq!(query(&json!({})).unwrap(), "");
        assert!(query(&json!({"a": [1]})).is_err());
    }
}
