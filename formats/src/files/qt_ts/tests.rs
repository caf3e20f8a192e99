use l10n_api_types::{Content, FormatId, Plural, PluralCategory, State};

use crate::files::{EditError, Edited, Entry, FileKind, Format, by_id, detect, likeliest};

const FILE: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"ru_RU\">\n<context>\n    <name>Main</name>\n    <message>\n        <location filename=\"../a.cpp\" line=\"1\"/>\n        <source>Don&apos;t &quot;%1&quot; &lt;br /&gt;</source>\n        <extracomment>Shown first</extracomment>\n        <translation>Не &lt;br /&gt;</translation>\n    </message>\n    <message>\n        <source>Open</source>\n        <comment>verb</comment>\n        <oldsource>Opn</oldsource>\n        <translation type=\"unfinished\">Открыть?</translation>\n    </message>\n    <message>\n        <source>Open</source>\n        <translation type=\"unfinished\"></translation>\n    </message>\n    <message numerus=\"yes\">\n        <source>%n file(s)</source>\n        <translation>\n            <numerusform>%n файл</numerusform>\n            <numerusform>%n файла</numerusform>\n            <numerusform>%n файлов</numerusform>\n        </translation>\n    </message>\n    <message numerus=\"yes\">\n        <source>%n line(s)</source>\n        <translation type=\"unfinished\">\n            <numerusform></numerusform>\n        </translation>\n    </message>\n    <message>\n        <source>Gone</source>\n        <translation type=\"vanished\">Нет</translation>\n    </message>\n</context>\n<context>\n    <name>Other</name>\n    <message>\n        <source>Bell<byte value=\"x7\"/> &lt;b></source>\n        <translation type=\"unfinished\"/>\n    </message>\n</context>\n</TS>\n";

fn format() -> &'static dyn Format {
    by_id(FormatId::QtTs)
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn plural(forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
    Content::Plural(Plural { arg: "n".to_owned(), forms })
}

fn file(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn sources_are_entries_and_finished_translations_their_texts() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let keys: Vec<&str> = source.entries.iter().map(|entry| entry.key.as_str()).collect();
    let first = "Main␄Don't \"%1\" <br />";
    let expected = [
        first,
        "Main␄Open␄verb",
        "Main␄Open",
        "Main␄%n file(s)",
        "Main␄%n line(s)",
        "Other␄Bell<byte value=\"x7\"/> &lt;b>",
    ];
    assert_eq!(keys, expected);
    assert_eq!(source.entries[0].content, text("Don't \"%1\" <br />"));
    assert_eq!(source.entries[0].description.as_deref(), Some("Shown first"));
    assert_eq!(source.entries[1].description.as_deref(), Some("verb"));
    let both = [(PluralCategory::One, "%n file(s)"), (PluralCategory::Other, "%n file(s)")];
    assert_eq!(source.entries[3].content, plural(&both));
    assert_eq!((source.language.as_deref(), format().kind()), (Some("ru_RU"), FileKind::Bilingual));
    let said = format().translations(FILE.as_bytes(), "ru").unwrap();
    assert_eq!(said.entries.len(), 2, "{:?}", said.entries);
    assert_eq!(said.entries[0], Entry::new(first, text("Не <br />")));
    let Content::Plural(Plural { forms, .. }) = &said.entries[1].content else { panic!("no plural") };
    assert_eq!(forms.get(PluralCategory::Few).unwrap(), "%n файла");
    assert_eq!(
        said.warnings,
        ["left out, since they are not done or have elements that the source lacks: 1 translations"]
    );
}

#[test]
fn an_import_sees_unfinished_translations_as_drafts() {
    let imports = format().imports(FILE.as_bytes(), "ru").unwrap();
    let states: Vec<_> = imports.entries.iter().map(|entry| (entry.key.as_str(), entry.state)).collect();
    let expected = [
        ("Main␄Don't \"%1\" <br />", Some(State::Translated)),
        ("Main␄Open␄verb", Some(State::NeedsReview)),
        ("Main␄%n file(s)", Some(State::Translated)),
    ];
    assert_eq!(states, expected);
    assert_eq!(imports.entries[1].content, text("Открыть?"));
    assert!(imports.warnings.is_empty(), "{:?}", imports.warnings);
}

