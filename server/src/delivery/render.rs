//! Writing one file of a version: the keys of a set in one language.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::sync::Arc;

use l10n_api_types::{Content, FormatId, PluralCategory};
use l10n_formats::files::{self, Entry, FileKind, LocalizationFile, ParseError};

use super::homes::Home;
use super::keys::{FileKey, KeyList, TextTable};

/// Keys that are added to a source at most. A parsed file takes about 1 KiB for each of its entries: a small source with a
/// million keys beside it, which came without a file, would take a gigabyte.
const MOST_ADDED: usize = 100_000;

/// The basis of a set's files: its keys and, where the files follow one, their source.
#[derive(Debug)]
pub(crate) struct SetLayout {
    format: FormatId,
    /// Places of the set's keys.
    keys: Arc<[usize]>,
    skeleton: Option<LocalizationFile>,
    /// Names in the file that several of the keys have.
    repeated: HashSet<String>,
    /// Names for which the source has no place: its lists or groups have them, or its format cannot say them.
    left_out: Vec<String>,
}

/// A source that a layout will follow, and the keys of the set that it does not hold.
#[derive(Debug)]
pub(crate) struct PendingLayout {
    format: FormatId,
    keys: Arc<[usize]>,
    document: LocalizationFile,
    missing: Vec<usize>,
}

/// The contents of keys in a file: in its language or, where that has none, in another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileTexts<'a> {
    /// In the file's language.
    pub contents: &'a TextTable,
    /// In the base language, for files that show it where a translation is missing.
    pub fallback: Option<&'a TextTable>,
}

impl FileTexts<'_> {
    fn get(&self, place: usize) -> Option<Content> {
        self.contents.get(place).or_else(|| self.fallback?.get(place))
    }
}

impl SetLayout {
    /// Files in the canonical style of their format.
    #[must_use]
    pub(crate) fn canonical(format: FormatId, keys: Arc<[usize]>, all: &KeyList) -> Self {
        let repeated = repeated(&keys, all);
        Self { format, keys, skeleton: None, repeated, left_out: Vec::new() }
    }

    /// Names of keys that no file of this layout has, although they are keys of it.
    pub(crate) fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Writes the file in one language.
    ///
    /// # Errors
    ///
    /// Returns the error of `out`.
    pub(crate) fn render(
        &self,
        language: &str,
        all: &KeyList,
        said: FileTexts<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let hand = files::by_id(self.format);
        // Programs show the source of such a file themselves where it has no translation.
        let kind = self.skeleton.as_ref().map_or(hand.kind(), |skeleton| hand.kind_of(skeleton));
        let fallback = said.fallback.filter(|_| kind == FileKind::Monolingual);
        let said = FileTexts { fallback, ..said };
        let Some(skeleton) = &self.skeleton else {
            let mut written: HashSet<&str> = HashSet::new();
            let mut entries = self.keys.iter().filter_map(|place| {
                let (key, content) = (all.get(*place)?, said.get(*place)?);
                let name = key.name_in_file();
                let again = self.repeated.contains(name) && !written.insert(name);
                (!again).then(|| entry(&key, content))
            });
            return hand.write_new(language, &mut entries, out);
        };
        let by_name: HashMap<&str, usize> =
            self.keys.iter().filter_map(|place| Some((all.get(*place)?.name_in_file(), *place))).collect();
        // One that holds all languages spells that of its source in its own way.
        let own = skeleton.language.as_deref().filter(|_| kind == FileKind::Multilingual);
        out.write_all(&hand.render(skeleton, own.unwrap_or(language), &|name| said.get(*by_name.get(name)?)))
    }

    /// Writes one more language into a file that holds all of them. `None` if the file cannot be read or has no place for it.
    pub(crate) fn put(&self, file: &[u8], language: &str, all: &KeyList, said: &TextTable) -> Option<Vec<u8>> {
        let hand = files::by_id(self.format);
        let document = hand.parse(file).ok()?;
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for place in self.keys.iter() {
            by_name.entry(all.get(*place)?.name_in_file()).or_default().push(*place);
        }
        hand.put_language(&document, language, &|name| by_name.get(name)?.iter().find_map(|place| said.get(*place)))
    }
}

