use std::collections::BTreeMap;

use l10n_api_types::{Content, FormatId, Plural, PluralCategory};

use crate::files::{EditError, Edited, Entry, Format, LocalizationFile, by_id, detect};

fn toml() -> &'static dyn Format {
    by_id(FormatId::Toml)
}

fn parse(file: &str) -> LocalizationFile {
    toml().parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{file}"))
}

fn refusal(file: &str) -> String {
    toml().parse(file.as_bytes()).unwrap_err().to_string()
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn plural(forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
    Content::Plural(Plural { arg: "count".to_owned(), forms })
}

/// `key = text` and `key = category text|…`, one in each line.
fn listing(file: &str) -> Vec<String> {
    let line = |entry: Entry| {
        let said = match entry.content {
            Content::Text(text) => text,
            Content::Plural(plural) => {
                let forms = plural.forms.iter().map(|(category, text)| format!("{category} {text}"));
                forms.collect::<Vec<_>>().join("|")
            }
        };
        let description = entry.description.map(|text| format!(" ({text})")).unwrap_or_default();
        format!("{} = {said}{description}", entry.key)
    };
    parse(file).entries.into_iter().map(line).collect()
}

/// The file in a language, with other contents for some keys.
fn with(file: &str, language: &str, other: &[(&str, Option<Content>)]) -> String {
    let document = parse(file);
    let own: BTreeMap<String, Content> =
        document.entries.iter().map(|entry| (entry.key.clone(), entry.content.clone())).collect();
    let bytes = toml().render(&document, language, &|key| {
        other
            .iter()
            .find(|(name, _)| *name == key)
            .map_or_else(|| own.get(key).cloned(), |(_, content)| content.clone())
    });
    let file = String::from_utf8(bytes).unwrap();
    parse(&file);
    file
}

fn merged(own: &str, published: &str) -> (String, Vec<String>) {
    let merged = toml().merge(own.as_bytes(), published.as_bytes()).unwrap();
    let file = String::from_utf8(merged.bytes).unwrap();
    parse(&file);
    (file, merged.kept)
}

#[test]
fn tables_join_names_and_messages_are_texts_or_plurals() {
    let file = "home = \"Home\"\na.\"b c\" = 'x'\n\n[menu.top]\nopen = \"Open\" # not shown\n\n[days]\ndescription = \"on a page\"\n\
                hash = \"sha1-1\"\none = \"{{.Count}} day\"\nother = \"{{.Count}} days\"\n\n# above\n[menu.posts]\nother = \"\"\"\nPosts\"\"\"\n";
    assert_eq!(
        listing(file),
        [
            "home = Home",
            "a.b c = x",
            "menu.top.open = Open",
            "days = one {{.Count}} day|other {{.Count}} days (on a page)",
            "menu.posts = Posts (above)",
        ]
    );
    assert_eq!(
        listing("d.one = \"1\"\nd.other = \"n\"\n[s]\nd = { one = \"1\", other = \"n\" }\n"),
        ["d = one 1|other n", "s.d = one 1|other n"]
    );
}

#[test]
fn quotes_stay_where_they_can_say_the_text() {
    let said = |raw: &str, text: &str| {
        let file = with(&format!("a = {raw} # c\n"), "de", &[("a", Some(self::text(text)))]);
        assert_eq!(listing(&file), [format!("a = {text}")]);
        file.strip_prefix("a = ").unwrap().strip_suffix(" # c\n").unwrap().to_owned()
    };
    assert_eq!(said("\"x\"", "é \"q\" \\ \t\n\u{7f}"), "\"é \\\"q\\\" \\\\ \\t\\n\\u007F\"");
    assert_eq!(said("'x'", "C:\\\"a\""), "'C:\\\"a\"'");
    assert_eq!(said("'x'", "it's"), "\"it's\"");
    assert_eq!(said("'x'", "a\nb"), "\"a\\nb\"");
    assert_eq!(said("\"\"\"x\"\"\"", "\na \"\"\"\n\\"), "\"\"\"\n\na \\\"\\\"\\\"\n\\\\\"\"\"");
    assert_eq!(said("\"\"\"\nx\"\"\"", "a\nb"), "\"\"\"\na\nb\"\"\"");
    assert_eq!(said("'''\nx'''", "\\a\n'b"), "'''\n\\a\n'b'''");
    assert_eq!(said("'''x'''", "a'"), "\"\"\"a'\"\"\"");
    assert_eq!(said("\"\\u00e9\"", "ü𝄞"), "\"\\u00FC\\U0001D11E\"");
    let wide = with("a = \"\"\"\r\nx\r\ny\"\"\"\r\n", "de", &[("a", Some(text("z\nz")))]);
    assert_eq!(wide, "a = \"\"\"\r\nz\r\nz\"\"\"\r\n");
    assert_eq!(listing("a = \"\"\"\r\nx\r\ny\"\"\"\r\n"), ["a = x\ny"]);
}

/// A category beside other names makes the texts of a table come and go together, with its header.
#[test]
fn what_comes_into_a_table_with_a_category_stands_below_its_header() {
    let (own, published) =
        ("top = \"t\"\n[menu]\n  one = \"1\"\n  last = \"x\"\n[z]\na = \"a\"\n", "[menu]\nfirst = \"0\"\n");
    let (file, kept) = merged(own, published);
    assert_eq!(file, own.replace("[z]", "  first = \"0\"\n[z]"));
    assert_eq!(kept, ["top", "menu.one", "menu.last", "z.a"]);
    assert_eq!(merged(&file, published).0, file);
}

#[test]
fn plurals_have_the_categories_of_the_language() {
    let file = "[d]\ndescription = \"x\"\n  one = \"1\" # c\n  other = 'n'\n\n[e]\nother = \"e\"\n";
    let russian = [
        (PluralCategory::One, "o"),
        (PluralCategory::Few, "f"),
        (PluralCategory::Many, "m"),
        (PluralCategory::Other, "n"),
    ];
    assert_eq!(
        with(file, "ru", &[("d", Some(plural(&russian)))]),
        "[d]\ndescription = \"x\"\n  one = \"o\" # c\n  few = \"f\" # c\n  many = \"m\" # c\n  other = 'n'\n\n[e]\nother = \"e\"\n"
    );
    assert_eq!(
        with(file, "ja", &[("d", Some(plural(&[(PluralCategory::Other, "x")])))]),
        "[d]\ndescription = \"x\"\n  other = 'x'\n\n[e]\nother = \"e\"\n"
    );
    assert_eq!(with(file, "ru", &[("e", Some(text("ё")))]), file.replace("\"e\"", "\"ё\""));
    assert_eq!(
        with("d.one = \"1\"\nd.other = \"n\"", "ru", &[("d", Some(plural(&russian)))]),
        "d.one = \"o\"\nd.few = \"f\"\nd.many = \"m\"\nd.other = \"n\""
    );
    assert_eq!(
        with("d = {one = \"1\", other = \"n\"}\n", "ru", &[("d", Some(plural(&russian)))]),
        "d = {one = \"o\", few = \"f\", many = \"m\", other = \"n\"}\n"
    );
    assert_eq!(with("[d]\nother = \"n\"\none = \"1\"", "ru", &[("d", Some(plural(&russian)))]).lines().count(), 5);
}

#[test]
fn entries_go_with_what_belongs_to_them() {
    let file = "# file\n\n# of a\na = \"x\"\nb = \"y\"\n\n# of d\n[d]\none = \"1\"\nother = \"n\"\n\n[s]\nc = \"z\"\n";
    assert_eq!(with(file, "de", &[("a", None), ("d", None)]), "# file\n\nb = \"y\"\n\n[s]\nc = \"z\"\n");
    assert_eq!(with(file, "de", &[("s.c", None)]), file.replace("c = \"z\"\n", ""));
    let mixed = "[m]\nother = \"Other\"\nhome = \"Home\"\n\n[s]\nc = \"z\"\n";
    assert_eq!(listing(mixed), ["m.other = Other", "m.home = Home", "s.c = z"]);
    assert_eq!(with(mixed, "de", &[("m.home", None)]), "[s]\nc = \"z\"\n");
}

#[test]
fn what_is_no_text_stays() {
    let file = "v = 1\nlist = [\"x\"]\nday = 2024-01-01\nflag = true\npair = { a = \"x\" }\n[[items]]\nname = \"n\"\n[items.more]\nx = \"y\"\n[t]\none = \"1\"\nfew = \"f\"\n[u]\na = \"A\"\n";
    assert_eq!(listing(file), ["u.a = A"]);
    let document = parse(file);
    assert_eq!(
        document.warnings,
        [
            "`t` is left as it is: a plural needs a text for other",
            "3 tables in brackets or braces are left as they are"
        ]
    );
    assert_eq!(with(file, "ru", &[("u.a", None)]), file.replace("a = \"A\"\n", ""));
    for name in ["v", "list", "pair", "items", "t", "u"] {
        assert!(toml().extend(&document, &[Entry::new(name.to_owned(), text("x"))]).is_none(), "{name}");
    }
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    insta::assert_snapshot!(refusal("a = \"x\"\na = \"y\"\n"), @"line 2, column 1: duplicate key");
    insta::assert_snapshot!(refusal("[a]\nb = \"x\"\n[a]\n"), @"line 3, column 2: duplicate key");
    insta::assert_snapshot!(refusal("a.b = \"x\"\n\"a.b\" = \"y\"\n"), @"line 2, column 1: two texts have the key `a.b`: this one and the one in line 1; take one of them out");
    insta::assert_snapshot!(refusal("a = x\n"), @"line 1, column 5: string values must be quoted, expected literal string");
    insta::assert_snapshot!(refusal("a = \"x\n"), @"line 1, column 5: invalid basic string");
    insta::assert_snapshot!(refusal("a\n"), @"line 1, column 2: key with no value");
    insta::assert_snapshot!(refusal("a = 1979-99-99\n"), @"line 1, column 5: invalid date, expected month between 01 and 12");
    insta::assert_snapshot!(refusal("\"a\\nb\" = \"x\"\n"), @r"line 1, column 1: the key of this text, `a\nb`, holds control characters");
    insta::assert_snapshot!(refusal("d.one = \"1\"\nx = \"y\"\nd.other = \"n\"\n"), @"line 1, column 1: the texts of `d` stand in several places: put them below each other");
    insta::assert_snapshot!(refusal(&format!("{} = \"x\"\n", vec!["a"; 65].join("."))), @"line 1, column 1: the name has more than 64 parts");
    insta::assert_snapshot!(refusal(&format!("a = {}\n", "[".repeat(100))), @"line 1, column 69: cannot recurse further; max recursion depth met");
}

#[test]
fn new_entries_come_where_they_belong() {
    let extended = |file: &str, added: &[(&str, Content)]| {
        let added: Vec<Entry> =
            added.iter().map(|(key, content)| Entry::new((*key).to_owned(), content.clone())).collect();
        let file = String::from_utf8(toml().extend(&parse(file), &added).unwrap()).unwrap();
        parse(&file);
        file
    };
    let two = plural(&[(PluralCategory::One, "1"), (PluralCategory::Other, "n")]);
    assert_eq!(
        extended(
            "a='x'\n\n[s]\nb = \"y\"\n",
            &[("s.c", text("1")), ("d", text("2")), ("x.y", text("3")), ("e", two.clone())]
        ),
        "a='x'\nd=\"2\"\n\"x.y\"=\"3\"\ne.one=\"1\"\ne.other=\"n\"\n\n[s]\nb = \"y\"\nc = \"1\"\n"
    );
    assert_eq!(
        extended("[a]\nother = \"x\"\n\n[b]\nother = \"y\"", &[("c", text("z")), ("e", two)]),
        "[a]\nother = \"x\"\n\n[b]\nother = \"y\"\n\n[c]\nother = \"z\"\n\n[e]\none = \"1\"\nother = \"n\""
    );
}

#[test]
fn a_target_file_gets_what_it_lacks_and_keeps_the_rest() {
    let own = "a = \"eigen\"\nold = \"alt\"\n[s]\nb = \"B\"\n\n[d]\none = \"1\"\nother = \"n\"\n";
    let published = "a = \"A\"\nc = \"C\"\n\n[r]\nq = \"Q\"\n\n[s]\nb = \"B\"\nc = \"SC\"\n\n[m]\nother = \"M\"\n\n[d]\none = \"eins\"\nother = \"n\"\n\n[z]\nother = \"Z\"\n";
    let (file, kept) = merged(own, published);
    assert_eq!(kept, ["old"]);
    assert_eq!(
        file,
        "a = \"A\"\nc = \"C\"\nold = \"alt\"\n\n[r]\nq = \"Q\"\n[s]\nb = \"B\"\nc = \"SC\"\n\n[m]\nother = \"M\"\n[d]\none = \"eins\"\nother = \"n\"\n[z]\nother = \"Z\"\n"
    );
    // A table cannot lie in a text, and a text cannot be a table.
    let (file, _) = merged("a = \"x\"\n[b.c]\nd = \"y\"\n", "b = \"t\"\n[a]\nb = \"z\"\n[b2]\nd = \"w\"\n");
    assert_eq!(listing(&file), ["a.b = z", "a = x", "b2.d = w", "b.c.d = y"]);
}

#[test]
fn single_texts_are_changed_and_renamed_in_place() {
    let file = "# of a\na = \"x\" # c\nb.c = 'y'\n[d]\nother = \"n\"\n[e.f]\none = \"1\"\nother = \"n\"\n";
    let mut editor = toml().editor(file.as_bytes()).unwrap();
    assert_eq!(editor.set("a", "x", "new"), Ok(Edited::Written));
    assert_eq!(editor.rename("b.c", "b d"), Ok(Edited::Written));
    assert_eq!(editor.rename("d", "q"), Ok(Edited::Written));
    assert_eq!(editor.set("q", "n", "m"), Ok(Edited::Written));
    assert_eq!(editor.rename("e.f", "g.h"), Ok(Edited::Written));
    assert_eq!(editor.add("e", "x"), Err(EditError::Unwritable("e".to_owned())));
    assert_eq!(
        String::from_utf8(editor.bytes()).unwrap(),
        "# of a\na = \"new\" # c\n\"b d\" = 'y'\n[q]\nother = \"m\"\n[\"g.h\"]\none = \"1\"\nother = \"n\"\n"
    );
}

#[test]
fn files_of_settings_are_told_from_catalogues() {
    let holds = |text: &str| toml().holds_texts(text.as_bytes());
    assert!(holds("a = \"x\"\n") && holds("[a]\nother = \"x\"\n") && holds("[a.b]\nc = \"x\"\n"));
    assert!(
        !holds("") && !holds("edition = \"2024\"\nmembers = []\n") && !holds("[[bin]]\nname = \"x\"\n") && !holds("a")
    );
    assert_eq!(detect("i18n/en.toml", b"").map(|format| format.id()), Ok(FormatId::Toml));
}

/// The crate `toml` reads the same names and texts.
#[test]
fn the_reader_of_others_agrees() {
    let file = "a = \"x\\u00e9\"\n'b.c'.d = '''\ny'''\n[t.\"u v\"]\nw = \"\"\"\\\n   z\"\"\"\nother = \"o\"\n[[x]]\ny = \"n\"\n";
    agrees(file);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples/toml");
    let Ok(files) = std::fs::read_dir(&folder) else {
        eprintln!("SKIPPED: ../shared/samples/toml is not there");
        return;
    };
    files.for_each(|file| agrees(&std::fs::read_to_string(file.unwrap().path()).unwrap()));
}

fn agrees(file: &str) {
    let table: ::toml::Table = file.parse().unwrap();
    let mut theirs = BTreeMap::new();
    flatten("", &table, &mut theirs);
    for entry in parse(file).entries {
        match entry.content {
            Content::Text(text) => {
                let found = theirs.get(&entry.key).or_else(|| theirs.get(&format!("{}.other", entry.key)));
                assert_eq!(found, Some(&text), "{}", entry.key);
            }
            Content::Plural(plural) => {
                for (category, text) in plural.forms {
                    assert_eq!(theirs.get(&format!("{}.{category}", entry.key)), Some(&text));
                }
            }
        }
    }
}

fn flatten(prefix: &str, table: &::toml::Table, out: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        match value {
            ::toml::Value::Table(inner) => flatten(&format!("{prefix}{key}."), inner, out),
            ::toml::Value::String(text) => {
                out.insert(format!("{prefix}{key}"), text.clone());
            }
            _ => {}
        }
    }
}

#[test]
fn a_text_that_is_added_outside_of_tables_stays_outside() {
    let mut file = toml().editor(b"a = \"A\"\n\n[b]\none = \"1\"\nother = \"2\"\n").unwrap();
    file.add("x", "X").unwrap();
    let written = String::from_utf8(file.bytes()).unwrap();
    assert_eq!(written, "a = \"A\"\n\nx = \"X\"\n\n[b]\none = \"1\"\nother = \"2\"\n");
}