#[test]
fn translations_are_written_in_place_and_take_the_mark_out() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let out = format().render(&source, "ru-RU", &|key| match key {
        "Main␄Open" => Some(text("Открыто '<>")),
        "Main␄%n file(s)" => Some(plural(&[
            (PluralCategory::One, "%n файл"),
            (PluralCategory::Few, "%n файла"),
            (PluralCategory::Many, "%n Файлов"),
            (PluralCategory::Other, "%n x"),
        ])),
        "Other␄Bell<byte value=\"x7\"/> &lt;b>" => Some(text("<byte value=\"x7\"/>Б &lt;b>")),
        _ => None,
    });
    let empty = |count: usize| "            <numerusform></numerusform>\n".repeat(count);
    let expected = FILE
        .replace("<translation>Не &lt;br /&gt;</", "<translation type=\"unfinished\"></")
        .replace("Открыть?", "")
        .replace(
            "<source>Open</source>\n        <translation type=\"unfinished\"></",
            "<source>Open</source>\n        <translation>Открыто &apos;&lt;&gt;</",
        )
        .replace("%n файлов", "%n Файлов")
        .replace("            <numerusform></numerusform>\n", &empty(3))
        .replace("<translation type=\"unfinished\"/>", "<translation><byte value=\"x7\"/>Б &lt;b&gt;</translation>");
    assert_eq!(file(out), expected);
}

#[test]
fn another_language_gets_the_forms_that_qt_has_for_it() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let out = |language: &str| {
        file(format().render(&source, language, &|key| {
            key.ends_with("file(s)").then(|| plural(&[(PluralCategory::One, "1"), (PluralCategory::Other, "n")]))
        }))
    };
    let turkish = out("tr");
    let expected = "<TS version=\"2.1\" language=\"tr\">";
    assert!(turkish.contains(expected) && turkish.matches("<numerusform>").count() == 2, "{turkish}");
    assert!(turkish.contains("<numerusform>n</numerusform>\n        </translation>"), "{turkish}");
    assert_eq!(out("pt-BR").matches("<numerusform>").count(), 4);
    assert!(out("pt-BR").contains("language=\"pt_BR\""));
}

#[test]
fn a_merge_changes_translations_alone_and_brings_new_messages() {
    let own = FILE.replace("    <message>\n        <source>Open</source>\n        <translation type=\"unfinished\"></translation>\n    </message>\n", "");
    let own = own.replacen(
        "</context>\n<context>\n    <name>Other</name>",
        "</context>\n<!-- mine -->\n<context>\n    <name>Mine</name>",
        1,
    );
    let source = format().parse(FILE.as_bytes()).unwrap();
    let new = format().render(&source, "ru", &|key| (!key.contains("(s)")).then(|| text("Да")));
    let merged = format().merge(own.as_bytes(), &new).unwrap();
    let found = file(merged.bytes.clone());
    assert_eq!(merged.kept, ["Main␄%n file(s)"]);
    assert!(found.contains("<!-- mine -->") && found.contains("language=\"ru_RU\""), "{found}");
    let verb = "<oldsource>Opn</oldsource>\n        <translation>Да</translation>\n    </message>\n    <message>\n        <source>Open</source>\n        <translation>Да</translation>\n    </message>\n    <message numerus";
    assert!(found.contains(verb), "{found}");
    assert!(found.contains("<name>Other</name>\n    <message>"), "{found}");
    assert_eq!(file(format().merge(&merged.bytes, &new).unwrap().bytes), found);
    assert_eq!(file(format().merge(FILE.as_bytes(), FILE.as_bytes()).unwrap().bytes), FILE);
}

