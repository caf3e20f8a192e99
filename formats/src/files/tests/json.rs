use insta::assert_snapshot;

use super::*;
use crate::files::Entry;

const NESTED: &str = r#"{
  "title": "Hello",
  "menu": {
    "open": "Open\u2026",
    "items": ["One", "Two"],
    "version": 3,

    "empty": {},
    "close": "Close"
  },
  "flat.key": "x",
  "__proto__": {"constructor": "c"}
}
"#;

#[test]
fn names_inside_each_other_and_indexes_are_joined_with_dots() {
    assert_snapshot!(listing(&parse("json", NESTED)), @r"
    title = Hello
    menu.open = Open…
    menu.items.0 = One
    menu.items.1 = Two
    menu.close = Close
    flat.key = x
    __proto__.constructor = c
    ");
}

#[test]
fn only_values_that_differ_are_written_anew() {
    let out = rendered("json", NESTED, "de", |key, content| match key {
        "title" => Some(text("Hallo \"Welt\"\n")),
        _ => Some(content.clone()),
    });
    assert_eq!(out, NESTED.replace("\"Hello\"", r#""Hallo \"Welt\"\n""#));
}

#[test]
fn keys_that_are_left_out_leave_no_trace() {
    let out = rendered("json", NESTED, "de", |key, content| {
        (!["title", "menu.close", "__proto__.constructor"].contains(&key)).then(|| content.clone())
    });
    assert_eq!(
        out,
        r#"{
  "menu": {
    "open": "Open\u2026",
    "items": ["One", "Two"],
    "version": 3,

    "empty": {}
  },
  "flat.key": "x"
}
"#
    );
}

#[test]
fn an_array_that_would_lose_an_element_is_left_out() {
    let out = rendered("json", NESTED, "de", |key, content| (key != "menu.items.0").then(|| content.clone()));
    assert_eq!(out, NESTED.replace("    \"items\": [\"One\", \"Two\"],\n", ""));
}

#[test]
fn a_file_without_any_translation_is_an_empty_object_but_keeps_what_no_one_translates() {
    assert_eq!(rendered("json", "{\n  \"a\": \"x\"\n}\n", "de", |_, _| None), "{}\n");
    let out = rendered("json", NESTED, "de", |_, _| None);
    assert_eq!(out, "{\n  \"menu\": {\n    \"version\": 3,\n\n    \"empty\": {}\n  }\n}\n");
}

#[test]
fn files_on_one_line_stay_neat() {
    let source = r#"{"a": "x", "b": "y", "c": "z"}"#;
    let without = |gone: &str| rendered("json", source, "de", |key, content| (key != gone).then(|| content.clone()));
    assert_eq!(without("a"), r#"{"b": "y", "c": "z"}"#);
    assert_eq!(without("b"), r#"{"a": "x", "c": "z"}"#);
    assert_eq!(without("c"), r#"{"a": "x", "b": "y"}"#);
}

#[test]
fn odd_blanks_and_line_ends_stay() {
    let source = "\u{feff}\r\n{\r\n\t\"a\" :\t\"x\" ,\r\n\t\"b\":\"y\"\r\n}\r\n\r\n";
    assert_eq!(unchanged("json", source.as_bytes(), "en"), source.as_bytes());
    let out = rendered("json", source, "de", |key, _| (key == "b").then(|| text("Z")));
    assert_eq!(out, "\u{feff}\r\n{\r\n\t\"b\":\"Z\"\r\n}\r\n\r\n");
    let out = rendered("json", source, "de", |key, _| (key == "a").then(|| text("Z")));
    assert_eq!(out, "\u{feff}\r\n{\r\n\t\"a\" :\t\"Z\"\r\n}\r\n\r\n");
}

#[test]
fn new_texts_follow_the_escapes_of_the_file() {
    let out = rendered("json", r#"{"a": "\u00E9", "b": "<\/b>"}"#, "de", |_, _| Some(text("ü/😀")));
    assert_eq!(out, r#"{"a": "\u00FC\/\uD83D\uDE00", "b": "\u00FC\/\uD83D\uDE00"}"#);
}

#[test]
fn a_plural_is_written_as_icu() {
    let forms = plural(&[(PluralCategory::One, "{count} file"), (PluralCategory::Other, "{count} files")]);
    let out = rendered("json", r#"{"a": "x"}"#, "en", |_, _| Some(forms.clone()));
    assert_eq!(out, r#"{"a": "{count, plural, one {{count} file} other {{count} files}}"}"#);
}

#[test]
fn without_a_skeleton_the_file_is_flat_in_the_given_order() {
    let entries =
        [Entry::new("b.title", text("B")), Entry::new("a", text("é\n")), Entry::new("b.title", text("second"))];
    let out = String::from_utf8(format("json").render_new("de", &entries)).unwrap();
    assert_eq!(out, "{\n  \"b.title\": \"B\",\n  \"a\": \"é\\n\"\n}\n");
    assert_eq!(format("json").render_new("de", &[]), b"{}\n");
}

#[test]
fn a_member_that_stands_twice_alike_is_one_entry_written_twice() {
    let source = "{\n  \"a\": \"x\",\n  \"o\": {\"p\": \"y\", \"q\": [1, \"z\"]},\n  \"a\": \"x\",\n  \"o\": {\"p\": \"y\", \"q\": [1, \"z\"]}\n}\n";
    let document = parse("json", source);
    assert_snapshot!(listing(&document), @"
    a = x
    o.p = y
    o.q.1 = z
    ");
    assert_snapshot!(document.warnings.join("\n"), @"
    the key `a` is there twice with the same value, in lines 2 and 4
    the key `o` is there twice with the same value, in lines 3 and 5
    ");
    assert_eq!(unchanged("json", source.as_bytes(), "en"), source.as_bytes());
    let out = rendered("json", source, "de", |key, _| (key != "o.p").then(|| text("Ü")));
    let object = r#"{"q": [1, "Ü"]}"#;
    assert_eq!(out, format!("{{\n  \"a\": \"Ü\",\n  \"o\": {object},\n  \"a\": \"Ü\",\n  \"o\": {object}\n}}\n"));
    let out = rendered("json", source, "de", |key, content| key.starts_with('o').then(|| content.clone()));
    assert_eq!(out, source.replace("  \"a\": \"x\",\n", ""));
}
