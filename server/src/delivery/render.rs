//! Writing one file of a version: the keys of a set in one language.

use std::collections::{HashMap, HashSet};

use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::{Content, FormatId};

use crate::formats::{self, Document, Entry, ParseError};

/// A key as files hold it.
#[derive(Debug, Clone, PartialEq)]
pub struct FileKey {
    /// Its `ref`.
    pub name: String,
    /// The part of the project that it belongs to.
    pub namespace: Option<String>,
    /// What it says in the base language.
    pub source: Content,
    /// What a translator should know.
    pub description: Option<String>,
    /// Longest translation allowed, in Unicode scalar values.
    pub max_length: Option<u32>,
}

impl FileKey {
    /// Its name in a file: the `ref` without the namespace in front, since the file or the app's own call gives that.
    #[must_use]
    pub fn name_in_file(&self) -> &str {
        let in_namespace = self
            .namespace
            .as_deref()
            .and_then(|own| self.name.strip_prefix(own)?.strip_prefix(':'))
            .filter(|n| !n.is_empty());
        in_namespace.unwrap_or(&self.name)
    }
}

/// What a set's files are made from: its keys and, where they follow one, their source.
#[derive(Debug)]
pub struct Layout {
    format: FormatId,
    /// Keys of the set, as indexes.
    keys: Vec<usize>,
    skeleton: Option<Document>,
}

impl Layout {
    /// Files in the canonical hand of their format.
    #[must_use]
    pub fn canonical(format: FormatId, keys: Vec<usize>) -> Self {
        Self { format, keys, skeleton: None }
    }

    /// Files that follow `source`. Keys that it does not hold (kept from an earlier sync, or come without a file) are added
    /// to it; where they cannot be, the files are in the canonical hand, since no key may be lost.
    ///
    /// # Errors
    ///
    /// When the source cannot be read, which a sync would have refused.
    pub fn following(format: FormatId, keys: Vec<usize>, source: &[u8], all: &[FileKey]) -> Result<Self, ParseError> {
        let hand = formats::by_id(format);
        let document = hand.parse(source)?;
        let missing = {
            let held: HashSet<&str> = document.entries.iter().map(|entry| entry.key.as_str()).collect();
            let lacks = |key: &&FileKey| !held.contains(key.name_in_file());
            keys.iter()
                .filter_map(|index| all.get(*index))
                .filter(lacks)
                .map(|key| entry(key, key.source.clone()))
                .collect::<Vec<_>>()
        };
        let skeleton = if missing.is_empty() {
            Some(document)
        } else {
            hand.extend(&document, &missing).and_then(|extended| hand.parse(&extended).ok())
        };
        Ok(Self { format, keys, skeleton })
    }

    /// The file in one language. `translated` has the publishable translations, by key index; `None` is the base language.
    #[must_use]
    pub fn render(
        &self,
        language: &str,
        empty_as: EmptyAs,
        all: &[FileKey],
        translated: Option<&HashMap<usize, Content>>,
    ) -> Vec<u8> {
        let content = |index: usize| -> Option<&Content> {
            let source = all.get(index).map(|key| &key.source);
            let Some(translated) = translated else { return source };
            translated.get(&index).or(if empty_as == EmptyAs::Base { source } else { None })
        };
        let hand = formats::by_id(self.format);
        let Some(skeleton) = &self.skeleton else {
            let held = self.keys.iter().filter_map(|index| Some((all.get(*index)?, content(*index)?)));
            let entries: Vec<Entry> = held.map(|(key, content)| entry(key, content.clone())).collect();
            return hand.render_new(language, &entries);
        };
        let by_name: HashMap<&str, usize> =
            self.keys.iter().filter_map(|index| Some((all.get(*index)?.name_in_file(), *index))).collect();
        hand.render(skeleton, language, &|name| content(*by_name.get(name)?).cloned())
    }
}

