//! Format `json`: key–value catalogues, flat or nested as found.
//!
//! - **Input** is standard JSON in UTF-8 with one object at the top. Comments, trailing commas, lone surrogates,
//!   NUL, UTF-16 and nesting deeper than 128 are errors with line and column. A byte order mark is kept. A name that
//!   stands twice in one object is an error too, unless both values are the same bytes, as in some real files: then
//!   the two are one entry, written in both places, with a warning.
//! - **Keys.** Names inside each other are joined with `.`; so are indexes of arrays, from 0. Names may hold dots
//!   themselves (`"a.b"`), as flat files do. A file in which two values would get one key that way (`"a.b"` beside `b`
//!   inside `a`) is refused: one of the two would be lost. `__proto__` and friends are plain names.
//! - **Values.** Strings are translated. Numbers, `true`, `false`, `null` and empty objects and arrays are kept as
//!   they are. Plurals are ICU MessageFormat inside the text and stay text.
//! - **Rendering** replaces strings that differ and copies all other bytes, so a string that stays keeps its escapes.
//!   New strings follow the file: `\uXXXX` beyond ASCII where the file writes only that, `\/` likewise. An object
//!   without a translated member is left out; an array is left out unless all its strings are translated, since the
//!   remaining ones would change their index.
//! - **Without a skeleton** the file is flat: names are written unchanged, so that no two can clash. A plural becomes
//!   ICU MessageFormat.

mod added;
mod edit;
mod extend;
pub(super) mod fresh;
mod layout;
mod leaves;
mod merge;
mod parse;
mod splice;
mod style;
mod tree;

pub(super) use self::edit::JsonEditor;
pub(super) use self::extend::extended;
pub(super) use self::layout::{FileLayout, colon, indentation, without_comment};
pub(super) use self::leaves::{Leaf, check_keys, leaves};
pub(super) use self::merge::JsonSpelling as ValueSpelling;
pub(super) use self::merge::{merge, text_keys};
pub(super) use self::splice::Edits;
pub(super) use self::tree::{JsonDialect, JsonKind, NOT_AN_OBJECT, Tree};

use std::io;

use l10n_api_types::{Content, FormatId, PluralCategory};

use super::plural::icu_text;
use super::{EditError, Editor, Entry, Fit, Format, Layout, LocalizationFile, Merged, ParseError, TranslationLookup};

/// The media type of JSON, which is UTF-8 by definition and takes no `charset` (RFC 8259 §11).
pub(super) const MEDIA_TYPE: &str = "application/json";

/// Format `json`.
pub(super) struct Json;

/// A JSON file, taken apart, and where each of its entries lies.
pub(super) struct Skeleton {
    pub tree: Tree,
    /// As many as the document has entries, in the same order.
    pub places: Vec<TextNodes>,
}

impl Skeleton {
    /// The file, and the place of each entry in it.
    pub(super) fn places(&self) -> (&[u8], Vec<Option<usize>>) {
        let node = |nodes: &TextNodes| match nodes {
            TextNodes::Text(node) => Some(*node),
            TextNodes::Plural { members, .. } => members.iter().map(|(_, node)| *node).min(),
        };
        let start = |node: usize| self.tree.nodes.get(node).map(|node| node.start);
        (self.tree.text.as_bytes(), self.places.iter().map(|nodes| node(nodes).and_then(start)).collect())
    }
}

impl Skeleton {
    /// Tells for each entry whether it stands in an array.
    pub(super) fn items(&self) -> Vec<bool> {
        let parent = |node: usize| self.tree.nodes.get(self.tree.nodes.get(node)?.parent);
        let is_item = |node| parent(node).is_some_and(|parent| matches!(parent.kind, JsonKind::Array));
        self.places.iter().map(|place| matches!(place, TextNodes::Text(node) if is_item(*node))).collect()
    }
}

/// The nodes of an entry's texts.
pub(super) enum TextNodes {
    /// One string.
    Text(usize),
    /// A string per plural category; `name` is the member's name without the category.
    Plural { name: String, members: Vec<(PluralCategory, usize)> },
}

impl Format for Json {
    fn id(&self) -> FormatId {
        FormatId::Json
    }

    fn name(&self) -> &'static str {
        "JSON"
    }

    fn media_type(&self) -> &'static str {
        MEDIA_TYPE
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn plurals(&self) -> &'static str {
        "icu"
    }

    fn placeholders(&self) -> &'static str {
        "icu"
    }

    fn fit(&self, _bytes: &[u8]) -> Fit {
        Fit::Plain
    }

    fn holds_texts(&self, bytes: &[u8]) -> bool {
        Tree::parse(bytes).is_ok_and(|tree| tree.holds_texts_alone())
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let tree = Tree::parse(bytes)?;
        let mut entries = Vec::new();
        let mut places = Vec::new();
        for Leaf { node, key, text } in leaves(&tree, &|_| true)? {
            entries.push(Entry::new(key, Content::Text(text.to_owned())));
            places.push(TextNodes::Text(node));
        }
        check_keys(&tree, &entries, &places)?;
        Ok(LocalizationFile {
            entries,
            language: None,
            warnings: tree.warnings(),
            layout: Layout::Json(Skeleton { tree, places }),
        })
    }

    fn render(&self, skeleton: &LocalizationFile, _language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        let Layout::Json(Skeleton { tree, places }) = &skeleton.layout else { return Vec::new() };
        let mut edits = Edits::of(tree);
        for (entry, place) in skeleton.entries.iter().zip(places) {
            edit_text(&mut edits, tree, place, translated(&entry.key).map(icu_text));
        }
        edits.write(tree)
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        extended_by_texts(skeleton, added)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        merge(own, published, false)
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        text_keys(bytes, false)
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        Ok(Box::new(JsonEditor::read(bytes, false)?))
    }

    fn render_new(&self, _language: &str, entries: &[Entry]) -> Vec<u8> {
        let mut file = fresh::Object::default();
        for entry in entries {
            file.text(&entry.key, icu_text(entry.content.clone()));
        }
        file.write()
    }

    fn write_new(
        &self,
        _language: &str,
        entries: &mut dyn Iterator<Item = Entry>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        fresh::write_flat(&mut entries.map(|entry| (entry.key, icu_text(entry.content))), out)
    }
}

/// Adds entries, each as one text.
pub(super) fn extended_by_texts(skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
    let Layout::Json(Skeleton { tree, .. }) = &skeleton.layout else { return None };
    extended(tree, added.iter().map(|entry| (entry.key.clone(), icu_text(entry.content.clone()))).collect())
}

/// Puts one text into a place, or leaves the place out.
pub(super) fn edit_text(edits: &mut Edits, tree: &Tree, place: &TextNodes, text: Option<String>) {
    let nodes = match place {
        TextNodes::Text(node) => vec![*node],
        TextNodes::Plural { members, .. } => members.iter().map(|(_, node)| *node).collect(),
    };
    for node in nodes {
        match &text {
            Some(text) => edits.replace(tree, node, text.clone()),
            None => edits.remove(node),
        }
    }
}
