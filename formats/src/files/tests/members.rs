//! JSON files with a member for each text: `chrome`, `docusaurus`, `formatjs`, `laravel-json`.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::files::{DetectError, EditError, Edited, Entry, detect, likeliest};

const FORMATS: [&str; 4] = ["chrome", "docusaurus", "formatjs", "laravel-json"];

const CHROME: &str = "{\n  // The name of the extension, shown everywhere\n  \"name\": {\n    \"message\": \"Notes of $USER$, $1\",\n    \"description\": \"Name, with owner\",\n    \"placeholders\": {\n      \"user\": { \"content\": \"$1\", \"example\": \"Ann\" }\n    }\n  }, // ,\n  /* two, in one */\n  \"save\": { \"message\": \"Save\" },\n  \"last\": {\"message\": \"Last\"} // no more\n}\n";

fn found(path: &str, content: &str) -> String {
    match detect(path, content.as_bytes()) {
        Ok(format) => format.id().to_string(),
        Err(DetectError::Ambiguous { candidates }) => {
            candidates.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" ")
        }
        Err(DetectError::Unknown { .. }) => "unknown".to_owned(),
    }
}

fn merged(id: &str, own: &str, published: &str) -> (String, Vec<String>) {
    let merged = format(id).merge(own.as_bytes(), published.as_bytes()).unwrap();
    (String::from_utf8(merged.bytes).unwrap(), merged.kept)
}

fn edited(
    id: &str,
    text: &str,
    edit: impl FnOnce(&mut dyn crate::files::Editor) -> Result<Edited, EditError>,
) -> String {
    let mut file = format(id).editor(text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(file.bytes()).unwrap(), text, "what is only read stays");
    assert_eq!(edit(file.as_mut()), Ok(Edited::Written));
    String::from_utf8(file.bytes()).unwrap()
}

#[test]
fn members_with_a_text_are_entries() {
    let chrome = "name = Notes of $USER$, $1 (Name, with owner\n$USER$ = $1, such as Ann)\nsave = Save\nlast = Last";
    assert_eq!(listing(&parse("chrome", CHROME)), chrome);
    let site = r#"{"theme.x.y": {"message": "One|{n}", "description": "D"}, "z": {"message": 1}, "s": "t"}"#;
    assert_eq!(listing(&parse("docusaurus", site)), "theme.x.y = One|{n} (D)");
    let formatjs = r#"{"a.b": {"defaultMessage": "{n}", "description": ""}, "c": "C", "d": {"string": "D", "developer_comment": "x"}}"#;
    assert_eq!(listing(&parse("formatjs", formatjs)), "a.b = {n}\nc = C\nd = D (x)");
    let laravel = r#"{"All rights reserved.": "X", "a.b": "Y", "n": {"o": "no"}}"#;
    assert_eq!(listing(&parse("laravel-json", laravel)), "All rights reserved. = X\na.b = Y");
}

