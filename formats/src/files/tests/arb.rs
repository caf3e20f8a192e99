use insta::assert_snapshot;

use super::*;
use crate::files::Entry;

const FILE: &str = r#"{
  "@@locale": "en_US",
  "@@author": "us",
  "title": "Hello {name}",
  "@title": {
    "description": "Shown on top",
    "placeholders": { "name": { "type": "String" } }
  },
  "files": "{n, plural, one{file} other{files}}",
  "@files": { "placeholders": { "n": {} } },
  "@orphan": {}
}
"#;

#[test]
fn metadata_describes_and_is_not_an_entry() {
    let document = parse("arb", FILE);
    assert_eq!(document.language.as_deref(), Some("en_US"));
    assert_snapshot!(listing(&document), @"
    title = Hello {name} (Shown on top)
    files = {n, plural, one{file} other{files}}
    ");
}

#[test]
fn a_translation_gets_its_locale_and_no_metadata() {
    let out = rendered("arb", FILE, "pt-BR", |_, _| Some(text("x")));
    assert_eq!(
        out,
        "{\n  \"@@locale\": \"pt_BR\",\n  \"@@author\": \"us\",\n  \"title\": \"x\",\n  \"files\": \"x\"\n}\n"
    );
}

#[test]
fn the_template_keeps_metadata_of_the_keys_it_keeps() {
    let out = rendered("arb", FILE, "en-US", |key, _| (key == "title").then(|| text("Hi")));
    assert_eq!(
        out,
        r#"{
  "@@locale": "en_US",
  "@@author": "us",
  "title": "Hi",
  "@title": {
    "description": "Shown on top",
    "placeholders": { "name": { "type": "String" } }
  },
  "@orphan": {}
}
"#
    );
}

#[test]
fn a_locale_with_hyphens_keeps_them() {
    let out = rendered("arb", r#"{"@@locale": "en-US", "a": "x"}"#, "pt-BR", |_, _| Some(text("y")));
    assert_eq!(out, r#"{"@@locale": "pt-BR", "a": "y"}"#);
}

#[test]
fn a_file_without_locale_gets_none_and_is_the_template_while_nothing_differs() {
    let source = r#"{"a": "x", "@a": {"description": "d"}}"#;
    assert_eq!(rendered("arb", source, "de", |_, content| Some(content.clone())), source);
    assert_eq!(rendered("arb", source, "de", |_, _| Some(text("y"))), r#"{"a": "y"}"#);
}

#[test]
fn dots_are_part_of_the_name_and_other_values_stay() {
    let source = r#"{"a.b": "x", "a": {"b": "not an entry"}, "n": 1, "l": ["x"]}"#;
    assert_eq!(listing(&parse("arb", source)), "a.b = x");
    assert_eq!(rendered("arb", source, "de", |_, _| Some(text("y"))), source.replacen("\"x\"", "\"y\"", 1));
}

#[test]
fn metadata_of_the_wrong_kind_is_refused_where_it_stands() {
    assert_snapshot!(refusal("arb", b"{\n  \"a\": \"x\",\n  \"@a\": \"text\"\n}"), @"3:3: `@a` must be an object");
    assert_snapshot!(refusal("arb", br#"{"@@locale": 1}"#), @"1:2: `@@locale` must be a string");
}

#[test]
fn without_a_skeleton_the_locale_comes_first_and_descriptions_are_metadata() {
    let entries =
        [Entry { description: Some("d".to_owned()), ..Entry::new("a", text("x")) }, Entry::new("b", text("y"))];
    let out = String::from_utf8(format("arb").render_new("pt-BR", &entries)).unwrap();
    assert_snapshot!(out, @r#"
    {
      "@@locale": "pt_BR",
      "a": "x",
      "@a": {
        "description": "d"
      },
      "b": "y"
    }
    "#);
}

#[test]
fn a_description_says_what_placeholders_of_the_text_stand_for() {
    let file = r#"{
  "hi": "Hi {user}, {n, plural, other{{n} new}}",
  "@hi": {
    "description": "Greets",
    "placeholders": {
      "user": { "type": "String", "description": "First name", "example": "Ann" },
      "n": { "type": "int", "example": "3" },
      "gone": { "example": "x" },
      "odd": 1
    }
  },
  "only": "{a}",
  "@only": { "placeholders": { "a": { "example": "x" } } },
  "none": "{a}",
  "@none": { "placeholders": ["a"] }
}
"#;
    let notes: Vec<_> = parse("arb", file).entries.into_iter().map(|entry| entry.description).collect();
    let told = |text: &str| Some(text.to_owned());
    assert_eq!(notes, [told("Greets\n{user} = First name, such as Ann\n{n}, such as 3"), told("{a}, such as x"), None]);
}
