use l10n_api_types::FormatId;

use super::format;
use crate::files::{DetectError, all, detect, likeliest};

fn found(path: &str, content: &str) -> String {
    match detect(path, content.as_bytes()) {
        Ok(format) => format.id().to_string(),
        Err(DetectError::Ambiguous { candidates }) => {
            format!("ambiguous: {}", candidates.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" "))
        }
        Err(DetectError::Unknown { .. }) => "unknown".to_owned(),
    }
}

#[test]
fn the_extension_decides_where_it_can() {
    assert_eq!(found("lib/l10n/app_en.arb", "{}"), "arb");
    assert_eq!(found("LIB\\APP_EN.ARB", "not even json"), "arb");
    assert_eq!(found("locale/de/LC_MESSAGES/django.po", ""), "gettext");
    assert_eq!(found("locale/django.pot", ""), "gettext");
    assert_eq!(found("en.bin", ""), "unknown");
    assert_eq!(found("json", "{}"), "unknown");
    assert_eq!(found(".json", "{}"), "unknown");
    assert_eq!(found("", ""), "unknown");
}

#[test]
fn json_is_i18next_where_it_bears_its_signs() {
    assert_eq!(found("en.json", r#"{"a": "Hello {{name}}"}"#), "i18next");
    assert_eq!(found("en.json", r#"{"a_one": "item", "a_other": "items"}"#), "i18next");
    assert_eq!(found("en.json", r#"{"a": "see $t(b)", "b": "b"}"#), "i18next");
}

#[test]
fn json_without_such_signs_is_json() {
    assert_eq!(found("en.json", r#"{"a": "Hello {name}"}"#), "json");
    assert_eq!(found("en.json", r#"{"a": "Hello"}"#), "json");
    assert_eq!(found("en.json", r#"{"a_other": "Other"}"#), "json");
    assert_eq!(found("en.json", "{}"), "json");
    assert_eq!(found("en.json", "broken"), "json");
}

#[test]
fn a_template_among_many_messages_makes_no_i18next() {
    let mut file = String::from("{\"t\": \"like '{{ name }}'\"");
    (0..20).for_each(|n| file.push_str(&format!(", \"m{n}\": \"{{name}} {n}\"")));
    assert_eq!(found("en.json", &format!("{file}}}")), "json");
}

#[test]
fn json_with_the_signs_of_both_is_ambiguous() {
    assert_eq!(found("en.json", r#"{"a": "{{name}}", "b": "{n, plural, other {x}}"}"#), "ambiguous: json i18next");
    assert_eq!(found("en.json", r#"{"a_one": "{n} item", "a_other": "{n} items"}"#), "ambiguous: json i18next");
}

#[test]
fn where_a_format_must_be_named_the_signs_that_are_more_decide() {
    assert_eq!(likeliest("app_en.arb", b"{}"), FormatId::Arb);
    assert_eq!(likeliest("en.json", br#"{"a":{"b":"Hello {name}"}}"#), FormatId::Json);
    assert_eq!(likeliest("en.json", br#"{"a":"Hello {{name}}"}"#), FormatId::I18next);
    assert_eq!(likeliest("en.json", br#"{"item_one":"1","item_other":"n"}"#), FormatId::I18next);
    assert_eq!(likeliest("en.json", br#"{"a":"{g, select, you {you} other {{name}}}"}"#), FormatId::Json);
    assert_eq!(likeliest("en.json", br#"{"a":"{n} of {m}","b":"{n}","c":"as {{x}}"}"#), FormatId::Json);
    assert_eq!(likeliest("en.json", br#"{"phone_other":"Other phone"}"#), FormatId::Json);
}

#[test]
fn a_json_file_that_names_its_language_as_arb_does_is_likeliest_arb() {
    assert_eq!(likeliest("app_en.json", br#"{"@@locale":"en","a":"{{x}}"}"#), FormatId::Arb);
    assert_eq!(likeliest("strings.txt", br#"{"a":"$t(b)"}"#), FormatId::I18next);
    assert_eq!(likeliest("en.json", b"no JSON"), FormatId::Json);
}

#[test]
fn a_file_of_settings_holds_no_texts() {
    for id in ["json", "i18next"] {
        let holds = |text: &str| format(id).holds_texts(text.as_bytes());
        assert!(holds(r#"{"a":{"b":"c"}}"#));
        assert!(!holds(r#"{"name":"app","private":true}"#));
        assert!(!holds("{}") && !holds("[1]") && !holds("{"));
    }
    assert!(format("arb").holds_texts(br#"{"a":"A","@a":{"x":1}}"#));
    assert!(format("properties").holds_texts(b"a=A\n") && !format("properties").holds_texts(b"# nothing\n"));
}

/// Every fact that others ask of a format is there, and no two have one name.
#[test]
fn every_format_says_what_others_need_to_know() {
    let mut names: Vec<&str> = all().map(|format| format.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all().count());
    for format in all() {
        let kind = format.media_type();
        assert!(
            kind.contains('/') && ["html", "svg", "xml"].iter().all(|page| !kind.contains(page)),
            "no page: {kind}"
        );
        assert!(!format.extensions().is_empty() && !format.plurals().is_empty() && !format.placeholders().is_empty());
    }
    let facts = |id: &str| (format(id).plurals(), format(id).placeholders());
    assert_eq!(facts("properties"), ("none", "java_message"));
    assert_eq!(facts("yaml"), ("element", "ruby"));
}
