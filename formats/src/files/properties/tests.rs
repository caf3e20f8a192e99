use l10n_api_types::{Content, FormatId, Plural, PluralCategory};

use crate::files::{EditError, Edited, Entry, by_id};

fn listing(bytes: &[u8]) -> Vec<(String, String)> {
    let document = by_id(FormatId::Properties).parse(bytes).unwrap();
    let text = |content| match content {
        Content::Text(text) => text,
        Content::Plural(_) => panic!("properties have no plurals"),
    };
    document.entries.into_iter().map(|entry| (entry.key, text(entry.content))).collect()
}

fn read(text: &str) -> Vec<(String, String)> {
    listing(text.as_bytes())
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

/// The file with one key that says something else.
fn with(bytes: &[u8], key: &str, text: &str) -> Vec<u8> {
    let document = by_id(FormatId::Properties).parse(bytes).unwrap();
    let own = document.entries.clone();
    by_id(FormatId::Properties).render(&document, "ru", &|name| {
        let said = own.iter().find(|entry| entry.key == name).map(|entry| entry.content.clone());
        if name == key { Some(Content::Text(text.to_owned())) } else { said }
    })
}

fn with_text(file: &str, key: &str, text: &str) -> String {
    String::from_utf8(with(file.as_bytes(), key, text)).unwrap()
}

#[test]
fn keys_end_at_the_first_bare_sign_or_blank() {
    assert_eq!(
        read("a=1\nb : 2\nc 3\nd\n  e\t=\t5 \n"),
        pairs(&[("a", "1"), ("b", "2"), ("c", "3"), ("d", ""), ("e", "5 "),])
    );
    assert_eq!(read("a\\ b\\=c\\:d=1\n\\#e==2\n"), pairs(&[("a b=c:d", "1"), ("#e", "=2")]));
}

#[test]
fn lines_go_on_behind_an_odd_number_of_backslashes() {
    assert_eq!(read("a=1\\\n   2\\\r\n\t3\nb=4\\\\\nc=\\\n  5\n"), pairs(&[("a", "123"), ("b", "4\\"), ("c", "5")]));
    assert_eq!(read("a=1\\\n\nb=2\\\n#3\n"), pairs(&[("a", "1"), ("b", "2#3")]));
    assert_eq!(read("# no\\\na=1\n! more\\\nb=2"), pairs(&[("a", "1"), ("b", "2")]));
    assert_eq!(read("k \\\n = v\nl\\\n  m=w\n\\\nn=1\n\\\n\n"), pairs(&[("k", "v"), ("lm", "w"), ("n", "1")]));
}

#[test]
fn escapes_are_read() {
    assert_eq!(read("a=\\t\\n\\r\\f\\u0041\\z\\\\\\\"\n"), pairs(&[("a", "\t\n\r\u{c}Az\\\"")]));
    assert_eq!(read("a=\\ud83d\\ude00"), pairs(&[("a", "😀")]));
    let refused = |text: &str| by_id(FormatId::Properties).parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        refused("a=b\nc=\\u12"),
        "line 2, column 3: `\\u` takes four digits of a character, from 0 to 9 and a to f"
    );
    assert!(refused("a=\\u00é9").starts_with("line 1, column 3"));
    assert!(refused("a=\\ud83d").starts_with("line 1, column 3: `\\u` names half of a character"));
    assert!(refused("a=\\ud83d\\u0041").contains("half"));
    assert_eq!(refused("a=\\u0000"), "line 1, column 3: the text holds the character NUL");
    assert_eq!(refused("a=1\\"), "line 1, column 4: the file ends within an escape");
    assert_eq!(
        refused("a=1\nb=2\n  a=3"),
        "line 3, column 3: two texts have the key `a`: this one and the one in line 1; take one of them out"
    );
    assert_eq!(refused("=1"), "line 1, column 1: the key of this text, ``, is empty");
    assert_eq!(read("a\\nb\\\\=1"), pairs(&[("a\\nb\\\\", "1")]));
}

#[test]
fn values_are_written_as_people_write_them() {
    let file = "a : 1\\\n  2\nb=B\n";
    assert_eq!(with_text(file, "a", " x:=#!\\\n\t'"), "a : \\ x:=#!\\\\\\n\\t'\nb=B\n");
    assert_eq!(with_text("a\nb b", "a", "x"), "a=x\nb b");
    assert_eq!(with_text("a\nb b", "b", "=x"), "a\nb \\=x");
    assert_eq!(with_text("a=1\r\nb=2\r\n", "b", "\u{7}é"), "a=1\r\nb=\\u0007é\r\n");
}

#[test]
fn each_encoding_stays() {
    assert_eq!(with("a=\u{e9}".as_bytes(), "a", "ж"), "a=ж".as_bytes());
    assert_eq!(with(b"a=\xe9\nb=\\u00e9", "a", "è ж"), b"a=\xe8 \\u0436\nb=\\u00e9");
    assert_eq!(with(b"a=1\nb=\\u00e9", "a", "é😀"), b"a=\\u00E9\\uD83D\\uDE00\nb=\\u00e9");
    assert_eq!(with(b"a=\\u00e8", "a", "é"), b"a=\\u00e9");
    assert_eq!(with(b"a=1\nb=2", "a", "é"), "a=é\nb=2".as_bytes());
    assert_eq!(with(b"\xef\xbb\xbfa=1", "a", "2"), b"\xef\xbb\xbfa=2");
    assert_eq!(listing(b"a=\xe9"), pairs(&[("a", "é")]));
}

