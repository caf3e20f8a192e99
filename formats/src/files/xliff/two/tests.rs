use l10n_api_types::{Content, FormatId, State};

use crate::files::{EditError, Edited, Entry, FileKind, Format, by_id, detect, likeliest};

const FILE: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" xmlns:slr=\"urn:oasis:names:tc:xliff:sizerestriction:2.0\" version=\"2.1\" srcLang=\"en\" trgLang=\"fr\">\n  <file id=\"f1\" original=\"app\">\n    <notes><note>of the file</note></notes>\n    <slr:profiles generalProfile=\"xliff:codepoints\"/>\n    <unit id=\"u1\" name=\"cart.full\" slr:sizeRestriction=\"1,20\">\n      <notes>\n        <note>Shown first</note>\n        <note appliesTo=\"target\">checked</note>\n      </notes>\n      <originalData>\n        <data id=\"d1\">%d</data>\n      </originalData>\n      <segment state=\"reviewed\" subState=\"a:b\">\n        <source>Every <ph id=\"1\" dataRef=\"d1\"/> s &amp; <pc id=\"b\" type=\"fmt\" dispStart=\"[b]\">more</pc></source>\n        <target order=\"1\">Toutes les <ph id=\"1\" dataRef=\"d1\"/> s</target>\n      </segment>\n    </unit>\n    <group id=\"g\" translate=\"no\" xml:space=\"preserve\">\n      <unit id=\"brand\"><segment><source>ACME</source></segment></unit>\n      <unit id=\"u2\" translate=\"yes\">\n        <segment id=\"s1\" state=\"initial\">\n          <source> One. </source>\n          <target>Un?</target>\n        </segment>\n        <ignorable><source> </source></ignorable>\n        <segment>\n          <source>Two.</source>\n        </segment>\n      </unit>\n    </group>\n    <unit id=\"u3\">\n      <segment>\n        <source><![CDATA[<b>Bold</b>]]></source>\n        <target/>\n      </segment>\n    </unit>\n  </file>\n</xliff>\n";

fn format() -> &'static dyn Format {
    by_id(FormatId::Xliff2)
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn file(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn keys(text: &str) -> Vec<String> {
    format().parse(text.as_bytes()).unwrap().entries.into_iter().map(|entry| entry.key).collect()
}

fn refused(text: &str) -> String {
    format().parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn segments_are_entries_and_translations_that_count_their_texts() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let found: Vec<(&str, &Content)> =
        source.entries.iter().map(|entry| (entry.key.as_str(), &entry.content)).collect();
    let expected = [
        ("cart.full", &text("Every <ph id=\"1\"/> s & <pc id=\"b\">more</pc>")),
        ("u2␄s1", &text(" One. ")),
        ("u2␄2", &text("Two.")),
        ("u3", &text("<b>Bold</b>")),
    ];
    assert_eq!(found, expected);
    let first = &source.entries[0];
    assert_eq!(first.description.as_deref(), Some("Shown first\n<ph id=\"1\"> = %d\n<pc id=\"b\"> = [b]"));
    assert_eq!(first.max_length, Some(20));
    assert_eq!((source.language.as_deref(), format().kind()), (Some("fr"), FileKind::Bilingual));
    let said = format().translations(FILE.as_bytes(), "fr").unwrap();
    assert_eq!(said.entries, [Entry::new("cart.full", text("Toutes les <ph id=\"1\"/> s"))]);
    assert!(said.warnings[0].ends_with("1 translations"), "{:?}", said.warnings);
}

#[test]
fn translations_are_written_into_targets_and_states_of_segments() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let out = format().render(&source, "fr", &|key| match key {
        "cart.full" => Some(text("<pc id=\"b\">Plus</pc> <ph id=\"1\"/>")),
        "u2␄s1" => Some(text(" Un. ")),
        "u2␄2" => Some(text(" Deux.")),
        "u3" => Some(text("<b>Gras</b>\n")),
        _ => None,
    });
    let expected = FILE
        .replace("reviewed\" subState=\"a:b\"", "translated\"")
        .replace(
            "Toutes les <ph id=\"1\" dataRef=\"d1\"/> s",
            "<pc id=\"b\" type=\"fmt\" dispStart=\"[b]\">Plus</pc> <ph id=\"1\" dataRef=\"d1\"/>",
        )
        .replace("\"initial\"", "\"translated\"")
        .replace("Un?", " Un. ")
        .replace(
            "<segment>\n          <source>Two.</source>",
            "<segment state=\"translated\">\n          <source>Two.</source>\n          <target> Deux.</target>",
        )
        .replace("<segment>\n        <source><![CDATA[", "<segment state=\"translated\">\n        <source><![CDATA[")
        .replace("<target/>", "<target xml:space=\"preserve\">&lt;b&gt;Gras&lt;/b&gt;\n</target>");
    assert_eq!(file(out), expected);
}

