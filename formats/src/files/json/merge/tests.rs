use l10n_api_types::FormatId;

use super::*;

fn merged_as(format: FormatId, own: &str, published: &str) -> (String, Vec<String>) {
    let merged = merge(own.as_bytes(), published.as_bytes(), format == FormatId::Arb).unwrap();
    let again = merge(&merged.bytes, published.as_bytes(), format == FormatId::Arb).unwrap();
    assert_eq!(again, Merged { lost: Vec::new(), ..merged.clone() }, "a second pull changes nothing");
    (String::from_utf8(merged.bytes).unwrap(), merged.kept)
}

fn merged(own: &str, published: &str) -> (String, Vec<String>) {
    merged_as(FormatId::Json, own, published)
}

/// A Flutter file with a translator's formatting: keys in another order, metadata, and a text that is held back.
const OWN_ARB: &str = r#"{
  "@@locale": "ru",
  "title": "Заголовок",
  "@title": {
    "description": "Translator's note"
  },
  "files": "{n, plural, =1{файл} other{файлов}}",
  "old": "Старое",
  "bye": "Пока"
}
"#;

#[test]
fn what_the_version_lacks_stays_in_its_place() {
    let published = "{\n  \"@@locale\": \"ru\",\n  \"bye\": \"Пока\",\n  \"title\": \"Заголовок\"\n}\n";
    let (text, kept) = merged_as(FormatId::Arb, OWN_ARB, published);
    assert_eq!((text.as_str(), kept), (OWN_ARB, vec!["files".to_owned(), "old".to_owned()]));
}

