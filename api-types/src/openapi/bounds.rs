//! Bounds that the server enforces and Rust types do not express: patterns, sizes, exactly one of two fields.
//!
//! The server counts bytes and a schema counts characters, so a text that is not ASCII may fit the schema and still be
//! too long. U+0000 is refused in every text; the schemas do not repeat that.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::FormatId;
use crate::capture::MOST_CAPTURED_KEYS;
use crate::events::SCHEMA_VERSION;
use crate::glossary::MOST_GLOSSARY_TERMS;
use crate::output_formats::MOST_OUTPUT_FORMATS;

/// Control characters, for use inside a character class.
const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";

/// A language with optional script, region and variants.
pub(super) const LANGUAGE_PATTERN: &str =
    "^[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?([-_][A-Za-z0-9]{5,8})*$";

/// Longest language tag, in bytes.
pub(super) const LONGEST_LANGUAGE: usize = 64;

/// A plural category, or an exact number.
const PLURAL_KEY_PATTERN: &str = "^(zero|one|two|few|many|other|=(0|[1-9][0-9]{0,8}))$";

/// A SHA-256 in lowercase hex.
const SHA256_PATTERN: &str = "^[0-9a-f]{64}$";

/// An https URL, as far as a pattern can tell.
const HTTPS_PATTERN: &str = r"^[Hh][Tt][Tt][Pp][Ss]://[^\s\\#@/?]+([/?][^\s\\#]*)?$";

/// Narrows the schemas, by their names.
pub(super) fn apply(schemas: &mut BTreeMap<String, Value>) {
    for (name, pointer, bounds) in bounds() {
        let Some(Value::Object(schema)) = schemas.get_mut(name).and_then(|schema| schema.pointer_mut(pointer)) else {
            continue;
        };
        if let Value::Object(bounds) = bounds {
            schema.extend(bounds);
        }
    }
    for (name, example) in examples() {
        if let Some(schema) = schemas.get_mut(name) {
            schema["examples"] = json!([example]);
        }
    }
}