impl PendingLayout {
    /// Reads a source, and finds the keys of the set that it does not hold: kept from an earlier sync, or without a
    /// file. A key that the source holds in another form, as another format read it, is not among them.
    ///
    /// # Errors
    ///
    /// Returns an error if the source cannot be read; a sync would have refused it.
    pub(crate) fn read(
        format: FormatId,
        keys: &Arc<[usize]>,
        source: &[u8],
        all: &KeyList,
        home: Option<&Home>,
    ) -> Result<Self, ParseError> {
        let document = files::by_id(format).parse(source)?;
        let takes = |place: &usize| all.get(*place).is_some_and(|key| home.is_none_or(|home| home.takes(&key)));
        let keys: Arc<[usize]> =
            if home.is_none() { Arc::clone(keys) } else { keys.iter().copied().filter(takes).collect() };
        let missing = {
            let held: HashSet<&str> = document.entries.iter().map(|entry| entry.key.as_str()).collect();
            let forms: HashSet<String> = plural_forms(format, &document).collect();
            let lacks = |place: &usize| {
                all.get(*place)
                    .filter(|key| home.is_none_or(|home| home.adds(key)))
                    .map(|key| key.name_in_file())
                    .is_some_and(|name| !held.contains(name) && !forms.contains(name))
            };
            keys.iter().copied().filter(lacks).collect()
        };
        Ok(Self { format, keys, document, missing })
    }

    /// Returns true if files with all languages, or those with one, can follow the source: a table with a column for each
    /// language is no layout of a table with one, and the other way round only where the table names its language.
    #[must_use]
    pub(crate) fn serves(&self, all_languages: bool) -> bool {
        let hand = files::by_id(self.format);
        match hand.kind_of(&self.document) {
            FileKind::Multilingual => all_languages,
            FileKind::Monolingual | FileKind::Bilingual => !all_languages || self.document.language.is_some(),
        }
    }

    /// Places of the keys that the source does not hold.
    #[must_use]
    pub(crate) fn missing(&self) -> &[usize] {
        &self.missing
    }

    /// Returns whether so many keys are missing that files are better written in the canonical style, key by key.
    #[must_use]
    pub(crate) fn lacks_too_many(&self) -> bool {
        self.missing.len() > MOST_ADDED
    }

    /// The layout of the same keys in the canonical style: those of the source and the missing ones, and none of other files.
    pub(crate) fn without_source(self, all: &KeyList) -> SetLayout {
        let held: HashSet<&str> = self.document.entries.iter().map(|entry| entry.key.as_str()).collect();
        let missing: HashSet<usize> = self.missing.into_iter().collect();
        let is_held = |place: &usize| all.get(*place).is_some_and(|key| held.contains(key.name_in_file()));
        let own = self.keys.iter().copied().filter(|place| missing.contains(place) || is_held(place));
        SetLayout::canonical(self.format, own.collect(), all)
    }

    /// The layout: the source with those of the missing keys for which it has a place. If the file cannot be read then, files
    /// are in the canonical style.
    pub(crate) fn complete(self, all: &KeyList, source_of: &dyn Fn(usize) -> Option<Content>) -> SetLayout {
        let Self { format, keys, document, missing } = self;
        let hand = files::by_id(format);
        let entries: Vec<Entry> = {
            let held: HashSet<&str> = document.entries.iter().map(|entry| entry.key.as_str()).collect();
            let is_spelled_out = |entry: &Entry| {
                matches!(entry.content, Content::Plural(_)) && held.contains(format!("{}_other", entry.key).as_str())
            };
            let entries = missing.iter().filter_map(|place| Some(entry(&all.get(*place)?, source_of(*place)?)));
            entries.filter(|entry| !is_spelled_out(entry)).collect()
        };
        let skeleton = if entries.is_empty() {
            document
        } else {
            match hand.extend_where_it_can(&document, &entries).and_then(|extended| hand.parse(&extended).ok()) {
                Some(extended) => extended,
                None => return Self { format, keys, document, missing }.without_source(all),
            }
        };
        let left_out = {
            let held: HashSet<&str> = skeleton.entries.iter().map(|entry| entry.key.as_str()).collect();
            entries.into_iter().map(|entry| entry.key).filter(|key| !held.contains(key.as_str())).collect()
        };
        SetLayout { format, keys, skeleton: Some(skeleton), repeated: HashSet::new(), left_out }
    }
}

/// Names under which a format writes the forms of the plurals of a source. A key of such a name was one as long as the source
/// was read as another format, and is written with the plural.
fn plural_forms(format: FormatId, document: &LocalizationFile) -> impl Iterator<Item = String> + '_ {
    let by_suffix = files::by_id(format).plurals() == "suffix";
    let plurals = document.entries.iter().filter(move |entry| by_suffix && matches!(entry.content, Content::Plural(_)));
    plurals.flat_map(|entry| {
        let name = entry.key.strip_suffix("_other").unwrap_or(&entry.key);
        PluralCategory::ALL.iter().map(move |category| format!("{name}_{}", category.as_str()))
    })
}

