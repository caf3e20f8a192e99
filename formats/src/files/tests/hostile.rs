//! Hostile and broken files get an answer in linear time, with line and column.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::*;

#[test]
fn what_is_not_standard_json_is_refused_with_its_place() {
    let said = |text: &str| refusal("json", text.as_bytes());
    assert_snapshot!(said(""), @"1:1: the file is empty: an empty catalogue is `{}`");
    assert_snapshot!(said("\n \n"), @"3:1: the file is empty: an empty catalogue is `{}`");
    assert_snapshot!(said("{\n  // note\n}"), @"2:3: comments are not part of JSON");
    assert_snapshot!(said("{\n  \"a\": \"x\",\n}"), @"3:1: a comma after the last value is not part of JSON");
    assert_snapshot!(said("{\"a\": [\"x\",]}"), @"1:12: a comma after the last value is not part of JSON");
    assert_snapshot!(said("{'a': 1}"), @"1:2: strings take double quotes");
    assert_snapshot!(said("{\"ä\": \"x\" \"b\": 1}"), @"1:11: expected `,` or `}`");
    assert_snapshot!(said("{\"a\": \"x"), @"1:9: EOF while parsing a string");
    assert_snapshot!(said("{\"a\": {"), @"1:8: EOF while parsing an object");
    assert_snapshot!(said("{\"a\": 01}"), @"1:8: invalid number");
    assert_snapshot!(said("{\"a\": NaN}"), @"1:7: expected value");
    assert_snapshot!(said("{\"a\": \"x\ty\"}"), @"1:9: control character (\\u0000-\\u001F) found while parsing a string");
    assert_snapshot!(said("{} {}"), @"1:4: trailing characters");
    assert_snapshot!(said("{\u{a0}}"), @"1:2: key must be a string");
    assert_snapshot!(said("[\"a\"]"), @"1:1: the file must hold one object, `{…}`");
    assert_snapshot!(said("\"a\""), @"1:1: the file must hold one object, `{…}`");
}

#[test]
fn bad_characters_are_refused_with_their_place() {
    let said = |bytes: &[u8]| refusal("json", bytes);
    assert_snapshot!(said(b"{\n\"a\": \"\xff\"}"), @"2:7: the file is not valid UTF-8: save it as UTF-8");
    assert_snapshot!(said(b"\xff\xfe{\0}\0"), @"1:1: the file is UTF-16: save it as UTF-8");
    assert_snapshot!(said(b"\xfe\xff\0{\0}"), @"1:1: the file is UTF-16: save it as UTF-8");
    assert_snapshot!(said(br#"{"a": "\ud800"}"#), @"1:8: Invalid unicode escape sequence. 'd800 (unpaired high surrogate)' is not a valid UTF8 character");
    assert_snapshot!(said(br#"{"a": "\udc00"}"#), @"1:8: Invalid unicode escape sequence. 'dc00 (unpaired low surrogate)' is not a valid UTF8 character");
    assert_snapshot!(said(br#"{"a": "\u0000"}"#), @r"1:7: the string holds the character NUL (\u0000)");
    assert_snapshot!(said(b"{\"a\": \"\0\"}"), @r"1:8: control character (\u0000-\u001F) found while parsing a string");
}

#[test]
fn keys_that_cannot_be_told_apart_are_refused() {
    let said = |text: &str| refusal("json", text.as_bytes());
    assert_snapshot!(said("{\n\"a\": \"x\",\n\"b\": 1,\n\"a\": 2}"), @"4:1: the key `a` is there twice, in line 2 with another value");
    assert_snapshot!(said("{\"a\": \"x\", \"\\u0061\": \"y\"}"), @"1:12: the key `a` is there twice, in line 1 with another value");
    assert_snapshot!(said("{\n\"a.b\": \"x\",\n\"a\": {\n \"b\": \"y\"}}"), @"4:2: two texts have the key `a.b`: this one and the one in line 2; rename one of them, so that a name with dots and names inside each other differ");
    assert_snapshot!(said("{\"a\": [\"x\"], \"a.0\": \"y\"}"), @"1:14: two texts have the key `a.0`: this one and the one in line 1; rename one of them, so that a name with dots and names inside each other differ");
    assert_snapshot!(said("{\"\": \"x\"}"), @"1:2: the key of this text, ``, is empty");
    assert_snapshot!(said("{\"a\\n\": \"x\"}"), @r"1:2: the key of this text, `a\n`, holds control characters");
    let long = "k".repeat(1 << 20);
    assert_snapshot!(said(&format!("{{\"{long}\": \"x\"}}")), @"1:2: the key of this text, `kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk…`, is longer than 512 bytes");
}

#[test]
fn a_name_of_1_mib_around_many_texts_costs_no_copies_of_it() {
    let mut file = format!("{{\"{}\": {{", "k".repeat(1 << 20));
    (0..20_000).for_each(|n| write!(file, "\"{n}\": {{}},").unwrap());
    file.push_str("\"z\": \"text\"}}");
    assert!(refusal("json", file.as_bytes()).contains("is longer than 512 bytes"));
}

#[test]
fn depth_is_refused_before_it_costs_stack() {
    for depth in [129, 10_000, 1_000_000] {
        let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        let said = "1:641: objects and arrays lie more than 128 deep in each other";
        assert_eq!(refusal("json", objects.as_bytes()), said);
        let arrays = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(refusal("i18next", arrays.as_bytes()).ends_with("deep in each other"));
        assert!(format("json").parse("[".repeat(depth).as_bytes()).is_err());
    }
    let deepest = format!("{}\"x\"{}", "{\"a\":".repeat(128), "}".repeat(128));
    assert_eq!(rendered("json", &deepest, "de", |_, _| Some(text("y"))), deepest.replace('x', "y"));
    assert_eq!(rendered("json", &deepest, "de", |_, _| None), "{}");
}

#[test]
fn a_text_of_1_mib_and_100_000_keys_are_read_and_written() {
    for (id, pairs, entries) in [("json", 50_000, 100_001), ("i18next", 10_000, 10_001), ("arb", 10_000, 20_001)] {
        let mut file = String::from("{");
        (0..pairs).for_each(|n| write!(file, "\"key_{n}_one\": \"{n}\", \"key_{n}_other\": \"{n}s\",").unwrap());
        write!(file, "\"long\": \"{}\"}}", "ü\\n".repeat(1 << 18)).unwrap();
        let document = parse(id, &file);
        assert_eq!(document.entries.len(), entries);
        assert_eq!(unchanged(id, file.as_bytes(), "en"), file.as_bytes());
        let some = format(id).render(&document, "ru", &|key| key.contains('1').then(|| text("x")));
        let kept = document.entries.iter().filter(|entry| entry.key.contains('1')).count();
        assert_eq!(parse(id, std::str::from_utf8(&some).unwrap()).entries.len(), kept);
    }
}

#[test]
fn many_lone_others_below_each_other_cost_no_more() {
    let mut file = String::from("{");
    (1..250).for_each(|n| {
        write!(file, "\"{}_other\": \"x\", \"{}_z{n}\": \"y\",", "a_".repeat(n), "a_".repeat(n)).unwrap()
    });
    (0..10_000).for_each(|n| write!(file, "\"a_{n}_other\": \"x\",").unwrap());
    file.push_str("\"end\": \"x\"}");
    assert_eq!(unchanged("i18next", file.as_bytes(), "en"), file.as_bytes());
}
