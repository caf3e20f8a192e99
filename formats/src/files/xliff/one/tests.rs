use l10n_api_types::{Content, FormatId, Plural, PluralCategory, State};

use crate::files::{EditError, Edited, Entry, FileKind, Format, by_id, detect, syntax_of};
use crate::text::{Brace, Printf, Syntax};

const FILE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n  <file source-language=\"en\" target-language=\"fr\" datatype=\"plaintext\" original=\"ng2.template\">\n    <header><note>of the file</note></header>\n    <body>\n      <trans-unit id=\"1\" datatype=\"html\" maxwidth=\"20\" size-unit=\"char\">\n        <source>Every <x id=\"INTERPOLATION\" equiv-text=\"{{n}}\"/> s &amp; <g id=\"b\" ctype=\"bold\">more</g></source>\n        <target>Toutes les <x id=\"INTERPOLATION\" equiv-text=\"{{n}}\"/> s</target>\n        <alt-trans><source>Every</source><target>Chaque</target></alt-trans>\n        <note from=\"description\">Refresh</note>\n        <note annotates=\"target\">checked</note>\n      </trans-unit>\n      <group id=\"g\" xml:space=\"preserve\">\n        <trans-unit id=\"a\nb\">\n          <source> Name </source>\n          <target state=\"needs-translation\">Nom</target>\n        </trans-unit>\n        <trans-unit id=\"2\" translate=\"no\"><source>ACME</source></trans-unit>\n      </group>\n      <trans-unit id=\"3\">\n        <source>Open<ph id=\"1\">&lt;br&gt;</ph></source>\n      </trans-unit>\n      <trans-unit id=\"4\" approved=\"yes\">\n        <source><![CDATA[<b>Bold</b>]]></source>\n        <target state=\"final\"><![CDATA[<b>Gras</b>]]></target>\n      </trans-unit>\n      <trans-unit id=\"5\">\n        <source>Two. Three.</source>\n        <seg-source><mrk mtype=\"seg\" mid=\"0\">Two.</mrk> <mrk mtype=\"seg\" mid=\"1\">Three.</mrk></seg-source>\n        <target/>\n      </trans-unit>\n    </body>\n  </file>\n</xliff>\n";

const SEGMENTS: &str = "<mrk mid=\"0\">Two.</mrk> <mrk mid=\"1\">Three.</mrk>";

fn format() -> &'static dyn Format {
    by_id(FormatId::Xliff1)
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
fn sources_are_entries_and_translations_that_count_their_texts() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let found: Vec<(&str, &Content)> =
        source.entries.iter().map(|entry| (entry.key.as_str(), &entry.content)).collect();
    let expected = [
        ("1", &text("Every <x id=\"INTERPOLATION\"/> s & <g id=\"b\">more</g>")),
        ("a\\nb", &text(" Name ")),
        ("3", &text("Open<ph id=\"1\"/>")),
        ("4", &text("<b>Bold</b>")),
        ("5", &text(SEGMENTS)),
    ];
    assert_eq!(found, expected);
    let first = &source.entries[0];
    assert_eq!((first.description.as_deref(), first.max_length), (Some("Refresh"), Some(20)));
    assert_eq!((source.language.as_deref(), format().kind()), (Some("fr"), FileKind::Bilingual));
    let said = format().translations(FILE.as_bytes(), "fr").unwrap();
    let expected =
        [Entry::new("1", text("Toutes les <x id=\"INTERPOLATION\"/> s")), Entry::new("4", text("<b>Gras</b>"))];
    assert_eq!(said.entries, expected);
    assert!(said.warnings[0].ends_with("1 translations"), "{:?}", said.warnings);
}

