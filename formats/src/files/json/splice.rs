//! Writing a JSON file again with some of its values replaced, left out or added.
//!
//! All other bytes are copied. A member that is left out takes along the blank before it and one comma, so
//! the rest looks as if it had never been there. An object that loses all its members is left out itself. An array is
//! left out as a whole when it would lose an element, since the others would slide under each other's index.

use std::collections::HashMap;

use super::layout::without_comment;
use super::tree::{JsonKind, Node, Tree};

/// The changes to a tree, by node.
#[derive(Clone)]
pub(in crate::files) struct Edits {
    changes: Vec<NodeChange>,
    added: HashMap<usize, AddedMembers>,
    /// New names of members.
    names: HashMap<usize, String>,
}

#[derive(Clone)]
enum NodeChange {
    Keep,
    /// Something inside is changed.
    Inside,
    Remove,
    Text(String),
    /// A value that is written verbatim.
    Raw(String),
}

/// Members beside an existing one: name and value. In an array the name counts for nothing.
#[derive(Clone, Default)]
struct AddedMembers {
    before: Vec<(String, AddedValue)>,
    after: Vec<(String, AddedValue)>,
}

/// The value of a member that is added.
#[derive(Clone)]
enum AddedValue {
    Text(String),
    /// Written verbatim.
    Raw(String),
}

impl Edits {
    /// No change yet.
    pub(in crate::files) fn of(tree: &Tree) -> Self {
        Self { changes: vec![NodeChange::Keep; tree.nodes.len()], added: HashMap::new(), names: HashMap::new() }
    }

    /// Leaves a member out.
    pub(in crate::files) fn remove(&mut self, node: usize) {
        self.set(node, NodeChange::Remove);
    }

    /// Replaces a string. An equal string keeps its spelling.
    pub(in crate::files) fn replace(&mut self, tree: &Tree, node: usize, text: String) {
        let same = tree.nodes.get(node).is_some_and(|node| matches!(&node.kind, JsonKind::Text(old) if **old == *text));
        self.set(node, if same { NodeChange::Keep } else { NodeChange::Text(text) });
    }

    /// Adds a member before an existing one, after those added there already.
    pub(in crate::files) fn add_before(&mut self, node: usize, name: String, text: String) {
        self.added.entry(node).or_default().before.push((name, AddedValue::Text(text)));
    }

    /// Adds a member after an existing one, after those added there already.
    pub(in crate::files) fn add_after(&mut self, node: usize, name: String, text: String) {
        self.added.entry(node).or_default().after.push((name, AddedValue::Text(text)));
    }

    /// Like [`add_after`](Self::add_after), but writes the value verbatim.
    pub(in crate::files) fn add_raw_after(&mut self, node: usize, name: String, value: String) {
        self.added.entry(node).or_default().after.push((name, AddedValue::Raw(value)));
    }

    /// Like [`add_before`](Self::add_before), but writes the value verbatim.
    pub(in crate::files) fn add_raw_before(&mut self, node: usize, name: String, value: String) {
        self.added.entry(node).or_default().before.push((name, AddedValue::Raw(value)));
    }

    /// Replaces a value by text that is written verbatim.
    pub(in crate::files) fn write_raw(&mut self, node: usize, value: String) {
        self.set(node, NodeChange::Raw(value));
    }

    /// Gives a member, and its copies, another name.
    pub(in crate::files) fn rename(&mut self, node: usize, name: String) {
        self.names.insert(node, name);
    }

    fn set(&mut self, node: usize, change: NodeChange) {
        if let Some(slot) = self.changes.get_mut(node) {
            *slot = change;
        }
    }

    /// Returns true if a member is left out.
    pub(super) fn removed(&self, tree: &Tree, node: usize) -> bool {
        let original = tree.nodes.get(node).and_then(|node| node.copy_of).unwrap_or(node);
        matches!(self.changes.get(node), Some(NodeChange::Remove))
            || matches!(self.changes.get(original), Some(NodeChange::Remove))
    }

    /// Writes the file.
    pub(in crate::files) fn write(mut self, tree: &Tree) -> Vec<u8> {
        self.carry_up(tree);
        let Some(root) = tree.nodes.first() else {
            return Vec::new();
        };
        let mut writer = Writer { tree, edits: &self, out: String::with_capacity(tree.text.len() + 64) };
        writer.copy(0, root.start);
        writer.value(0, root);
        writer.copy(root.end, tree.text.len());
        writer.out.into_bytes()
    }

    /// Marks the values around each change, from the inside out, and leaves out those that would become empty.
    fn carry_up(&mut self, tree: &Tree) {
        for index in (0..tree.nodes.len()).rev() {
            let Some(node) = tree.nodes.get(index) else {
                continue;
            };
            let loses = match node.kind {
                JsonKind::Object => tree.children(index).all(|child| self.removed(tree, child)),
                JsonKind::Array => tree.children(index).any(|child| self.removed(tree, child)),
                JsonKind::Text(_) | JsonKind::Scalar => false,
            };
            let is_written = matches!(self.changes.get(index), Some(NodeChange::Raw(_)));
            // An object that was empty from the start loses nothing.
            if loses && index != 0 && node.after > index + 1 && !is_written {
                self.set(index, NodeChange::Remove);
            }
            let touched = !matches!(self.changes.get(index), Some(NodeChange::Keep))
                || self.added.contains_key(&index)
                || self.names.contains_key(&index);
            if touched && index != 0 && matches!(self.changes.get(node.parent), Some(NodeChange::Keep)) {
                self.set(node.parent, NodeChange::Inside);
            }
        }
    }
}

