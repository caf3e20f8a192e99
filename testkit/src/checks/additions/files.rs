//! Source files that the checks of additions send.

use serde_json::{Value, json};

/// A `POST /sync` of one JSON file.
pub(super) fn file(path: &str, texts: &Value) -> Value {
    file_in("json", path, &texts.to_string())
}

/// A `POST /sync` of one file in a format.
pub(super) fn file_in(format: &str, path: &str, content: &str) -> Value {
    json!({ "file": { "path": path, "encoding": "utf8", "format": format, "content": content } })
}
