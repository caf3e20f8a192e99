//! Single changes of a JSON file.

use l10n_api_types::FormatId;
use proptest::prelude::*;

use crate::files::{EditError, Edited, Editor, by_id};

fn edited(text: &str, edit: impl FnOnce(&mut dyn Editor) -> Result<Edited, EditError>) -> String {
    edited_as(FormatId::Json, text, edit)
}

fn edited_as(format: FormatId, text: &str, edit: impl FnOnce(&mut dyn Editor) -> Result<Edited, EditError>) -> String {
    let mut file = by_id(format).editor(text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(file.bytes()).unwrap(), text, "what is only read stays");
    assert_eq!(edit(file.as_mut()), Ok(Edited::Written));
    String::from_utf8(file.bytes()).unwrap()
}

fn refused(text: &str, edit: impl FnOnce(&mut dyn Editor) -> Result<Edited, EditError>) -> String {
    let mut file = by_id(FormatId::Json).editor(text.as_bytes()).unwrap();
    let error = edit(file.as_mut()).unwrap_err();
    assert_eq!(String::from_utf8(file.bytes()).unwrap(), text, "what is refused changes nothing");
    error.to_string()
}

const NESTED: &str = "\u{feff}{\r\n\t\"cart\" : { \"empty\":\"Old\" , \"n\": [ \"zero\", 1 ] },\r\n\t\"x\": null\r\n}";