#[test]
fn translations_are_written_into_targets_and_their_states() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let segments = SEGMENTS.replace("Two", "Deux").replace("Three", "Trois\n");
    let out = format().render(&source, "fr", &|key| match key {
        "1" => Some(text("<g id=\"b\">Plus</g> <x id=\"INTERPOLATION\"/>")),
        "a\\nb" => Some(text(" Nom ")),
        "3" => Some(text(" Ouvrir<ph id=\"1\"/>")),
        "4" => Some(text("<b>Gras</b>!")),
        "5" => Some(text(&segments)),
        _ => None,
    });
    let expected = FILE
        .replace(
            "Toutes les <x id=\"INTERPOLATION\" equiv-text=\"{{n}}\"/> s",
            "<g id=\"b\" ctype=\"bold\">Plus</g> <x id=\"INTERPOLATION\" equiv-text=\"{{n}}\"/>",
        )
        .replace("needs-translation\">Nom", "translated\"> Nom ")
        .replace(
            "</ph></source>",
            "</ph></source>\n        <target state=\"translated\" xml:space=\"preserve\"> Ouvrir<ph id=\"1\">&lt;br&gt;</ph></target>",
        )
        .replace(" approved=\"yes\"", "")
        .replace("\"final\"><![CDATA[<b>Gras</b>", "\"translated\"><![CDATA[<b>Gras</b>!")
        .replace("<target/>", "<target xml:space=\"preserve\"><mrk mtype=\"seg\" mid=\"0\">Deux.</mrk> <mrk mtype=\"seg\" mid=\"1\">Trois\n.</mrk></target>");
    assert_eq!(file(out), expected);
}

#[test]
fn what_has_no_translation_keeps_its_unit_with_an_empty_target() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let expected = FILE
        .replace("target-language=\"fr\"", "target-language=\"pt-BR\"")
        .replace("<target>Toutes les <x id=\"INTERPOLATION\" equiv-text=\"{{n}}\"/> s</target>", "<target></target>")
        .replace("needs-translation\">Nom", "new\">")
        .replace(" approved=\"yes\"", "")
        .replace("\"final\"><![CDATA[<b>Gras</b>", "\"new\"><![CDATA[");
    assert_eq!(file(format().render(&source, "pt-BR", &|_| None)), expected);
}

#[test]
fn an_import_sees_drafts_and_reviews() {
    const STATES: [(&str, &str, Option<State>); 11] = [
        ("", "", Some(State::Translated)),
        ("", " state=\"translated\"", Some(State::Translated)),
        ("", " state=\"new\"", None),
        ("", " state=\"needs-translation\"", Some(State::NeedsReview)),
        ("", " state=\"needs-review-adaptation\"", Some(State::NeedsReview)),
        ("", " state=\"final\"", Some(State::Reviewed)),
        ("", " state=\"signed-off\"", Some(State::Reviewed)),
        (" approved=\"yes\"", "", Some(State::Reviewed)),
        (" approved=\"no\"", " state=\"translated\"", Some(State::Translated)),
        (" approved=\"yes\"", " state=\"needs-l10n\"", Some(State::NeedsReview)),
        (" approved=\"yes\"", " state=\"new\"", None),
    ];
    for (unit, target, state) in STATES {
        let unit = format!("<trans-unit id=\"a\"{unit}><source>A</source><target{target}>Ä</target></trans-unit>");
        let file = with_files(&[("f", &unit)]);
        let imports = format().imports(file.as_bytes(), "de").unwrap();
        let expected = state.map(|state| Entry { state: Some(state), ..Entry::new("a", text("Ä")) });
        assert_eq!(imports.entries, expected.into_iter().collect::<Vec<_>>(), "{file}");
        let is_done = matches!(state, Some(State::Translated | State::Reviewed));
        let said = format().translations(file.as_bytes(), "de").unwrap();
        assert_eq!(said.entries, Vec::from_iter(is_done.then(|| Entry::new("a", text("Ä")))), "{file}");
        let empty = file.replace("Ä", "");
        assert!(format().imports(empty.as_bytes(), "de").unwrap().entries.is_empty(), "{empty}");
    }
}

/// A review is one of a text: a unit whose text stays keeps its marks, and one whose text changes has not been approved.
#[test]
fn nobody_has_approved_a_text_that_changes() {
    let of = |attributes: &str, target: &str, text: &str| {
        with_files(&[(
            "f",
            &format!(
                "<trans-unit id=\"a\"{attributes}><source>A</source><target{target}>{text}</target></trans-unit>\n"
            ),
        )])
    };
    let published = |text: &str| of("", "", text);
    for state in ["final", "signed-off"] {
        let own = of(" approved=\"yes\"", &format!(" state-qualifier=\"exact-match\" state=\"{state}\""), "Ä");
        let merged = |text: &str| file(format().merge(own.as_bytes(), published(text).as_bytes()).unwrap().bytes);
        assert_eq!(merged("Ä"), own);
        assert_eq!(merged("Ö"), of("", " state=\"translated\"", "Ö"));
    }
    let own = of("\n  approved='yes' translate=\"yes\"", "", "Ä");
    let merged = format().merge(own.as_bytes(), published("Ö").as_bytes()).unwrap();
    assert_eq!(file(merged.bytes), of(" translate=\"yes\"", "", "Ö"));
    let own = of(" approved=\"no\"", "", "Ä");
    let merged = format().merge(own.as_bytes(), published("Ö").as_bytes()).unwrap();
    assert_eq!(file(merged.bytes), of(" approved=\"no\"", "", "Ö"));
}

