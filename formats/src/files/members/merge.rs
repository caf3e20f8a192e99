//! Merges a published file into the existing one.

use std::collections::{HashMap, HashSet};

use super::items::{MemberItem, items};
use super::layout::MemberLayout;
use super::{Edits, Members, Merged, ParseError, Tree, refs};
use crate::files::json::{JsonKind, NOT_AN_OBJECT, ValueSpelling};

const BOM: &str = "\u{feff}";

/// As [`Format::merge`](crate::files::Format::merge).
pub(super) fn merged(format: &'static Members, own: &[u8], published: &[u8]) -> Result<Merged, String> {
    // The server wrote the published file. If it is not readable, it is used unchanged.
    let Some(new) = format.tree(published, true).ok().filter(|_| !is_blank(own)) else {
        return Ok(Merged::published(published));
    };
    let own = format.tree(own, true).map_err(|error| unreadable(&error))?;
    let mut merge = Merge {
        format,
        own: &own,
        new: &new,
        layout: MemberLayout::of(format, &own),
        spelling: ValueSpelling::of(&own),
        edits: Edits::of(&own),
    };
    merge.members();
    let has: HashSet<String> = names(format, &new).map(|name| format.folded(&name)).collect();
    let kept = names(format, &own).filter(|name| !has.contains(&format.folded(name)));
    let kept = keys(kept);
    Ok(Merged::keeping(kept, merge.edits.write(&own)))
}

/// As [`Format::text_keys`](crate::files::Format::text_keys).
pub(super) fn text_keys(format: &'static Members, bytes: &[u8]) -> Result<Vec<String>, String> {
    if is_blank(bytes) {
        return Ok(Vec::new());
    }
    let tree = format.tree(bytes, true).map_err(|error| unreadable(&error))?;
    Ok(keys(names(format, &tree)))
}

fn is_blank(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.strip_prefix(BOM).unwrap_or(text).trim().is_empty())
}

fn unreadable(error: &ParseError) -> String {
    match error.message.as_str() {
        NOT_AN_OBJECT => "the file does not contain an object".to_owned(),
        _ => format!("the file is not valid JSON: {error}"),
    }
}

fn names<'t>(format: &'static Members, tree: &'t Tree) -> impl Iterator<Item = String> + 't {
    items(format, tree).filter_map(|item| Some(tree.nodes.get(item.member)?.name().to_owned()))
}

/// The keys of names, each once. A name that cannot be a key is nobody's to know.
fn keys(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.filter_map(|name| refs::key_of(&name, true).ok()).filter(|key| seen.insert(key.clone())).collect()
}

struct Merge<'m> {
    format: &'static Members,
    own: &'m Tree,
    new: &'m Tree,
    layout: MemberLayout<'m>,
    spelling: ValueSpelling<'m>,
    edits: Edits,
}

impl Merge<'_> {
    fn members(&mut self) {
        let name =
            |tree: &Tree, member: usize| tree.nodes.get(member).map_or(String::new(), |node| node.name().to_owned());
        let mut places: HashMap<String, Vec<MemberItem>> = HashMap::new();
        for item in items(self.format, self.own) {
            places.entry(self.format.folded(&name(self.own, item.member))).or_default().push(item);
        }
        let others: HashMap<String, usize> =
            self.own.children(0).map(|member| (self.format.folded(&name(self.own, member)), member)).collect();
        let mut added: Vec<(Option<usize>, String, String)> = Vec::new();
        let mut anchor = None;
        for item in items(self.format, self.new) {
            let name = name(self.new, item.member);
            let folded = self.format.folded(&name);
            if let Some(found) = places.get(&folded) {
                found.iter().for_each(|own| self.update(own, &item));
                anchor = found.last().map(|own| own.member);
            } else if let Some(other) = others.get(&folded) {
                // It holds no text that the format knows.
                let value = self.value(&item);
                self.edits.write_raw(*other, value);
                anchor = Some(*other);
            } else {
                added.push((anchor, name, self.value(&item)));
            }
        }
        self.add(added);
    }

    /// Lets an own text say what the published one says.
    fn update(&mut self, own: &MemberItem, new: &MemberItem) {
        let text = self.new.text_of(new.text);
        if text == self.own.text_of(own.text) {
            return;
        }
        self.edits.replace(self.own, own.text, text.to_owned());
        if let Some(name) = self.format.beside.filter(|_| own.text != own.member) {
            self.bring(own.member, new.member, name);
        }
    }

    /// Adds the members of an object beside the text that the own one lacks.
    fn bring(&mut self, own: usize, new: usize, name: &str) {
        let (tree, source) = (self.own, self.new);
        let is_object =
            |tree: &Tree, node: usize| tree.nodes.get(node).is_some_and(|n| matches!(n.kind, JsonKind::Object));
        let Some(from) = source.child(new, name).filter(|node| is_object(source, *node)) else { return };
        let indent = self.layout.inner_indentation();
        let Some(to) = tree.child(own, name) else {
            let value = self.spelling.value(source, from, &indent);
            if let Some(last) = tree.children(own).last() {
                self.edits.add_raw_after(last, name.to_owned(), value);
            }
            return;
        };
        let Some(last) = tree.children(to).last().filter(|_| is_object(tree, to)) else {
            let value = self.spelling.value(source, from, &indent);
            return self.edits.write_raw(to, value);
        };
        let known: HashSet<String> =
            tree.children(to).filter_map(|child| Some(self.format.folded(tree.nodes.get(child)?.name()))).collect();
        let inner = self.spelling.deeper(&indent);
        for member in source.children(from) {
            let name = source.nodes.get(member).map_or("", |node| node.name());
            if !known.contains(&self.format.folded(name)) {
                let value = self.spelling.value(source, member, &inner);
                self.edits.add_raw_after(last, name.to_owned(), value);
            }
        }
    }

    /// A published member in the own file's style.
    fn value(&self, item: &MemberItem) -> String {
        let text = self.new.text_of(item.text);
        if self.layout.is_flat() {
            return self.layout.string(text);
        }
        if item.text == item.member {
            return self.layout.value(text, None);
        }
        let indent = self.layout.inner_indentation();
        let member = |node: usize| {
            let name = if node == item.text { self.layout.text_name() } else { self.new.nodes.get(node)?.name() };
            Some((name.to_owned(), self.spelling.value(self.new, node, &indent)))
        };
        let members: Vec<(String, String)> = self.new.children(item.member).filter_map(member).collect();
        self.layout.object(&members)
    }

    fn add(&mut self, added: Vec<(Option<usize>, String, String)>) {
        if added.is_empty() {
            return;
        }
        let Some(first) = self.own.children(0).next() else {
            let members: Vec<String> = added.iter().map(|(_, name, value)| self.spelling.member(name, value)).collect();
            return self.edits.write_raw(0, self.spelling.block('{', '}', &members, ""));
        };
        for (anchor, name, value) in added {
            match anchor {
                Some(after) => self.edits.add_raw_after(after, name, value),
                None => self.edits.add_raw_before(first, name, value),
            }
        }
    }
}