#[test]
fn one_value_is_replaced_and_every_other_byte_stays() {
    let changed = edited(NESTED, |file| file.set("cart.empty", "Old", "a \"b\"\n"));
    assert_eq!(changed, NESTED.replace("\"Old\"", r#""a \"b\"\n""#));
    let changed = edited(NESTED, |file| file.set("cart.n.0", "zero", "none"));
    assert_eq!(changed, NESTED.replace("zero", "none"));
    let changed = edited(r#"{"a.b":"Old","a":{"c":"Old"}}"#, |file| file.set("a.b", "Old", "ü"));
    assert_eq!(changed, r#"{"a.b":"ü","a":{"c":"Old"}}"#);
    let changed = edited(r#"{"a":"\u00fc"}"#, |file| file.set("a", "ü", "ö😀"));
    assert_eq!(changed, r#"{"a":"\u00f6\ud83d\ude00"}"#);
}

#[test]
fn what_the_file_does_not_have_is_refused() {
    assert_eq!(refused(NESTED, |file| file.set("cart.none", "Old", "New")), "the file has no text `cart.none`");
    assert_eq!(refused(NESTED, |file| file.set("cart.empty", "O", "N")), "the file says “Old”, which is neither");
    assert_eq!(refused(NESTED, |file| file.remove("cart.n.0")), "`cart.n.0` stands in a list");
    assert_eq!(refused(NESTED, |file| file.add("x.y", "T")), "`x` of `x.y` is something else there");
    assert_eq!(refused(NESTED, |file| file.rename("cart", "c")), "the file has no text `cart`");
    let twice = r#"{"a.b":"1","a":{"b":"2"}}"#;
    assert_eq!(refused(twice, |file| file.set("a.b", "1", "3")), "the file has `a.b` 2 times");
    let parse = |text: &str| by_id(FormatId::Json).editor(text.as_bytes()).map(drop).unwrap_err().to_string();
    assert!(parse("{\"a\":\"b\",}").starts_with("the file is not JSON"));
    assert!(parse("// no\n{}").starts_with("the file is not JSON"));
    assert!(parse(&format!("{}{}", "[".repeat(200_000), "]".repeat(200_000))).starts_with("the file is not JSON"));
    assert_eq!(parse("[]"), "the file does not hold an object");
}

#[test]
fn what_is_there_is_left() {
    let mut file = by_id(FormatId::Json).editor(NESTED.as_bytes()).unwrap();
    assert_eq!(file.set("cart.empty", "Older", "Old"), Ok(Edited::There));
    assert_eq!(file.remove("cart.gone"), Ok(Edited::There));
    assert_eq!(file.add("cart.empty", "Old"), Ok(Edited::There));
    assert_eq!(file.rename("cart.before", "cart.empty"), Ok(Edited::There));
    assert_eq!(String::from_utf8(file.bytes()).unwrap(), NESTED);
}

#[test]
fn keys_are_added_where_they_belong() {
    let flat = "{\n  \"a.b\": \"B\"\n}\n";
    assert_eq!(edited(flat, |file| file.add("a.c", "C")), "{\n  \"a.b\": \"B\",\n  \"a.c\": \"C\"\n}\n");
    let nested = "{\n  \"a\": {\n    \"b\": \"B\"\n  }\n}\n";
    let added = edited(nested, |file| file.add("a.c.d", "D"));
    let value: serde_json::Value = serde_json::from_str(&added).unwrap();
    assert_eq!(value, serde_json::json!({"a": {"b": "B", "c": {"d": "D"}}}));
    assert!(added.starts_with("{\n  \"a\": {\n    \"b\": \"B\",\n    \"c\": {"), "{added}");
    assert_eq!(edited("{}", |file| file.add("a", "A")).replace(char::is_whitespace, ""), r#"{"a":"A"}"#);
}

#[test]
fn keys_are_removed_with_what_becomes_empty() {
    assert_eq!(edited("{\n  \"a\": \"A\",\n  \"b\": \"B\"\n}\n", |file| file.remove("b")), "{\n  \"a\": \"A\"\n}\n");
    let nested = "{\n  \"a\": \"A\",\n  \"b\": {\n    \"c\": {\n      \"d\": \"D\"\n    }\n  }\n}\n";
    assert_eq!(edited(nested, |file| file.remove("b.c.d")), "{\n  \"a\": \"A\"\n}\n");
}

#[test]
fn an_added_key_stays_when_the_one_before_it_is_removed() {
    for added in ["a.c", "a.c.d"] {
        let mut file = by_id(FormatId::Json).editor(br#"{"a": {"b": "B"}}"#).unwrap();
        file.add(added, "C").unwrap();
        file.remove("a.b").unwrap();
        assert!(file.has(added), "{}", String::from_utf8(file.bytes()).unwrap());
    }
}

#[test]
fn a_key_is_renamed_in_its_place_or_moved() {
    let file = "{\"b\": {\"x\": \"X\", \"y\": \"Y\"}, \"a.z\": \"Z\"}";
    assert_eq!(edited(file, |json| json.rename("b.x", "b.w")), file.replace("\"x\"", "\"w\""));
    assert_eq!(edited(file, |json| json.rename("a.z", "a.q.r")), file.replace("a.z", "a.q.r"));
    let moved = edited(file, |json| json.rename("b.x", "c"));
    let value: serde_json::Value = serde_json::from_str(&moved).unwrap();
    assert_eq!(value, serde_json::json!({"b": {"y": "Y"}, "a.z": "Z", "c": "X"}));
    assert_eq!(refused(file, |json| json.rename("b.x", "b.y")), "the file has both names");
}

#[test]
fn metadata_of_arb_goes_with_its_key() {
    let arb =
        "{\n  \"@@locale\": \"en\",\n  \"a.b\": \"A\",\n  \"@a.b\": {\"description\": \"of a\"},\n  \"c\": \"C\"\n}\n";
    let renamed = edited_as(FormatId::Arb, arb, |file| file.rename("a.b", "n"));
    assert_eq!(renamed, arb.replace("a.b", "n"));
    let removed = edited_as(FormatId::Arb, arb, |file| file.remove("a.b"));
    assert_eq!(removed, "{\n  \"@@locale\": \"en\",\n  \"c\": \"C\"\n}\n");
    let mut file = by_id(FormatId::Arb).editor(arb.as_bytes()).unwrap();
    file.set("@a.b.description", "of a", "x").unwrap_err();
}

#[test]
fn what_is_added_follows_the_hand_of_the_file() {
    let tabs = "{\r\n\t\"a\" : {\r\n\t\t\"b\" : \"B\"\r\n\t},\r\n\t\"e\" : {}\r\n}\r\n";
    assert_eq!(
        edited(tabs, |file| file.add("a.c.d", "D")),
        tabs.replace("\"B\"", "\"B\",\r\n\t\t\"c\" : {\r\n\t\t\t\"d\" : \"D\"\r\n\t\t}")
    );
    assert_eq!(
        edited(tabs, |file| file.add("e.x.y", "Y")),
        tabs.replace("{}", "{\r\n\t\t\"x\" : {\r\n\t\t\t\"y\" : \"Y\"\r\n\t\t}\r\n\t}")
    );
    let line = r#"{ "a": { "b": "B" } }"#;
    assert_eq!(edited(line, |file| file.add("a.c.d", "D")), r#"{ "a": { "b": "B", "c": { "d": "D" } } }"#);
    assert_eq!(edited("{}\n", |file| file.add("a", "A")), "{\n  \"a\": \"A\"\n}\n");
    assert_eq!(edited(r#"{"a":"<\/b>"}"#, |file| file.add("c", "/")), r#"{"a":"<\/b>","c":"\/"}"#);
}

#[test]
fn what_stands_in_a_list_keeps_its_place() {
    let file = r#"{"a": [{"b": "B"}, {"b": "C", "d": "D"}]}"#;
    assert_eq!(edited(file, |json| json.remove("a.0.b")), file.replace(r#"{"b": "B"}"#, "{}"));
    assert_eq!(edited(file, |json| json.remove("a.1.b")), file.replace(r#""b": "C", "#, ""));
}

#[test]
fn a_part_of_a_name_that_is_empty_makes_no_object() {
    let added = edited(r#"{"k": {"b": "B"}}"#, |file| file.add("c..d", "D"));
    assert_eq!(added.replace(char::is_whitespace, ""), r#"{"k":{"b":"B"},"c":{".d":"D"}}"#);
}

#[test]
fn objects_lie_no_deeper_in_each_other_than_they_are_read() {
    for first in ["k", "new"] {
        let name = |parts: usize| format!("{first}{}", ".x".repeat(parts - 1));
        let mut file = by_id(FormatId::Json).editor(br#"{"k": {"b": "B"}}"#).unwrap();
        assert_eq!(file.add(&name(128), "x"), Err(EditError::TooDeep(name(128))));
        assert_eq!(file.add(&name(127), "x"), Ok(Edited::Written));
        assert!(by_id(FormatId::Json).parse(&file.bytes()).is_ok());
    }
}

#[test]
fn a_name_that_something_else_has_is_refused() {
    let file = r#"{"a": {"b": "B"}, "n": 1, "o": {"c": "C"}}"#;
    assert_eq!(refused(file, |json| json.add("n", "N")), "`n` of `n` is something else there");
    assert_eq!(refused(file, |json| json.add("a", "A")), "`a` of `a` is something else there");
    assert_eq!(refused(file, |json| json.rename("a.b", "n.b")), "`n` of `n.b` is something else there");
    let deep = format!("a.{}", "x.".repeat(200) + "y");
    assert_eq!(refused(file, |json| json.add(&deep, "A")), format!("`{deep}` has too many parts"));
}

#[test]
fn a_name_that_stands_twice_with_one_value_is_one_text() {
    let file = r#"{"a": "A", "b": "B", "a": "A"}"#;
    assert_eq!(edited(file, |json| json.set("a", "A", "Z")), file.replace("\"A\"", "\"Z\""));
    assert_eq!(edited(file, |json| json.rename("a", "c")), file.replace("\"a\"", "\"c\""));
    assert_eq!(edited(file, |json| json.remove("a")), r#"{"b": "B"}"#);
}

/// A change: the number of an operation, two keys and a text.
type Step = (u8, &'static str, &'static str, &'static str);

fn step(file: &mut dyn Editor, (what, key, other, text): Step) -> Result<Edited, EditError> {
    match what {
        0 => file.add(key, text),
        1 => file.remove(key),
        2 => file.rename(key, other),
        _ => file.set(key, if text == "S" { "T" } else { "S" }, text),
    }
}

proptest! {
    /// Changes that are collected make the file that each one makes alone, and one that is refused changes nothing.
    #[test]
    fn many_changes_are_as_one_after_the_other(
        start in proptest::sample::select(vec![
            "{}",
            "{\n  \"a\": \"S\",\n  \"b\": {\n    \"a\": \"S\",\n    \"c\": [\"T\", {\"a\": \"S\"}]\n  }\n}\n",
            "{\"a.b\": \"S\", \"c\": {\"a\": {\"b\": \"T\"}}}",
            "{\"@@locale\": \"en\", \"a\": \"S\", \"@a\": {\"description\": \"T\"}, \"c.a\": \"T\"}",
        ]),
        arb in any::<bool>(),
        steps in proptest::collection::vec(
            (0..4_u8, key(), key(), proptest::sample::select(vec!["S", "T"])), 1..12,
        ),
    ) {
        let format = if arb { FormatId::Arb } else { FormatId::Json };
        let mut together = by_id(format).editor(start.as_bytes()).unwrap();
        let mut bytes = start.as_bytes().to_vec();
        for change in steps {
            let mut alone = by_id(format).editor(&bytes).unwrap();
            let done = step(alone.as_mut(), change);
            prop_assert_eq!(step(together.as_mut(), change), done.clone(), "{:?}", change);
            if done != Ok(Edited::Written) {
                prop_assert_eq!(alone.bytes(), bytes.clone(), "{:?}", change);
            }
            bytes = alone.bytes();
            prop_assert_eq!(
                String::from_utf8(together.bytes()).unwrap(),
                String::from_utf8(bytes.clone()).unwrap(),
                "{:?}", change
            );
        }
    }
}

fn key() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "a", "b", "c", "a.b", "b.a", "b.c.0", "b.c.1.a", "b.x.y", "c.a", "c.a.b", "x.y", "x.z",
    ])
}