#[test]
fn what_has_no_translation_keeps_its_segment_with_an_empty_target() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let expected = FILE
        .replace("trgLang=\"fr\"", "trgLang=\"pt-BR\"")
        .replace("reviewed\" subState=\"a:b\"", "initial\"")
        .replace("Toutes les <ph id=\"1\" dataRef=\"d1\"/> s", "")
        .replace("Un?", "");
    assert_eq!(file(format().render(&source, "pt-BR", &|_| None)), expected);
}

#[test]
fn an_import_sees_reviews() {
    let file = |state: &str| {
        let segment = format!("<segment{state}><source>A</source><target>Ä</target></segment>");
        with_files(&[("f", &format!("<unit id=\"a\">{segment}</unit>"))])
    };
    for (said, state) in [
        ("", Some(State::Translated)),
        (" state=\"initial\"", None),
        (" state=\"translated\"", Some(State::Translated)),
        (" state=\"reviewed\"", Some(State::Reviewed)),
        (" state=\"final\"", Some(State::Reviewed)),
    ] {
        let imports = format().imports(file(said).as_bytes(), "de").unwrap();
        let states: Vec<_> = imports.entries.iter().map(|entry| entry.state).collect();
        assert_eq!(states, Vec::from_iter(state.map(Some)), "{said}");
        assert_eq!(imports.warnings.len(), usize::from(state.is_none()), "{:?}", imports.warnings);
    }
}

/// A review is one of a text, wherever the attributes stand.
#[test]
fn nobody_has_approved_a_text_that_changes() {
    let of = |attributes: &str, text: &str| {
        let segment = format!("<segment{attributes}><source>A</source><target>{text}</target></segment>");
        with_files(&[("f", &format!("<unit id=\"a\">{segment}</unit>\n"))])
    };
    for own in [
        of(" state=\"final\" subState=\"x:checked\"", "Ä"),
        of(" subState='x:checked' canResegment=\"no\" state=\"reviewed\"", "Ä"),
    ] {
        let merged = |text: &str| file(format().merge(own.as_bytes(), of("", text).as_bytes()).unwrap().bytes);
        assert_eq!(merged("Ä"), own);
        let attributes = if own.contains("canResegment") { " canResegment=\"no\"" } else { "" };
        assert_eq!(merged("Ö"), of(&format!("{attributes} state=\"translated\""), "Ö"));
    }
}

fn with_files(files: &[(&str, &str)]) -> String {
    let file = |(id, units): &(&str, &str)| format!("<file id=\"{id}\">\n{units}</file>\n");
    let files: String = files.iter().map(file).collect();
    format!("<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"de\">\n{files}</xliff>\n")
}

fn unit(id: &str, target: &str) -> String {
    format!("<unit id=\"{id}\"><segment><source>S {id}</source><target>{target}</target></segment></unit>\n")
}

#[test]
fn several_files_tell_equal_ids_apart() {
    let (a, b) = (unit("name", "A"), unit("name", "B"));
    let two = with_files(&[("a", &a), ("b", &b)]);
    assert_eq!(keys(&two), ["a␄name", "b␄name"]);
    let one = with_files(&[("b", &b)]);
    assert_eq!(keys(&one), ["name"]);
    let merged = format().merge(one.as_bytes(), two.replace(">B<", ">C<").as_bytes()).unwrap();
    assert_eq!(file(merged.bytes), with_files(&[("a", &a), ("b", &unit("name", "C"))]));
}

#[test]
fn a_name_is_the_key_where_that_tells_units_apart() {
    let named = |name: &str| unit("x1", "").replace("\"x1\"", &format!("\"{name}1\" name=\"{name}\""));
    assert_eq!(keys(&with_files(&[("f", &(named("a") + &named("b") + &unit("c", "")))])), ["a", "b", "c"]);
    let twice = with_files(&[("f", &(named("a") + &unit("a", "")))]);
    assert_eq!(keys(&twice), ["a1", "a"]);
}

/// The cases of version 2.2 have a text each.
#[test]
fn cases_of_plurals_are_segments_of_their_own() {
    let cases = "<unit id=\"u\" name=\"files\" pgs:switch=\"plural:n\"><segment id=\"s0\" pgs:case=\"0\"><source>None</source></segment><segment id=\"s1\" pgs:case=\"other\"><source><ph id=\"1\" disp=\"n\"/> files</source><target>x</target></segment></unit>";
    let all = with_files(&[("f", cases)]);
    assert_eq!(keys(&all), ["files␄s0", "files␄s1"]);
    let source = format().parse(all.as_bytes()).unwrap();
    let out = file(format().render(&source, "de", &|_| Some(text("Keine"))));
    assert_eq!(out, all.replace("None</source>", "None</source><target>Keine</target>").replace(">x<", ">Keine<"));
}