enum Member<'a> {
    Found(usize, &'a Node),
    /// Name, value, and the member whose spacing is followed; in an array that has no name.
    New(&'a str, &'a AddedValue, &'a Node),
}

struct Writer<'a> {
    tree: &'a Tree,
    edits: &'a Edits,
    out: String,
}

impl<'a> Writer<'a> {
    fn copy(&mut self, from: usize, to: usize) {
        self.out.push_str(self.slice(from, to));
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.tree.text.get(from..to).unwrap_or_default()
    }

    /// Recurses as deep as the file does, which is bounded by the tree's depth.
    fn value(&mut self, index: usize, node: &'a Node) {
        match self.edits.changes.get(index) {
            Some(NodeChange::Text(text)) => self.tree.style.write(&mut self.out, text),
            Some(NodeChange::Raw(value)) => self.out.push_str(value),
            Some(NodeChange::Inside) => self.container(index, node),
            _ => self.copy(node.start, node.end),
        }
    }

    fn container(&mut self, index: usize, node: &'a Node) {
        let children: Vec<(usize, &Node)> =
            self.tree.children(index).filter_map(|child| Some((child, self.tree.nodes.get(child)?))).collect();
        let members = self.members(&children);
        let blanks = Blanks::of(self, node, &children);
        self.copy(node.start, node.start + 1);
        let last = members.len().saturating_sub(1);
        for (at, member) in members.iter().enumerate() {
            let blank = match member {
                _ if at == 0 => blanks.first,
                Member::Found(child, _) => blanks.before.get(child).copied().unwrap_or(blanks.between),
                Member::New(..) => blanks.between,
            };
            self.out.push_str(blank);
            self.member(member);
            if at < last {
                if let Member::Found(child, _) = member {
                    self.out.push_str(blanks.comma.get(child).copied().unwrap_or_default());
                }
                self.out.push(',');
            }
        }
        if !members.is_empty() {
            self.out.push_str(blanks.last);
        }
        self.copy(node.end - 1, node.end);
    }

    fn members(&self, children: &[(usize, &'a Node)]) -> Vec<Member<'a>> {
        let mut members = Vec::with_capacity(children.len());
        for &(child, node) in children {
            let added = self.edits.added.get(&child);
            let new = |(name, value): &'a (String, AddedValue)| Member::New(name, value, node);
            members.extend(added.iter().flat_map(|added| &added.before).map(new));
            if !self.edits.removed(self.tree, child) {
                members.push(Member::Found(child, node));
            }
            members.extend(added.iter().flat_map(|added| &added.after).map(new));
        }
        members
    }

    fn member(&mut self, member: &Member<'a>) {
        match member {
            Member::Found(index, node) => {
                let original = node.copy_of.and_then(|of| Some((of, self.tree.nodes.get(of)?)));
                match (self.edits.names.get(&node.copy_of.unwrap_or(*index)), &node.key) {
                    (Some(name), Some(key)) => {
                        self.tree.style.write(&mut self.out, name);
                        self.copy(key.end, node.start);
                    }
                    _ => self.copy(node.member_start(), node.start),
                }
                let (index, node) = original.unwrap_or((*index, node));
                self.value(index, node);
            }
            Member::New(name, value, like) => {
                if let Some(key) = &like.key {
                    self.tree.style.write(&mut self.out, name);
                    self.copy(key.end, like.start);
                }
                match value {
                    AddedValue::Text(text) => self.tree.style.write(&mut self.out, text),
                    AddedValue::Raw(value) => self.out.push_str(value),
                }
            }
        }
    }
}

/// The blanks of an object or array.
struct Blanks<'a> {
    /// After the opening bracket.
    first: &'a str,
    /// Before a member that has no blank of its own.
    between: &'a str,
    /// Before the closing bracket.
    last: &'a str,
    /// Before each member but the first.
    before: HashMap<usize, &'a str>,
    /// Between each member but the last and its comma.
    comma: HashMap<usize, &'a str>,
}

impl<'a> Blanks<'a> {
    fn of(writer: &Writer<'a>, node: &Node, children: &[(usize, &'a Node)]) -> Self {
        let mut blanks = Self { first: "", between: "", last: "", before: HashMap::new(), comma: HashMap::new() };
        if let (Some((_, first)), Some((_, last))) = (children.first(), children.last()) {
            blanks.first = writer.slice(node.start + 1, first.member_start());
            blanks.last = writer.slice(last.end, node.end - 1);
            let after_colon = first.key.as_ref().map_or("", |key| writer.slice(key.end, first.start));
            let is_followed = blanks.first.contains('\n') || after_colon == ":";
            blanks.between = if is_followed { without_comment(blanks.first) } else { " " };
        }
        for pair in children.windows(2) {
            let [(left, before), (right, after)] = pair else {
                continue;
            };
            let (comma, blank) = writer.tree.gap(before.end, after.member_start());
            blanks.comma.insert(*left, comma);
            blanks.before.insert(*right, blank);
        }
        if let Some((second, _)) = children.get(1) {
            blanks.between = blanks.before.get(second).map_or(blanks.between, |blank| without_comment(blank));
        }
        blanks
    }
}