#[test]
fn files_without_states_get_none_and_name_their_language() {
    let plain = "<xliff version=\"1.2\"><file original=\"f\" source-language=\"en\"><body><trans-unit id=\"a\"><source>A</source></trans-unit></body></file></xliff>";
    let source = format().parse(plain.as_bytes()).unwrap();
    let out = file(format().render(&source, "de", &|_| Some(text("Ä > '"))));
    let expected = plain
        .replace("\"en\"", "\"en\" target-language=\"de\"")
        .replace("</source>", "</source><target>Ä &gt; '</target>");
    assert_eq!(out, expected);
}

/// Prefixes of elements stay, and elements of other namespaces are none of a unit's.
#[test]
fn elements_of_other_namespaces_stay() {
    let odd = "<x:xliff xmlns:x=\"urn:oasis:names:tc:xliff:document:1.2\" version=\"1.2\"><x:file original=\"f\"><x:body><x:trans-unit id=\"a\"><source>no</source><x:source>A</x:source><o:target>O</o:target></x:trans-unit></x:body></x:file></x:xliff>";
    let source = format().parse(odd.as_bytes()).unwrap();
    assert_eq!(source.entries[0].content, text("A"));
    let out = file(format().render(&source, "de", &|_| Some(text("Ä"))));
    let expected = odd
        .replace("<x:file", "<x:file target-language=\"de\"")
        .replace("</x:source>", "</x:source><x:target>Ä</x:target>");
    assert_eq!(out, expected);
}

fn with_files(files: &[(&str, &str)]) -> String {
    let file = |(original, units): &(&str, &str)| {
        format!("<file original=\"{original}\" target-language=\"de\">\n<body>\n{units}</body>\n</file>\n")
    };
    format!("<xliff version=\"1.2\">\n{}</xliff>\n", files.iter().map(file).collect::<String>())
}

fn unit(id: &str, target: &str) -> String {
    format!("<trans-unit id=\"{id}\"><source>S {id}</source><target>{target}</target></trans-unit>\n")
}

#[test]
fn several_files_tell_equal_ids_apart() {
    let (a, b) = (unit("name", "A"), unit("name", "B"));
    let two = with_files(&[("en.lproj/a.strings", &a), ("b.resx", &b)]);
    assert_eq!(keys(&two), ["en.lproj/a.strings␄name", "b.resx␄name"]);
    let entries = format().parse(two.as_bytes()).unwrap().entries;
    let syntaxes = entries.iter().map(|entry| syntax_of(FormatId::Xliff1, entry)).collect::<Vec<_>>();
    assert_eq!(syntaxes, [Syntax::Printf(Printf::Objc), Syntax::Brace(Brace::CSharp)]);
    // A file that lacks one of them still gets the right texts.
    let one = with_files(&[("b.resx", &b)]);
    assert_eq!(keys(&one), ["name"]);
    let merged = format().merge(one.as_bytes(), two.replace(">B<", ">C<").as_bytes()).unwrap();
    assert_eq!(file(merged.bytes), with_files(&[("en.lproj/a.strings", &a), ("b.resx", &unit("name", "C"))]));
}

#[test]
fn the_name_of_a_single_file_does_not_matter() {
    let own = with_files(&[("app", &unit("a", "A"))]);
    let new = with_files(&[("file.ext", &(unit("a", "A2") + &unit("b", "B")))]);
    let merged = format().merge(own.as_bytes(), new.as_bytes()).unwrap();
    assert_eq!(file(merged.bytes), with_files(&[("app", &(unit("a", "A2") + &unit("b", "B")))]));
}