#[test]
fn new_messages_come_into_their_context() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let noted = Entry { description: Some("d".to_owned()), ..Entry::new("Main␄It's␄c", text("It's")) };
    let out = file(format().extend(&source, &[noted, Entry::new("New␄a", text("a"))]).unwrap());
    let added = "    <message>\n        <source>It&apos;s</source>\n        <comment>c</comment>\n        <extracomment>d</extracomment>\n        <translation type=\"unfinished\"></translation>\n    </message>\n    <message>\n        <source>Gone</source>";
    assert!(out.contains(added), "{out}");
    assert!(
        out.contains("</context>\n<context>\n    <name>New</name>\n    <message>\n        <source>a</source>"),
        "{out}"
    );
    let keys: Vec<String> =
        format().parse(out.as_bytes()).unwrap().entries.into_iter().map(|entry| entry.key).collect();
    assert!(keys.contains(&"Main␄It's␄c".to_owned()) && keys.contains(&"New␄a".to_owned()));
    let new = format().render_new("de", &[Entry::new("A␄b", text("B")), Entry::new("id", text("I"))]);
    let said = format().translations(&new, "de").unwrap();
    assert_eq!(said.entries, [Entry::new("A␄b", text("B")), Entry::new("id", text("I"))]);
}

#[test]
fn messages_with_ids_have_them_as_keys() {
    let ids = "<TS version=\"2.1\"><context><name></name><message id=\"a.b\"><source>Save</source><translation>S</translation></message></context></TS>";
    let source = format().parse(ids.as_bytes()).unwrap();
    assert_eq!((source.entries[0].key.as_str(), &source.entries[0].content), ("a.b", &text("Save")));
    let out = file(format().render(&source, "de", &|_| Some(text("Sichern"))));
    assert_eq!(out, ids.replace(">S<", ">Sichern<").replace("\"2.1\"", "\"2.1\" language=\"de\""));
    let out = file(format().extend(&source, &[Entry::new("c", text("C"))]).unwrap());
    assert!(out.contains("<message id=\"c\"><source>C</source>"), "{out}");
}

#[test]
fn texts_of_the_source_stand_in_the_code() {
    let mut editor = format().editor(FILE.as_bytes()).unwrap();
    assert_eq!(editor.set("Main␄Open", "Open", "Open"), Ok(Edited::There));
    assert_eq!(editor.set("Main␄Open", "Open", "x"), Err(EditError::InCode("Main␄Open".to_owned())));
    assert_eq!(editor.bytes(), FILE.as_bytes());
}

#[test]
fn files_of_qt_are_told_from_code() {
    assert_eq!(detect("app_de.ts", FILE.as_bytes()).unwrap().id(), FormatId::QtTs);
    let code = b"export const a: string = '<b>';\n";
    assert!(detect("de.ts", code).is_err());
    assert!(!by_id(likeliest("de.ts", code)).holds_texts(code));
    let refused = |text: &str| format().parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused("<x/>"), "line 1, column 1: a file of Qt Linguist has the root element `<TS>`");
    assert_eq!(refused("<TS>\n<message/></TS>"), "line 2, column 1: this `<message>` has no source");
    let twice = "<TS><context><name>a</name>\n<message><source>b</source></message>\n<message><source>b</source><translation>c</translation></message></context></TS>";
    assert_eq!(
        refused(twice),
        "line 3, column 1: two texts have the key `a␄b`: this one and the one in line 2; take one of them out"
    );
}

#[test]
fn a_translation_with_elements_that_the_source_lacks_is_missing() {
    let odd = "<TS><context><name>a</name><message><source>&amp;lt;b</source><translation>x<byte value=\"x7\"/></translation></message></context></TS>";
    let source = format().parse(odd.as_bytes()).unwrap();
    assert_eq!(source.entries[0].content, text("&lt;b"));
    assert!(format().translations(odd.as_bytes(), "de").unwrap().entries.is_empty());
    assert_eq!(file(format().merge(odd.as_bytes(), odd.as_bytes()).unwrap().bytes), odd);
    let out = file(format().render(&source, "de", &|_| Some(text("<b>"))));
    assert!(out.contains("<translation>&lt;b&gt;</translation>"), "{out}");
}
