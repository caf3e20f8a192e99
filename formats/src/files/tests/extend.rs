//! Entries that a file lacks are added in its own style.

use l10n_api_types::{Content, FormatId, PluralCategory};

use super::{plural, text};
use crate::files::{Entry, by_id};

fn extended(format: FormatId, file: &str, added: &[(&str, Content)]) -> Option<String> {
    let spelling = by_id(format);
    let document = spelling.parse(file.as_bytes()).unwrap();
    let added: Vec<Entry> = added.iter().map(|(key, content)| Entry::new(*key, content.clone())).collect();
    let bytes = spelling.extend(&document, &added)?;
    let names = |document: crate::files::LocalizationFile| {
        document
            .entries
            .into_iter()
            .map(|entry| (entry.key, entry.content))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    let mut expected = names(document);
    expected.extend(added.into_iter().map(|entry| (entry.key, entry.content)));
    assert_eq!(names(spelling.parse(&bytes).unwrap()), expected, "what is read back");
    Some(String::from_utf8(bytes).unwrap())
}

#[test]
fn a_flat_file_gets_them_at_its_end() {
    let file = extended(FormatId::Json, "{\n    \"a\": \"A\"\n}\n", &[("b.c", text("B")), ("d", text("D"))]);
    assert_eq!(file.as_deref(), Some("{\n    \"a\": \"A\",\n    \"b.c\": \"B\",\n    \"d\": \"D\"\n}\n"));
}

#[test]
fn a_nested_file_gets_them_in_the_object_that_the_name_leads_into() {
    let file = extended(
        FormatId::Json,
        "{\"a\": {\"b\": {\"c\": \"C\"}, \"x\": {}}, \"z\": \"Z\"}",
        &[("a.b.d", text("D")), ("a.e", text("E")), ("a.x.y", text("Y")), ("q.r", text("R"))],
    );
    assert_eq!(
        file.as_deref(),
        Some(
            "{\"a\": {\"b\": {\"c\": \"C\", \"d\": \"D\"}, \"x\": {}, \"e\": \"E\", \"x.y\": \"Y\"}, \"z\": \"Z\", \
             \"q.r\": \"R\"}"
        )
    );
}

#[test]
fn plurals_come_with_a_name_per_category() {
    let files = plural(&[(PluralCategory::One, "{{count}} file"), (PluralCategory::Other, "{{count}} files")]);
    let file = extended(FormatId::I18next, "{\n  \"a\": \"A\"\n}", &[("files", files)]);
    assert_eq!(
        file.as_deref(),
        Some("{\n  \"a\": \"A\",\n  \"files_one\": \"{{count}} file\",\n  \"files_other\": \"{{count}} files\"\n}")
    );
}

#[test]
fn an_arb_file_keeps_its_metadata_beside_them() {
    let file = extended(
        FormatId::Arb,
        "{\"@@locale\": \"en\", \"a\": \"A\", \"@a\": {\"description\": \"x\"}}",
        &[("b", text("B"))],
    );
    assert_eq!(
        file.as_deref(),
        Some("{\"@@locale\": \"en\", \"a\": \"A\", \"@a\": {\"description\": \"x\"}, \"b\": \"B\"}")
    );
}

#[test]
fn a_file_without_members_cannot_be_followed() {
    assert_eq!(extended(FormatId::Json, "{ }", &[("a", text("A"))]), None);
}

#[test]
fn what_has_no_place_in_a_file_is_left_out_of_it_and_the_rest_comes() {
    let file = "a: [x, z]\nb:\n  c: C\n";
    let added = ["a.2", "b", "d.0", "d.1", "e.1", "b.x"].map(|key| Entry::new(key, text("w")));
    let format = by_id(FormatId::Yaml);
    let document = format.parse(file.as_bytes()).unwrap();
    assert_eq!(format.extend(&document, &added), None);
    let extended = format.extend_where_it_can(&document, &added).map(|bytes| String::from_utf8(bytes).unwrap());
    let expected = "a: [x, z]\nd:\n  - w\n  - w\ne:\n  \"1\": w\nb:\n  c: C\n  x: w\n";
    assert_eq!(extended.as_deref(), Some(expected));
}

#[test]
fn texts_named_by_their_places_are_a_list_in_a_new_file() {
    let keys = ["a.0", "a.1", "b.1", "b.0", "c.0", "c.x", "d.0.e"];
    let entries = keys.map(|key| Entry::new(key, text(&format!("t{key}"))));
    let written = |format| String::from_utf8(by_id(format).render_new("de", &entries)).unwrap();
    let yaml = written(FormatId::Yaml);
    assert!(
        yaml.starts_with("de:\n  a:\n    - ta.0\n    - ta.1\n  b:\n    \"1\": \"tb.1\"\n    \"0\": \"tb.0\"\n"),
        "{yaml}"
    );
    let i18next = written(FormatId::I18next).split_whitespace().collect::<String>();
    let expected =
        r#"{"a":["ta.0","ta.1"],"b":{"1":"tb.1","0":"tb.0"},"c":{"0":"tc.0","x":"tc.x"},"d":{"0":{"e":"td.0.e"}}}"#;
    assert_eq!(i18next, expected);
}

#[test]
fn empty_parts_of_a_name_lead_nowhere() {
    let file = extended(FormatId::Json, "{\"a\": {\"b\": \"B\"}, \"x\": {\"y\": \"Y\"}}", &[(".x.z", text("Z"))]);
    assert_eq!(file.as_deref(), Some("{\"a\": {\"b\": \"B\"}, \"x\": {\"y\": \"Y\"}, \".x.z\": \"Z\"}"));
    let file = extended(FormatId::Json, "{\"a\": {\"b\": \"B\"}}", &[("a.", text("A"))]);
    assert_eq!(file.as_deref(), Some("{\"a\": {\"b\": \"B\"}, \"a.\": \"A\"}"));
}

#[test]
fn texts_come_outside_of_tables_and_plurals_into_the_group_of_their_name() {
    let days = plural(&[(PluralCategory::One, "1"), (PluralCategory::Other, "2")]);
    let file = "a = \"A\"\n\n[b]\none = \"1\"\nother = \"2\"\n";
    let with_a_text = extended(FormatId::Toml, file, &[("x", text("X"))]);
    assert_eq!(with_a_text, Some(file.replace("\n\n[b]", "\n\nx = \"X\"\n\n[b]")));
    let with_a_plural = extended(FormatId::Toml, file, &[("x", days)]);
    assert_eq!(with_a_plural, Some(format!("{file}\n[x]\none = \"1\"\nother = \"2\"\n")));
}
