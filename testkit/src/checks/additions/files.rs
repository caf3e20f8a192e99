//! Source files that the checks of additions send.

use serde_json::{Value, json};

/// A `POST /sync` of one JSON file.
pub(super) fn file(path: &str, texts: &Value) -> Value {
    json!({ "file": { "path": path, "encoding": "utf8", "format": "json", "content": texts.to_string() } })
}