fn entry(key: &FileKey, content: Content) -> Entry {
    let name = key.name_in_file();
    Entry {
        description: key.description.clone(),
        max_length: key.max_length,
        // i18next's names of ordinal plurals say so themselves.
        ordinal: matches!(content, Content::Plural(_)) && name.ends_with("_ordinal"),
        ..Entry::new(name, content)
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::{Plural, PluralCategory};

    use super::*;

    fn key(name: &str, text: &str) -> FileKey {
        FileKey {
            name: name.into(),
            namespace: None,
            source: Content::Text(text.into()),
            description: None,
            max_length: None,
        }
    }

    fn german(of: &[(usize, &str)]) -> HashMap<usize, Content> {
        of.iter().map(|(index, text)| (*index, Content::Text((*text).into()))).collect()
    }

    fn file(layout: &Layout, empty_as: EmptyAs, all: &[FileKey], translated: &HashMap<usize, Content>) -> String {
        String::from_utf8(layout.render("de", empty_as, all, Some(translated))).unwrap()
    }

    #[test]
    fn a_file_follows_the_hand_of_its_source() {
        let all = [key("a.b", "Hello"), key("a.c", "World")];
        let source = b"{\n\t\"a\" : { \"c\":\"World\",\"b\":\"Hello\" }}";
        let layout = Layout::following(FormatId::Json, vec![0, 1], source, &all).unwrap();
        assert_eq!(layout.render("en", EmptyAs::Skip, &all, None), source);
        let translated = german(&[(0, "Hallo"), (1, "Welt")]);
        assert_eq!(file(&layout, EmptyAs::Skip, &all, &translated), "{\n\t\"a\" : { \"c\":\"Welt\",\"b\":\"Hallo\" }}");
    }

    #[test]
    fn a_key_without_a_translation_is_left_out_or_says_the_base_text() {
        let all = [key("a", "Hello"), key("b", "World")];
        for layout in [
            Layout::following(FormatId::Json, vec![0, 1], b"{\"a\": \"Hello\", \"b\": \"World\"}\n", &all).unwrap(),
            Layout::canonical(FormatId::Json, vec![0, 1]),
        ] {
            let compact = |text: String| text.split_whitespace().collect::<String>();
            let translated = german(&[(0, "Hallo")]);
            assert_eq!(compact(file(&layout, EmptyAs::Skip, &all, &translated)), r#"{"a":"Hallo"}"#);
            assert_eq!(compact(file(&layout, EmptyAs::Base, &all, &translated)), r#"{"a":"Hallo","b":"World"}"#);
        }
    }

    #[test]
    fn a_key_that_its_source_holds_no_more_is_added_and_one_that_left_is_not_written() {
        let all = [key("a", "Hello"), key("kept", "Still here")];
        let layout =
            Layout::following(FormatId::Json, vec![0, 1], b"{\n  \"a\": \"Hello\",\n  \"archived\": \"x\"\n}\n", &all)
                .unwrap();
        assert_eq!(
            file(&layout, EmptyAs::Base, &all, &german(&[(0, "Hallo")])),
            "{\n  \"a\": \"Hallo\",\n  \"kept\": \"Still here\"\n}\n"
        );
    }

    #[test]
    fn a_key_that_clashes_with_the_source_costs_its_hand_and_not_a_key() {
        let all = [key("a.b", "Hello"), key("a", "Clash")];
        let layout = Layout::following(FormatId::Json, vec![0, 1], b"{\"a\":{\"b\":\"Hello\"}}", &all).unwrap();
        assert_eq!(
            file(&layout, EmptyAs::Base, &all, &german(&[])),
            "{\n  \"a.b\": \"Hello\",\n  \"a\": \"Clash\"\n}\n"
        );
    }

    #[test]
    fn the_namespace_in_front_of_a_ref_is_not_in_the_file() {
        let mut shop = key("shop:cart", "Cart");
        shop.namespace = Some("shop".into());
        assert_eq!(shop.name_in_file(), "cart");
        shop.name = "cart".into();
        assert_eq!(shop.name_in_file(), "cart");
        assert_eq!(key("shop:cart", "Cart").name_in_file(), "shop:cart");
    }

    #[test]
    fn ordinal_plurals_of_i18next_get_the_ordinal_categories_of_the_language() {
        let forms = [(PluralCategory::Other, "{{count}}th".to_owned())];
        let mut place = key("place_ordinal", "");
        place.source = Content::Plural(Plural { arg: "count".into(), forms: forms.into() });
        let layout = Layout::canonical(FormatId::I18next, vec![0]);
        let text = String::from_utf8(layout.render("en", EmptyAs::Skip, &[place], None)).unwrap();
        for category in ["one", "two", "few", "other"] {
            assert!(text.contains(&format!("\"place_ordinal_{category}\": \"{{{{count}}}}th\"")), "{text}");
        }
    }
}
