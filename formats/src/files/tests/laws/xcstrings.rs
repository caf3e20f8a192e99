//! Catalogues of Xcode made at random, and the laws of files with all languages.

use proptest::prelude::*;

use super::*;
use crate::files::FileKind;

fn unit(text: impl Strategy<Value = &'static str>) -> impl Strategy<Value = String> {
    let state = prop::sample::select(vec!["translated", "new", "needs_review"]);
    (state, text)
        .prop_map(|(state, text)| format!("\"stringUnit\" : {{ \"state\" : \"{state}\", \"value\" : \"{text}\" }}"))
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "Hallo, %@!", "\\u00e9\\n", "<b>\\\"x\\\"</b>", "", "%lld items"])
}

fn plural(categories: &'static [&'static str]) -> impl Strategy<Value = String> {
    let cases = categories.iter().map(|name| unit(word()).prop_map(move |unit| format!("\"{name}\" : {{ {unit} }}")));
    cases
        .collect::<Vec<_>>()
        .prop_map(|cases| format!("\"variations\" : {{\n\"plural\" : {{ {} }} }}", cases.join(", ")))
}

/// The members of a key.
fn key() -> impl Strategy<Value = String> {
    let german = || prop::option::of(unit(word()));
    let text = (prop::option::of(unit(word())), german()).prop_map(|(en, de)| {
        let language = |name: &str, said: Option<String>| said.map(|said| format!("\"{name}\" : {{ {said} }}"));
        let languages: Vec<_> = [language("de", de), language("en", en)].into_iter().flatten().collect();
        format!("\"localizations\" : {{\n {} }}", languages.join(","))
    });
    let amounts = (plural(&["one", "other"]), prop::option::of(plural(&["one", "other"]))).prop_map(|(en, de)| {
        let de = de.map(|de| format!("\"de\" : {{ {de} }},")).unwrap_or_default();
        format!("\"localizations\" : {{ {de}\n\"en\" : {{ {en} }} }}")
    });
    let devices = (unit(word()), unit(word())).prop_map(|(mac, other)| {
        format!("\"localizations\" : {{ \"en\" : {{ \"variations\" : {{ \"device\" : {{ \"mac\" : {{ {mac} }}, \"other\" : {{ {other} }} }} }} }} }}")
    });
    let numbers = (unit(word()), plural(&["one", "other"])).prop_map(|(whole, number)| {
        format!("\"localizations\" : {{ \"en\" : {{ {whole}, \"substitutions\" : {{ \"n\" : {{ \"argNum\" : 1, {number} }} }} }} }}")
    });
    prop_oneof![
        2 => Just(String::new()),
        1 => Just("\n\n".to_owned()),
        1 => Just("\"comment\" : \"note\", \"shouldTranslate\" : false".to_owned()),
        1 => Just("\"extractionState\" : \"stale\"".to_owned()),
        1 => Just("\"comment\" : \"note\"".to_owned()),
        5 => text,
        2 => amounts,
        1 => devices,
        1 => numbers,
    ]
}

pub(super) fn file() -> impl Strategy<Value = Vec<u8>> {
    let mark = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    let blank = prop::sample::select(vec!["", "\n    ", "\r\n\t"]);
    (mark, blank, prop::collection::vec(key(), 0..6)).prop_map(|(mark, blank, keys)| {
        let keys: Vec<_> =
            keys.into_iter().enumerate().map(|(at, key)| format!("{blank}\"Key {at}\" : {{{key}}}")).collect();
        let keys = keys.join(",");
        format!(
            "{mark}{{{blank}\"sourceLanguage\" : \"en\",{blank}\"strings\" : {{{keys}}},{blank}\"version\" : \"1.0\"}}"
        )
        .into_bytes()
    })
}

fn said(bytes: &[u8], language: &str) -> BTreeMap<String, Content> {
    let document =
        format("xcstrings").translations(bytes, language).unwrap_or_else(|error| panic!("{error}\n{}", shown(bytes)));
    contents(&document).into_iter().collect()
}

fn hold(law: impl Fn(Vec<u8>, LocalizationFile, u64) -> Result<(), TestCaseError>) {
    assert_eq!(format("xcstrings").kind(), FileKind::Multilingual);
    let mut runner = runner(512);
    runner
        .run(&(file(), any::<u64>()), |(file, pick)| match format("xcstrings").parse(&file) {
            Ok(document) => {
                let has_parts = document.entries.iter().any(|entry| entry.key.contains("|==|"));
                law(file, document, if has_parts { u64::MAX } else { pick })
            }
            Err(error) => Err(TestCaseError::fail(error.to_string())),
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_language_comes_into_a_catalogue_and_the_others_stay() {
    hold(|file, document, pick| {
        let wanted = translations(&document, pick);
        for language in ["de", "ru"] {
            let other = if language == "de" { "ru" } else { "de" };
            let before = said(&file, other);
            let bytes = format("xcstrings").put_language(&document, language, &|key| wanted.get(key).cloned()).unwrap();
            prop_assert_eq!(said(&bytes, language), wanted.clone(), "{}", shown(&bytes));
            prop_assert_eq!(said(&bytes, other), before.clone());
            let again = format("xcstrings").parse(&bytes).unwrap();
            prop_assert_eq!(&again.entries, &document.entries, "the source stays");
            let merged = format("xcstrings").merge_languages(&file, &bytes, &[language]).unwrap();
            let mut brought = said(&file, language);
            brought.extend(wanted.clone());
            prop_assert_eq!(said(&merged.bytes, language), brought);
            prop_assert_eq!(said(&merged.bytes, other), before);
            let twice = format("xcstrings").merge_languages(&merged.bytes, &bytes, &[language]).unwrap();
            prop_assert_eq!(shown(&twice.bytes), shown(&merged.bytes));
        }
        Ok(())
    });
}

#[test]
fn a_catalogue_into_which_nothing_new_comes_stays() {
    hold(|file, document, pick| {
        let merged = format("xcstrings").merge(&file, &file).unwrap();
        prop_assert_eq!((shown(&merged.bytes), merged.kept), (shown(&file), Vec::new()));
        let own = said(&file, "de");
        let same = format("xcstrings").put_language(&document, "de", &|key| own.get(key).cloned()).unwrap();
        prop_assert_eq!(shown(&same), shown(&file));
        let has = |key: &str| pick >> (key.len() % 64) & 1 == 1;
        let fewer = format("xcstrings")
            .put_language(&document, "de", &|key| own.get(key).filter(|_| has(key)).cloned())
            .unwrap();
        let merged = format("xcstrings").merge_languages(&file, &fewer, &["de"]).unwrap();
        prop_assert_eq!(shown(&merged.bytes), shown(&file), "{}", shown(&fewer));
        Ok(())
    });
}
