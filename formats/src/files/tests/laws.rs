//! The laws, on files made at random.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::files::{Entry, detect};

const FORMATS: [&str; 3] = ["json", "i18next", "arb"];

/// A JSON value with blanks and escapes as people and tools leave them.
fn value(depth: u32) -> BoxedStrategy<String> {
    let scalar = prop_oneof![
        6 => string(),
        1 => prop_oneof![Just("1"), Just("-2.5e3"), Just("true"), Just("null"), Just("{}"), Just("[ ]")].prop_map(str::to_owned),
    ];
    if depth == 0 {
        return scalar.boxed();
    }
    prop_oneof![
        3 => scalar,
        2 => object(depth - 1),
        1 => (blank(), prop::collection::vec(value(depth - 1), 1..4)).prop_map(|(blank, items)| {
            format!("[{blank}{}{blank}]", items.join(&format!(",{blank}")))
        }),
    ]
    .boxed()
}

fn blank() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just(" "), Just("\n  "), Just("\r\n\t"), Just("\n\n    ")].prop_map(str::to_owned)
}

fn string() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("a"),
        Just(" "),
        Just("\\n"),
        Just("\\u00e9"),
        Just("ü"),
        Just("\\ud83d\\ude00"),
        Just("/"),
        Just("\\/"),
        Just("{{count}}"),
        Just("{n}"),
        Just("\\\""),
        Just("\\\\"),
        Just("%s"),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

/// Names that differ only in parts that the formats interpret.
fn name() -> impl Strategy<Value = String> {
    let stem = prop_oneof![
        Just("a"),
        Just("b"),
        Just("a.b"),
        Just("c"),
        Just("c_male"),
        Just("@a"),
        Just("__proto__"),
        Just("\\u0061b")
    ];
    let suffix = prop_oneof![
        4 => Just(""), 2 => Just("_one"), 2 => Just("_other"), 1 => Just("_few"), 1 => Just("_zero"),
        1 => Just("_ordinal_one"), 1 => Just("_ordinal_other"),
    ];
    (stem, suffix).prop_map(|(stem, suffix)| format!("{stem}{suffix}"))
}

fn object(depth: u32) -> BoxedStrategy<String> {
    let member = (blank(), blank(), value(depth), blank());
    (prop::collection::btree_map(name(), member, 0..7), blank(), prop::bool::weighted(0.1))
        .prop_map(|(members, end, copy)| {
            let member = |(name, (a, b, value, c)): (&String, &(String, String, String, String))| {
                format!("{a}\"{name}\"{c}:{b}{value}{c}")
            };
            let mut members: Vec<_> = members.iter().map(member).collect();
            if copy {
                members.extend(members.first().cloned());
            }
            format!("{{{}{end}}}", members.join(","))
        })
        .boxed()
}

fn file() -> impl Strategy<Value = String> {
    let mark = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    let end = prop_oneof![Just(""), Just("\n"), Just("\r\n")];
    (mark, object(3), end).prop_map(|(mark, object, end)| format!("{mark}{object}{end}"))
}

/// Texts for a document's keys: `pick` says which are left out, `language` which categories plurals get.
fn translations(document: &Document, pick: u64) -> BTreeMap<String, Content> {
    let translate = |(at, entry): (usize, &Entry)| {
        let said = |text: &str| format!("«{text}»/ё\n");
        let content = match &entry.content {
            Content::Text(text) => Content::Text(said(text)),
            Content::Plural(Plural { arg, .. }) => {
                let forms = [PluralCategory::One, PluralCategory::Few, PluralCategory::Many, PluralCategory::Other];
                Content::Plural(Plural {
                    arg: arg.clone(),
                    forms: forms.into_iter().map(|c| (c, said(c.as_str()))).collect(),
                })
            }
        };
        (pick >> (at % 64) & 1 == 1).then(|| (entry.key.clone(), content))
    };
    document.entries.iter().enumerate().filter_map(translate).collect()
}

/// Returns whether the meaning of an entry depends on its neighbours: array elements are translated all or none, and
/// the reading of i18next's names that end in `_other` depends on the names beside them.
fn holds_together(document: &Document) -> bool {
    let depends = |key: &str| key.ends_with("_other") || key.split('.').any(|part| part.parse::<usize>().is_ok());
    document.entries.iter().any(|entry| depends(&entry.key))
}

proptest! {
    #[test]
    fn rendering_what_was_read_gives_the_file_back(file in file()) {
        for id in FORMATS {
            if format(id).parse(file.as_bytes()).is_ok() {
                prop_assert_eq!(String::from_utf8(unchanged(id, file.as_bytes(), "en")).unwrap(), file.clone());
            }
        }
    }

    #[test]
    fn reading_what_was_rendered_gives_the_contents(file in file(), pick in any::<u64>()) {
        for id in FORMATS {
            let Ok(document) = format(id).parse(file.as_bytes()) else { continue };
            let pick = if holds_together(&document) { u64::MAX } else { pick };
            let wanted = translations(&document, pick);
            let bytes = format(id).render(&document, "ru", &|key| wanted.get(key).cloned());
            let again = format(id).parse(&bytes).map_err(|error| {
                TestCaseError::fail(format!("{error}: {}", String::from_utf8_lossy(&bytes)))
            })?;
            let found: BTreeMap<_, _> = contents(&again).into_iter().collect();
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn a_canonical_file_gives_its_entries_back(
        keys in prop::collection::btree_set("[ab]{1,2}(\\.[ab1 ]{0,2}){0,3}", 0..12),
        words in prop::collection::vec("\\PC{0,9}", 12),
    ) {
        for id in FORMATS {
            let entries: Vec<_> =
                keys.iter().zip(&words).map(|(key, word)| Entry::new(key, text(word))).collect();
            let file = format(id).render_new("de", &entries);
            let mut streamed = Vec::new();
            format(id).write_new("de", &mut entries.clone().into_iter(), &mut streamed).unwrap();
            prop_assert_eq!(&streamed, &file, "entry by entry it is the same file");
            let document = format(id).parse(&file).unwrap();
            let found: BTreeMap<_, _> = contents(&document).into_iter().collect();
            let wanted: BTreeMap<_, _> = entries.into_iter().map(|entry| (entry.key, entry.content)).collect();
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for id in FORMATS {
            if format(id).parse(&bytes).is_ok() {
                prop_assert_eq!(unchanged(id, &bytes, "en"), bytes.clone());
            }
        }
        let _ = detect("en.json", &bytes);
    }

    #[test]
    fn no_damage_to_a_file_makes_a_reader_panic(
        file in file(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let mut bytes = file.into_bytes();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        for id in FORMATS {
            match format(id).parse(&bytes) {
                Ok(_) => prop_assert_eq!(unchanged(id, &bytes, "en"), bytes.clone()),
                Err(error) => prop_assert!(error.line >= 1 && error.column >= 1 && error.line as usize <= bytes.len() + 1),
            }
        }
    }
}