#[test]
fn a_merge_changes_translations_alone_and_brings_a_unit_once() {
    let two = "<unit id=\"t\"><segment id=\"s1\"><source>One</source><target>Eins</target></segment><segment id=\"s2\"><source>Two</source><target>Zwei</target></segment></unit>\n";
    let own = with_files(&[("mine", &(unit("a", "A") + "<!-- mine -->\n" + &unit("b", "B")))]);
    let new = with_files(&[("f", &(unit("a", "A2") + two))]);
    let merged = format().merge(own.as_bytes(), new.as_bytes()).unwrap();
    let expected = with_files(&[("mine", &(unit("a", "A2") + two + "<!-- mine -->\n" + &unit("b", "B")))]);
    assert_eq!((file(merged.bytes.clone()), merged.kept), (expected.clone(), vec!["b".to_owned()]));
    assert_eq!(file(format().merge(&merged.bytes, new.as_bytes()).unwrap().bytes), expected);
    // A unit that is there in other segments comes no second time.
    let whole = with_files(&[("f", &unit("t", "Beides"))]);
    assert_eq!(file(format().merge(whole.as_bytes(), new.as_bytes()).unwrap().bytes).matches("id=\"t\"").count(), 1);
}

#[test]
fn new_units_get_ids_that_xliff_takes() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let noted = Entry { description: Some("d".to_owned()), ..Entry::new("Save as…", text(" It's <b>")) };
    let out = file(format().extend(&source, &[noted, Entry::new("k.new", text("x"))]).unwrap());
    let added = "    <unit id=\"u-a8f0dd4b3c0f4b2a\" name=\"Save as…\" xml:space=\"preserve\">\n      <notes>\n        <note>d</note>\n      </notes>\n      <segment>\n        <source> It's &lt;b&gt;</source>\n      </segment>\n    </unit>\n    <unit id=\"k.new\" name=\"k.new\">\n";
    let digits = |text: &str| text.split("u-").nth(1).and_then(|rest| rest.get(..16)).unwrap_or_default().to_owned();
    assert!(out.contains(&added.replace(&digits(added), &digits(&out))), "{out}");
    assert_eq!(keys(&out)[4..], ["Save as…", "k.new"]);
    assert!(format().extend(&source, &[Entry::new("other␄k", text("x"))]).is_none());
    let two = with_files(&[("a", &unit("k", "A")), ("b", &unit("k", "B"))]);
    let source = format().parse(two.as_bytes()).unwrap();
    let out = file(format().extend(&source, &[Entry::new("a␄l", text("x")), Entry::new("c␄l", text("y"))]).unwrap());
    assert_eq!(keys(&out), ["a␄k", "a␄l", "b␄k", "c␄l"]);
    let new = format().render_new("de", &[Entry::new("A␄b", text("B")), Entry::new("C␄b", text("I"))]);
    assert!(file(new.clone()).contains("srcLang=\"und\" trgLang=\"de\""));
    let said = format().translations(&new, "de").unwrap();
    assert_eq!(said.entries, [Entry::new("A␄b", text("B")), Entry::new("C␄b", text("I"))]);
}

#[test]
fn texts_of_the_source_stand_in_the_code() {
    let mut editor = format().editor(FILE.as_bytes()).unwrap();
    assert_eq!(editor.set("u2␄2", "Two.", "Two."), Ok(Edited::There));
    assert_eq!(editor.set("u2␄2", "Two.", "x"), Err(EditError::InCode("u2␄2".to_owned())));
    assert_eq!(editor.bytes(), FILE.as_bytes());
}

#[test]
fn versions_are_told_apart() {
    assert_eq!(detect("messages.fr.xlf", FILE.as_bytes()).unwrap().id(), FormatId::Xliff2);
    assert_eq!(likeliest("messages.fr.xlf", FILE.as_bytes()), FormatId::Xliff2);
    let one = FILE.replace("version=\"2.1\"", "version=\"1.2\"");
    assert_eq!(detect("messages.fr.xlf", one.as_bytes()).unwrap().id(), FormatId::Xliff1);
    assert_eq!(likeliest("messages.fr.xlf", one.as_bytes()), FormatId::Xliff1);
    assert_eq!(likeliest("messages.fr.xlf", b"<"), FormatId::Xliff1);
    let wide: Vec<u8> = [0xfe, 0xff].into_iter().chain(FILE.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    assert_eq!(detect("a.xliff", &wide).unwrap().id(), FormatId::Xliff2);
    assert!(detect("a.xlf", b"<html/>").is_err());
}

#[test]
fn broken_files_are_refused_with_their_places() {
    assert_eq!(refused("<x/>"), "line 1, column 1: a file of XLIFF has the root element `<xliff>`");
    assert_eq!(
        refused("<xliff version=\"1.2\"/>"),
        "line 1, column 1: this file says that its version is `1.2`, not 2"
    );
    let of = |units: &str| with_files(&[("f", units)]);
    let segment = "<segment><source/></segment>";
    assert_eq!(refused(&of(&format!("<unit>{segment}</unit>"))), "line 3, column 1: this `<unit>` has no id");
    assert_eq!(refused(&of("<unit id=\"é\"><segment/></unit>")), "line 3, column 14: this `<segment>` has no source");
    assert_eq!(
        refused(&of(&(unit("é", "x") + &unit("é", "y")))),
        "line 4, column 14: two texts have the key `f␄é`: this one and the one in line 3; take one of them out"
    );
}