#[test]
fn apostrophes_are_doubled_where_the_text_goes_through_message_format() {
    assert_eq!(with_text("a=Open {0}", "a", "Ouvrir l'objet {0}"), "a=Ouvrir l''objet {0}");
    assert_eq!(with_text("a=It''s", "a", "C'est l''un"), "a=C''est l''un");
    assert_eq!(with_text("a=It's", "a", "C'est"), "a=C'est");
    assert_eq!(with_text("a='{'{0}", "a", "'{'{0} l''a"), "a='{'{0} l''a");
    assert_eq!(with_text("a={b} {", "a", "l'a"), "a=l'a");
    let merged = by_id(FormatId::Properties).merge(b"a={0}", b"a=l'a {0}").unwrap();
    assert_eq!(merged.bytes, b"a=l'a {0}", "what is published is written as it is");
}

#[test]
fn comments_above_a_key_describe_it_and_go_with_it() {
    let file = "# Licence\n# of it\na=1\n\n# What b\n!  says\nb=2\n#c=0\nc=3\n\n# Far\n\nd=4\n";
    let document = by_id(FormatId::Properties).parse(file.as_bytes()).unwrap();
    let descriptions: Vec<_> = document.entries.iter().map(|entry| entry.description.as_deref()).collect();
    assert_eq!(descriptions, [None, Some("What b\nsays"), None, None]);
    let rest =
        by_id(FormatId::Properties).render(&document, "ru", &|key| (key == "d").then(|| Content::Text("4".to_owned())));
    assert_eq!(String::from_utf8(rest).unwrap(), "# Licence\n# of it\n\n# Far\n\nd=4\n");
}

#[test]
fn new_entries_follow_the_hand_of_their_neighbour() {
    let format = by_id(FormatId::Properties);
    let merged = |own: &str, published: &str| {
        let merged = format.merge(own.as_bytes(), published.as_bytes()).unwrap();
        (String::from_utf8(merged.bytes).unwrap(), merged.kept)
    };
    let (text, kept) = merged("a : A\r\nx = X\r\nc : C", "a=A\n# new\nb=B\nc=C\nd=D\n");
    assert_eq!((text.as_str(), kept), ("a : A\r\nb : B\r\nx = X\r\nc : C\r\nd : D", vec!["x".to_owned()]));
    assert_eq!(merged("b=B\n", "a=A\nb=B\n").0, "a=A\nb=B\n");
    assert_eq!(merged("# Only this\n", "a=A\n").0, "# Only this\na=A\n");
    assert_eq!(merged("\n", "a=A\n").0, "a=A\n");
    assert_eq!(
        merged("# x\n\n# A\na=A\n\n# B\nb=B\n", "a=A\n# N\nn=N\nb=B\n").0,
        "# x\n\n# A\na=A\n\n# N\nn=N\n\n# B\nb=B\n"
    );
    let entries = [Entry::new("a b", Content::Text("x".into())), Entry::new("a b", Content::Text("y".into()))];
    assert_eq!(format.render_new("ru", &entries), b"a\\ b=x\n");
    assert_eq!(format.merge(b"a=\\u1", b"a=1").unwrap_err().split(':').next(), Some("the file cannot be read"));
}

#[test]
fn single_texts_are_changed_added_renamed_and_removed() {
    let file = "# Licence\n\n# About a\na=1\r\nb : 2\n\nc=3\n";
    let mut editor = by_id(FormatId::Properties).editor(file.as_bytes()).unwrap();
    assert_eq!(editor.set("a", "1", "é"), Ok(Edited::Written));
    assert_eq!(editor.set("a", "1", "é"), Ok(Edited::There));
    assert_eq!(editor.set("b", "1", "x"), Err(EditError::Differs("2".into())));
    assert_eq!(editor.rename("b", "b 2"), Ok(Edited::Written));
    assert_eq!(editor.rename("b", "b 2"), Ok(Edited::There));
    assert_eq!(editor.rename("a", "c"), Err(EditError::BothNames));
    assert_eq!(editor.add("n.m", "N"), Ok(Edited::Written));
    assert_eq!(editor.add("n.m", "O"), Err(EditError::Taken("N".into())));
    assert_eq!(editor.remove("c"), Ok(Edited::Written));
    assert_eq!(editor.remove("c"), Ok(Edited::There));
    assert_eq!(editor.set("c", "3", "4"), Err(EditError::Unknown("c".into())));
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), "# Licence\n\n# About a\na=é\r\nb\\ 2 : 2\n\nn.m=N\n");
}

#[test]
fn a_plural_is_written_as_its_most_general_form() {
    let document = by_id(FormatId::Properties).parse(b"n = N\n").unwrap();
    let forms = [(PluralCategory::One, "1".to_owned()), (PluralCategory::Other, "many".to_owned())];
    let plural = Content::Plural(Plural { arg: "count".to_owned(), forms: forms.into() });
    let file = by_id(FormatId::Properties).render(&document, "en", &|_| Some(plural.clone()));
    assert_eq!(String::from_utf8(file).unwrap(), "n = many\n");
}

#[test]
fn a_blank_line_follows_a_new_first_entry_where_all_have_one() {
    let merged = by_id(FormatId::Properties).merge(b"b=B\n\nc=C\n\nd=D\n", b"a=A\nb=B\nc=C\nd=D\n").unwrap();
    assert_eq!(String::from_utf8(merged.bytes).unwrap(), "a=A\n\nb=B\n\nc=C\n\nd=D\n");
}
