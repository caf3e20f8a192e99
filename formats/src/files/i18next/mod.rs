//! Format `i18next`: JSON v4 of i18next, flat or nested as found.
//!
//! Everything that `json` says holds here too (standard JSON, keys joined with `.`, bytes kept); in addition:
//!
//! - **Plurals.** Texts of one object whose names differ only in `_zero`, `_one`, `_two`, `_few`, `_many`, `_other` are
//!   one entry, a plural with the argument `count`; its key is the name without the suffix. `_ordinal_one` and so on
//!   are an ordinal plural, whose key ends in `_ordinal`. A plural has an `_other`: texts without one are texts. A lone
//!   `_other` is a plural (Japanese has no more) unless it has no `{{count` in it and stands beside texts of the same
//!   beginning, `gender_male`, where it is a context. If a text bears the plural's own name (i18next's fallback for a
//!   missing category), the plural's key is the name of its `_other`. If a missing category's name is taken by
//!   something else, the texts are texts.
//! - **Contexts** (`friend_male`) are texts of their own; `friend_male_one` and `_other` are a plural `friend_male`.
//! - **Rendering** a plural writes a name per category. Categories of the language that a translation lacks get the
//!   text of `other`, since i18next would show the fallback language for them; categories that the translation lacks
//!   and the language does not use are left out. New names stand after the category before them in CLDR's order. A
//!   plural that did not change is kept, whatever it lacks. `_zero` is the form for 0 alone, in every language (`=0`).
//! - **Without a skeleton** the file is nested at the dots of the keys; a key whose parts are no names, like a
//!   sentence, stays one name, which i18next also finds.

mod render;
mod signs;
mod suffix;

use l10n_api_types::{Content, FormatId, Plural};

use super::json::{JsonEditor, Leaf, Skeleton, TextNodes, Tree, check_keys, leaves};
use super::plural::Zero;
use super::{
    EditError, Editor, Entry, Fit, Format, Layout, LocalizationFile, Merged, ParseError, TranslationLookup, json,
    members,
};

/// Format `i18next`.
pub(super) struct I18next;

/// The argument by which i18next chooses a form.
const COUNT: &str = "count";

impl I18next {
    /// Signs of i18next and of ICU MessageFormat in a file; none in one that cannot be read.
    pub(super) fn signs(&self, bytes: &[u8]) -> (usize, usize) {
        let (mut own, mut foreign) = (0_usize, 0_usize);
        for entry in self.parse(bytes).map(|document| document.entries).unwrap_or_default() {
            match &entry.content {
                Content::Text(text) => signs::count(text, &mut own, &mut foreign),
                Content::Plural(Plural { forms, .. }) => {
                    own += usize::from(forms.len() > 1);
                    forms.values().for_each(|text| signs::count(text, &mut own, &mut foreign));
                }
            }
        }
        (own, foreign)
    }
}

impl Format for I18next {
    fn id(&self) -> FormatId {
        FormatId::I18next
    }

    fn name(&self) -> &'static str {
        "i18next JSON"
    }

    fn media_type(&self) -> &'static str {
        json::MEDIA_TYPE
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn plurals(&self) -> &'static str {
        "suffix"
    }

    fn placeholders(&self) -> &'static str {
        "double_brace"
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        if members::has_shape(bytes) {
            return Fit::No;
        }
        let (own, foreign) = self.signs(bytes);
        if own > foreign.saturating_mul(signs::MANY_TIMES) {
            Fit::Signs
        } else if own.saturating_mul(signs::MANY_TIMES) > foreign {
            Fit::Unclear
        } else {
            Fit::No
        }
    }

    fn holds_texts(&self, bytes: &[u8]) -> bool {
        Tree::parse(bytes).is_ok_and(|tree| tree.holds_texts_alone())
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let tree = Tree::parse(bytes)?;
        let (entries, places) = entries(&tree)?;
        check_keys(&tree, &entries, &places)?;
        Ok(LocalizationFile {
            entries,
            language: None,
            warnings: tree.warnings(),
            layout: Layout::Json(Skeleton { tree, places }),
        })
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        render::render(skeleton, language, translated)
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        render::extended(skeleton, added)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        json::merge(own, published, false)
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        json::text_keys(bytes, false)
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        Ok(Box::new(JsonEditor::read(bytes, false)?))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        render::render_new(language, entries)
    }
}

fn entries(tree: &Tree) -> Result<(Vec<Entry>, Vec<TextNodes>), ParseError> {
    let leaves = leaves(tree, &|_| true)?;
    let groups = suffix::groups(tree, &leaves);
    let mut entries = Vec::with_capacity(leaves.len());
    let mut places = Vec::with_capacity(leaves.len());
    let mut of_leaf: Vec<Option<&suffix::PluralGroup>> = vec![None; leaves.len()];
    for group in &groups {
        for &(_, leaf) in &group.members {
            if let Some(slot) = of_leaf.get_mut(leaf) {
                *slot = Some(group);
            }
        }
    }
    for (at, (Leaf { node, key, text }, group)) in leaves.iter().zip(&of_leaf).enumerate() {
        let Some(group) = group else {
            entries.push(Entry::new(key, Content::Text((*text).to_owned())));
            places.push(TextNodes::Text(*node));
            continue;
        };
        if group.first() != at {
            continue;
        }
        let member = |&(category, leaf): &(_, usize)| leaves.get(leaf).map(|leaf| (category, leaf));
        let members: Vec<_> = group.members.iter().filter_map(member).collect();
        let forms = members.iter().map(|(category, leaf)| (Zero::Exact.key(*category), leaf.text.to_owned())).collect();
        let content = Content::Plural(Plural { arg: COUNT.to_owned(), forms });
        entries.push(Entry { ordinal: group.ordinal, ..Entry::new(&group.key, content) });
        places.push(TextNodes::Plural {
            name: group.name.clone(),
            members: members.iter().map(|(category, leaf)| (*category, leaf.node)).collect(),
        });
    }
    Ok((entries, places))
}
