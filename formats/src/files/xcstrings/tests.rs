//! A test for each trap of Xcode's catalogues.

use l10n_api_types::{Content, Plural, PluralCategory, State};

use super::*;
use crate::files::{Edited, by_id};

fn format() -> &'static dyn Format {
    by_id(FormatId::Xcstrings)
}

fn parse(text: &str) -> LocalizationFile {
    format().parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn plural(arg: &str, forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
    Content::Plural(Plural { arg: arg.to_owned(), forms })
}

/// A catalogue in Xcode's style: each key and the lines of its object, which stand two steps deeper.
fn catalog(keys: &[(&str, &str)]) -> String {
    let key = |(name, inside): &(&str, &str)| {
        let inside: Vec<String> =
            inside.lines().map(|line| if line.is_empty() { String::new() } else { format!("      {line}") }).collect();
        format!("    \"{name}\" : {{\n{}\n    }}", inside.join("\n"))
    };
    let keys: Vec<String> = keys.iter().map(key).collect();
    format!(
        "{{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {{\n{}\n  }},\n  \"version\" : \"1.0\"\n}}",
        keys.join(",\n")
    )
}

fn put(file: &str, language: &str, said: &[(&str, Content)]) -> String {
    let content = |key: &str| said.iter().find(|(own, _)| *own == key).map(|(_, content)| content.clone());
    String::from_utf8(format().put_language(&parse(file), language, &content).unwrap()).unwrap()
}

fn says(file: &str, language: &str) -> Vec<(String, Content)> {
    let document = format().translations(file.as_bytes(), language).unwrap();
    document.entries.into_iter().map(|entry| (entry.key, entry.content)).collect()
}

const GERMAN: &str = "\"localizations\" : {\n  \"de\" : {\n    \"stringUnit\" : {\n      \"state\" : \"translated\",\n      \"value\" : \"Hallo\"\n    }\n  }\n}";

#[test]
fn a_key_without_a_text_of_its_own_is_the_text() {
    let file =
        catalog(&[("", ""), ("Hello", ""), ("greeting", &GERMAN.replace("\"de\"", "\"en\"").replace("Hallo", "Hi"))]);
    let document = parse(&file);
    let entries: Vec<_> = document.entries.iter().map(|entry| (entry.key.as_str(), entry.content.clone())).collect();
    assert_eq!(entries, [("Hello", text("Hello")), ("greeting", text("Hi"))]);
    assert_eq!((document.language.as_deref(), format().kind_of(&document)), (Some("en"), FileKind::Multilingual));
}

#[test]
fn an_import_sees_drafts() {
    let unit = |state: &str| GERMAN.replace("\"translated\"", &format!("\"{state}\""));
    let form = |category: &str, state: &str| {
        format!("\"{category}\" : {{ \"stringUnit\" : {{ \"state\" : \"{state}\", \"value\" : \"x\" }} }}")
    };
    let forms = |language: &str, one: &str, other: &str| {
        let forms = [form("one", one), form("other", other)].join(", ");
        format!("\"{language}\" : {{ \"variations\" : {{ \"plural\" : {{ {forms} }} }} }}")
    };
    let plural = |one: &str| {
        let languages = [forms("de", one, "translated"), forms("en", "translated", "translated")].join(", ");
        format!("\"localizations\" : {{ {languages} }}")
    };
    let keys = ["translated", "new", "needs_review", "stale"].map(|state| (state, unit(state)));
    let plurals = [("p1", plural("translated")), ("p2", plural("needs_review")), ("p3", plural("new"))];
    let all: Vec<(&str, &str)> = keys.iter().chain(&plurals).map(|(name, inside)| (*name, inside.as_str())).collect();
    let file = catalog(&all);
    let imports = format().imports(file.as_bytes(), "de").unwrap();
    let found: Vec<_> = imports.entries.iter().map(|entry| (entry.key.as_str(), entry.state.unwrap())).collect();
    let expected = [
        ("translated", State::Translated),
        ("needs_review", State::NeedsReview),
        ("stale", State::NeedsReview),
        ("p1", State::Translated),
        ("p2", State::NeedsReview),
    ];
    assert_eq!(found, expected);
    assert_eq!(says(&file, "de").into_iter().map(|(key, _)| key).collect::<Vec<_>>(), ["translated", "p1"]);
}

/// Two steps, ` : `, empty objects on three lines, no line end at the end of the file.
#[test]
fn a_language_is_written_as_xcode_does() {
    let before = catalog(&[
        ("B", ""),
        ("A", "\"comment\" : \"first\",\n\"extractionState\" : \"manual\",\n\"shouldTranslate\" : true"),
    ]);
    let after = put(&before, "de", &[("B", text("Hallo")), ("A", text("Hallo"))]);
    let with =
        format!("\"comment\" : \"first\",\n\"extractionState\" : \"manual\",\n{GERMAN},\n\"shouldTranslate\" : true");
    assert_eq!(after, catalog(&[("B", GERMAN), ("A", &with)]), "keys are not sorted");
    // Taken out again, the file is as it was.
    assert_eq!(put(&after, "de", &[]), before);
}

#[test]
fn a_language_goes_to_its_place_in_the_alphabet() {
    let said = |language: &str| GERMAN.replace("\"de\"", &format!("\"{language}\""));
    let inner =
        |language: &str| said(language).replace("\"localizations\" : {\n", "").trim_end_matches("\n}").to_owned();
    let both = |one: &str, other: &str| format!("\"localizations\" : {{\n{},\n{}\n}}", inner(one), inner(other));
    assert_eq!(
        put(&catalog(&[("A", &said("fr"))]), "de", &[("A", text("Hallo"))]),
        catalog(&[("A", &both("de", "fr"))])
    );
    assert_eq!(
        put(&catalog(&[("A", &said("de"))]), "pt-BR", &[("A", text("Hallo"))]),
        catalog(&[("A", &both("de", "pt-BR"))])
    );
}

#[test]
fn drafts_are_no_translations_and_stay_until_there_is_one() {
    for state in ["new", "needs_review"] {
        let file = catalog(&[("A", &GERMAN.replace("translated", state))]);
        assert_eq!(says(&file, "de"), []);
        assert_eq!(put(&file, "de", &[]), file);
        assert_eq!(put(&file, "de", &[("A", text("Hallo"))]), catalog(&[("A", GERMAN)]));
    }
    assert_eq!(says(&catalog(&[("A", &GERMAN.replace("Hallo", ""))]), "de"), []);
}

#[test]
fn keys_of_the_code_and_keys_that_it_lost_are_not_offered() {
    let file = catalog(&[("A", "\"shouldTranslate\" : false"), ("B", "\"extractionState\" : \"stale\"")]);
    assert!(parse(&file).entries.is_empty());
    assert_eq!(put(&file, "de", &[("A", text("x")), ("B", text("x"))]), file);
}

const ITEMS: &str = "\"localizations\" : {\n  \"en\" : {\n    \"variations\" : {\n      \"plural\" : {\n        \"one\" : {\n          \"stringUnit\" : {\n            \"state\" : \"new\",\n            \"value\" : \"%lld item\"\n          }\n        },\n        \"other\" : {\n          \"stringUnit\" : {\n            \"state\" : \"new\",\n            \"value\" : \"%lld items\"\n          }\n        }\n      }\n    }\n  }\n}";

#[test]
fn plurals_get_the_categories_of_their_language() {
    let file = catalog(&[("%lld items", ITEMS)]);
    let english = [(PluralCategory::One, "%lld item"), (PluralCategory::Other, "%lld items")];
    assert_eq!(parse(&file).entries[0].content, plural("count", &english));
    let russian = [
        (PluralCategory::One, "%lld вещь"),
        (PluralCategory::Few, "%lld вещи"),
        (PluralCategory::Many, "%lld вещей"),
        (PluralCategory::Other, "%lld вещи"),
    ];
    let out = put(&file, "ru", &[("%lld items", plural("count", &russian))]);
    assert_eq!(says(&out, "ru"), [("%lld items".to_owned(), plural("count", &russian))]);
    let order: Vec<_> = ["\"one\"", "\"few\"", "\"many\"", "\"other\""].iter().map(|name| out.rfind(name)).collect();
    assert!(order.is_sorted(), "{out}");
    // A category that the language lacks goes, and one that it has comes after the one before it.
    let german = out.replace("\"ru\"", "\"de\"");
    let fewer = put(&german, "de", &[("%lld items", plural("count", &english))]);
    assert!(!fewer.contains("\"few\"") && !fewer.contains("\"many\""), "{fewer}");
    let again = put(&fewer, "de", &[("%lld items", plural("count", &russian))]);
    assert_eq!(says(&again, "de"), [("%lld items".to_owned(), plural("count", &russian))]);
    assert!(
        again.contains("          \"few\" : {\n            \"stringUnit\" : {") || again.contains("\"few\" : {\n"),
        "{again}"
    );
}

#[test]
fn texts_for_devices_and_numbers_are_entries_that_come_together() {
    let devices = "\"localizations\" : {\n  \"en\" : {\n    \"variations\" : {\n      \"device\" : {\n        \"mac\" : { \"stringUnit\" : { \"value\" : \"Click\" } },\n        \"other\" : { \"stringUnit\" : { \"value\" : \"Tap\" } }\n      }\n    }\n  }\n}";
    let numbers = "\"localizations\" : {\n  \"en\" : {\n    \"stringUnit\" : { \"value\" : \"%#@files@\" },\n    \"substitutions\" : {\n      \"files\" : {\n        \"argNum\" : 1,\n        \"formatSpecifier\" : \"lld\",\n        \"variations\" : { \"plural\" : { \"other\" : { \"stringUnit\" : { \"value\" : \"%arg files\" } } } }\n      }\n    }\n  }\n}";
    let file = catalog(&[("tap", devices), ("n", numbers)]);
    let keys: Vec<_> = parse(&file).entries.into_iter().map(|entry| entry.key).collect();
    assert_eq!(keys, ["tap|==|device.mac", "tap|==|device.other", "n", "n|==|substitutions.files"]);
    let files = plural("files", &[(PluralCategory::One, "%arg Datei"), (PluralCategory::Other, "%arg Dateien")]);
    let said = [
        ("tap|==|device.mac", text("Klick")),
        ("tap|==|device.other", text("Tipp")),
        ("n", text("%#@files@")),
        ("n|==|substitutions.files", files),
    ];
    let out = put(&file, "de", &said);
    assert_eq!(says(&out, "de"), said.clone().map(|(key, content)| (key.to_owned(), content)));
    assert!(
        out.contains("\"argNum\" : 1,\n              \"formatSpecifier\" : \"lld\",\n              \"variations\" : {"),
        "{out}"
    );
    assert_eq!(put(&file, "de", &said[1..3]), file, "half of a key is not written");
    assert_eq!(put(&out, "de", &said[1..3]), file, "half of a key is taken out");
}

#[test]
fn texts_for_widths_and_for_plurals_of_devices_are_entries_too() {
    let english = "\"localizations\" : {\n  \"en\" : {\n    \"variations\" : {\n      \"device\" : {\n        \"iphone\" : {\n          \"variations\" : {\n            \"width\" : {\n              \"20\" : {\n                \"stringUnit\" : {\n                  \"state\" : \"translated\",\n                  \"value\" : \"Tap\"\n                }\n              },\n              \"40\" : {\n                \"stringUnit\" : {\n                  \"state\" : \"translated\",\n                  \"value\" : \"Tap here\"\n                }\n              }\n            }\n          }\n        },\n        \"mac\" : {\n          \"variations\" : {\n            \"plural\" : {\n              \"one\" : {\n                \"stringUnit\" : {\n                  \"state\" : \"translated\",\n                  \"value\" : \"%lld click\"\n                }\n              },\n              \"other\" : {\n                \"stringUnit\" : {\n                  \"state\" : \"translated\",\n                  \"value\" : \"%lld clicks\"\n                }\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n}";
    let file = catalog(&[("go", english)]);
    let document = parse(&file);
    assert!(document.warnings.is_empty());
    let own: Vec<(&str, Content)> =
        document.entries.iter().map(|entry| (entry.key.as_str(), entry.content.clone())).collect();
    let clicks = plural("count", &[(PluralCategory::One, "%lld click"), (PluralCategory::Other, "%lld clicks")]);
    let expected = [
        ("go|==|device.iphone.width.20", text("Tap")),
        ("go|==|device.iphone.width.40", text("Tap here")),
        ("go|==|device.mac", clicks),
    ];
    assert_eq!(own, expected);
    assert_eq!(put(&file, "en", &own), file);
    // A new language has the shape of the source, byte for byte.
    let german = put(&file, "de", &own);
    let (de, en) = (german.find("\"de\" : {").unwrap(), german.find("\"en\" : {").unwrap());
    let shape = |text: &str| text.trim_end().trim_end_matches(',').to_owned();
    assert!(german[en..].starts_with(&shape(&german[de..en]).replace("\"de\"", "\"en\"")), "{german}");
    assert_eq!(put(&german, "de", &[]), file);
    let mut other = own.clone();
    other[1].1 = text("Hier");
    let out = put(&german, "de", &other);
    assert_eq!(out, german.replacen("\"Tap here\"", "\"Hier\"", 1));
    assert_eq!(says(&out, "de").into_iter().map(|(_, content)| content).nth(1), Some(text("Hier")));
}

#[test]
fn what_varies_otherwise_stays_with_a_warning() {
    let unit = "{ \"stringUnit\" : { \"value\" : \"x\" } }";
    let odd = [
        format!("\"plural\" : {{ \"other\" : {{ \"variations\" : {{ \"device\" : {{ \"mac\" : {unit} }} }} }} }}"),
        format!("\"device\" : {{ \"mac\" : {unit} }}, \"width\" : {{ \"20\" : {unit} }}"),
        format!("\"width\" : {{ \"20\" : {{ \"variations\" : {{ \"width\" : {{ \"5\" : {unit} }} }} }} }}"),
        format!("\"gender\" : {{ \"female\" : {unit} }}"),
        "\"width\" : {}".to_owned(),
    ];
    for odd in odd {
        let inside = format!("\"localizations\" : {{\n  \"en\" : {{\n    \"variations\" : {{ {odd} }}\n  }}\n}}");
        let file = catalog(&[("w", &inside)]);
        let document = parse(&file);
        assert_eq!(document.entries.len(), 0, "{odd}");
        let warning = "1 key left as found: the texts vary by more than devices, widths and amounts";
        assert_eq!(document.warnings, [warning]);
        assert_eq!(put(&file, "de", &[("w", text("y"))]), file);
    }
}

#[test]
fn a_merge_touches_what_differs_in_the_languages_that_were_asked() {
    let own = catalog(&[("B", ""), ("A", GERMAN)]);
    let new = put(
        &put(
            &catalog(&[("A", ""), ("N", "\"comment\" : \"new\""), ("B", "")]),
            "de",
            &[("A", text("Ah")), ("N", text("Neu"))],
        ),
        "fr",
        &[("B", text("Bé"))],
    );
    let merged = format().merge_languages(own.as_bytes(), new.as_bytes(), &["de"]).unwrap();
    let wanted = catalog(&[("B", ""), ("A", &GERMAN.replace("Hallo", "Ah"))]);
    assert_eq!(String::from_utf8(merged.bytes).unwrap(), wanted);
    // Keys come with the whole file alone.
    let whole = String::from_utf8(format().merge(own.as_bytes(), new.as_bytes()).unwrap().bytes).unwrap();
    assert!(whole.contains("    \"N\" : {\n      \"comment\" : \"new\",\n      \"localizations\""), "{whole}");
    let merged = format().merge_languages(own.as_bytes(), new.as_bytes(), &["fr"]).unwrap();
    assert_eq!(String::from_utf8(merged.bytes).unwrap(), put(&own, "fr", &[("B", text("Bé")), ("A", text("x"))]).replace(",\n        \"fr\" : {\n          \"stringUnit\" : {\n            \"state\" : \"translated\",\n            \"value\" : \"x\"\n          }\n        }", ""));
    let german = put(&own, "de", &[]);
    assert_eq!(format().merge_languages(own.as_bytes(), german.as_bytes(), &["de"]).unwrap().kept, ["A"]);
}

#[test]
fn catalogues_of_something_else_are_refused() {
    let refusal = |text: &str| format().parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(refusal("{}"), "line 1, column 1: the catalogue has no `sourceLanguage`");
    assert_eq!(
        refusal("{\"sourceLanguage\":\"en\",\n\"strings\":{\"a\":1}}"),
        "line 2, column 12: the value of a key must be an object"
    );
    assert!(refusal("{\"sourceLanguage\":\"en\",\"strings\":[]}").ends_with("`strings` must be an object"));
}

#[test]
fn texts_of_the_source_change_and_keys_do_not() {
    let file = catalog(&[("Hello", "")]);
    let mut editor = format().editor(file.as_bytes()).unwrap();
    assert_eq!(editor.remove("Hello"), Err(EditError::InCode("Hello".to_owned())));
    editor.set("Hello", "Hello", "Hallo").unwrap();
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), catalog(&[("Hello", &GERMAN.replace("\"de\"", "\"en\""))]));
}

