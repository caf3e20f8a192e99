//! The elements of a file of XLIFF, by their names without the prefix.

use std::ops::Range;

use super::SPACE;
use crate::files::bilingual::{TargetText, Texts, UnitGroup, indent_of, line_end, place_of};
use crate::files::xml::{Tree, group_of, lines_of};

/// The tags of a text, short and whole.
pub(super) type Tags = Vec<(String, String)>;

/// The elements of a file, and the reader of their texts.
pub(super) struct Elements<'t> {
    pub tree: &'t Tree<'t>,
    pub texts: Texts<'t>,
    prefix: &'t str,
}

/// The place of a translation: that of a `<target>`, or the one where it comes.
pub(super) struct TargetPlace<'a> {
    pub target: Option<usize>,
    /// The element after which a new one comes.
    pub after: usize,
    /// The element like which a new one is indented.
    pub like: usize,
    pub has_tags: bool,
    pub keeps_blanks: bool,
    /// The attributes of a new one.
    pub attributes: &'a str,
}

impl<'t> Elements<'t> {
    /// `codes` are the elements within texts whose inside is no text.
    pub(super) fn of(tree: &'t Tree<'t>, prefix: &'t str, codes: &'static [&'static str]) -> Self {
        Self { tree, texts: Texts::of(tree, codes), prefix }
    }

    pub(super) fn is(&self, node: usize, name: &str) -> bool {
        self.tree.name(node).strip_prefix(self.prefix) == Some(name)
    }

    /// Those of a name directly inside another one.
    pub(super) fn children(&self, node: usize, name: &'t str) -> impl Iterator<Item = usize> + '_ {
        self.tree.elements(node).filter(move |child| self.is(*child, name))
    }

    /// The first of a name directly inside another one.
    pub(super) fn child(&self, node: usize, name: &'t str) -> Option<usize> {
        self.children(node, name).next()
    }

    /// Returns true if it says itself that its blanks count.
    pub(super) fn keeps_blanks(&self, node: usize) -> bool {
        self.tree.attribute(node, SPACE).is_some_and(|value| value == "preserve")
    }

    pub(super) fn range(&self, node: usize) -> Range<usize> {
        self.tree.nodes.get(node).map_or(0..0, |found| found.range.clone())
    }

    /// The index of the first node behind it.
    pub(super) fn after(&self, node: usize) -> usize {
        self.tree.nodes.get(node).map_or(usize::MAX, |found| found.after)
    }

    /// The end of the name in its first tag.
    pub(super) fn name_end(&self, node: usize) -> usize {
        self.range(node).start + 1 + self.tree.name(node).len()
    }

    /// A `<file>`, whose units stand in `body` behind an offset, with the places before and after them.
    pub(super) fn group(&self, node: usize, (body, from): (usize, usize), name: String) -> UnitGroup {
        let whole = lines_of(self.tree.text, self.range(node));
        let end = group_of(self.tree, body).end;
        let head = whole.start..line_end(self.tree, from);
        UnitGroup { name, head, after: whole.end, tail: end.unwrap_or(whole.end)..whole.end, end }
    }

    /// A translation and its tags.
    pub(super) fn said(&self, place: &TargetPlace<'_>) -> (TargetText, Tags) {
        let Some(target) = place.target else {
            let end = self.range(place.after).end;
            let indent = indent_of(self.tree, Some(place.like));
            let name = format!("{}target", self.prefix);
            let around = (format!("{indent}<{name}{}>", place.attributes), format!("</{name}>"));
            let says_blanks = !place.keeps_blanks;
            return (
                TargetText { text: String::new(), at: end..end, around, says_blanks, is_cdata: false },
                Vec::new(),
            );
        };
        let read = self.texts.read(target, place.has_tags);
        let (at, around) = place_of(self.tree, target, read.at);
        let says_blanks = !place.keeps_blanks && !around.0.is_empty() && self.tree.attribute(target, SPACE).is_none();
        (TargetText { text: read.text, at, around, says_blanks, is_cdata: read.is_cdata }, read.tags)
    }

    /// The texts of notes about the source. `target` is the attribute that says what a note is about.
    pub(super) fn notes(&self, node: usize, target: &str) -> Vec<String> {
        let is_of_target = |note: &usize| self.tree.attribute(*note, target).is_some_and(|value| value == "target");
        let notes = self.children(node, "note").filter(|note| !is_of_target(note));
        notes.map(|note| self.texts.read(note, false).text).filter(|text| !text.trim().is_empty()).collect()
    }
}