/// Schema, place in it, and the bounds to add there.
pub(super) fn bounds() -> Vec<(&'static str, &'static str, Value)> {
    let line = format!("^[^{CONTROL}]*$");
    let name = json!({"type": "string", "minLength": 1, "maxLength": 128, "pattern": line});
    // White space as Unicode defines it.
    let argument = format!(r"^[^{CONTROL}\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000{{}},]+$");
    let namespace = part(&format!(r"[^{CONTROL}/\\:{{}}]"), &format!(r"[^{CONTROL}/\\:{{}}.]"));
    let namespace = json!({"type": "string", "minLength": 1, "maxLength": 128, "pattern": format!("^{namespace}$")});
    vec![
        ("LanguageCode", "", json!({"minLength": 2, "maxLength": LONGEST_LANGUAGE, "pattern": LANGUAGE_PATTERN})),
        ("RequestId", "", json!({"pattern": "^[A-Za-z0-9._-]{1,128}$"})),
        (
            "Plural",
            "/properties/forms",
            json!({"required": ["other"], "propertyNames": {"pattern": PLURAL_KEY_PATTERN}}),
        ),
        ("Plural", "/properties/arg", json!({"minLength": 1, "maxLength": 128, "pattern": argument})),
        ("Key", "/properties/ref", json!({"pattern": line})),
        ("Key", "/properties/description", json!({"maxLength": 4096})),
        ("Key", "/properties/maxLength", json!({"format": "int64", "maximum": u32::MAX})),
        ("Key", "/properties/namespace", or_null(namespace.clone())),
        ("Key", "/properties/tags", json!({"maxItems": 32, "items": name})),
        ("Key", "", one_of("text", json!({"type": "string"}), "plural", reference("Plural"))),
        ("TranslateBody", "/properties/languages", json!({"minItems": 1})),
        ("SyncBody", "/properties/languages", json!({"minItems": 1})),
        ("FileUpload", "/properties/path", json!({"pattern": file_path()})),
        ("NewOutputFormat", "", template_paths()),
        (
            "NewOutputFormat",
            "/properties/namespaces",
            json!({"minItems": 1, "maxItems": 500, "uniqueItems": true, "items": namespace}),
        ),
        ("SetOutputFormats", "/properties/outputFormats", json!({"maxItems": MOST_OUTPUT_FORMATS})),
        ("SetGlossary", "/properties/terms", json!({"maxItems": MOST_GLOSSARY_TERMS})),
        ("NewGlossaryTerm", "/properties/term", json!({"pattern": term()})),
        (
            "NewGlossaryTerm",
            "/properties/translations",
            json!({
                "maxProperties": 100,
                "propertyNames": {"minLength": 2, "maxLength": LONGEST_LANGUAGE, "pattern": LANGUAGE_PATTERN},
                "additionalProperties": {"type": "string", "minLength": 1, "maxLength": 256, "pattern": term()},
            }),
        ),
        ("NewGlossaryTerm", "/properties/note", json!({"maxLength": 1024})),
        ("Capture", "/properties/keys", json!({"maxItems": MOST_CAPTURED_KEYS})),
        ("CapturedKey", "/properties/ref", json!({"pattern": line})),
        ("SeenAt", "/properties/url", json!({"pattern": line})),
        ("SeenAt", "/properties/file", json!({"pattern": line})),
        ("SeenAt", "/properties/line", json!({"format": "int64", "maximum": u32::MAX})),
        ("WholeCredits", "", json!({"format": "int64", "maximum": u32::MAX})),
        ("NewOperation", "/properties/maxArchivedKeys", json!({"format": "int64", "maximum": u32::MAX})),
        ("Operation", "/properties/maxArchivedKeys", json!({"format": "int64", "maximum": u32::MAX})),
        ("Publish", "/properties/label", json!({"pattern": line})),
        ("Publish", "/properties/docIds", json!({"minItems": 1})),
        ("Publish", "/properties/languages", json!({"minItems": 1})),
        (
            "PushBody",
            "",
            json!({"oneOf": [
                {
                    "required": ["format", "body"],
                    "properties": {
                        "documents": {"type": "null"}, "format": reference("DocumentFormat"), "body": {"type": "string"},
                    },
                },
                {
                    "required": ["documents"],
                    "properties": {
                        "title": {"type": "null"}, "externalId": {"type": "null"}, "format": {"type": "null"},
                        "language": {"type": "null"}, "body": {"type": "null"}, "documents": {"type": "array"},
                    },
                },
            ]}),
        ),
        ("Publish", "", json!({"oneOf": [of_strings(), of_content()]})),
        ("ManifestFile", "/properties/sha256", json!({"pattern": SHA256_PATTERN})),
        ("VersionFile", "/properties/sha256", json!({"pattern": SHA256_PATTERN})),
        ("Document", "/properties/sourceSha256", json!({"pattern": SHA256_PATTERN})),
        ("Document", "/properties/publishedSha256", json!({"maxItems": 100, "uniqueItems": true})),
        ("Document", "/properties/publishedSha256/items", json!({"pattern": SHA256_PATTERN})),
        ("LiveFile", "/properties/sha256", json!({"pattern": SHA256_PATTERN})),
        ("NewWebhook", "/properties/url", json!({"pattern": HTTPS_PATTERN})),
        ("WebhookChanges", "/properties/url", json!({"pattern": HTTPS_PATTERN})),
        ("StringsPublishedEvent", "/properties/type", json!({"const": "strings.published"})),
        ("StringsPublishedEvent", "/properties/schemaVersion", json!({"const": SCHEMA_VERSION})),
        ("ContentPublishedEvent", "/properties/type", json!({"const": "content.published"})),
        ("ContentPublishedEvent", "/properties/schemaVersion", json!({"const": SCHEMA_VERSION})),
        ("ContentPublished", "/properties/documents", json!({"maxItems": 200})),
        (
            "WebhookChanges",
            "",
            json!({"anyOf": [{"required": ["url"]}, {"required": ["events"]}, {"required": ["enabled"]}]}),
        ),
    ]
}

/// A term: a line without white space at its ends.
fn term() -> String {
    format!(r"^[^{CONTROL}\s]([^{CONTROL}]*[^{CONTROL}\s])?$")
}

/// A publish of the keys takes no documents.
fn of_strings() -> Value {
    json!({"properties": {"target": {"enum": ["strings", null]}, "docIds": {"type": "null"}}})
}

/// A publish of documents takes no label.
fn of_content() -> Value {
    json!({
        "required": ["target"],
        "properties": {"target": {"const": "content"}, "label": {"maxLength": 0}},
    })
}