#[test]
fn new_keys_are_marked_as_made_by_hand() {
    let added = [Entry::new("Save", text("Save")), Entry::new("note", text("Note"))];
    let out = String::from_utf8(format().extend(&parse(&catalog(&[("A", "")])), &added).unwrap()).unwrap();
    let english = GERMAN.replace("\"de\"", "\"en\"").replace("Hallo", "Note");
    let wanted = catalog(&[
        ("A", ""),
        ("Save", "\"extractionState\" : \"manual\""),
        ("note", &format!("\"extractionState\" : \"manual\",\n{english}")),
    ]);
    assert_eq!(out, wanted);
    let new = String::from_utf8(format().render_new("en", &added)).unwrap();
    assert_eq!(new, wanted.replace("    \"A\" : {\n\n    },\n", ""));
}

/// A catalogue whose translators were quicker than the developer who made a plural of the text, or slower.
#[test]
fn a_language_with_fewer_texts_gets_all_of_them_and_one_with_more_stays() {
    let file = catalog(&[("%lld items", ITEMS)]);
    let english = plural("count", &[(PluralCategory::One, "%lld item"), (PluralCategory::Other, "%lld items")]);
    let german = plural("count", &[(PluralCategory::One, "%lld Ding"), (PluralCategory::Other, "%lld Dinge")]);
    let one_text = file.replace(
        "        \"en\" : {",
        "        \"de\" : {\n          \"stringUnit\" : {\n            \"state\" : \"translated\",\n            \"value\" : \"Dinge\"\n          }\n        },\n        \"en\" : {",
    );
    assert_eq!(says(&one_text, "de"), []);
    assert_eq!(put(&one_text, "de", &[("%lld items", german.clone())]), put(&file, "de", &[("%lld items", german)]));
    let several = catalog(&[("%lld items", &ITEMS.replace("\"en\"", "\"de\""))]);
    assert_eq!(parse(&several).entries[0].content, text("%lld items"));
    assert_eq!(put(&several, "de", &[("%lld items", text("x"))]), several);
    assert_eq!(says(&file, "en"), [("%lld items".to_owned(), english)]);
}