#[test]
fn a_merge_changes_translations_alone_and_brings_new_units_after_their_predecessors() {
    let own = FILE.replace(
        "      <trans-unit id=\"3\">\n        <source>Open<ph id=\"1\">&lt;br&gt;</ph></source>\n      </trans-unit>\n",
        "<!-- mine -->\n",
    );
    let source = format().parse(FILE.as_bytes()).unwrap();
    let new = format().render(&source, "fr", &|key| {
        (key == "3" || key == "4").then(|| text(if key == "3" { "Ouvrir<ph id=\"1\"/>" } else { "<b>Gras</b>" }))
    });
    let merged = format().merge(own.as_bytes(), &new).unwrap();
    let found = file(merged.bytes.clone());
    assert_eq!(merged.kept, ["1"]);
    let unit = "          <target state=\"needs-translation\">Nom</target>\n        </trans-unit>\n      <trans-unit id=\"3\">\n";
    assert!(found.contains(unit) && found.contains("<!-- mine -->"), "{found}");
    assert!(found.contains("\"final\"><![CDATA[<b>Gras</b>]]>"), "{found}");
    assert_eq!(file(format().merge(&merged.bytes, &new).unwrap().bytes), found);
}

#[test]
fn new_units_come_into_the_last_file_and_files_of_their_own() {
    let source = format().parse(FILE.as_bytes()).unwrap();
    let noted = Entry { description: Some("d".to_owned()), ..Entry::new("k.new", text("It's <b>")) };
    let out = file(format().extend(&source, &[noted]).unwrap());
    let added = "      <trans-unit id=\"k.new\">\n        <source>It's &lt;b&gt;</source>\n        <note>d</note>\n      </trans-unit>\n    </body>";
    assert!(out.contains(added), "{out}");
    assert_eq!(keys(&out).last().unwrap(), "k.new");
    assert!(format().extend(&source, &[Entry::new("other␄k", text("x"))]).is_none());
    let two = with_files(&[("a", &unit("k", "A")), ("b", &unit("k", "B"))]);
    let source = format().parse(two.as_bytes()).unwrap();
    let out = file(format().extend(&source, &[Entry::new("a␄l", text("x")), Entry::new("c␄l", text("y"))]).unwrap());
    assert_eq!(keys(&out), ["a␄k", "a␄l", "b␄k", "c␄l"]);
    assert!(
        out.contains("<file original=\"c\" source-language=\"und\" target-language=\"de\" datatype=\"plaintext\">"),
        "{out}"
    );
    assert!(format().extend(&source, &[Entry::new("l", text("x"))]).is_none());
    let new = format().render_new("de", &[Entry::new("A␄b", text("B")), Entry::new("C␄b", text("I"))]);
    let said = format().translations(&new, "de").unwrap();
    assert_eq!(said.entries, [Entry::new("A␄b", text("B")), Entry::new("C␄b", text("I"))]);
}

#[test]
fn a_resname_is_the_key_where_that_tells_units_apart() {
    let named = with_files(&[(
        "f",
        "<trans-unit id=\"x1\" resname=\"cart.empty\"><source>a</source></trans-unit>\n<trans-unit id=\"x2\" resname=\"cart.full\"><source>b</source></trans-unit>\n",
    )]);
    assert_eq!(keys(&named), ["cart.empty", "cart.full"]);
    assert_eq!(keys(&named.replace("cart.full", "cart.empty")), ["x1", "x2"]);
    assert_eq!(keys(&named.replace(" resname=\"cart.full\"", "")), ["cart.empty", "x2"]);
}

#[test]
fn texts_of_the_source_stand_in_the_code() {
    let mut editor = format().editor(FILE.as_bytes()).unwrap();
    assert_eq!(editor.set("a\\nb", " Name ", " Name "), Ok(Edited::There));
    assert_eq!(editor.set("a\\nb", " Name ", "x"), Err(EditError::InCode("a\\nb".to_owned())));
    assert_eq!(editor.add("new", "x"), Err(EditError::InCode("new".to_owned())));
    assert_eq!(editor.remove("3"), Err(EditError::InCode("3".to_owned())));
    assert_eq!(editor.rename("3", "33"), Err(EditError::InCode("3".to_owned())));
    assert_eq!(editor.bytes(), FILE.as_bytes());
}

