use l10n_api_types::{Content, FormatId};

use crate::files::{Edited, Entry, LocalizationFile, by_id};

fn document(file: &str) -> LocalizationFile {
    by_id(FormatId::AppleStrings).parse(file.as_bytes()).unwrap()
}

fn listing(document: LocalizationFile) -> Vec<(String, String)> {
    let text = |content| match content {
        Content::Text(text) => text,
        Content::Plural(_) => panic!("strings have no plurals"),
    };
    document.entries.into_iter().map(|entry| (entry.key, text(entry.content))).collect()
}

fn read(file: &str) -> Vec<(String, String)> {
    listing(document(file))
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

/// The file with one key that says something else.
fn with(file: &[u8], key: &str, text: &str) -> Vec<u8> {
    let document = by_id(FormatId::AppleStrings).parse(file).unwrap();
    let own = document.entries.clone();
    by_id(FormatId::AppleStrings).render(&document, "ru", &|name| {
        let said = own.iter().find(|entry| entry.key == name).map(|entry| entry.content.clone());
        if name == key { Some(Content::Text(text.to_owned())) } else { said }
    })
}

fn with_text(file: &str, key: &str, text: &str) -> String {
    String::from_utf8(with(file.as_bytes(), key, text)).unwrap()
}

#[test]
fn strings_stand_in_quotes_or_bare() {
    let file = "\"a b\"=\"A\";'c' = 'it\"s' ; d.e/f:$-_ = g;\u{2028}\"h\" /* i */ = // j\n \"k\nl\";\n\"m\";n;";
    assert_eq!(
        read(file),
        pairs(&[("a b", "A"), ("c", "it\"s"), ("d.e/f:$-_", "g"), ("h", "k\nl"), ("m", "m"), ("n", "n"),])
    );
    assert_eq!(with_text(file, "c", "it's \"q\""), file.replace("'it\"s'", "'it\\'s \"q\"'"));
    assert_eq!(with_text(file, "d.e/f:$-_", "h"), file.replace("= g", "= h"));
    assert_eq!(with_text(file, "d.e/f:$-_", "x y"), file.replace("= g", "= \"x y\""));
    assert_eq!(with_text(file, "n", "N"), file.replace(";n;", ";n = \"N\";"));
}

#[test]
fn escapes_are_read_and_written() {
    let file = r#""a"="\a\b\f\n\r\t\v\"\'\\\z\101\U00e9\Ud83d\Ude00\U9";"#;
    assert_eq!(read(file), pairs(&[("a", "\u{7}\u{8}\u{c}\n\r\t\u{b}\"'\\zAé😀\t")]));
    assert_eq!(read("\"a\"=\"x\\\ny\";"), pairs(&[("a", "x\ny")]));
    assert_eq!(with_text(r#""a"="\U00E9";"#, "a", "ж\u{1}"), r#""a"="\U0436\U0001";"#);
    assert_eq!(with_text(r#""a"="é\U00E9";"#, "a", "ж\n\"\\"), r#""a"="ж\n\"\\";"#);
    let small = document(r#""a"="\u203A \u20";"#);
    assert_eq!(small.warnings.len(), 1);
    assert_eq!(listing(small), pairs(&[("a", "› u20")]));
}

#[test]
fn what_is_no_strings_file_is_refused_with_its_place() {
    let refused = |text: &str| by_id(FormatId::AppleStrings).parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused("\"a\"=\"b\"\n\"c\"=\"d\";"), "line 2, column 1: expected `;`");
    assert_eq!(refused("\"a\" \"b\";"), "line 1, column 5: expected `=` or `;`");
    assert_eq!(refused("{a=b;}"), "line 1, column 1: expected a key in quotes");
    assert_eq!(refused("a=;"), "line 1, column 3: expected a text in quotes");
    assert_eq!(refused("\na=\"b"), "line 2, column 3: the \" is not closed");
    assert_eq!(refused("a=\"b\\"), "line 1, column 5: the file ends within an escape");
    assert_eq!(refused("/* a"), "line 1, column 1: the comment is not closed");
    assert!(refused("a=\"\\200\";").contains("octal"));
    assert!(refused("a=\"\\Ux\";").contains("takes digits"));
    assert!(refused("a=\"\\Ud83d\";").contains("half"));
    assert!(refused("a=b;\n\"a\"=c;").starts_with("line 2, column 1: two texts have the key `a`"));
    assert!(refused("\"\"=c;").contains("is empty"));
}

#[test]
fn utf_16_stays() {
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        assert_eq!(with(&wide("\"a\"=\"é\";\r\n", bytes), "a", "😀"), wide("\"a\"=\"😀\";\r\n", bytes));
    }
    assert_eq!(with("\u{feff}a=b;".as_bytes(), "a", "c"), "\u{feff}a=c;".as_bytes());
}

#[test]
fn comments_above_a_key_describe_it_and_go_with_it() {
    let file = "// Localizable\n// App\n\"a\" = \"A\"; // of a\n\n/* What\n * b says */\n\"b\" = \"B\";\n\n/* No comment provided by \
                engineer. */\n\"c\" = \"C\";\n\n/* far */\n\n\"d\" = \"D\";\n";
    let document = document(file);
    let descriptions: Vec<_> = document.entries.iter().map(|entry| entry.description.as_deref()).collect();
    assert_eq!(descriptions, [None, Some("What\nb says"), None, None]);
    let rest = by_id(FormatId::AppleStrings)
        .render(&document, "ru", &|key| (key == "d").then(|| Content::Text("D".to_owned())));
    assert_eq!(String::from_utf8(rest).unwrap(), "// Localizable\n// App\n\n/* far */\n\n\"d\" = \"D\";\n");
    let first = "/* of a */\n\"a\" = \"A\";\n";
    assert_eq!(
        by_id(FormatId::AppleStrings).parse(first.as_bytes()).unwrap().entries[0].description.as_deref(),
        Some("of a")
    );
}

#[test]
fn entries_that_a_file_lacks_come_to_their_place() {
    let merged = |own: &str, published: &str| {
        let merged = by_id(FormatId::AppleStrings).merge(own.as_bytes(), published.as_bytes()).unwrap();
        (String::from_utf8(merged.bytes).unwrap(), merged.kept)
    };
    let own = "/* A */\r\n\"a\"=\"A\";\r\n\r\n/* O */\r\n\"o\"=\"O\";\r\n\r\n/* C */\r\n\"c\"=\"C\";\r\n";
    let (text, kept) = merged(own, "\"a\" = \"A\";\n/* New\none */\n\"b\\n\" = \"B\";\n\"c\" = \"C\";\n");
    assert_eq!(text, own.replace("\"A\";\r\n", "\"A\";\r\n\r\n/* New\r\none */\r\n\"b\\n\"=\"B\";\r\n"));
    assert_eq!(kept, ["o"]);
    assert_eq!(merged("", "a=b;").0, "a=b;");
    let entries = [Entry::new("a\\nb", Content::Text("x".into()))];
    assert_eq!(by_id(FormatId::AppleStrings).render_new("ru", &entries), b"\"a\\nb\" = \"x\";\n");
}

#[test]
fn single_texts_are_changed_added_renamed_and_removed() {
    let file = "/* A */\n\"a\" = \"A\";\nb = B;\n'c' = 'C';\n";
    let mut editor = by_id(FormatId::AppleStrings).editor(file.as_bytes()).unwrap();
    assert_eq!(editor.set("a", "A", "é"), Ok(Edited::Written));
    assert_eq!(editor.rename("b", "b c"), Ok(Edited::Written));
    assert_eq!(editor.rename("c", "it's"), Ok(Edited::Written));
    assert_eq!(editor.add("n\\n", "N"), Ok(Edited::Written));
    assert_eq!(
        String::from_utf8(editor.bytes()).unwrap(),
        "/* A */\n\"a\" = \"é\";\n\"b c\" = B;\n'it\\'s' = 'C';\n\"n\\n\" = \"N\";\n"
    );
}