/// Example requests.
pub(super) fn examples() -> Vec<(&'static str, Value)> {
    let plural = json!({"arg": "count", "forms": {"one": "{count} file", "other": "{count} files"}});
    let file = json!({
        "path": "locales/en.json",
        "content": "{\"greeting\": \"Hello {name}\"}\n",
        "encoding": "utf8",
    });
    vec![
        ("AddLanguages", json!({"languages": [{"code": "de"}, {"code": "pt-BR"}]})),
        ("SetOutputFormats", json!({"outputFormats": [{"format": "json", "path": "locales/{language}.json"}]})),
        ("SetGlossary", json!({"terms": [{"term": "cart", "translations": {"de": "Warenkorb"}}]})),
        (
            "TranslateBody",
            json!({"keys": [{"ref": "greeting", "text": "Hello {name}"}, {"ref": "files", "plural": plural}]}),
        ),
        ("SyncBody", json!({"file": file})),
        (
            "Capture",
            json!({"keys": [{"ref": "greeting", "text": "Hello {name}", "context": {"file": "src/app.ts", "line": 12}}]}),
        ),
        ("Publish", json!({"label": "Spring"})),
        ("NewWebhook", json!({"url": "https://hooks.example.com/l10n", "events": ["strings.published"]})),
        ("WebhookChanges", json!({"enabled": true})),
    ]
}

/// A relative path: parts between single `/`, none of them `.` or `..`.
fn file_path() -> String {
    let any = format!(r"[^{CONTROL}/\\]");
    let part = part(&any, &format!(r"[^{CONTROL}/\\.]"));
    format!("^({part}/)*{part}$")
}

/// Returns whether the path of a format may have a place for the language. Each may, but those with one file for all languages.
/// A test in `xtask` holds this and [`may_lack_language`] against the formats themselves.
fn may_have_language(format: FormatId) -> bool {
    format != FormatId::Xcstrings
}

/// Returns whether the path of a format may lack that place, since one file holds all languages. A table may.
fn may_lack_language(format: FormatId) -> bool {
    matches!(format, FormatId::Csv | FormatId::Xcstrings)
}

/// A relative path with placeholders in braces, one of them for the language unless one file holds all of them.
fn template_paths() -> Value {
    let language = r"\{(language|languageUnderscore|androidLanguage|appleLanguage)\}";
    let namespace = r"\{namespace\}";
    let parts = |place: &str| {
        let any = format!(r"([^{CONTROL}/\\{{}}]|{place})");
        let part = part(&any, &format!(r"([^{CONTROL}/\\{{}}.]|{place})"));
        (any, part)
    };
    let (any, part) = parts(&format!("{language}|{namespace}"));
    let with = format!("^({part}/)*{any}*{language}{any}*(/{part})*$");
    let (_, part) = parts(namespace);
    let without = format!("^({part}/)*{part}$");
    let of = |fits: fn(FormatId) -> bool, pattern: String| {
        let names: Vec<&str> =
            FormatId::ALL.iter().filter(|format| fits(**format)).map(|format| format.as_str()).collect();
        json!({"properties": {"format": {"enum": names}, "path": {"pattern": pattern}}})
    };
    json!({"oneOf": [of(may_have_language, with), of(may_lack_language, without)]})
}

/// A part of a path: not empty, and not `.` or `..`.
fn part(any: &str, no_dot: &str) -> String {
    format!(r"({any}*{no_dot}{any}*|\.{{3,}})")
}

fn or_null(mut schema: Value) -> Value {
    schema["type"] = json!([schema["type"], "null"]);
    schema
}

/// Exactly one of two fields; null counts as left out.
fn one_of(one: &str, schema: Value, other: &str, other_schema: Value) -> Value {
    let only = |there: &str, schema: Value, absent: &str| json!({"required": [there], "properties": {there: schema, absent: {"type": "null"}}});
    json!({"oneOf": [only(one, schema, other), only(other, other_schema, one)]})
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::{capture, glossary, languages, output_formats, publish, translations, webhooks};

    #[test]
    fn examples_are_requests() {
        fn read<T: DeserializeOwned>(example: &Value) {
            serde_json::from_value::<T>(example.clone()).unwrap();
        }
        for (name, example) in examples() {
            match name {
                "AddLanguages" => read::<languages::AddLanguages>(&example),
                "SetOutputFormats" => read::<output_formats::SetOutputFormats>(&example),
                "SetGlossary" => read::<glossary::SetGlossary>(&example),
                "TranslateBody" => read::<translations::TranslateBody>(&example),
                "SyncBody" => read::<translations::SyncBody>(&example),
                "Capture" => read::<capture::CreateBody>(&example),
                "Publish" => read::<publish::Publish>(&example),
                "NewWebhook" => read::<webhooks::CreateBody>(&example),
                "WebhookChanges" => read::<webhooks::UpdateBody>(&example),
                other => panic!("{other}"),
            }
        }
    }
}