/// Names in the file that several keys have. By sorting, since a set of a million names would take more than all of their
/// places.
fn repeated(keys: &[usize], all: &KeyList) -> HashSet<String> {
    let name = |place: &usize| all.get(*place).map(|key| key.name_in_file());
    let mut places = keys.to_vec();
    places.sort_unstable_by(|one, other| name(one).cmp(&name(other)));
    let pairs = places.iter().zip(places.iter().skip(1));
    pairs.filter(|(one, other)| name(one) == name(other)).filter_map(|(one, _)| name(one)).map(str::to_owned).collect()
}

fn entry(key: &FileKey<'_>, content: Content) -> Entry {
    let name = key.name_in_file();
    Entry {
        description: key.description.map(str::to_owned),
        max_length: key.max_length,
        // i18next's names of ordinal plurals say so themselves.
        ordinal: matches!(content, Content::Plural(_)) && name.ends_with("_ordinal"),
        ..Entry::new(name, content)
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Plural;

    use super::*;

    /// Keys with their contents, in this order.
    fn keys(of: &[(&str, Option<&str>, Content)]) -> (KeyList, TextTable) {
        let (mut keys, mut contents) = (KeyList::default(), TextTable::of(of.len()));
        for (at, (name, namespace, content)) in of.iter().enumerate() {
            let position = i64::try_from(at).unwrap();
            keys.push(FileKey { id: name, name, namespace: *namespace, position, ..FileKey::default() });
            contents.set(at, content);
        }
        keys.sort();
        (keys, contents)
    }

    fn texts(of: &[(&str, &str)]) -> (KeyList, TextTable) {
        let rows: Vec<_> = of.iter().map(|(name, text)| (*name, None, Content::Text((*text).into()))).collect();
        keys(&rows)
    }

    fn german(of: &[(usize, &str)]) -> TextTable {
        let mut contents = TextTable::of(9);
        of.iter().for_each(|(place, text)| contents.set(*place, &Content::Text((*text).into())));
        contents
    }

    fn plural(one: &str, other: &str) -> Content {
        let forms = [(PluralCategory::One, one.to_owned()), (PluralCategory::Other, other.to_owned())];
        Content::Plural(Plural { arg: "count".into(), forms: forms.into() })
    }

    fn following(format: FormatId, source: &[u8], all: &KeyList, base: &TextTable) -> SetLayout {
        let places: Vec<usize> = (0..all.len()).collect();
        PendingLayout::read(format, &places.into(), source, all, None).unwrap().complete(all, &|place| base.get(place))
    }

    fn canonical(format: FormatId, all: &KeyList) -> SetLayout {
        let places: Vec<usize> = (0..all.len()).collect();
        SetLayout::canonical(format, places.into(), all)
    }

    fn file(
        layout: &SetLayout,
        language: &str,
        all: &KeyList,
        contents: &TextTable,
        fallback: Option<&TextTable>,
    ) -> String {
        let mut out = Vec::new();
        layout.render(language, all, FileTexts { contents, fallback }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_file_follows_the_hand_of_its_source() {
        let (all, base) = texts(&[("a.b", "Hello"), ("a.c", "World")]);
        let source = "{\n\t\"a\" : { \"c\":\"World\",\"b\":\"Hello\" }}";
        let layout = following(FormatId::Json, source.as_bytes(), &all, &base);
        assert_eq!(file(&layout, "en", &all, &base, None), source);
        let translated = german(&[(0, "Hallo"), (1, "Welt")]);
        let german = "{\n\t\"a\" : { \"c\":\"Welt\",\"b\":\"Hallo\" }}";
        assert_eq!(file(&layout, "de", &all, &translated, None), german);
    }

    #[test]
    fn a_key_without_a_translation_is_left_out_or_says_the_base_text() {
        let (all, base) = texts(&[("a", "Hello"), ("b", "World")]);
        let source = b"{\"a\": \"Hello\", \"b\": \"World\"}\n";
        for layout in [following(FormatId::Json, source, &all, &base), canonical(FormatId::Json, &all)] {
            let compact = |text: String| text.split_whitespace().collect::<String>();
            let translated = german(&[(0, "Hallo")]);
            assert_eq!(compact(file(&layout, "de", &all, &translated, None)), r#"{"a":"Hallo"}"#);
            assert_eq!(compact(file(&layout, "de", &all, &translated, Some(&base))), r#"{"a":"Hallo","b":"World"}"#);
        }
    }

    #[test]
    fn a_key_that_its_source_holds_no_more_is_added_and_one_that_left_is_not_written() {
        let (all, base) = texts(&[("a", "Hello"), ("kept", "Still here")]);
        let layout = following(FormatId::Json, b"{\n  \"a\": \"Hello\",\n  \"archived\": \"x\"\n}\n", &all, &base);
        assert_eq!(
            file(&layout, "de", &all, &german(&[(0, "Hallo")]), Some(&base)),
            "{\n  \"a\": \"Hallo\",\n  \"kept\": \"Still here\"\n}\n"
        );
    }

    /// The source was shortened, or has a group where it had a text, and the project keeps the keys.
    #[test]
    fn keys_without_a_place_in_their_source_are_left_out_and_its_hand_stays() {
        let yaml = "en:\n  # Days\n  days: [Mo, Tu]\n  # Menu\n  menu:\n    open: 'Open'\n";
        let php = "<?php\n\nreturn [\n    // Days\n    'days' => ['Mo', 'Tu'],\n    'menu' => [\n        'open' => \"Open\",\n    ],\n];\n";
        for (format, source, added) in
            [(FormatId::Yaml, yaml, "  kept: Kept\n"), (FormatId::Php, php, "    'kept' => 'Kept',\n")]
        {
            let (all, base) = texts(&[
                ("days.0", "Mo"),
                ("days.1", "Tu"),
                ("days.2", "We"),
                ("menu", "Menu"),
                ("menu.open", "Open"),
                ("kept", "Kept"),
            ]);
            let layout = following(format, source.as_bytes(), &all, &base);
            let written = file(&layout, "en", &all, &base, None);
            assert!(written.contains(added), "{written}");
            assert_eq!(written.replacen(added, "", 1), source, "{format}");
            let mut left_out = layout.left_out().to_vec();
            left_out.sort_unstable();
            assert_eq!(left_out, ["days.2", "menu"], "{format}");
        }
    }

    /// aapt2 refuses a resource of the name `days[2]`, and with it all others.
    #[test]
    fn an_item_that_its_array_lost_is_no_string_of_its_own() {
        let source = "<resources>\n    <string-array name=\"days\">\n        <item>Mo</item>\n    </string-array>\n</resources>\n";
        let (all, base) = texts(&[("days[0]", "Mo"), ("days[1]", "Tu"), ("a b", "Blank"), ("kept", "Kept")]);
        let layout = following(FormatId::Android, source.as_bytes(), &all, &base);
        let written = file(&layout, "en", &all, &base, None);
        let added = "    <string name=\"kept\">Kept</string>\n";
        assert_eq!(written.replacen(added, "", 1), source);
        assert_eq!(layout.left_out(), ["days[1]", "a b"]);
        let (all, base) = texts(&[("days[0]", "Mo"), ("days[1]", "Tu"), ("gaps[1]", "No"), ("1st", "No")]);
        let written = file(&canonical(FormatId::Android, &all), "en", &all, &base, None);
        let array = source.replace("    </", "        <item>Tu</item>\n    </");
        assert_eq!(written, format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{array}"));
    }

    #[test]
    fn keys_of_other_files_are_not_written_where_the_hand_is_lost() {
        let source = br#"{"a":{"b":"Hello"}}"#;
        let mut all = KeyList::default();
        for (name, path) in [("a.b", "one.json"), ("a", "one.json"), ("other", "two.json")] {
            let key = FileKey { id: name, name, source_path: Some(path), ..FileKey::default() };
            all.push(key);
        }
        all.sort();
        let mut base = TextTable::of(3);
        (0..3).for_each(|place| base.set(place, &Content::Text(all.get(place).unwrap().name.to_owned())));
        let housed = ["one.json", "two.json"].map(str::to_owned).into_iter().collect();
        let home = Home::of("one.json", None, housed);
        let places: Vec<usize> = (0..all.len()).collect();
        let pending =
            || PendingLayout::read(FormatId::Json, &places.clone().into(), source, &all, Some(&home)).unwrap();
        for layout in [pending().complete(&all, &|place| base.get(place)), pending().without_source(&all)] {
            let written = file(&layout, "en", &all, &base, None);
            assert!(written.contains("\"a.b\"") && written.contains("\"a\""), "{written}");
            assert!(!written.contains("other"), "{written}");
        }
    }

    #[test]
    fn a_source_is_followed_unless_most_of_the_keys_would_be_added() {
        let keys_beside = |count: usize| {
            let mut all = KeyList::default();
            for at in 0..=count {
                let name = if at == 0 { "a".to_owned() } else { format!("key{at}") };
                all.push(FileKey { id: &name, name: &name, ..FileKey::default() });
            }
            all.sort();
            let places: Vec<usize> = (0..all.len()).collect();
            PendingLayout::read(FormatId::Json, &places.into(), br#"{"a": "Hello"}"#, &all, None).unwrap()
        };
        assert!(!keys_beside(MOST_ADDED).lacks_too_many());
        assert!(keys_beside(MOST_ADDED + 1).lacks_too_many());
    }

    #[test]
    fn a_key_that_clashes_with_the_source_costs_its_hand_and_not_a_key() {
        let (all, base) = texts(&[("a.b", "Hello"), ("a", "Clash")]);
        let layout = following(FormatId::Json, b"{\"a\":{\"b\":\"Hello\"}}", &all, &base);
        assert_eq!(
            file(&layout, "de", &all, &german(&[]), Some(&base)),
            "{\n  \"a.b\": \"Hello\",\n  \"a\": \"Clash\"\n}\n"
        );
    }

    /// A source that was `json` and is `i18next` now: two keys have become one plural.
    #[test]
    fn forms_that_were_keys_are_written_once_with_their_plural() {
        let source = r#"{"item_one":"{{count}} item","item_other":"{{count}} items"}"#;
        let (all, base) = keys(&[
            ("item", None, plural("{{count}} item", "{{count}} items")),
            ("item_one", None, Content::Text("{{count}} item".into())),
            ("item_other", None, Content::Text("{{count}} items".into())),
            ("kept", None, Content::Text("Still here".into())),
        ]);
        let layout = following(FormatId::I18next, source.as_bytes(), &all, &base);
        let text = file(&layout, "en", &all, &base, None);
        let expected = r#"{"item_one":"{{count}} item","item_other":"{{count}} items","kept":"Still here"}"#;
        assert_eq!(text.split('\n').map(str::trim).collect::<String>(), expected);
        let mut polish = german(&[(1, "{{count}} stara rzecz")]);
        polish.set(0, &plural("{{count}} rzecz", "{{count}} rzeczy"));
        let polish = file(&layout, "pl", &all, &polish, None);
        for name in ["item_one", "item_few", "item_many", "item_other"] {
            assert_eq!(polish.matches(name).count(), 1, "{polish}");
        }
    }

    /// The other way round: one plural has become two keys.
    #[test]
    fn a_plural_whose_forms_are_keys_now_is_not_written_beside_them() {
        let source = r#"{"item_one":"{{count}} item","item_other":"{{count}} items"}"#;
        let (all, base) = keys(&[
            ("item_one", None, Content::Text("{{count}} item".into())),
            ("item_other", None, Content::Text("{{count}} items".into())),
            ("item", None, plural("{{count}} item", "{{count}} items")),
            ("mail", None, plural("{{count}} mail", "{{count}} mails")),
        ]);
        let text = file(&following(FormatId::Json, source.as_bytes(), &all, &base), "en", &all, &base, None);
        assert!(!text.contains("\"item\""), "{text}");
        assert!(text.contains("\"mail\""), "what the source does not spell out is kept: {text}");
    }

    #[test]
    fn of_keys_with_one_name_in_a_file_the_first_that_says_something_is_written() {
        let text = |text: &str| Content::Text(text.to_owned());
        let (all, base) = keys(&[("shop:title", Some("shop"), text("Shop")), ("title", None, text("Title"))]);
        for format in [FormatId::Json, FormatId::I18next, FormatId::Arb] {
            let layout = canonical(format, &all);
            let written = file(&layout, "en", &all, &base, None);
            assert!(written.contains("Shop") && !written.contains("Title"), "{written}");
            let written = file(&layout, "de", &all, &german(&[(1, "Titel")]), None);
            assert!(written.contains("Titel"), "{written}");
        }
    }

    #[test]
    fn ordinal_plurals_of_i18next_get_the_ordinal_categories_of_the_language() {
        let forms = [(PluralCategory::Other, "{{count}}th".to_owned())];
        let content = Content::Plural(Plural { arg: "count".into(), forms: forms.into() });
        let (all, base) = keys(&[("place_ordinal", None, content)]);
        let text = file(&canonical(FormatId::I18next, &all), "en", &all, &base, None);
        for category in ["one", "two", "few", "other"] {
            assert!(text.contains(&format!("\"place_ordinal_{category}\": \"{{{{count}}}}th\"")), "{text}");
        }
    }
}