#[test]
fn languages_are_spelled_as_the_catalogue_or_xcode_does() {
    let said = [("A", text("甲"))];
    assert!(put(&catalog(&[("A", "")]), "zh-CN", &said).contains("\"zh-Hans\" : {"));
    let own = catalog(&[("A", &GERMAN.replace("\"de\"", "\"zh-CN\"")), ("B", "")]);
    let out = put(&own, "zh-CN", &[("A", text("甲")), ("B", text("乙"))]);
    assert_eq!((out.matches("zh-CN").count(), out.contains("zh-Hans")), (2, false));
    let document = parse(&catalog(&[("A", GERMAN), ("B", &GERMAN.replace("\"de\"", "\"fr\""))]));
    assert_eq!(format().languages(&document), ["de", "fr"]);
}

#[test]
fn keys_that_the_team_made_by_hand_come_go_and_get_other_names() {
    const MANUAL: &str = "\"extractionState\" : \"manual\"";
    let file = catalog(&[("A", MANUAL), ("B", MANUAL), ("Code", "")]);
    let mut editor = format().editor(file.as_bytes()).unwrap();
    assert_eq!(editor.rename("Code", "Other"), Err(EditError::InCode("Code".to_owned())));
    assert_eq!(editor.add("B", "x"), Err(EditError::Taken("B".to_owned())));
    editor.add("New", "Neu").unwrap();
    editor.rename("A", "Z").unwrap();
    editor.remove("B").unwrap();
    assert_eq!(editor.rename("A", "Z"), Ok(Edited::There));
    let english = |text: &str| format!("{MANUAL},\n{}", GERMAN.replace("\"de\"", "\"en\"").replace("Hallo", text));
    let wanted = catalog(&[("Z", &english("A")), ("Code", ""), ("New", &english("Neu"))]);
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), wanted);
    // The last key leaves an object in which others have their place.
    let mut editor = format().editor(catalog(&[("B", MANUAL)]).as_bytes()).unwrap();
    editor.remove("B").unwrap();
    let empty = editor.bytes();
    assert!(parse(std::str::from_utf8(&empty).unwrap()).entries.is_empty());
    let mut editor = format().editor(&empty).unwrap();
    editor.add("B", "B").unwrap();
    assert_eq!(String::from_utf8(editor.bytes()).unwrap(), catalog(&[("B", MANUAL)]));
    let mut editor = format().editor(catalog(&[("A", "\"shouldTranslate\" : false")]).as_bytes()).unwrap();
    assert!(matches!(editor.add("A", "x"), Err(EditError::SomethingElse { .. })));
}
