//! Bodies of requests.

use serde_json::{Map, Value, json};

/// A sync of these texts.
pub(crate) fn file(path: &str, texts: impl IntoIterator<Item = (String, String)>) -> Value {
    let content: Map<String, Value> = texts.into_iter().map(|(key, text)| (key, text.into())).collect();
    let content = Value::Object(content).to_string();
    json!({ "file": { "path": path, "content": content, "encoding": "utf8", "format": "json" } })
}

/// So many short texts, each its own; `series` makes them others.
pub(crate) fn many(path: &str, series: usize, keys: usize) -> Value {
    file(path, (0..keys).map(|key| (format!("k{key}"), format!("{series}w{key}"))))
}

/// A small body with so many blanks behind it that it is a large one.
pub(crate) fn padded(body: &Value) -> String {
    format!("{body}{}", " ".repeat(64 * 1024))
}
