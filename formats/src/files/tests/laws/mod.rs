//! The laws, on files made at random. A format gives a generator of its files.

mod apple_strings;
mod bilingual;
mod csv;
mod fluent;
mod gettext;
mod ini;
mod json;
mod php;
mod properties;
mod strangers;
mod toml;
mod xcstrings;
mod xml;
mod yaml;

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::files::{Entry, FileKind, Layout, all, detect};

/// Files of a format, as people and tools leave them.
fn files_of(id: FormatId) -> BoxedStrategy<Vec<u8>> {
    match id {
        FormatId::Json | FormatId::I18next | FormatId::Arb => json::file().prop_map(String::into_bytes).boxed(),
        FormatId::Chrome => members::file(true).prop_map(String::into_bytes).boxed(),
        FormatId::Docusaurus | FormatId::FormatJs | FormatId::LaravelJson => {
            members::file(false).prop_map(String::into_bytes).boxed()
        }
        FormatId::Properties => properties::file().boxed(),
        FormatId::AppleStrings => apple_strings::file().boxed(),
        FormatId::Gettext => gettext::file().boxed(),
        FormatId::Csv => csv::plain().boxed(),
        FormatId::Xcstrings => xcstrings::file().boxed(),
        FormatId::Ini => ini::file().boxed(),
        FormatId::Android => xml::android().boxed(),
        FormatId::Resx => xml::resx().boxed(),
        FormatId::AppleStringsdict => xml::stringsdict().boxed(),
        FormatId::Yaml => yaml::file().boxed(),
        FormatId::Php => php::file().boxed(),
        FormatId::QtTs => xml::qt_ts().boxed(),
        FormatId::Toml => toml::file().boxed(),
        FormatId::Xliff1 => xml::xliff_1().boxed(),
        FormatId::Xliff2 => xml::xliff_2().boxed(),
        FormatId::Fluent => fluent::file().boxed(),
    }
}

/// Holds a law against files of every format, with numbers for what it chooses.
fn hold(law: impl Fn(&str, Vec<u8>, u64) -> Result<(), TestCaseError>) {
    hold_for(all(), law);
}

/// As [`hold`], for formats whose files hold one language.
fn hold_for_monolingual(law: impl Fn(&str, Vec<u8>, u64) -> Result<(), TestCaseError>) {
    hold_for(all().filter(|format| format.kind() == FileKind::Monolingual), law);
}

fn hold_for(
    formats: impl Iterator<Item = &'static dyn Format>,
    law: impl Fn(&str, Vec<u8>, u64) -> Result<(), TestCaseError>,
) {
    for format in formats {
        let id = format.id();
        let mut runner = runner(128);
        runner
            .run(&(files_of(id), any::<u64>()), |(file, pick)| law(id.as_str(), file, pick))
            .unwrap_or_else(|error| panic!("{id}: {error}"));
    }
}

