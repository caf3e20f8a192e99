//! Detects the format of a localization file by its name and content.

use l10n_client::api::FormatId;
use serde_json::Value;

/// Suffixes by which i18next spells plural forms.
const PLURAL_SUFFIXES: &[&str] = &["_zero", "_one", "_two", "_few", "_many", "_other"];

/// Keywords that occur only in ICU messages.
const ICU_WORDS: &[&str] = &[", plural,", ", select,", ", selectordinal,"];

/// Returns true if a path has the extension of a localization file.
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

/// Returns true if bytes are a JSON object whose leaves are texts, as in localization files and unlike `package.json`.
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

/// Returns true if signs of i18next outweigh those of ICU MessageFormat: an ICU file may show `{{x}}` in an example,
/// and names that end in `_one`.
fn looks_like_i18next(value: &Value) -> bool {
    let mut signs = Signs::default();
    signs.count(value);
    signs.i18next > signs.icu
}

#[derive(Default)]
struct Signs {
    i18next: usize,
    icu: usize,
}

impl Signs {
    fn count(&mut self, value: &Value) {
        match value {
            Value::String(text) if ICU_WORDS.iter().any(|word| text.contains(word)) => self.icu += 1,
            Value::String(text) if text.contains("{{") || text.contains("$t(") => self.i18next += 1,
            Value::String(text) if text.contains('{') => self.icu += 1,
            Value::Array(items) => items.iter().for_each(|item| self.count(item)),
            Value::Object(members) => {
                let is_plural = |stem: &str| {
                    let mut others = PLURAL_SUFFIXES.iter().filter(|suffix| **suffix != "_other");
                    others.any(|suffix| members.contains_key(&format!("{stem}{suffix}")))
                };
                self.i18next +=
                    members.keys().filter_map(|key| key.strip_suffix("_other")).filter(|stem| is_plural(stem)).count();
                members.values().for_each(|member| self.count(member));
            }
            _ => {}
        }
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
        assert_eq!(detect_format("en.json", br#"{"a":"{g, select, you {you} other {{name}}}"}"#), FormatId::Json);
        assert_eq!(detect_format("en.json", br#"{"a":"{n} of {m}","b":"{n}","c":"as {{x}}"}"#), FormatId::Json);
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
