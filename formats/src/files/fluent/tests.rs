use std::path::Path;

use fluent_syntax::ast::{Entry as Node, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser::parse;
use fluent_syntax::unicode::unescape_unicode_to_string;
use l10n_api_types::{Content, FormatId, Plural, PluralCategory, PluralKey};

use crate::files::{EditError, Edited, Entry, Format, by_id, detect, syntax_of};
use crate::text::Syntax;

const FILE: &str = "### About\n\n# License: x\n\n## Group\n\n# Says hello\n#   to all\nhello = Hello, { $name }!\n    .title = Greets\n    .accesskey = H\n-brand = Fire { -fox }\n    .gender = feminine\nlong =\n    First line\n      second\n\n    third { NUMBER($n,\n      x: 1) }.\nfiles = { $count ->\n    [one] One file\n   *[other] { $count } files\n}\nmixed = You { $n ->\n   *[other] x\n}.\nrank = { NUMBER($n) ->\n   *[other] x\n}\nonly =\n  .label = {\" \"}On {\"{\"}ly\n.other=[x]\njunk\n 1\nend = {\"\"}";

fn format() -> &'static dyn Format {
    by_id(FormatId::Fluent)
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn plural(arg: &str, forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
    Content::Plural(Plural { arg: arg.to_owned(), forms })
}

fn file(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn entries(text: &str) -> Vec<Entry> {
    format().parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}")).entries
}

fn written(said: &[(&str, Content)]) -> String {
    let said: Vec<Entry> = said.iter().map(|(key, content)| Entry::new(*key, content.clone())).collect();
    file(format().render_new("en", &said))
}

#[test]
fn messages_attributes_and_terms_are_entries() {
    let document = format().parse(FILE.as_bytes()).unwrap();
    let found: Vec<(&str, &Content)> =
        document.entries.iter().map(|entry| (entry.key.as_str(), &entry.content)).collect();
    let files = plural("count", &[(PluralCategory::One, "One file"), (PluralCategory::Other, "{ $count } files")]);
    let expected = [
        ("hello", &text("Hello, { $name }!")),
        ("hello.title", &text("Greets")),
        ("hello.accesskey", &text("H")),
        ("-brand", &text("Fire { -fox }")),
        ("long", &text("First line\n  second\n\nthird { NUMBER($n,\n  x: 1) }.")),
        ("files", &files),
        ("only.label", &text(" On {ly")),
        ("only.other", &text("[x]")),
        ("end", &text("")),
    ];
    assert_eq!(found, expected);
    assert_eq!(document.entries[1].description.as_deref(), Some("Says hello\n  to all"));
    assert_eq!(document.entries[4].description, None);
    assert_eq!(syntax_of(FormatId::Fluent, &document.entries[0]), Syntax::Fluent);
    let expected = [
        "cannot be read as Fluent, and stay as they are: 1 parts, the first in line 33",
        "left out, since they choose between variants by more than the number of something: 2 texts",
    ];
    assert_eq!(document.warnings, expected);
    assert_eq!(document.lines()[1], Some(10));
}

#[test]
fn translations_are_written_in_place_and_what_has_none_goes() {
    let document = format().parse(FILE.as_bytes()).unwrap();
    let out = format().render(&document, "ru", &|key| match key {
        "hello" => Some(text("Привет,\n{ $name }")),
        "hello.title" => Some(text("[Привет] ")),
        "long" => Some(text("Одна")),
        "files" => Some(plural("count", &[(PluralCategory::One, "{ $count } файл"), (PluralCategory::Other, "*\nx")])),
        "only.other" => Some(text("} {x}{")),
        _ => None,
    });
    let expected = "### About\n\n# License: x\n\n## Group\n\n# Says hello\n#   to all\nhello =\n    Привет,\n    { $name }\n    .title = [Привет]{\" \"}\nlong =\n    Одна\nfiles =\n    { $count ->\n        [one] { $count } файл\n        [few]\n            {\"*\"}\n            x\n        [many]\n            {\"*\"}\n            x\n       *[other]\n            {\"*\"}\n            x\n    }\nmixed = You { $n ->\n   *[other] x\n}.\nrank = { NUMBER($n) ->\n   *[other] x\n}\nonly =\n.other={\"}\"} {x}{\"{\"}\njunk\n 1\n";
    assert_eq!(file(out), expected);
}

#[test]
fn what_fluent_would_read_otherwise_comes_into_placeables() {
    let cases = [
        ("", "{\"\"}"),
        (" a ", "{\" \"}a{\" \"}"),
        ("{ a", "{\"{\"} a"),
        ("a }", "a {\"}\"}"),
        ("{ $a } {$b", "{ $a } {\"{\"}$b"),
        ("[a]", "[a]"),
        ("*", "*"),
        ("\t", "{\"\\u0009\"}"),
        ("a\rb", "a{\"\\u000D\"}b"),
    ];
    for (said, pattern) in cases {
        let out = written(&[("k", text(said))]);
        assert_eq!(out, format!("k = {pattern}\n"));
        assert_eq!(entries(&out)[0].content, text(said));
    }
    let lines = [
        ("a\n.b", "    a\n    {\".\"}b"),
        ("*a\n  [b", "    {\"*\"}a\n    {\"  \"}[b"),
        ("*a\n  [b\nc", "    {\"*\"}a\n      {\"[\"}b\n    c"),
        ("\na\n", "    {\"\"}\n    a\n    {\"\"}"),
        ("a\n  \n\nb  ", "    a\n    {\"  \"}\n\n    b{\"  \"}"),
        ("  a\n b", "    {\"  \"}a\n    {\" \"}b"),
        ("{ F($a,\n  b: 1) }\nc", "    { F($a,\n      b: 1) }\n    c"),
    ];
    for (said, pattern) in lines {
        let out = written(&[("k", text(said))]);
        assert_eq!(out, format!("k =\n{pattern}\n"));
        assert_eq!(entries(&out)[0].content, text(said), "{out}");
    }
}

#[test]
fn another_default_than_other_stands_for_it() {
    let polish = "n = { $n ->\n    [one] 1\n    [few] f\n   *[many] m\n  }\n";
    let forms = [
        (PluralCategory::One, "1"),
        (PluralCategory::Few, "f"),
        (PluralCategory::Many, "m"),
        (PluralCategory::Other, "m"),
    ];
    assert_eq!(entries(polish)[0].content, plural("n", &forms));
    let exact = "n = { $n ->\n    [0] none\n   *[other] n\n  }\n";
    let Content::Plural(said) = &entries(exact)[0].content else { panic!("no plural") };
    assert_eq!(said.forms.get(PluralKey::Exact(0)).map(String::as_str), Some("none"));
    assert!(written(&[("n", entries(exact)[0].content.clone())]).contains("[0] none\n       *[other] n\n"));
    // Each form is held against the whole source, and is read again under its name.
    let many = (0..64).map(|number| format!("[{number}] x\n")).collect::<String>();
    for held in
        ["[0.0] x", "[male] x", "[one] x\n[one] y", "[other] x", "[one] { $a ->\n*[x] y\n}", "[1000000000] x", &many]
    {
        let held = format!("n = {{ $n ->\n{held}\n*[few] z\n}}\n");
        let document = format().parse(held.as_bytes()).unwrap();
        assert_eq!((document.entries.len(), document.warnings.len()), (0, 1), "{held}");
    }
}

#[test]
fn a_merge_changes_texts_alone_and_brings_new_ones_to_their_places() {
    let own = "# ours\nb = B\r\n\na = A\n  .x = X\n\n## Group\nc =\n  .x = X\nheld = { $n ->\n   *[x] y\n }\n";
    let new = "a = A2\n    .w = W\n    .x = X\n    .y = two\n        lines\n# said\nnew = N\n    .x = X\nb = B\nc = C\n    .x = X\nheld = no\n";
    let merged = format().merge(own.as_bytes(), new.as_bytes()).unwrap();
    let expected = "# ours\nb = B\r\n\na = A2\n  .w = W\n  .x = X\n  .y =\n      two\n      lines\n# said\nnew = N\n    .x = X\n\n## Group\nc = C\n  .x = X\nheld = { $n ->\n   *[x] y\n }\n";
    assert_eq!((file(merged.bytes), merged.kept), (expected.to_owned(), Vec::<String>::new()));
}

#[test]
fn new_entries_come_to_their_messages_or_to_the_end() {
    let document = format().parse(b"a =\n  .x = X\n# end").unwrap();
    let added = [
        Entry::new("a.y", text("Y")),
        Entry { description: Some("d\ne".to_owned()), ..Entry::new("-t", text("T")) },
        Entry::new("n.x", text("1")),
        Entry::new("n", text("2")),
        Entry::new("a", text("A")),
    ];
    let out = file(format().extend(&document, &added).unwrap());
    assert_eq!(out, "a = A\n  .x = X\n  .y = Y\n# end\n\n# d\n# e\n-t = T\nn = 2\n    .x = 1");
    for key in ["a b", "1", "a.b.c", "-t.x", "", "a.", "a.x"] {
        assert!(format().extend(&document, &[Entry::new(key, text("x"))]).is_none(), "{key}");
    }
}

#[test]
fn single_texts_are_changed_renamed_taken_out_and_added() {
    let mut editor = format().editor(FILE.as_bytes()).unwrap();
    assert_eq!(editor.set("hello", "Hello, { $name }!", "Hi"), Ok(Edited::Written));
    assert_eq!(editor.set("files", "x", "y"), Err(EditError::Plural("files".to_owned())));
    assert_eq!(editor.rename("hello.title", "hello.tip"), Ok(Edited::Written));
    assert_eq!(editor.rename("hello", "hi"), Ok(Edited::Written));
    assert_eq!(editor.rename("long", "longer"), Ok(Edited::Written));
    assert_eq!(editor.rename("only.label", "longest.label"), Ok(Edited::Written));
    assert_eq!(editor.remove("only.other"), Ok(Edited::Written));
    assert_eq!(editor.add("only", "x"), Ok(Edited::Written));
    assert_eq!(editor.add("mixed", "x"), Err(EditError::Unwritable("mixed".to_owned())));
    assert_eq!(editor.add("longer.x", "x"), Err(EditError::Unwritable("longer.x".to_owned())));
    assert_eq!(editor.add("a b", "x"), Err(EditError::Unwritable("a b".to_owned())));
    let expected = FILE
        .replace("hello = Hello, { $name }!\n    .title", "hello =\n    .tip")
        .replace("long =", "longer =")
        .replace("only =\n  .label = {\" \"}On {\"{\"}ly\n.other=[x]\n", "only = x\n")
        + "\nhi = Hi\nlongest =\n    .label = {\" \"}On {\"{\"}ly";
    assert_eq!(file(editor.bytes()), expected);
}

#[test]
fn broken_files_are_refused_with_their_places() {
    let refused = |text: &str| format().parse(text.as_bytes()).unwrap_err().to_string();
    let twice = "two texts have the key `a`: this one and the one in line 1; take one of them out";
    assert_eq!(refused("a = x\nb = y\na = z\n"), format!("line 3, column 1: {twice}"));
    assert_eq!(
        refused("a = x\n    .b = y\n    .b = z\n"),
        "line 3, column 6: two texts have the key `a.b`: this one and the one in line 2; take one of them out"
    );
    assert!(refused("é =\na = \t\n").starts_with("line 2, column 5: the text is nothing but tabs"));
    assert_eq!(refused("a = x\0"), "line 1, column 5: the text holds the character NUL");
    let error = format().parse(b"a = \xff").unwrap_err();
    assert_eq!((error.line, error.column), (1, 5));
    assert_eq!(detect("de.ftl", FILE.as_bytes()).unwrap().id(), FormatId::Fluent);
    assert!(detect("page.ftl", b"<#if x>a</#if>").is_err());
    let deep = format!("a = {}$x{}\nb = c\n", "{".repeat(100_000), "}".repeat(100_000));
    assert_eq!(entries(&deep).len(), 1);
}

/// A pattern as text, with its literals as the characters that they stand for.
fn said(pattern: &Pattern<&str>) -> String {
    let element = |element: &PatternElement<&str>| match element {
        PatternElement::TextElement { value } => (*value).to_owned(),
        PatternElement::Placeable { expression: Expression::Inline(InlineExpression::StringLiteral { value }) } => {
            unescape_unicode_to_string(value).into_owned()
        }
        // What it says in its blanks does not matter.
        PatternElement::Placeable { expression } => {
            format!("{{{expression:?}}}").split_whitespace().collect::<Vec<_>>().join(" ")
        }
    };
    // It takes carriage returns at the end for blanks, which the grammar does not.
    pattern.elements.iter().map(element).collect::<String>().trim_end_matches('\r').to_owned()
}

/// The values of a file as the parser of Project Fluent reads them, by key.
fn judged(text: &str) -> Vec<(String, String)> {
    let resource = match parse(text) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    let mut all = Vec::new();
    for node in &resource.body {
        match node {
            Node::Message(message) => {
                all.extend(message.value.iter().map(|value| (message.id.name.to_owned(), said(value))));
                let attributes = message.attributes.iter();
                all.extend(attributes.map(|one| (format!("{}.{}", message.id.name, one.id.name), said(&one.value))));
            }
            Node::Term(term) => all.push((format!("-{}", term.id.name), said(&term.value))),
            _ => {}
        }
    }
    all
}

/// Law 6: the parser of Project Fluent finds the same keys, and says the same after each text was written again.
fn hold_against_judge(name: &str, text: &str) -> usize {
    let Ok((file, entries, _)) = super::FluentFile::read(text.as_bytes()) else { return 0 };
    let text = &file.source.text;
    let expected = judged(text);
    let mut all = Vec::new();
    for message in &file.messages {
        let id = file.source.get(&message.id);
        all.extend(message.value.iter().map(|_| id.to_owned()));
        let attributes = message.attributes.iter().filter(|_| !message.is_term);
        all.extend(attributes.map(|one| format!("{id}.{}", file.source.get(&one.id))));
    }
    let keys: Vec<&String> = expected.iter().map(|(key, _)| key).collect();
    assert_eq!(all.iter().collect::<Vec<_>>(), keys, "{name}");
    let again = String::from_utf8(format().render_new("en", &entries)).unwrap();
    for (key, value) in judged(&again) {
        let is_text = entries.iter().any(|entry| entry.key == key && matches!(entry.content, Content::Text(_)));
        if is_text {
            let own = expected.iter().find(|(one, _)| *one == key).map(|(_, value)| value);
            assert_eq!(Some(&value), own, "{key} of {name}: {again}");
        }
    }
    entries.len()
}

#[test]
fn the_parser_of_project_fluent_agrees() {
    assert_eq!(hold_against_judge("FILE", FILE), 9);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples");
    for folder in ["fluent", "fixtures/fluent", "."] {
        let Ok(files) = std::fs::read_dir(root.join(folder)) else {
            eprintln!("SKIPPED: ../shared/samples/{folder} is not there");
            continue;
        };
        let paths = files.map(|file| file.unwrap().path()).filter(|path| path.to_string_lossy().ends_with(".ftl"));
        let (mut count, mut texts) = (0, 0);
        for path in paths {
            let text = std::fs::read_to_string(&path).unwrap();
            texts += hold_against_judge(&path.display().to_string(), &text);
            count += 1;
        }
        eprintln!("{folder}: {count} files of Fluent, {texts} texts");
    }
}
