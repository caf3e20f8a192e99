//! Tables made at random, and the laws of those that hold source and translations.

use proptest::prelude::*;

use super::*;
use crate::files::FileKind;

fn cell() -> impl Strategy<Value = String> {
    let part = prop_oneof![3 => Just("a"), 1 => Just("é"), 1 => Just(" "), 1 => Just("\"\""), 1 => Just("%s"), 1 => Just("=1")];
    let quoted = prop_oneof![3 => Just("b"), 1 => Just("\n"), 1 => Just(","), 1 => Just(";"), 1 => Just("\"\"")];
    let text = |parts: Vec<&str>| parts.concat();
    prop_oneof![
        4 => prop::collection::vec(part, 0..4).prop_map(text).prop_map(|text| text.replace('"', "")),
        2 => prop::collection::vec(quoted, 0..4).prop_map(move |parts| format!("\"{}\"", text(parts))),
    ]
}

/// Tables with a first row, whose cells are `#` and a number for the key.
fn table(heads: &'static [&'static str], key: usize) -> impl Strategy<Value = Vec<u8>> {
    let row = (
        prop::collection::vec(cell(), 0..4),
        prop::bool::weighted(0.1),
        prop::sample::select(vec!["\n", "\r\n", "\n\n"]),
    );
    let mark = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    let separator = prop::sample::select(vec![",", ";", "\t"]);
    (mark, prop::sample::select(heads), separator, prop::collection::vec(row, 0..6), any::<bool>()).prop_map(
        move |(mark, head, separator, rows, ends)| {
            let mut text = format!("{mark}{}\n", head.replace(',', separator));
            for (at, (mut cells, is_copy, end)) in rows.into_iter().enumerate() {
                cells.insert(key.min(cells.len()), if is_copy { "k0".to_owned() } else { format!("k{at}") });
                text.push_str(&(cells.join(separator) + end));
            }
            if !ends {
                text.truncate(text.trim_end_matches(['\n', '\r']).len());
            }
            text.into_bytes()
        },
    )
}

pub(super) fn plain() -> impl Strategy<Value = Vec<u8>> {
    table(&["key,text", "id,en,comment", "key,EN", "\"Key\",\"Text\"", "key,x,text"], 0)
}

fn pairs() -> impl Strategy<Value = Vec<u8>> {
    table(&["source,target", "source,target,comment", "source,context,target", "a,b"], 0)
}

fn languages() -> impl Strategy<Value = Vec<u8>> {
    table(&["key,en,de", ",en,comment,pt_BR", "keys,en,de,fr", "source,de", "key,en,fr"], 0)
}

fn hold(
    files: impl Strategy<Value = Vec<u8>>,
    law: impl Fn(Vec<u8>, LocalizationFile, u64) -> Result<(), TestCaseError>,
) {
    let mut runner = runner(512);
    let read = std::cell::Cell::new(0);
    runner
        .run(&(files, any::<u64>()), |(file, pick)| match format("csv").parse(&file) {
            Ok(document) => {
                read.set(read.get() + usize::from(!document.entries.is_empty()));
                law(file, document, pick)
            }
            Err(_) => Ok(()),
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(read.get() > 100, "{} files had entries", read.get());
}

fn said(bytes: &[u8], language: &str) -> BTreeMap<String, Content> {
    let document =
        format("csv").translations(bytes, language).unwrap_or_else(|error| panic!("{error}\n{}", shown(bytes)));
    contents(&document).into_iter().collect()
}

#[test]
fn a_rendered_table_of_pairs_holds_the_translations_that_were_written() {
    hold(pairs(), |file, document, pick| {
        assert_eq!(format("csv").kind_of(&document), FileKind::Bilingual);
        prop_assert_eq!(shown(&unchanged("csv", &file, "en")), shown(&file));
        let wanted = translations(&document, pick);
        let bytes = format("csv").render(&document, "ru", &|key| wanted.get(key).cloned());
        let found = said(&bytes, "ru");
        for (key, content) in &wanted {
            prop_assert_eq!(found.get(key), Some(content), "{}", shown(&bytes));
        }
        Ok(())
    });
}

#[test]
fn a_table_into_which_nothing_new_comes_stays() {
    hold(prop_oneof![pairs(), languages()], |file, document, pick| {
        let merged = format("csv").merge(&file, &file).unwrap();
        prop_assert_eq!((shown(&merged.bytes), merged.kept), (shown(&file), Vec::new()));
        let own = said(&file, "de");
        // The first row of a table without names stays where the next one would name columns.
        let has = |key: &str| key == "a" || pick >> (key.len() % 64) & 1 == 1;
        let said_again = |key: &str| own.get(key).filter(|_| has(key)).cloned();
        let fewer = match format("csv").kind_of(&document) {
            FileKind::Multilingual => format("csv").put_language(&document, "de", &said_again).unwrap(),
            _ => format("csv").render(&document, "de", &said_again),
        };
        let merged = format("csv").merge(&file, &fewer).unwrap();
        prop_assert_eq!(shown(&merged.bytes), shown(&file), "{}", shown(&fewer));
        Ok(())
    });
}

#[test]
fn a_language_comes_into_a_table_of_several_and_the_others_stay() {
    hold(languages(), |file, document, pick| {
        assert_eq!(format("csv").kind_of(&document), FileKind::Multilingual);
        prop_assert_eq!(shown(&unchanged("csv", &file, document.language.as_deref().unwrap_or("en"))), shown(&file));
        let wanted = translations(&document, pick);
        for language in ["de", "ru", "pt-BR"] {
            let others: Vec<_> =
                ["en", "de", "fr", "pt-BR", "ru"].into_iter().filter(|other| *other != language).collect();
            let before: Vec<_> = others.iter().map(|other| said(&file, other)).collect();
            let bytes = format("csv").put_language(&document, language, &|key| wanted.get(key).cloned()).unwrap();
            prop_assert_eq!(said(&bytes, language), wanted.clone(), "{}", shown(&bytes));
            prop_assert_eq!(&others.iter().map(|other| said(&bytes, other)).collect::<Vec<_>>(), &before);
            let again = format("csv").parse(&bytes).unwrap();
            prop_assert_eq!(again.entries, document.entries.clone(), "the source stays");
            // The merge brings the language into the file, and into it once.
            let merged = format("csv").merge_languages(&file, &bytes, &[language]).unwrap();
            let mut brought = said(&file, language);
            brought.extend(wanted.clone());
            prop_assert_eq!(said(&merged.bytes, language), brought);
            prop_assert_eq!(&others.iter().map(|other| said(&merged.bytes, other)).collect::<Vec<_>>(), &before);
            prop_assert_eq!(
                format("csv").merge_languages(&merged.bytes, &bytes, &[language]).unwrap().bytes,
                merged.bytes
            );
        }
        Ok(())
    });
}
