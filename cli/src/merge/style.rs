//! The formatting style of a JSON file.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

/// The style for text that is added to a file.
pub(super) struct JsonStyle {
    newline: &'static str,
    /// One step of indentation.
    unit: String,
    /// The separator between a name and its value.
    colon: String,
    /// True if it writes non-ASCII characters as `\uXXXX`.
    is_ascii: bool,
    /// True if it has more than one line.
    has_lines: bool,
}

impl JsonStyle {
    pub(super) fn of(text: &str, root: &Object<'_>) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.properties.first();
        let indent = first.map(|first| indentation(text, first)).filter(|indent| !indent.is_empty());
        let colon = first.and_then(|first| text.get(first.name.range().end..first.value.range().start));
        Self {
            newline,
            unit: indent.unwrap_or("  ").to_owned(),
            colon: colon.unwrap_or(": ").to_owned(),
            is_ascii: is_escaped(text),
            has_lines: text.trim_end().contains('\n') || root.properties.is_empty(),
        }
    }

    /// A string with its quotes.
    pub(super) fn string(&self, text: &str) -> String {
        spelled(text, self.is_ascii)
    }

    /// The indentation one step deeper.
    pub(super) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit)
    }

    /// A member; its value is already serialized.
    pub(super) fn member(&self, name: &str, value: &str) -> String {
        format!("{}{}{value}", self.string(name), self.colon)
    }

    /// A value of another file with text `source`, on a line that is indented by `indent`.
    pub(super) fn value(&self, value: &Value<'_>, source: &str, indent: &str) -> String {
        let inner = self.deeper(indent);
        match value {
            Value::StringLit(text) => self.string(&text.value),
            Value::Object(object) => {
                let members = object.properties.iter();
                let members =
                    members.map(|member| self.member(member.name.as_str(), &self.value(&member.value, source, &inner)));
                self.block('{', '}', &members.collect::<Vec<_>>(), indent)
            }
            Value::Array(array) => {
                let elements: Vec<_> =
                    array.elements.iter().map(|element| self.value(element, source, &inner)).collect();
                self.block('[', ']', &elements, indent)
            }
            other => source.get(other.range().start..other.range().end).unwrap_or("null").to_owned(),
        }
    }

    /// Members or elements between brackets, on a line indented by `indent`.
    pub(super) fn block(&self, open: char, close: char, inside: &[String], indent: &str) -> String {
        if inside.is_empty() {
            return format!("{open}{close}");
        }
        if !self.has_lines {
            return format!("{open}{}{close}", inside.join(", "));
        }
        let line = format!("{}{indent}{}", self.newline, self.unit);
        format!("{open}{line}{}{}{indent}{close}", inside.join(&format!(",{line}")), self.newline)
    }
}

/// The indentation of the line that starts with a member.
pub(super) fn indentation<'t>(text: &'t str, member: &ObjectProp<'_>) -> &'t str {
    let before = &text[..member.range.start];
    let line = &before[before.rfind('\n').map_or(before.len(), |at| at + 1)..];
    if line.trim().is_empty() { line } else { "" }
}

/// Returns true if a file writes non-ASCII characters as `\uXXXX`.
fn is_escaped(text: &str) -> bool {
    text.is_ascii() && text.contains("\\u")
}

/// Serializes a text as a JSON string; `is_ascii` writes non-ASCII characters as `\uXXXX`.
fn spelled(text: &str, is_ascii: bool) -> String {
    let json = serde_json::Value::from(text).to_string();
    if !is_ascii {
        return json;
    }
    let mut units = [0; 2];
    let spell = |c: char| match c {
        c if c.is_ascii() => c.to_string(),
        c => c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    json.chars().map(spell).collect()
}