#[test]
fn values_are_replaced_and_every_other_byte_stays() {
    let published = "{\"@@locale\": \"ru\", \"title\": \"Новый\", \"bye\": \"Пока\"}";
    let (text, _) = merged_as(FormatId::Arb, OWN_ARB, published);
    assert_eq!(text, OWN_ARB.replace("Заголовок", "Новый"));
    let own = "\u{feff}{\r\n\t\"a\" : { \"b\":\"x\" , \"n\": [ \"zero\", 1 ] },\r\n\t\"c\": null\r\n}";
    let (text, kept) = merged(own, r#"{"a":{"b":"y \"\n","n":["zero",2]},"c":true}"#);
    assert_eq!((text, kept), (own.replace("\"x\"", r#""y \"\n""#), Vec::new()));
    let (text, _) = merged(r#"{"a":"\u00fc"}"#, r#"{"a":"ö😀"}"#);
    assert_eq!(text, r#"{"a":"\u00f6\ud83d\ude00"}"#);
}

#[test]
fn new_texts_come_after_their_nearest_predecessor() {
    let published = "{\n \"@@locale\": \"ru\",\n \"first\": \"1\",\n \"title\": \"Заголовок\",\n \"second\": \"2\",\n \"third\": \"3\",\n \"bye\": \"Пока\",\n \"last\": \"4\"\n}";
    let (text, _) = merged_as(FormatId::Arb, OWN_ARB, published);
    let expected = OWN_ARB
        .replace("  \"title\"", "  \"first\": \"1\",\n  \"title\"")
        .replace("  },\n", "  },\n  \"second\": \"2\",\n  \"third\": \"3\",\n")
        .replace("\"Пока\"\n", "\"Пока\",\n  \"last\": \"4\"\n");
    assert_eq!(text, expected);
    assert_eq!(merged("{\n\t\"b\": \"B\"\n}", r#"{"a":"A","b":"B"}"#).0, "{\n\t\"a\": \"A\",\n\t\"b\": \"B\"\n}");
    assert_eq!(merged(r#"{"b":"B","c":"C"}"#, r#"{"b":"B","x":"X","c":"C"}"#).0, r#"{"b":"B","x":"X","c":"C"}"#);
    assert_eq!(
        merged("{\r\n  \"b\": \"B\"\r\n}\r\n", r#"{"b":"B","x":{"y":"Y"}}"#).0,
        "{\r\n  \"b\": \"B\",\r\n  \"x\": {\r\n    \"y\": \"Y\"\r\n  }\r\n}\r\n"
    );
}

#[test]
fn objects_are_merged_within_each_other() {
    let own = "{\n    \"menu\": {\n        \"own\": \"kept\",\n        \"open\": \"Öffnen\"\n    },\n    \"empty\": {},\n    \"list\": [\"a\", \"b\", \"c\"]\n}\n";
    let published = r#"{"menu": {"open": "Auf", "close": "Zu"}, "empty": {"x": "y"}, "list": ["a", "B"], "new": {"deep": {"er": "!"}}}"#;
    let (text, kept) = merged(own, published);
    let expected = own
        .replace("\"Öffnen\"\n", "\"Auf\",\n        \"close\": \"Zu\"\n")
        .replace("{}", "{\n        \"x\": \"y\"\n    }")
        .replace("\"b\"", "\"B\"")
        .replace("]\n", "],\n    \"new\": {\n        \"deep\": {\n            \"er\": \"!\"\n        }\n    }\n");
    assert_eq!((text, kept), (expected, vec!["menu.own".to_owned(), "list.2".to_owned()]));
}

#[test]
fn a_key_that_the_file_spells_otherwise_is_not_added_twice() {
    let (text, kept) = merged(r#"{"a.b": "old", "c": {"d": "old"}}"#, r#"{"a": {"b": "new", "e": "E"}, "c.d": "new"}"#);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value, serde_json::json!({"a.b": "new", "c": {"d": "new"}, "a": {"e": "E"}}));
    assert_eq!(kept, [""; 0]);
}

#[test]
fn plural_forms_of_i18next_are_kept_one_by_one() {
    let own = "{\n  \"item_zero\": \"keine\",\n  \"item_one\": \"eins\",\n  \"item_other\": \"viele\"\n}";
    let published = "{\n  \"item_one\": \"ein\",\n  \"item_other\": \"viele\"\n}";
    let (text, kept) = merged_as(FormatId::I18next, own, published);
    assert_eq!((text, kept), (own.replace("eins", "ein"), vec!["item_zero".to_owned()]));
}

#[test]
fn what_is_of_another_kind_gives_way_and_an_empty_file_is_the_published_one() {
    let (text, kept) = merged(r#"{"a": "x", "b": "y"}"#, r#"{"a": {"c": "z"}}"#);
    assert_eq!((text.as_str(), kept), (r#"{"a": {"c": "z"}, "b": "y"}"#, vec!["b".to_owned()]));
    for empty in ["", "\n", "\u{feff}\n"] {
        assert_eq!(merged(empty, "{\"a\": \"b\"}\n").0, "{\"a\": \"b\"}\n");
    }
    assert_eq!(merged("{}\n", r#"{"a": "b"}"#).0, "{\n  \"a\": \"b\"\n}\n");
}

/// A source may have `null` where a team has written a text.
#[test]
fn a_text_stays_against_a_value_that_no_one_translates() {
    let own = r#"{"title": "Titel", "sub": "Untertitel", "menu": {"open": "Auf"}, "list": ["eins", "zwei"]}"#;
    for format in [FormatId::Json, FormatId::I18next] {
        let published = r#"{"title": "Titel", "sub": null, "menu": false, "list": [1, "zwei"]}"#;
        let (text, kept) = merged_as(format, own, published);
        assert_eq!(
            (text.as_str(), kept),
            (own, ["sub", "menu.open", "list.0"].map(str::to_owned).to_vec()),
            "{format}"
        );
    }
    assert_eq!(merged(r#"{"a": null, "b": 1}"#, r#"{"a": "A", "b": {"c": "C"}}"#).0, r#"{"a": "A", "b": {"c": "C"}}"#);
}

#[test]
fn texts_that_give_way_to_another_kind_are_named() {
    let lost = |own: &str, published: &str| merge(own.as_bytes(), published.as_bytes(), false).unwrap();
    let merged = lost(r#"{"menu": {"open": "Auf", "n": 1}, "b": "B"}"#, r#"{"menu": "Menü"}"#);
    assert_eq!((merged.lost, merged.kept), (vec!["menu.open".to_owned()], vec!["b".to_owned()]));
    assert_eq!(merged.bytes, r#"{"menu": "Menü", "b": "B"}"#.as_bytes());
    assert_eq!(lost(r#"{"a": "x"}"#, r#"{"a": ["y"]}"#).lost, ["a"]);
    assert_eq!(lost(r#"{"a": [["x", "y"]]}"#, r#"{"a": ["z", "w"]}"#).lost, ["a.0.0", "a.0.1"]);
    // A text of the same key comes in its place.
    assert_eq!(lost(r#"{"a": ["x"]}"#, r#"{"a": {"0": "y"}}"#).lost, [""; 0]);
}

#[test]
fn elements_that_an_array_lacks_come_after_its_last_one() {
    assert_eq!(merged(r#"{"a": ["x"]}"#, r#"{"a": ["y", "z", 1]}"#).0, r#"{"a": ["y", "z", 1]}"#);
    assert_eq!(merged(r#"{"a": []}"#, r#"{"a": ["y"]}"#).0, r#"{"a": ["y"]}"#);
    assert_eq!(merged(r#"{"a": [ ]}"#, r#"{"a": []}"#).0, r#"{"a": [ ]}"#);
    let own = "{\n  \"a\": [\n    {\n      \"b\": \"B\",\n      \"own\": \"!\"\n    }\n  ]\n}\n";
    let (text, kept) = merged(own, r#"{"a": [{"b": "C"}, {"b": "D"}]}"#);
    let expected = own.replace("\"B\"", "\"C\"").replace("    }\n", "    },\n    {\n      \"b\": \"D\"\n    }\n");
    assert_eq!((text, kept), (expected, vec!["a.0.own".to_owned()]));
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let refused = |own: &[u8]| merge(own, b"{}", false).unwrap_err();
    assert_eq!(refused(b"[]"), "the file does not contain an object");
    assert!(refused(b"<<<<<<< HEAD\n{}").starts_with("the file is not valid JSON"));
    assert!(refused("[".repeat(500_000).as_bytes()).starts_with("the file is not valid JSON"));
    assert_eq!(refused(b"\xff"), "the file is not UTF-8");
}

#[test]
fn texts_are_named_as_the_service_names_them() {
    let of = |text: &str, format| text_keys(text.as_bytes(), format == FormatId::Arb).unwrap();
    assert_eq!(of(r#"{"a": {"b": "x"}, "c": ["y", 1, "z"], "d": 1}"#, FormatId::Json), ["a.b", "c.0", "c.2"]);
    assert_eq!(of(OWN_ARB, FormatId::Arb), ["title", "files", "old", "bye"]);
}

/// The service refuses such a file. A pull into it still changes what it has to and no more.
#[test]
fn a_name_that_is_there_twice_is_merged_in_both_places() {
    let (text, kept) = merged(r#"{"a": "1", "b": "x", "a": "2"}"#, r#"{"a": "3"}"#);
    assert_eq!((text.as_str(), kept), (r#"{"a": "3", "b": "x", "a": "3"}"#, vec!["b".to_owned()]));
    assert_eq!(merged(r#"{"a": "1", "a": "1"}"#, r#"{"a": "3"}"#).0, r#"{"a": "3", "a": "3"}"#);
}