/// A runner of so many cases, or of as many as `PROPTEST_CASES` says.
fn runner(cases: u32) -> TestRunner {
    let asked = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { cases };
    TestRunner::new(Config { failure_persistence: None, cases, ..asked })
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Texts for a document's keys: `pick` says which are left out, `language` which categories plurals get.
fn translations(document: &LocalizationFile, pick: u64) -> BTreeMap<String, Content> {
    let translate = |(at, entry): (usize, &Entry)| {
        let said = |text: &str| format!(" «{text}»/ё\\ \"''=\n#");
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
fn holds_together(document: &LocalizationFile) -> bool {
    let depends = |key: &str| key.ends_with("_other") || key.split('.').any(|part| part.parse::<usize>().is_ok());
    let has_lists = matches!(&document.layout, Layout::Spliced(skeleton) if skeleton.has_lists());
    has_lists || document.entries.iter().any(|entry| depends(&entry.key))
}

#[test]
fn most_of_the_files_made_at_random_can_be_read() {
    for format in all() {
        let mut runner = TestRunner::deterministic();
        let files = files_of(format.id());
        let read = (0..200).filter(|_| {
            let file = files.new_tree(&mut runner).unwrap().current();
            format.parse(&file).is_ok_and(|document| !document.entries.is_empty())
        });
        let read = read.count();
        assert!(read > 20, "{}: {read} of 200", format.id());
    }
}

#[test]
fn rendering_what_was_read_gives_the_file_back() {
    hold(|id, file, _| {
        if format(id).parse(&file).is_ok() {
            prop_assert_eq!(shown(&unchanged(id, &file, "en")), shown(&file));
            prop_assert_eq!(unchanged(id, &file, "en"), file);
        }
        Ok(())
    });
}

#[test]
fn reading_what_was_rendered_gives_the_contents() {
    hold_for_monolingual(|id, file, pick| {
        let Ok(document) = format(id).parse(&file) else { return Ok(()) };
        let pick = if holds_together(&document) { u64::MAX } else { pick };
        let wanted = translations(&document, pick);
        let bytes = format(id).render(&document, "ru", &|key| wanted.get(key).cloned());
        let again =
            format(id).parse(&bytes).map_err(|error| TestCaseError::fail(format!("{error}: {}", shown(&bytes))))?;
        let found: BTreeMap<_, _> = contents(&again).into_iter().collect();
        prop_assert_eq!(found, wanted, "{}", shown(&bytes));
        Ok(())
    });
}

#[test]
fn a_target_file_into_which_nothing_new_comes_stays() {
    hold_for_monolingual(|id, file, pick| {
        let Ok(document) = format(id).parse(&file) else { return Ok(()) };
        let merged = format(id).merge(&file, &file).map_err(TestCaseError::fail)?;
        prop_assert_eq!((shown(&merged.bytes), merged.kept), (shown(&file), Vec::new()));
        // A version that lacks texts takes none away.
        let own = contents(&document);
        let pick = if holds_together(&document) { u64::MAX } else { pick };
        let keys: Vec<&str> = document.entries.iter().map(|entry| entry.key.as_str()).collect();
        let has = |key: &str| keys.iter().position(|own| *own == key).is_some_and(|at| pick >> (at % 64) & 1 == 1);
        let fewer = format(id).render(&document, "en", &|key| own.get(key).filter(|_| has(key)).cloned());
        let merged = format(id).merge(&file, &fewer).map_err(TestCaseError::fail)?;
        prop_assert_eq!(shown(&merged.bytes), shown(&file));
        let kept: Vec<&str> = keys.iter().copied().filter(|key| !has(key)).collect();
        if matches!(document.layout, Layout::Spliced(_)) {
            prop_assert_eq!(merged.kept, kept);
        }
        Ok(())
    });
}

#[test]
fn a_merge_brings_what_the_version_has_and_is_done_once() {
    hold_for_monolingual(|id, file, pick| {
        let Ok(document) = format(id).parse(&file) else { return Ok(()) };
        if holds_together(&document) || matches!(document.layout, Layout::Json(_)) {
            return Ok(());
        }
        let own = format(id).render(&document, "en", &|key| {
            contents(&document).remove(key).filter(|_| !(key.len() as u64 ^ pick).is_multiple_of(3))
        });
        let wanted = translations(&document, pick);
        let version = format(id).render(&document, "ru", &|key| wanted.get(key).cloned());
        let merged = format(id).merge(&own, &version).map_err(TestCaseError::fail)?;
        let read = format(id).parse(&merged.bytes).map_err(|error| {
            TestCaseError::fail(format!("{error}: {} + {} = {}", shown(&own), shown(&version), shown(&merged.bytes)))
        })?;
        let found = contents(&read);
        for (key, content) in &wanted {
            prop_assert_eq!(found.get(key), Some(content), "{} in {}", key, shown(&merged.bytes));
        }
        let again = format(id).merge(&merged.bytes, &version).map_err(TestCaseError::fail)?;
        prop_assert_eq!(shown(&again.bytes), shown(&merged.bytes));
        Ok(())
    });
}

#[test]
fn entries_that_did_not_change_keep_their_bytes() {
    hold(|id, file, pick| {
        let Ok(document) = format(id).parse(&file) else { return Ok(()) };
        let Layout::Spliced(before) = &document.layout else { return Ok(()) };
        let (own, other) = (contents(&document), translations(&document, pick));
        let bytes = format(id).render(&document, "ru", &|key| other.get(key).or_else(|| own.get(key)).cloned());
        let again = format(id).parse(&bytes).unwrap();
        let Layout::Spliced(after) = &again.layout else { panic!("it has another layout") };
        for (at, entry) in document.entries.iter().enumerate().filter(|(_, entry)| !other.contains_key(&entry.key)) {
            prop_assert_eq!(&again.entries[at].key, &entry.key);
            prop_assert_eq!(before.whole(at).trim_end(), after.whole(at).trim_end());
        }
        Ok(())
    });
}

#[test]
fn what_is_changed_by_hand_is_what_was_asked() {
    hold(|id, file, pick| {
        let Ok(document) = format(id).parse(&file) else { return Ok(()) };
        let (Layout::Spliced(_) | Layout::Fluent(_)) = &document.layout else { return Ok(()) };
        let mut editor = format(id).editor(&file).unwrap();
        prop_assert_eq!(editor.bytes(), file);
        let mut wanted: BTreeMap<String, Content> = contents(&document).into_iter().collect();
        for (at, entry) in document.entries.iter().enumerate() {
            let Content::Text(said) = &entry.content else { continue };
            let new = format!("{}{at}", entry.key);
            let done = match pick >> (at * 2 % 62) & 3 {
                0 => {
                    editor.set(&entry.key, said, "new \u{e9}").map(|_| wanted.insert(entry.key.clone(), text("new é")))
                }
                1 => editor.remove(&entry.key).map(|_| wanted.remove(&entry.key)),
                2 => editor.rename(&entry.key, &new).map(|_| {
                    let content = wanted.remove(&entry.key)?;
                    wanted.insert(new, content)
                }),
                _ => editor.add(&new, "added").map(|_| wanted.insert(new, text("added"))),
            };
            let _ = done;
        }
        let bytes = editor.bytes();
        let again =
            format(id).parse(&bytes).map_err(|error| TestCaseError::fail(format!("{error}: {}", shown(&bytes))))?;
        let found: BTreeMap<_, _> = contents(&again).into_iter().collect();
        prop_assert_eq!(found, wanted, "{}", shown(&bytes));
        Ok(())
    });
}

#[test]
fn no_damage_to_a_file_makes_a_reader_panic() {
    hold(|id, file, pick| {
        let mut bytes = file;
        if bytes.is_empty() {
            return Ok(());
        }
        let at = (pick >> 16) as usize % bytes.len();
        if pick & 1 == 1 {
            bytes.truncate(at)
        } else {
            bytes[at] = (pick >> 8) as u8
        }
        match format(id).parse(&bytes) {
            Ok(document) => {
                let language = document.language.as_deref().unwrap_or("en");
                prop_assert_eq!(unchanged(id, &bytes, language), bytes);
            }
            Err(error) => prop_assert!(error.line >= 1 && error.column >= 1 && error.line as usize <= bytes.len() + 1),
        }
        Ok(())
    });
}

proptest! {
    #[test]
    fn a_canonical_file_gives_its_entries_back(
        keys in prop::collection::btree_set("[ab]{1,2}(\\.[ab01 ]{0,2}){0,3}", 0..12),
        // INI has no way to write a text with both of its quotes.
        words in prop::collection::vec("\\PC{0,9}".prop_filter("both quotes", |word| {
            !(word.contains('`') && word.contains("\"\"\""))
        }), 12),
    ) {
        for id in all().map(|format| format.id().as_str()) {
            // Names of Fluent are letters, and an attribute behind one dot.
            let is_name = |key: &&String| key.split('.').count() < 3 && !key.contains([' ', '0', '1']) && !key.ends_with('.');
            let is_written = |key: &&String| match id {
                "fluent" => is_name(key),
                // No resource has a blank in its name.
                "android" => !key.contains(' '),
                _ => true,
            };
            let keys = keys.iter().filter(is_written);
            let entries: Vec<_> = keys.zip(&words).map(|(key, word)| Entry::new(key, text(word))).collect();
            let file = format(id).render_new("de", &entries);
            let mut streamed = Vec::new();
            format(id).write_new("de", &mut entries.clone().into_iter(), &mut streamed).unwrap();
            prop_assert_eq!(&streamed, &file, "entry by entry it is the same file");
            let document = format(id).translations(&file, "de").unwrap();
            let found: BTreeMap<_, _> = contents(&document).into_iter().collect();
            let mut wanted: BTreeMap<_, _> = entries.into_iter().map(|entry| (entry.key, entry.content)).collect();
            // An empty translation is none.
            wanted.retain(|_, content| format(id).kind() == FileKind::Monolingual || content.characters() > 0);
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for id in all().map(|format| format.id().as_str()) {
            if format(id).parse(&bytes).is_ok() {
                prop_assert_eq!(unchanged(id, &bytes, "en"), bytes.clone());
            }
        }
        let _ = detect("en.json", &bytes);
    }
}