#[test]
fn names_that_are_texts_become_keys() {
    let long = "k".repeat(600);
    let file = format!(r#"{{"a\nb": "1", "a\\nb": "2", "{long}": "3"}}"#);
    let document = parse("laravel-json", &file);
    let keys: Vec<_> = document.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys.get(..2), Some(["a\\nb", "a\\\\nb"].as_slice()));
    assert!(keys[2].len() < 512 && keys[2].contains("…#"));
    let written = rendered("laravel-json", &file, "de", |key, _| Some(text(&key.chars().take(4).collect::<String>())));
    assert!(written.starts_with(r#"{"a\nb": "a\\nb", "a\\nb": "a\\\\n""#), "{written}");
    assert_eq!(refusal("laravel-json", br#"{"": "x"}"#), "1:2: the key of this text, ``, is empty");
    let twice = b"{\"Name\": {\"message\": \"x\"},\n\"name\": {\"message\": \"y\"}}";
    assert_eq!(refusal("chrome", twice), "2:1: two texts have the key `name`: this one and the one in line 1");
    assert!(format("docusaurus").parse(twice).is_ok());
}

#[test]
fn placeholders_and_descriptions_go_into_every_language_and_comments_stay() {
    let german = rendered("chrome", CHROME, "de", |key, _| Some(text(&format!("{key} $USER$"))));
    let expected = CHROME
        .replace("\"Notes of $USER$, $1\"", "\"name $USER$\"")
        .replace("\"Save\"", "\"save $USER$\"")
        .replace("\"Last\"", "\"last $USER$\"");
    assert_eq!(german, expected);
    let some = rendered("chrome", CHROME, "de", |key, _| (key == "save").then(|| text("Sichern")));
    assert_eq!(listing(&parse("chrome", &some)), "save = Sichern");
    let extended = format("chrome").extend(&parse("chrome", CHROME), &[Entry::new("more", text("More"))]).unwrap();
    let extended = String::from_utf8(extended).unwrap();
    assert!(extended.contains("\"Last\"},\n  \"more\": {\"message\": \"More\"} // no more\n}"), "{extended}");
    assert_eq!(refusal("docusaurus", b"{\n  // x\n}"), "2:3: comments are not part of JSON");
    assert_eq!(refusal("chrome", b"{\n  /* x\n}"), "2:3: comments are not part of JSON");
}

#[test]
fn what_is_added_follows_the_members_that_are_there() {
    let extended = |id: &str, file: &str| {
        let mut entry = Entry::new("new", text("N"));
        entry.description = Some("D".into());
        format(id).extend(&parse(id, file), &[entry]).map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let lines = "{\r\n\t\"a\": {\r\n\t\t\"message\": \"A\"\r\n\t}\r\n}\r\n";
    let added = lines.replace(
        "\t}\r\n}",
        "\t},\r\n\t\"new\": {\r\n\t\t\"message\": \"N\",\r\n\t\t\"description\": \"D\"\r\n\t}\r\n}",
    );
    assert_eq!(extended("docusaurus", lines), Some(added));
    let line = r#"{"a":{"message":"A","description":"x"}}"#;
    let added = r#"{"a":{"message":"A","description":"x"},"new":{"message":"N","description":"D"}}"#;
    assert_eq!(extended("docusaurus", line).as_deref(), Some(added));
    assert_eq!(extended("formatjs", "{\"a\": \"A\"}\n").as_deref(), Some("{\"a\": \"A\", \"new\": \"N\"}\n"));
    let strings = r#"{"a": {"string": "A"}}"#;
    let added = r#"{"a": {"string": "A"}, "new": {"string": "N","developer_comment": "D"}}"#;
    assert_eq!(extended("formatjs", strings).map(|text| text.replace("\", \"d", "\",\"d")).as_deref(), Some(added));
    assert_eq!(extended("chrome", "{}"), None, "there is no spelling to follow");
    let odd = format("laravel-json").extend(&parse("laravel-json", r#"{"a": "A"}"#), &[Entry::new("a\\q", text("x"))]);
    assert_eq!(odd, None, "reading it would give another key");
}

#[test]
fn a_new_file_has_all_entries_once() {
    let mut described = Entry::new("a b", text("A"));
    described.description = Some("D".into());
    let entries =
        [described, Entry::new("ab", text("1")), Entry::new("AB", text("again")), Entry::new("c\\nd", text("C"))];
    let written = |id: &str| String::from_utf8(format(id).render_new("de", &entries)).unwrap();
    let chrome = "{\n  \"a b\": {\n    \"message\": \"A\",\n    \"description\": \"D\"\n  },\n  \"ab\": {\n    \"message\": \"1\"\n  },\n  \"c\\nd\": {\n    \"message\": \"C\"\n  }\n}\n";
    assert_eq!(written("chrome"), chrome);
    assert_eq!(
        written("laravel-json"),
        "{\n  \"a b\": \"A\",\n  \"ab\": \"1\",\n  \"AB\": \"again\",\n  \"c\\nd\": \"C\"\n}\n"
    );
    assert_eq!(listing(&parse("formatjs", &written("formatjs"))), "a b = A (D)\nab = 1\nAB = again\nc\\nd = C");
}

#[test]
fn merging_writes_what_is_new_and_nothing_else() {
    let own = "{\n  \"NAME\": {\"message\": \"Alt\"}, // mine, kept\n  \"old\": {\"message\": \"Old\"}\n}\n";
    let (text, kept) = merged("chrome", own, CHROME);
    assert_eq!(kept, ["old"]);
    let name = "\"NAME\": {\"message\": \"Notes of $USER$, $1\",\"placeholders\": {";
    assert!(text.replace(", \"p", ",\"p").contains(name), "a new text brings its placeholders: {text}");
    assert!(text.contains("// mine, kept\n") && !text.contains("Name, with owner"), "{text}");
    let document = parse("chrome", &text);
    let keys: Vec<_> = document.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["NAME", "save", "last", "old"], "after the nearest one before it");
    assert_eq!(merged("chrome", &text, CHROME).0, text, "a second time it is the same");
    let other = "{ \"name\": { \"message\": \"$USER$\", \"placeholders\": { \"x\": {\"content\": \"$1\"} } } }";
    let (text, _) = merged("chrome", other, CHROME);
    assert!(text.contains("{\"content\": \"$1\"}, \"user\": {"), "{text}");
}

#[test]
fn merging_keeps_the_kind_of_the_file() {
    let objects = r#"{"a": {"defaultMessage": "A", "description": "x"}, "b": {"defaultMessage": "B"}}"#;
    assert_eq!(merged("formatjs", r#"{"a": "Z"}"#, objects).0, r#"{"a": "A", "b": "B"}"#);
    let (text, _) = merged("formatjs", r#"{"a": {"string": "A"}}"#, objects);
    assert_eq!(text, r#"{"a": {"string": "A"}, "b": {"string": "B"}}"#);
    assert_eq!(merged("formatjs", "{}", r#"{"a": "A"}"#).0, "{\n  \"a\": {\n    \"defaultMessage\": \"A\"\n  }\n}");
    assert_eq!(merged("laravel-json", "\u{feff} \n", "{\"a\": \"A\"}").0, "{\"a\": \"A\"}");
    assert_eq!(merged("laravel-json", "{\"n\": {}, \"z\": \"Z\"}", "{\"n\": \"N\"}").0, "{\"n\": \"N\", \"z\": \"Z\"}");
    assert_eq!(
        merged("laravel-json", "{\"a\": \"x\", \"a\": \"y\"}", "{\"a\": \"A\"}").0,
        "{\"a\": \"A\", \"a\": \"A\"}"
    );
    assert!(format("laravel-json").merge(b"<<<<", b"{}").unwrap_err().contains("not valid JSON"));
    assert_eq!(format("chrome").text_keys(CHROME.as_bytes()).unwrap(), ["name", "save", "last"]);
}

#[test]
fn single_texts_are_changed_and_every_other_byte_stays() {
    let set = edited("chrome", CHROME, |file| file.set("SAVE", "Save", "Keep"));
    assert_eq!(set, CHROME.replace("\"Save\"", "\"Keep\""));
    let renamed = edited("chrome", CHROME, |file| file.rename("save", "keep"));
    assert_eq!(renamed, CHROME.replace("\"save\"", "\"keep\""));
    let added = edited("chrome", CHROME, |file| file.add("more", "More"));
    assert!(added.contains("\"Last\"},\n  \"more\": {\"message\": \"More\"} // no more"), "{added}");
    let removed = edited("docusaurus", r#"{"a": {"message": "A"}, "b": {"message": "B"}}"#, |file| file.remove("a"));
    assert_eq!(removed, r#"{"b": {"message": "B"}}"#);
    assert_eq!(edited("laravel-json", "{}\n", |file| file.add("a b\\nc", "x")), "{\n  \"a b\\nc\": \"x\"\n}\n");
    let mut file = format("laravel-json").editor(br#"{"a": "A", "b": "B", "n": 1}"#).unwrap();
    assert_eq!(file.set("a", "no", "x"), Err(EditError::Differs("A".into())));
    assert_eq!(file.set("z", "no", "x"), Err(EditError::Unknown("z".into())));
    assert_eq!(file.add("a", "x"), Err(EditError::Taken("A".into())));
    assert_eq!(file.rename("a", "b"), Err(EditError::BothNames));
    assert_eq!(file.rename("y", "z"), Err(EditError::Unknown("y".into())));
    assert!(matches!(file.add("n", "x"), Err(EditError::SomethingElse { .. })));
    assert_eq!(file.add("a\\q", "x"), Err(EditError::Unwritable("a\\q".into())));
    assert_eq!(
        (file.set("a", "x", "A"), file.add("b", "B"), file.remove("z")),
        (Ok(Edited::There), Ok(Edited::There), Ok(Edited::There))
    );
    assert_eq!(String::from_utf8(file.bytes()).unwrap(), r#"{"a": "A", "b": "B", "n": 1}"#);
    for change in
        [file.add("c", "C"), file.rename("c", "d"), file.set("d", "C", "D"), file.remove("a"), file.rename("b", "a")]
    {
        assert_eq!(change, Ok(Edited::Written));
    }
    assert_eq!(String::from_utf8(file.bytes()).unwrap(), r#"{"a": "B", "n": 1, "d": "D"}"#);
}

#[test]
fn the_members_tell_the_format() {
    assert_eq!(found("messages.json", CHROME), "chrome");
    assert_eq!(found("en.json", r#"{"a": {"message": "A"}}"#), "json chrome");
    assert_eq!(likeliest("en.json", br#"{"a": {"message": "A"}}"#).as_str(), "chrome");
    assert_eq!(found("code.json", r#"{"a.b": {"message": "{x}", "description": "D"}}"#), "docusaurus");
    assert_eq!(found("en.json", r#"{"a.b": {"defaultMessage": "{{x}}"}}"#), "formatjs");
    assert_eq!(found("en.json", r#"{"Hello :name, you": "Hallo :name"}"#), "laravel-json");
    assert_eq!(likeliest("en.json", br#"{"Hello :name, you": "Hallo :name"}"#).as_str(), "laravel-json");
    assert_eq!(found("en.json", r#"{"Hello: you": "x", "At 10:30am go": "x"}"#), "json");
    assert_eq!(found("en.json", r#"{"a": {"message": "A"}, "b": "B"}"#), "json");
    assert_eq!(found("en.json", r#"{"error": {"message": "A", "code": "B"}}"#), "json");
    assert_eq!(found("en.json", "{}"), "json");
}

/// Rendered, read and merged with itself a file keeps its bytes; damage to any byte is an error or another file.
#[test]
fn hostile_files_get_an_answer() {
    for (id, file) in [
        ("chrome", CHROME),
        ("docusaurus", r#"{"a": {"message": "A", "description": "D"}, "b": {"message": "\u00e9"}}"#),
        ("formatjs", "{\"a\": {\"defaultMessage\": \"A\"},\r\n \"b\": \"B\"}\r\n"),
        ("laravel-json", "\u{feff}{\"Hello :name\": \"X\", \"b\": \"B\"}"),
    ] {
        for at in 0..file.len() {
            let mut flipped = file.as_bytes().to_vec();
            flipped[at] ^= 1 << (at % 8);
            for bytes in [&file.as_bytes()[..at], &flipped] {
                match format(id).parse(bytes) {
                    Ok(_) => assert_eq!(unchanged(id, bytes, "de"), bytes),
                    Err(error) => assert!(error.line >= 1 && error.column >= 1),
                }
                if let Ok(merged) = format(id).merge(bytes, bytes) {
                    assert_eq!(merged.bytes, bytes);
                }
            }
        }
    }
    let deep = format!("{{\"a\": {{\"message\": \"x\", \"placeholders\": {}1{}}}}}", "[".repeat(500), "]".repeat(500));
    assert!(refusal("chrome", deep.as_bytes()).contains("deep"));
    assert!(refusal("chrome", b"\xff\xfe{\0").contains("UTF-16"));
    assert!(refusal("laravel-json", b"{\"a\": \"\xff\"}").contains("not valid UTF-8"));
    let twice = br#"{"a": {"message": "x"}, "a": {"message": "y"}}"#;
    assert_eq!(refusal("docusaurus", twice), "1:25: the key `a` is there twice, in line 1 with another value");
}

/// 2 MiB of one construct take time that grows with their size alone.
#[test]
fn the_worst_files_take_linear_time() {
    let size = 2 * 1024 * 1024;
    let many = |one: &dyn Fn(usize) -> String| format!("{{{}}}", (0..size / 60).map(one).collect::<Vec<_>>().join(","));
    let files = [
        many(&|n| format!("\"k{n}\":{{\"message\":\"m\",\"placeholders\":{{\"p\":{{\"content\":\"$1\"}}}}}}")),
        many(&|n| format!("\"k{n} :a\":\"m :a\"// c\n")),
        format!("{{{}\"a\":{{\"message\":\"x\"}}}}", "/**/".repeat(size / 4)),
        format!("{{\"a\":{{\"message\":\"{}\"}}}}", "\\u0000".repeat(size / 6)),
        format!("{{\"{}\":\"x\"}}", ":".repeat(size)),
        "{/".repeat(size / 2),
    ];
    let begin = std::time::Instant::now();
    for file in &files {
        for id in FORMATS {
            let _ = (format(id).fit(file.as_bytes()), format(id).parse(file.as_bytes()).is_ok());
            let _ = format(id)
                .merge(file.as_bytes(), file.as_bytes())
                .map(|merged| assert_eq!(merged.bytes, file.as_bytes()));
        }
    }
    assert!(begin.elapsed().as_secs() < 120, "this is not linear: {:?}", begin.elapsed());
}

/// The laws on real files: bytes stay when they are rendered as they are, and merged with themselves.
#[test]
fn real_files_keep_their_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples");
    for (id, files, entries) in
        [("chrome", 7, 1_451), ("docusaurus", 8, 666), ("formatjs", 6, 2_566), ("laravel-json", 7, 2_887)]
    {
        let Ok(found) = std::fs::read_dir(folder.join(id)) else {
            eprintln!("SKIPPED: ../shared/samples/{id} is not there");
            continue;
        };
        let mut counted = (0, 0);
        for file in found {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let document = format(id).parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            counted = (counted.0 + 1, counted.1 + document.entries.len());
            assert!(unchanged(id, &bytes, "ru") == bytes, "{}", path.display());
            let merged = format(id).merge(&bytes, &bytes).unwrap();
            assert!(merged.bytes == bytes && merged.kept.is_empty(), "{}", path.display());
            let german = format(id).render(&document, "de", &|key| Some(text(&format!("«{key}»"))));
            let again = contents(&format(id).parse(&german).unwrap());
            assert!(again.iter().all(|(key, content)| *content == text(&format!("«{key}»"))), "{}", path.display());
            assert_eq!(again.len(), document.entries.len(), "{}", path.display());
        }
        assert_eq!(counted, (files, entries), "{id}");
    }
}

/// A file with a member for each of some names, with blanks and comments as people leave them.
pub(super) fn file(comments: bool) -> impl Strategy<Value = String> {
    let blank = || prop_oneof![Just(""), Just(" "), Just("\n  "), Just("\r\n\t")];
    let note = if comments { vec!["", "// a, b\n", "/* \" */"] } else { vec![""] };
    let text = || {
        prop::collection::vec(prop::sample::select(vec!["a", "ü", "\\n", "\\\"", "$X$", ":n", "|", "\\u00e9"]), 0..4)
            .prop_map(|parts| parts.concat())
    };
    let object = |name: &'static str| {
        (text(), prop::option::of(text()), prop::bool::ANY, blank()).prop_map(move |(text, description, more, b)| {
            let description = description.map(|text| format!(",{b}\"description\":\"{text}\"")).unwrap_or_default();
            let more = if more { ", \"placeholders\": {\"x\": {\"content\": \"$1\"}}" } else { "" };
            format!("{{{b}\"{name}\": \"{text}\"{description}{more}{b}}}")
        })
    };
    let value = prop_oneof![4 => object("message"), 2 => object("defaultMessage"), 2 => text().prop_map(|text| format!("\"{text}\"")), 1 => Just("1".to_owned())];
    let name = prop::sample::select(vec!["a", "b", "a.b", "C d", "e\\nf", "g\\\\h", "long :n"]);
    let member = (value, blank(), blank(), prop::sample::select(note.clone()), prop::sample::select(note));
    (prop::collection::btree_map(name, member, 0..6), blank()).prop_map(|(members, end)| {
        let members: Vec<_> = members
            .iter()
            .map(|(name, (value, a, b, before, after))| format!("{a}{before}\"{name}\"{b}: {value}{b}{after}"))
            .collect();
        format!("{{{}{end}}}", members.join(","))
    })
}

proptest! {
    #[test]
    fn the_laws_hold_for_members(
        file in prop::bool::ANY.prop_flat_map(file), other in file(false), pick in any::<u64>(),
    ) {
        for id in FORMATS {
            let format = format(id);
            let Ok(document) = format.parse(file.as_bytes()) else { continue };
            prop_assert_eq!(String::from_utf8(unchanged(id, file.as_bytes(), "de")).unwrap(), file.clone());
            let wanted: BTreeMap<String, Content> = document
                .entries
                .iter()
                .enumerate()
                .filter(|(at, _)| pick >> (at % 64) & 1 == 1)
                .map(|(_, entry)| (entry.key.clone(), text(&format!("«{}» / \n", entry.key))))
                .collect();
            let bytes = format.render(&document, "de", &|key| wanted.get(key).cloned());
            let again = format.parse(&bytes).map_err(|error| TestCaseError::fail(format!("{error}: {}", String::from_utf8_lossy(&bytes))))?;
            prop_assert_eq!(contents(&again).into_iter().collect::<BTreeMap<_, _>>(), wanted.clone());
            // What is merged says all that the other says, and merging it again changes nothing.
            for (own, new) in [(file.as_bytes(), other.as_bytes()), (other.as_bytes(), file.as_bytes()), (file.as_bytes(), &bytes)] {
                let (Ok(said), Ok(merged)) = (format.parse(new), format.merge(own, new)) else { continue };
                let found = contents(&format.parse(&merged.bytes).map_err(|error| TestCaseError::fail(format!("{error}: {}", String::from_utf8_lossy(&merged.bytes))))?);
                for (key, content) in contents(&said) {
                    prop_assert_eq!(found.get(&key), Some(&content), "{}", String::from_utf8_lossy(&merged.bytes));
                }
                prop_assert_eq!(&format.merge(&merged.bytes, new).unwrap().bytes, &merged.bytes);
            }
            let new = format.render_new("de", &again.entries);
            prop_assert_eq!(contents(&format.parse(&new).unwrap()).into_iter().collect::<BTreeMap<_, _>>(), wanted);
            if let Some(bytes) = format.extend(&document, &[Entry::new("new key", text("N"))]) {
                let again = contents(&format.parse(&bytes).unwrap());
                prop_assert_eq!(again.get("new key"), Some(&text("N")));
                prop_assert_eq!(again.len(), document.entries.len() + 1);
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_of_members_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        for id in FORMATS {
            let _ = (format(id).fit(&bytes), format(id).parse(&bytes).is_ok(), format(id).merge(&bytes, b"{\"a\": \"A\"}").is_ok());
        }
    }
}

/// As the text spells them; `$1` itself is no name.
#[test]
fn a_description_says_what_placeholders_of_chrome_stand_for() {
    let entries = parse("chrome", CHROME).entries;
    assert_eq!(entries[0].description.as_deref(), Some("Name, with owner\n$USER$ = $1, such as Ann"));
    let more = r#"{"a": {"message": "$URL$ and $url$", "placeholders": {"Url": {"content": "https://a"}, "x": {"content": "$2"}, "y": 1}}}"#;
    assert_eq!(parse("chrome", more).entries[0].description.as_deref(), Some("$URL$ = https://a"));
    // Other formats have no such object.
    let react = r#"{"a": {"defaultMessage": "$URL$", "description": "d", "placeholders": {"url": {"content": "x"}}}}"#;
    assert_eq!(parse("formatjs", react).entries[0].description.as_deref(), Some("d"));
}
