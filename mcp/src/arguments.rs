//! Arguments of a call: every one is known and has its type, or the call is refused.

use rmcp::ErrorData;
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::nearest::nearest;

/// Longest part of a message that repeats a caller's words.
const LONGEST: usize = 300;

/// Reads arguments. The SDK does not hold them against the schema; the types do.
pub(crate) fn parse<T: DeserializeOwned>(tool: &str, arguments: &JsonObject) -> Result<T, ErrorData> {
    serde_path_to_error::deserialize(Value::Object(arguments.clone())).map_err(|error| {
        let at = error.path().to_string();
        let problem: String = error.inner().to_string().chars().take(LONGEST).collect();
        // An unknown field's own name is in the message already.
        let is_unknown = problem.starts_with("unknown field");
        let at = if is_unknown { at.rsplit_once('.').map_or("", |(parent, _)| parent) } else { at.as_str() };
        let place = match at {
            "" | "." => String::new(),
            at => format!(" in `{}`", at.chars().take(100).collect::<String>()),
        };
        ErrorData::invalid_params(format!("{tool}: {}{place}", explained(&problem)), None)
    })
}

/// Adds the nearest known name to a message about an unknown one.
fn explained(problem: &str) -> String {
    let Some(rest) = ["unknown field `", "unknown variant `"].iter().find_map(|start| problem.strip_prefix(start))
    else {
        return problem.to_owned();
    };
    let kind = if problem.starts_with("unknown field") { "argument" } else { "value" };
    let Some((name, expected)) = rest.split_once('`') else { return problem.to_owned() };
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    match nearest(name, known.iter().copied()) {
        Some(nearest) => format!("unknown {kind} `{name}`; did you mean `{nearest}`?"),
        None if known.is_empty() => format!("unknown {kind} `{name}`; it takes none"),
        None => format!("unknown {kind} `{name}`; known: {}", known.join(", ")),
    }
}

/// The number of entries that a caller wants, between 1 and `most`.
pub(crate) fn limit(wanted: Option<u32>, usual: u32, most: u32) -> Result<u32, String> {
    match wanted.unwrap_or(usual) {
        limit if (1..=most).contains(&limit) => Ok(limit),
        limit => Err(format!("`limit` is {limit}; it must be between 1 and {most}")),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Example {
        dry_run: Option<bool>,
        keys: Option<Vec<Inner>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Inner {
        r#ref: String,
    }

    #[test]
    fn a_misspelt_argument_is_refused_with_the_nearest_known_one() {
        let refused = |arguments: Value| {
            let error = parse::<Example>("translate", arguments.as_object().unwrap()).unwrap_err();
            assert_eq!(error.code.0, -32602);
            error.message.into_owned()
        };
        assert_eq!(refused(json!({"dryRun": true})), "translate: unknown argument `dryRun`; did you mean `dry_run`?");
        assert_eq!(
            refused(json!({"keys": [{"ref": "a"}, {"reff": "a"}]})),
            "translate: unknown argument `reff`; did you mean `ref`? in `keys[1]`"
        );
        assert_eq!(
            refused(json!({"dry_run": "yes"})),
            "translate: invalid type: string \"yes\", expected a boolean in `dry_run`"
        );
    }
}
