//! The spelling of members that come into a file, which follows the members that are there.

use super::items::{item, items};
use super::{Members, Tree};
use crate::files::json::{FileLayout, JsonKind, colon, indentation, without_comment};

/// The layout of a file's members.
pub(super) struct MemberLayout<'t> {
    format: &'static Members,
    tree: &'t Tree,
    /// The object whose layout others follow; `None` in a file without one.
    like: Option<usize>,
    /// Members are texts themselves.
    is_flat: bool,
}

impl<'t> MemberLayout<'t> {
    pub(super) fn of(format: &'static Members, tree: &'t Tree) -> Self {
        let is_object = |member: &usize| item(format, tree, *member).is_some_and(|item| item.text != *member);
        let like = tree.children(0).filter(is_object).last();
        let has_flat = items(format, tree).any(|item| item.text == item.member);
        let is_flat = like.is_none() && (has_flat || format.objects.is_empty());
        Self { format, tree, like, is_flat }
    }

    /// Members are texts themselves.
    pub(super) fn is_flat(&self) -> bool {
        self.is_flat
    }

    /// A string with its quotes.
    pub(super) fn string(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 2);
        self.tree.style.write(&mut out, text);
        out
    }

    /// The value of a new member.
    pub(super) fn value(&self, text: &str, description: Option<&str>) -> String {
        let Some(names) = self.names().filter(|_| !self.is_flat) else { return self.string(text) };
        let mut members = vec![(names.text.to_owned(), self.string(text))];
        members.extend(description.map(|text| (names.description.to_owned(), self.string(text))));
        self.object(&members)
    }

    /// The name of the text in the file's objects.
    pub(super) fn text_name(&self) -> &'static str {
        self.names().map_or("", |names| names.text)
    }

    /// The names by which the file's objects go.
    fn names(&self) -> Option<&'static super::MemberNames> {
        let is_used =
            |names: &&super::MemberNames| self.like.is_some_and(|like| self.tree.child(like, names.text).is_some());
        self.format.objects.iter().find(is_used).or(self.format.objects.first())
    }

    /// An object of members whose values are spelled already.
    pub(super) fn object(&self, members: &[(String, String)]) -> String {
        let tree = self.tree;
        let Blanks { first, between, last, colon } = self.blanks();
        let mut out = String::from("{");
        for (at, (name, value)) in members.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            out.push_str(if at == 0 { &first } else { &between });
            tree.style.write(&mut out, name);
            out.push_str(&colon);
            out.push_str(value);
        }
        out.push_str(&last);
        out.push('}');
        out
    }

    /// The indentation of the lines inside a new object.
    pub(super) fn inner_indentation(&self) -> String {
        self.blanks().first.rsplit_once('\n').map_or_else(String::new, |(_, line)| line.to_owned())
    }

    fn blanks(&self) -> Blanks {
        self.like.and_then(|like| Blanks::like(self.tree, like)).unwrap_or_else(|| Blanks::plain(self.tree))
    }
}

/// The blanks of an object.
struct Blanks {
    first: String,
    between: String,
    last: String,
    colon: String,
}

impl Blanks {
    fn like(tree: &Tree, object: usize) -> Option<Self> {
        let node = tree.nodes.get(object).filter(|node| matches!(node.kind, JsonKind::Object))?;
        let children: Vec<_> = tree.children(object).filter_map(|child| tree.nodes.get(child)).collect();
        let (head, tail) = (children.first()?, children.last()?);
        let first = without_comment(tree.slice(node.start + 1, head.member_start()));
        let between = match children.get(1) {
            Some(second) => without_comment(tree.gap(head.end, second.member_start()).1),
            None if first.is_empty() => " ",
            None => first,
        };
        let last = without_comment(tree.slice(tail.end, node.end - 1));
        let colon = colon(tree, tree.children(object).next()?);
        Some(Self {
            first: first.to_owned(),
            between: between.to_owned(),
            last: last.to_owned(),
            colon: colon.to_owned(),
        })
    }

    fn plain(tree: &Tree) -> Self {
        let FileLayout { newline, unit, colon, has_lines } = FileLayout::of(tree);
        let colon = colon.to_owned();
        if !has_lines {
            return Self { first: String::new(), between: " ".to_owned(), last: String::new(), colon };
        }
        let outer = tree.children(0).next().map_or(unit, |first| indentation(tree, first));
        let line = format!("{newline}{outer}{unit}");
        Self { first: line.clone(), between: line, last: format!("{newline}{outer}"), colon }
    }
}
