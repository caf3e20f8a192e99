//! Which format a localization file has, by its name and content.

use l10n_client::api::FormatId;
use serde_json::Value;

/// Suffixes by which i18next spells plural forms.
const PLURAL_SUFFIXES: &[&str] = &["_zero", "_one", "_two", "_few", "_many", "_other"];

/// Whether a path's extension is one of a localization file.
pub(crate) fn has_known_extension(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "json" | "arb")))
}

/// The format of a file. One that cannot be read is `json`: the server then says where it is broken.
pub(crate) fn detect_format(path: &str, bytes: &[u8]) -> FormatId {
    if path.ends_with(".arb") {
        return FormatId::Arb;
    }
    match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Object(top)) if top.contains_key("@@locale") => FormatId::Arb,
        Ok(value) if looks_like_i18next(&value) => FormatId::I18next,
        _ => FormatId::Json,
    }
}

/// Whether bytes are a JSON object whose leaves are texts, as localization files are and `package.json` is not.
pub(crate) fn holds_texts(bytes: &[u8]) -> bool {
    match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Object(top)) => {
            !top.is_empty() && top.iter().all(|(key, value)| key.starts_with('@') || texts(value))
        }
        _ => false,
    }
}

fn texts(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(items) => items.iter().all(texts),
        Value::Object(members) => members.values().all(texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn looks_like_i18next(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("{{") || text.contains("$t("),
        Value::Array(items) => items.iter().any(looks_like_i18next),
        Value::Object(members) => {
            let plural = members.keys().any(|key| {
                key.strip_suffix("_other").is_some_and(|stem| {
                    PLURAL_SUFFIXES
                        .iter()
                        .any(|suffix| *suffix != "_other" && members.contains_key(&format!("{stem}{suffix}")))
                })
            });
            plural || members.values().any(looks_like_i18next)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_name_and_content() {
        assert_eq!(detect_format("app_en.arb", b"{}"), FormatId::Arb);
        assert_eq!(detect_format("en.json", br#"{"a":{"b":"Hello {name}"}}"#), FormatId::Json);
        assert_eq!(detect_format("en.json", br#"{"a":"Hello {{name}}"}"#), FormatId::I18next);
        assert_eq!(detect_format("en.json", br#"{"item_one":"1","item_other":"n"}"#), FormatId::I18next);
        assert_eq!(detect_format("en.json", br#"{"phone_other":"Other phone"}"#), FormatId::Json);
    }

    #[test]
    fn a_file_of_settings_holds_no_texts() {
        assert!(holds_texts(br#"{"a":{"b":"c"}}"#));
        assert!(!holds_texts(br#"{"name":"app","private":true}"#));
        assert!(!holds_texts(b"{}"));
        assert!(!holds_texts(b"[1]"));
    }
}
