use PluralCategory::{Few, Many, One, Other, Zero};
use insta::assert_snapshot;
use l10n_api_types::PluralKey;

use super::*;
use crate::files::Entry;

const FILE: &str = r#"{
  "title": "Hello {{name}}",
  "cart": {
    "item_one": "{{count}} item",
    "item_other": "{{count}} items",
    "item_zero": "No items"
  },
  "place_ordinal_one": "{{count}}st",
  "place_ordinal_two": "{{count}}nd",
  "place_ordinal_few": "{{count}}rd",
  "place_ordinal_other": "{{count}}th",
  "friend": "A friend",
  "friend_male": "A boyfriend",
  "friend_male_one": "{{count}} boyfriend",
  "friend_male_other": "{{count}} boyfriends",
  "step_one": "First step",
  "step_two": "Second step",
  "gender_male": "He",
  "gender_other": "They"
}
"#;

#[test]
fn texts_that_differ_in_the_category_are_one_plural() {
    assert_snapshot!(listing(&parse("i18next", FILE)), @"
    title = Hello {{name}}
    cart.item = plural by count: =0 No items | one {{count}} item | other {{count}} items
    place_ordinal = ordinal by count: one {{count}}st | two {{count}}nd | few {{count}}rd | other {{count}}th
    friend = A friend
    friend_male = A boyfriend
    friend_male_other = plural by count: one {{count}} boyfriend | other {{count}} boyfriends
    step_one = First step
    step_two = Second step
    gender_male = He
    gender_other = They
    ");
}

#[test]
fn a_lone_other_is_a_plural_unless_it_stands_beside_contexts() {
    assert_snapshot!(listing(&parse("i18next", r#"{
      "item_other": "{{count}}個", "item_title": "t",
      "kind_other": "x",
      "sex_male": "m", "sex_other": "o",
      "a_b_other": "{{ count, number }}", "a_other": "y",
      "_other": "z"
    }"#)), @"
    item = plural by count: other {{count}}個
    item_title = t
    kind = plural by count: other x
    sex_male = m
    sex_other = o
    a_b = plural by count: other {{ count, number }}
    a = plural by count: other y
    _other = z
    ");
}

#[test]
fn categories_of_the_target_language_are_added_where_they_belong() {
    let source = "{\n  \"a\": \"x\",\n  \"n_one\": \"{{count}} file\",\n  \"n_other\": \"{{count}} files\"\n}\n";
    let forms = plural(&[(One, "файл"), (Few, "файла"), (Many, "файлов"), (Other, "файла.")]);
    let out = rendered("i18next", source, "ru", |key, _| (key == "n").then(|| forms.clone()));
    assert_eq!(
        out,
        "{\n  \"n_one\": \"файл\",\n  \"n_few\": \"файла\",\n  \"n_many\": \"файлов\",\n  \"n_other\": \"файла.\"\n}\n"
    );
}

#[test]
fn categories_that_the_target_language_lacks_are_left_out() {
    let out = rendered("i18next", FILE, "ja", |key, _| (key == "cart.item").then(|| plural(&[(Other, "個")])));
    assert_eq!(out, "{\n  \"cart\": {\n    \"item_other\": \"個\"\n  }\n}\n");
}

#[test]
fn a_plural_that_lacks_categories_of_the_language_gets_them_from_other() {
    let source = r#"{"n_other": "{{count}}個"}"#;
    let out = rendered("i18next", source, "ar", |_, _| Some(plural(&[(Other, "x"), (One, "y")])));
    assert_eq!(out, r#"{"n_zero": "x", "n_one": "y", "n_two": "x", "n_few": "x", "n_many": "x", "n_other": "x"}"#);
    let out = rendered("i18next", source, "en", |_, _| Some(text("{{count}}")));
    assert_eq!(out, r#"{"n_one": "{{count}}", "n_other": "{{count}}"}"#);
}

/// A form and another text with the form's key would be two entries as soon as a language does not use the form.
#[test]
fn a_form_whose_key_another_text_has_is_refused_like_any_two_texts_with_one_key() {
    let file = r#"{"a":{"b_other":"x","b_zero":"y"},"a.b_zero":"z"}"#;
    let error = format("i18next").parse(file.as_bytes()).unwrap_err();
    assert_snapshot!(error, @"line 1, column 35: two texts have the key `a.b_zero`: this one and the one in line 1; rename one of them, so that a name with dots and names inside each other differ");
}

#[test]
fn forms_that_stand_apart_stay_apart() {
    let source = "{\n\t\"n_other\":\"o\",\n\t\"x\":\"X\",\n\t\"n_one\":\"1\"\n}";
    let forms = plural(&[(One, "один"), (Few, "два"), (Many, "пять"), (Other, "и")]);
    let out = rendered("i18next", source, "ru", |key, content| {
        Some(if key == "n" { forms.clone() } else { content.clone() })
    });
    assert_eq!(
        out,
        "{\n\t\"n_other\":\"и\",\n\t\"x\":\"X\",\n\t\"n_one\":\"один\",\n\t\"n_few\":\"два\",\n\t\"n_many\":\"пять\"\n}"
    );
}

#[test]
fn an_explicit_zero_survives_and_a_first_form_is_added_before() {
    let out = rendered("i18next", "{\n  \"n_one\": \"a\",\n  \"n_other\": \"b\"\n}", "en", |_, _| {
        Some(plural(&[(Zero, "none"), (One, "a"), (Other, "b")]))
    });
    assert_eq!(out, "{\n  \"n_zero\": \"none\",\n  \"n_one\": \"a\",\n  \"n_other\": \"b\"\n}");
}

#[test]
fn zero_is_the_number_0_in_languages_that_have_no_such_category() {
    let source = "{\n  \"n_zero\": \"none\",\n  \"n_one\": \"a\",\n  \"n_other\": \"b\"\n}";
    let forms =
        [("=0", "ない"), ("other", "い")].map(|(form, text)| (form.parse::<PluralKey>().unwrap(), text.to_owned()));
    let japanese = || Some(Content::Plural(Plural { arg: "count".to_owned(), forms: forms.clone().into() }));
    let out = rendered("i18next", source, "ja", |_, _| japanese());
    assert_eq!(out, "{\n  \"n_zero\": \"ない\",\n  \"n_other\": \"い\"\n}");
    assert_eq!(rendered("i18next", &out, "ja", |_, _| japanese()), out, "read as it was written");
}

#[test]
fn without_a_skeleton_the_file_is_nested_where_keys_allow_it() {
    let entries = [
        Entry::new("a.b", text("1")),
        Entry::new("c", text("2")),
        Entry::new("c.d", text("3")),
        Entry::new("Are you sure? Yes.", text("4")),
        Entry::new("a.n", plural(&[(One, "5"), (Other, "6")])),
        Entry::new("a.n_one.x", text("7")),
    ];
    let out = String::from_utf8(format("i18next").render_new("en", &entries)).unwrap();
    assert_snapshot!(out, @r#"
    {
      "a": {
        "b": "1",
        "n_one": "5",
        "n_other": "6"
      },
      "c": "2",
      "c.d": "3",
      "Are you sure? Yes.": "4",
      "a.n_one.x": "7"
    }
    "#);
    assert_eq!(listing(&parse("i18next", &out)).lines().count(), entries.len());
}
