use l10n_api_types::{Content, FormatId, Plural, PluralCategory};

use crate::files::tests::{plural, text};
use crate::files::{EditError, Edited, Entry, Format, by_id, detect};

fn yaml() -> &'static dyn Format {
    by_id(FormatId::Yaml)
}

/// `key = text`, plurals as `category text | …`, one per line.
fn read(file: &str) -> String {
    let document = yaml().parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let line = |entry: &Entry| match &entry.content {
        Content::Text(text) => format!("{} = {text}", entry.key),
        Content::Plural(Plural { forms, .. }) => {
            let forms: Vec<_> = forms.iter().map(|(category, text)| format!("{category} {text}")).collect();
            format!("{} = {}", entry.key, forms.join(" | "))
        }
    };
    document.entries.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The file in a language; keys without a translation are left out.
fn rendered(file: &str, language: &str, texts: &[(&str, Content)]) -> String {
    let document = yaml().parse(file.as_bytes()).unwrap();
    let said = |key: &str| texts.iter().find(|(name, _)| *name == key).map(|(_, content)| content.clone());
    String::from_utf8(yaml().render(&document, language, &said)).unwrap()
}

/// A file of one key with another text, which is read again.
fn with(file: &str, said: &str) -> String {
    let key = yaml().parse(file.as_bytes()).unwrap().entries[0].key.clone();
    let out = rendered(file, "en", &[(&key, text(said))]);
    assert_eq!(yaml().parse(out.as_bytes()).unwrap().entries[0].content, text(said), "{out}");
    out
}

fn merged(own: &str, published: &str) -> (String, Vec<String>) {
    let merged = yaml().merge(own.as_bytes(), published.as_bytes()).unwrap();
    (String::from_utf8(merged.bytes).unwrap(), merged.kept)
}

#[test]
fn the_root_of_rails_is_the_language_and_no_part_of_keys() {
    let file = "# App\n---\nen:\n  a:\n    b: B %{x}\n  \"c d\": 'it''s' # why\n";
    assert_eq!(read(file), "a.b = B %{x}\nc d = it's");
    assert_eq!(yaml().parse(file.as_bytes()).unwrap().language.as_deref(), Some("en"));
    let said = [("a.b", text("Б %{x}")), ("c d", text("l'été"))];
    assert_eq!(rendered(file, "ru", &said), "# App\n---\nru:\n  a:\n    b: Б %{x}\n  \"c d\": 'l''été' # why\n");
    assert!(rendered(file, "no", &said).contains("\n\"no\":\n"));
    assert!(rendered("zh_CN:\n  a: x\n", "pt-BR", &[("a", text("z"))]).starts_with("pt_BR:\n"));
    assert_eq!(rendered("pt_BR:\n  a: x\n", "pt-BR", &[("a", text("x"))]), "pt_BR:\n  a: x\n");
    assert_eq!(read("app:\n  a: x\n"), "app.a = x");
    assert_eq!(read("en:\n  a: x\nde:\n  a: z\n"), "en.a = x\nde.a = z");
    assert_eq!(read(""), "");
    assert_eq!(read("# nothing\n"), "");
    assert_eq!(read("en:\n"), "");
}

#[test]
fn what_is_no_text_for_people_is_not_offered() {
    let values = "yes No ~ null 1_000 1,000 12:30 1.5 1e3 0x1f .inf 2001-12-14 :year *x !ruby/sym 3 = y off";
    let lines: String =
        values.split(' ').filter(|value| *value != "3").enumerate().fold(String::new(), |all, (at, value)| {
            all + &format!("  k{at}: {}\n", if value.starts_with('!') { "!ruby/sym v" } else { value })
        });
    let file = format!("en:\n  a: &x text\n{lines}  s: \"yes\"\n  t: ! 'no'\n  u: !!str 12\n  v: 1.5.2\n");
    assert_eq!(read(&file), "a = text\ns = yes\nt = no\nu = 12\nv = 1.5.2");
    let rails = "date:\n    formats:\n      x: \"%d\"\n    order: [year]\n    month_names:\n    -\n    - Jan\n  \
                 number:\n    currency:\n      format:\n        unit: \"$\"\n    human:\n      unit: B\n";
    assert_eq!(read(&format!("en:\n  {rails}")), "date.month_names.1 = Jan\nnumber.human.unit = B");
    assert_eq!(read("date:\n  formats:\n    x: d\n"), "date.formats.x = d");
    assert_eq!(read("a: &a\n  b: B\nc:\n  <<: *a\n  d: D\n"), "a.b = B\nc.d = D");
}

#[test]
fn a_changed_text_keeps_its_hand_and_stays_a_string() {
    assert_eq!(with("a: x\n", "Да"), "a: Да\n");
    for odd in [
        "no",
        "12:30",
        "- x",
        "a: b",
        "a #b",
        ":sym",
        "",
        " x",
        "x ",
        "%{a}",
        "~",
        "1,5",
        "x\ny",
        "@a",
        "=",
        "2020-01-02",
    ] {
        assert_eq!(with("a: x # c\n", odd), format!("a: \"{}\" # c\n", odd.replace('\n', "\\n")));
    }
    assert_eq!(with("a: 'x'\n", "it's"), "a: 'it''s'\n");
    assert_eq!(with("a: 'x'\n", "x\ny"), "a: \"x\\ny\"\n");
    assert_eq!(with("a: \"x\"\n", "q\"\\\u{7}\u{a0}"), "a: \"q\\\"\\\\\\x07\u{a0}\"\n");
    assert_eq!(with("a: \"\\u0416\"\n", "Жи"), "a: \"\\u0416\\u0438\"\n");
    assert_eq!(with("a: ! 'x'\n", "no"), "a: ! 'no'\n");
    assert_eq!(with("a: &q x\n", "z"), "a: &q z\n");
    assert_eq!(with("a: x\n  y\n# c\n", "z"), "a: z\n# c\n");
    assert_eq!(with("a: |  # c\n    x\n    y\n\nb: 1\n", "z\n\n- w\n"), "a: |  # c\n    z\n\n    - w\n\nb: 1\n");
    assert_eq!(with("a: |-\r\n  x\r\n", "z\nw"), "a: |-\r\n  z\r\n  w\r\n");
    assert_eq!(with("a: >\n  x\n  y\n", "z\nw\n"), "a: >\n  z\n\n  w\n");
    assert_eq!(with("a: >\n  x\n", " z\n"), "a: \" z\\n\"\n");
    assert_eq!(with("a: [x, 1]\n", "b, c"), "a: [\"b, c\", 1]\n");
}

#[test]
fn plurals_have_the_categories_of_the_language() {
    let file = "en:\n  n:\n    zero: none\n    one: one\n    other: \"%{count}\"\n  m: {one: 1 a, other: ns}\n  s:\n    one: x\n    name: z\n";
    assert_eq!(read(file), "n = =0 none | one one | other %{count}\nm = one 1 a | other ns\ns.one = x\ns.name = z");
    let (one, few, other) = (PluralCategory::One, PluralCategory::Few, PluralCategory::Other);
    let said = plural(&[(one, "1"), (few, "2"), (other, "n n")]);
    assert_eq!(
        rendered(file, "ru", &[("n", said.clone()), ("m", said)]),
        "ru:\n  n:\n    one: \"1\"\n    few: \"2\"\n    many: n n\n    other: \"n n\"\n  m: {one: \"1\", few: \"2\", many: n n, other: n n}\n"
    );
    let japanese = "ja:\n  n:\n    other: x";
    let said = plural(&[(one, "a"), (other, "b")]);
    assert_eq!(rendered(japanese, "en", &[("n", said)]), "en:\n  n:\n    one: a\n    other: b");
}

/// Forms between braces: `other` stays wherever it stands, and the comma goes with the form beside it.
#[test]
fn plurals_between_braces_keep_their_layout() {
    let (one, few, other) = (PluralCategory::One, PluralCategory::Few, PluralCategory::Other);
    let polish = plural(&[(one, "1"), (few, "b, c"), (PluralCategory::Many, "m"), (other, "w")]);
    let japanese = plural(&[(other, "w")]);
    for (english, in_polish, in_japanese) in [
        ("{other: b, one: a}", "{other: w, one: \"1\", few: \"b, c\", many: m}", "{other: w}"),
        ("{ one: a, other: b }", "{ one: \"1\", few: \"b, c\", many: m, other: w }", "{ other: w }"),
        ("{other: b}", "{one: \"1\", few: \"b, c\", many: m, other: w}", "{other: w}"),
        ("{few: x, other: b, one: a,}", "{few: \"b, c\", many: m, other: w, one: \"1\",}", "{other: w,}"),
        ("{'one':'a','other':'b'}", "{'one':'1','few':'b, c','many':'m','other':'w'}", "{'other':'w'}"),
        (
            "{\n      one: a, # c\n      other: b\n    }",
            "{\n      one: \"1\", # c\n      few: \"b, c\", many: m, other: w\n    }",
            "{\n      other: w\n    }",
        ),
        (
            "{\n    one: a,\n    other: b\n  }",
            "{\n    one: \"1\",\n    few: \"b, c\",\n    many: m,\n    other: w\n  }",
            "{\n    other: w\n  }",
        ),
    ] {
        let file = format!("en:\n  k: {english} # end\n  z: Z\n");
        assert!(read(&file).starts_with("k = ") && read(&file).contains("other b"), "{}", read(&file));
        for (language, said, expected) in [("pl", &polish, in_polish), ("ja", &japanese, in_japanese)] {
            let out = rendered(&file, language, &[("k", said.clone()), ("z", text("Z"))]);
            assert_eq!(out, format!("{language}:\n  k: {expected} # end\n  z: Z\n"));
            assert_eq!(yaml().parse(out.as_bytes()).unwrap().entries[0].content, *said);
        }
    }
    // Within other braces, and where names have marks of their own.
    assert_eq!(read("k: {m: {one: a, other: b}, t: T}\n"), "k.m = one a | other b\nk.t = T");
    let nested = rendered("k: {m: {other: b, one: a}, t: T}\n", "pl", &[("k.m", polish), ("k.t", text("T"))]);
    assert_eq!(nested, "k: {m: {other: w, one: \"1\", few: \"b, c\", many: m}, t: T}\n");
    assert_eq!(read("k: {? one : a, other: b}\n"), "k.one = a\nk.other = b");
}

#[test]
fn what_has_no_translation_goes_with_its_lists_groups_and_comments() {
    let file = "en:\n  # About a\n  a: A\n  # key: old\n  b:\n    c:\n      d: D\n    e: [x, w]\n  f:\n    g: G\n    h: 1\n  i: &i I\n  j: *i\n";
    let document = yaml().parse(file.as_bytes()).unwrap();
    assert_eq!(document.entries[0].description.as_deref(), Some("About a"));
    assert_eq!(rendered(file, "de", &[]), "de:\n  # key: old\n  f:\n    h: 1\n  i: &i \n  j: *i\n");
    assert_eq!(rendered(file, "de", &[("b.e.0", text("x"))]), "de:\n  # key: old\n  f:\n    h: 1\n  i: &i \n  j: *i\n");
}

#[test]
fn a_target_file_takes_what_is_new_where_it_belongs() {
    let published = "ru:\n  a:\n    b: B\n    m: M\n  new:\n    deep:\n      x: X\n      z: Z\n  days:\n  - Mon\n  - Tue\n  z:\n    q: Q\n";
    let own = "ru:\n    a:\n        b: old\n        o: O\n    z:\n        q: Q";
    let (file, kept) = merged(own, published);
    assert_eq!(
        file,
        "ru:\n    a:\n        b: B\n        m: M\n        o: O\n    new:\n        deep:\n            x: X\n            z: Z\n    \
         days:\n    - Mon\n    - Tue\n    z:\n        q: Q"
    );
    assert_eq!(kept, ["a.o"]);
    assert_eq!(merged(&file, published).0, file);
    let x = "ru:\n  a:\n    b: B\n";
    for own in ["ru: {}\n", "ru: ~\n", "ru:\n"] {
        assert_eq!(merged(own, x).0.replace(": \n", ":\n").replace("ru:\n\n", "ru:\n"), x);
    }
    assert_eq!(merged("ru:\n  a:\n", x).0, x);
    assert_eq!(merged("ru:\n  a:\n    b: # soon\n    c: C\n", x).0, "ru:\n  a:\n    b: B\n    c: C\n");
    assert_eq!(merged("ru:\n  d:\n  - a\n", "ru:\n  d:\n  - a\n  - b\n").0, "ru:\n  d:\n  - a\n  - b\n");
    assert_eq!(merged("# to come\n", x).0, x);
    assert!(yaml().merge(b"a: A\n", x.as_bytes()).unwrap_err().contains("root key that is a language"));
    assert_eq!(merged("ru:\n  a: 1\n", x).0, "ru:\n  a: 1\n");
}

#[test]
fn single_texts_are_changed_added_renamed_and_removed() {
    let file = "en:\n  a:\n    b: B\n    c: C\n  l: [x]\n  d:\n    e: E\n";
    let mut editor = yaml().editor(file.as_bytes()).unwrap();
    assert_eq!(editor.set("a.b", "B", "no"), Ok(Edited::Written));
    assert_eq!(editor.rename("a.c", "a.k"), Ok(Edited::Written));
    assert_eq!(editor.rename("d.e", "x.v.z"), Ok(Edited::Written));
    assert_eq!(editor.add("x.v.w", "W"), Ok(Edited::Written));
    assert_eq!(editor.add("a.b.c", "flat"), Ok(Edited::Written));
    assert_eq!(editor.add("a", "A"), Err(EditError::Unwritable("a".into())));
    assert_eq!(editor.add("l.1", "y"), Err(EditError::Unwritable("l.1".into())));
    assert_eq!(editor.remove("l.0"), Err(EditError::InList("l.0".into())));
    let bytes = String::from_utf8(editor.bytes()).unwrap();
    assert_eq!(
        bytes,
        "en:\n  a:\n    b: \"no\"\n    k: C\n    b.c: flat\n  l: [x]\n  x:\n    v:\n      z: E\n      w: W\n"
    );
}

#[test]
fn a_new_file_has_the_root_of_its_language() {
    let one = Entry { description: Some("About".to_owned()), ..Entry::new("a.b", text("yes")) };
    let plural = plural(&[(PluralCategory::One, "1 x"), (PluralCategory::Other, "n")]);
    let entries = [one, Entry::new("a", text("x")), Entry::new("c.d", plural), Entry::new("c.no", text("z"))];
    let file = String::from_utf8(yaml().render_new("no", &entries)).unwrap();
    assert_eq!(
        file,
        "\"no\":\n  # About\n  a.b: \"yes\"\n  a: x\n  c:\n    d:\n      one: \"1 x\"\n      other: \"n\"\n    \"no\": z\n"
    );
}

#[test]
fn what_is_no_catalogue_is_refused_with_its_place() {
    let files = [
        "a: x\na: y\n".to_owned(),
        "a: {b: x, b: y}\n".to_owned(),
        "a:\n  b: x\na.b: z\n".to_owned(),
        "a: x\n---\nb: y\n".to_owned(),
        "? a\n: x\n".to_owned(),
        "? [a]\n: x\n".to_owned(),
        "- a\n- b\n".to_owned(),
        "{\"a\": \"x\"}\n".to_owned(),
        "text\n".to_owned(),
        "a:\n\tb: x\n".to_owned(),
        "a: é\nb: *c\n".to_owned(),
        "a: 'é\n".to_owned(),
        "- ".repeat(200),
        "{a: ".repeat(1_000),
        "[".repeat(100_000),
        format!("a:\n  {}:\n    b: x\n", "k".repeat(600)),
    ];
    let refused = files.map(|file| yaml().parse(file.as_bytes()).unwrap_err().to_string());
    insta::assert_snapshot!(refused.join("\n"), @r"
    line 2, column 1: the key `a` is there twice, in line 1 with another value
    line 1, column 11: the key `b` is there twice, in line 1 with another value
    line 3, column 1: two texts have the key `a.b`: this one and the one in line 2; take one of them out
    line 2, column 1: a file holds one YAML document; here begins another one
    line 1, column 3: keys with `?` are not read: write `key: text`
    line 1, column 3: the key of a text is a text itself, in its line
    line 1, column 1: the file holds a list; a catalogue has names, `key: text`
    line 1, column 1: the file is one `{…}`: write a line for each key, or name it .json
    line 1, column 1: the file holds no names, `key: text`
    line 2, column 2: this is not YAML: tabs disallowed within this context (block indentation)
    line 2, column 4: this is not YAML: while parsing node, found unknown anchor
    line 1, column 4: this is not YAML: while scanning a quoted scalar, found unexpected end of stream
    line 1, column 257: mappings and lists lie more than 128 deep in each other
    line 1, column 1021: this is not YAML: recursion limit exceeded
    line 1, column 256: this is not YAML: recursion limit exceeded
    line 2, column 3: the key `a.kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk…` is longer than 512 bytes
    ");
}

#[test]
fn aliases_expand_to_nothing() {
    let mut file = String::from("a: &a [x]\n");
    for (one, two) in ('a'..='y').zip('b'..='z') {
        file.push_str(&format!("{two}: &{two} [*{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}, *{one}]\n"));
    }
    assert_eq!(read(&file), "");
}

#[test]
fn names_say_the_format_and_settings_are_no_catalogues() {
    for name in ["config/locales/en.yml", "devise.EN.YAML"] {
        assert_eq!(detect(name, b"en:\n  a: x\n").map(|format| format.id()), Ok(FormatId::Yaml));
    }
    assert!(yaml().holds_texts(b"en:\n  a: x\n  b: 1\n") && yaml().holds_texts(b"a:\n  b: x\n"));
    assert!(!yaml().holds_texts(b"a: x\nport: 80\n") && !yaml().holds_texts(b"on: [push]\n"));
    let warned = yaml().parse(b"en:\n  no: x\n  yes: y\n  \"on\": z\n").unwrap().warnings;
    assert_eq!(warned.len(), 2);
    assert!(warned[0].contains("`no`"));
}

/// The result of a merge, which can be read and which the next merge leaves.
fn merged_for_good(own: &str, published: &str) -> String {
    let (file, _) = merged(own, published);
    read(&file);
    assert_eq!(merged(&file, published).0, file);
    file
}

#[test]
fn a_new_group_is_written_once_though_its_entries_belong_to_two_places() {
    let published = "a: A\ng:\n  b: B\n  c: C\n  d: D\n";
    assert_eq!(merged_for_good("a: A\ng.c: old\n", published), "a: A\ng:\n  b: B\n  d: D\ng.c: C\n");
    let published = "g:\n  b: B\n  c:\n    d: D\n  e: E\n";
    assert_eq!(merged_for_good("g.c.d: D\nz: Z\n", published), "g:\n  b: B\n  e: E\ng.c.d: D\nz: Z\n");
}

#[test]
fn a_list_whose_name_has_dots_is_added_once() {
    assert_eq!(merged_for_good("z: Z\n", "\"a.b\":\n- x\n"), "\"a.b\":\n- x\nz: Z\n");
    assert_eq!(merged_for_good("z: Z\n", "a.b:\n- x\nc:\n  'd.e': [x]\n"), "a.b:\n- x\nc:\n  'd.e': [x]\nz: Z\n");
    // The names lead to one place, which has no list to change.
    assert_eq!(merged_for_good("a:\n  z: Z\n", "a.b:\n- x\n"), "a:\n  z: Z\n");
    assert_eq!(merged_for_good("a.b:\n- x\n", "a:\n  b:\n  - x\n  - w\n"), "a.b:\n- x\n");
}

#[test]
fn a_list_beside_a_text_of_its_name_stays_in_the_version() {
    assert_eq!(merged_for_good("a: A\n", "a:\n- x\n- w\n"), "a: A\n");
    assert_eq!(merged_for_good("a.0: A\n", "a:\n- x\n- w\n"), "a.0: x\n");
    assert_eq!(merged_for_good("a:\n  0: A\n", "a:\n- x\n- w\n"), "a:\n  0: x\n");
    assert_eq!(merged_for_good("a.0: [x]\na.1: [x]\n", "a:\n- [x]\n- [w]\n- [z]\n"), "a.0: [x]\na.1: [w]\n");
    assert_eq!(merged_for_good("a: [x]\n", "a: A\n"), "a: [x]\n");
    assert_eq!(merged_for_good("a.b:\na:\n  c: C\n", "a:\n  b: B\n"), "a.b:\na:\n  c: C\n");
}

#[test]
fn a_merge_makes_no_plural_of_names_that_are_none() {
    let published = "g:\n  one: 1\n  other: O\n";
    assert_eq!(merged_for_good("z: Z\n", published), "g.other: O\nz: Z\n");
    assert_eq!(merged_for_good("g:\n  one: A\n", published), "g:\n  one: A\n");
    assert_eq!(merged_for_good("g:\n  z: A\n", published), "g:\n  other: O\n  z: A\n");
}

#[test]
fn a_text_comes_beside_a_value_that_stays_empty() {
    let (own, version) = (b"en:\n  a:\n    one:\n", b"en:\n  a:\n    one:\n    other: x\n");
    let merged = yaml().merge(own, version).unwrap();
    assert_eq!(String::from_utf8(merged.bytes).unwrap(), "en:\n  a:\n    one:\n    other: x\n");
}

#[test]
fn an_entry_after_a_text_that_takes_blank_lines_brings_none() {
    let file = "en:\n  z: Z\n  a:\n\n    b: >+\n      x\n\n      y\n";
    let mut editor = by_id(FormatId::Yaml).editor(file.as_bytes()).unwrap();
    editor.add("a.c", "added").unwrap();
    let edited = String::from_utf8(editor.bytes()).unwrap();
    assert_eq!(edited, format!("{file}    c: added\n"));
}

#[test]
fn what_follows_a_group_comes_after_the_blank_lines_of_its_last_text() {
    let own = "a:\n  b: B\n\nc: >+\n  C\nz: Z\n";
    let version = "a:\n  b: B\n  d:\n    e: E\nf: F\nc: |\n  C\nz: Z\n";
    let wanted = "a:\n  b: B\n\n  d:\n    e: E\nf: F\nc: >+\n  C\nz: Z\n";
    assert_eq!(merged_for_good(own, version), wanted);
    let root = "a:\n  k: >+\n    x\n  b: B\n\n# end\n";
    let wanted = "a:\n  k: >+\n    x\n  b: B\n\n  d: D\nf: F\n# end\n";
    assert_eq!(merged_for_good(root, "a:\n  k: |\n    x\n  b: B\n  d: D\nf: F\n"), wanted);
}

#[test]
fn a_name_whose_value_others_refer_to_stays_taken_when_its_text_goes() {
    let file = "en:\n  a:\n    d: &x text\n    d.b: B\n    e: *x\n";
    let mut editor = by_id(FormatId::Yaml).editor(file.as_bytes()).unwrap();
    editor.remove("a.d").unwrap();
    assert!(matches!(editor.add("a.d", "again"), Err(EditError::Unwritable(_))));
    editor.add("a.d.c", "C").unwrap();
    let edited = String::from_utf8(editor.bytes()).unwrap();
    assert_eq!(edited, "en:\n  a:\n    d: &x \n    d.b: B\n    d.c: C\n    e: *x\n");
    assert_eq!(read(&edited), "a.d.b = B\na.d.c = C");
}

#[test]
fn one_text_for_a_plural_is_written_in_each_category() {
    let file = "en:\n  n:\n    one: a\n    other: b\n";
    assert_eq!(rendered(file, "en", &[("n", text("x"))]), "en:\n  n:\n    one: x\n    other: x\n");
}

#[test]
fn a_form_that_says_the_same_keeps_its_spelling() {
    let file = "en:\n  n:\n    one: \"\\x61\"\n    other: b\n";
    let said = plural(&[(PluralCategory::One, "a"), (PluralCategory::Other, "c")]);
    assert_eq!(rendered(file, "en", &[("n", said)]), file.replace(": b", ": c"));
}

/// At the root of a file, names of categories are names like others.
#[test]
fn a_file_of_texts_does_not_become_a_plural() {
    assert_eq!(merged("one: A\n", "one: A\nother: B\n"), ("one: A\nother: B\n".to_owned(), Vec::new()));
}

#[test]
fn new_groups_lie_as_deep_as_those_of_the_version() {
    let published = "a: A\nv:\n  w:\n    x:\n      z: Z\n";
    assert_eq!(merged("a: A\n", published), (published.to_owned(), Vec::new()));
}

#[test]
fn what_is_new_comes_after_the_line_of_a_group_between_braces() {
    let own = "b: {c: C} # note\nd: D\n";
    let (file, _) = merged(own, "b:\n  c: C\ne: E\nd: D\n");
    assert_eq!(file, own.replace("note\n", "note\ne: E\n"));
}

#[test]
fn what_is_new_comes_after_the_line_of_a_text_with_an_anchor() {
    let own = "a: &q A # note\nd: D\n";
    let (file, _) = merged(own, "a: A\nc: C\nd: D\n");
    assert_eq!(file, own.replace("note\n", "note\nc: C\n"));
}