#[test]
fn files_are_told_by_their_version_in_any_encoding() {
    assert_eq!(detect("messages.fr.xlf", FILE.as_bytes()).unwrap().id(), FormatId::Xliff1);
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(FILE.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(detect("Localizable.XLIFF", &wide).unwrap().id(), FormatId::Xliff1);
    let source = format().parse(&wide).unwrap();
    assert_eq!(source.entries.len(), 5);
    let own = format().translations(&wide, "fr").unwrap().entries;
    let out =
        format().render(&source, "fr", &|key| own.iter().find(|one| one.key == key).map(|one| one.content.clone()));
    assert!(out.starts_with(&[0xff, 0xfe]) && format().translations(&out, "fr").unwrap().entries == own);
    assert!(detect("a.xlf", b"<html/>").is_err());
}

#[test]
fn broken_files_are_refused_with_their_places() {
    assert_eq!(refused("<x/>"), "line 1, column 1: a file of XLIFF has the root element `<xliff>`");
    let two = "<!-- x -->\n<xliff version=\"2.0\"/>";
    assert_eq!(refused(two), "line 2, column 1: this file says that its version is `2.0`, not 1");
    let of = |units: &str| with_files(&[("f", units)]);
    assert_eq!(refused(&of("<trans-unit><source/></trans-unit>")), "line 4, column 1: this `<trans-unit>` has no id");
    assert_eq!(refused(&of("<trans-unit id=\"a\"/>")), "line 4, column 1: this `<trans-unit>` has no source");
    assert_eq!(
        refused(&of("<trans-unit id=\"\"><source/></trans-unit>")),
        "line 4, column 1: the id of this unit is empty"
    );
    assert_eq!(
        refused(&of(&(unit("é", "x") + &unit("é", "y")))),
        "line 5, column 1: two texts have the key `f␄é`: this one and the one in line 4; take one of them out"
    );
    assert_eq!(
        refused("<?xml version='1.0' encoding='ISO-8859-1'?><xliff version='1.2'/>"),
        "line 1, column 31: the file says that it is `iso-8859-1`: save it as UTF-8, and say so"
    );
}

/// Angular's compiler refuses such files by now, but wrote them: a text of several templates, each with its own indentation.
#[test]
fn units_that_say_the_same_under_one_id_are_one_text_and_get_one_translation() {
    let unit = |source: &str, target: &str| {
        format!("      <trans-unit id=\"7\">\n        <source>{source}</source>\n{target}      </trans-unit>\n")
    };
    let target = |text: &str| format!("        <target>{text}</target>\n");
    let own =
        with_files(&[("f", &[unit(" Open it\n", &target("Öffnen")), unit("Open it", &target("Öffnen"))].concat())]);
    let source = format().parse(own.as_bytes()).unwrap();
    assert_eq!(source.entries, [Entry::new("7", text(" Open it\n"))]);
    assert_eq!(format().translations(own.as_bytes(), "de").unwrap().entries, [Entry::new("7", text("Öffnen"))]);
    assert_eq!(file(format().render(&source, "de", &|_| Some(text("Öffnen")))), own);
    let new = own.replace("Öffnen", "Auf");
    assert_eq!(file(format().render(&source, "de", &|_| Some(text("Auf")))), new);
    assert_eq!(file(format().merge(own.as_bytes(), new.as_bytes()).unwrap().bytes), new);
    assert_eq!(file(format().render(&source, "de", &|_| None)), own.replace("Öffnen", ""));
    // Where there is no translation yet, each gets an element.
    let open = with_files(&[("f", &[unit("Open it", ""), unit("Open it", "")].concat())]);
    let out = file(format().render(&format().parse(open.as_bytes()).unwrap(), "de", &|_| Some(text("Auf"))));
    assert_eq!(out.matches("<target>Auf</target>").count(), 2, "{out}");
    // One of two that differ would be lost.
    for other in [unit("Open", &target("Öffnen")), unit("Open it", &target("Auf")), unit("Open it", "")] {
        let odd = with_files(&[("f", &[unit("Open it", &target("Öffnen")), other].concat())]);
        assert!(refused(&odd).contains("two texts have the key `f␄7`"), "{}", refused(&odd));
    }
}

#[test]
fn a_translation_with_elements_that_the_source_lacks_is_missing() {
    let odd = with_files(&[("f", &unit("a", "<g id=\"1\">x</g>"))]);
    assert!(format().translations(odd.as_bytes(), "de").unwrap().entries.is_empty());
    assert_eq!(file(format().merge(odd.as_bytes(), odd.as_bytes()).unwrap().bytes), odd);
}

#[test]
fn what_was_written_in_one_form_is_read_so() {
    let plural = |forms: &[(PluralCategory, &str)]| {
        let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
        Content::Plural(Plural { arg: "n".to_owned(), forms })
    };
    let entry = Entry::new("k", plural(&[(PluralCategory::One, "1"), (PluralCategory::Other, "n")]));
    let new = format().render_new("de", &[entry]);
    assert_eq!(format().translations(&new, "de").unwrap().entries, [Entry::new("k", text("n"))]);
}
