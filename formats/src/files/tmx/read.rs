//! Reads a file into its units.

use l10n_api_types::{Content, Plural, PluralForms, PluralKey};

use super::segment::{property, segment};
use super::{ENGINE, PLURAL_ARGUMENT, PLURAL_FORM, TmxVariant};
use crate::files::ParseError;
use crate::files::error::shown;
use crate::files::spliced::{Charset, DecodedFile, ScanError};
use crate::files::xml::Tree;

/// Longest value of a property that is read, in bytes: of those that the writer here makes only forms of plurals are longer.
const LONGEST_NAME: usize = 256;

/// A unit of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadUnit {
    /// The line on which it begins, from 1.
    pub line: u32,
    /// Its texts in file order.
    pub variants: Vec<ReadVariant>,
}

/// A text of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadVariant {
    /// The line on which it begins, from 1.
    pub line: u32,
    /// The text, or a sentence that says why it cannot be taken.
    pub variant: Result<TmxVariant, String>,
}

/// Reads a file.
///
/// # Errors
///
/// Returns an error with its place for what is no XML and no TMX, and for a file of another encoding.
pub fn read(bytes: &[u8]) -> Result<Vec<ReadUnit>, ParseError> {
    let source = DecodedFile::decode(bytes, Charset::Unicode)?;
    let text = source.text.as_str();
    let placed = |fault: ScanError| ParseError::at(text.as_bytes(), fault.offset, fault.message);
    let tree = Tree::parse(text).map_err(placed)?;
    let root = tree.root();
    if tree.name(root) != "tmx" {
        let at = tree.nodes.get(root).map_or(0, |node| node.range.start);
        let message = format!("the file is no TMX: its root is {}, not `tmx`", shown(tree.name(root)));
        return Err(placed(tree.error(at, message)));
    }
    let mut bodies = tree.elements_named(root, "body");
    let (Some(body), None) = (bodies.next(), bodies.next()) else {
        let at = tree.nodes.get(root).map_or(0, |node| node.range.start);
        return Err(placed(tree.error(at, "a TMX file has one `body`")));
    };
    let mut lines = Lines { text, line: 1, at: 0 };
    let units = tree.elements_named(body, "tu").map(|unit| ReadUnit {
        line: lines.of(&tree, unit),
        variants: tree
            .elements_named(unit, "tuv")
            .map(|node| ReadVariant { line: lines.of(&tree, node), variant: variant(&tree, node) })
            .collect(),
    });
    Ok(units.collect())
}

fn variant(tree: &Tree<'_>, node: usize) -> Result<TmxVariant, String> {
    // Before version 1.4 the attribute had no prefix.
    let language = tree.attribute(node, "xml:lang").or_else(|| tree.attribute(node, "lang"));
    let language = language.ok_or("the translation names no language: `xml:lang` is missing")?;
    if language.len() > LONGEST_NAME {
        return Err(format!("{} is no language", shown(&language)));
    }
    let mut segments = tree.elements_named(node, "seg");
    let (Some(seg), None) = (segments.next(), segments.next()) else {
        return Err("a translation has one `seg`".to_owned());
    };
    let text = segment(tree, seg)?;
    let mut engine = None;
    let mut argument = None;
    let mut forms = PluralForms::default();
    for prop in tree.elements_named(node, "prop") {
        let Some(kind) = tree.attribute(prop, "type").filter(|kind| kind.starts_with("x-l10n-")) else { continue };
        let value = property(tree, prop).map_err(|fault| format!("the property {} {fault}", shown(&kind)))?;
        let category = kind.strip_prefix(PLURAL_FORM);
        if category.is_none() && value.len() > LONGEST_NAME {
            return Err(format!("the property {} is longer than {LONGEST_NAME} bytes", shown(&kind)));
        }
        match (kind.as_ref(), category.map(str::parse::<PluralKey>)) {
            (ENGINE, _) => engine = Some(value),
            (PLURAL_ARGUMENT, _) => argument = Some(value),
            (_, Some(Ok(key))) => drop(forms.insert(key, value)),
            (_, Some(Err(_))) => return Err(format!("{} names no plural form", shown(&kind))),
            _ => {}
        }
    }
    let content = match argument {
        Some(arg) => {
            forms.insert(PluralKey::OTHER, text);
            Content::Plural(Plural { arg, forms })
        }
        None if forms.is_empty() => Content::Text(text),
        None => return Err(format!("the plural has no argument: the property `{PLURAL_ARGUMENT}` is missing")),
    };
    Ok(TmxVariant { language: language.into_owned(), content, engine })
}

/// The lines of places that follow each other, found in one walk over the text.
struct Lines<'t> {
    text: &'t str,
    line: u32,
    at: usize,
}

impl Lines<'_> {
    fn of(&mut self, tree: &Tree<'_>, node: usize) -> u32 {
        let start = tree.nodes.get(node).map_or(self.at, |node| node.range.start).max(self.at);
        let passed = self.text.as_bytes().get(self.at..start).unwrap_or_default();
        let next = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let ends = passed.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            b'\r' => next.get(*at) != Some(&b'\n'),
            _ => false,
        });
        self.line = self.line.saturating_add(u32::try_from(ends.count()).unwrap_or(u32::MAX));
        self.at = start;
        self.line
    }
}
