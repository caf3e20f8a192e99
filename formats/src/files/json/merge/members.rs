//! Compares two objects and collects the changes of one of them.

use std::collections::{HashMap, HashSet};

use super::spelling::JsonSpelling;
use crate::files::json::layout::{indentation, line_indentation};
use crate::files::json::splice::Edits;
use crate::files::json::tree::{JsonKind, Tree};

/// A merge in progress. It recurses as deep as the files nest, which is 128 at most.
pub(super) struct Merge<'m> {
    own: &'m Tree,
    published: &'m Tree,
    is_arb: bool,
    spelling: JsonSpelling<'m>,
    /// The texts of the own file by key: a file may write `a.b` as one name or as two.
    texts: HashMap<String, usize>,
    edits: Edits,
    /// Keys of texts that gave way to a published value of another kind.
    gone: HashSet<String>,
}

impl<'m> Merge<'m> {
    pub(super) fn new(own: &'m Tree, published: &'m Tree, is_arb: bool) -> Self {
        let mut texts = HashMap::new();
        each_text_below(own, 0, String::new(), &mut |node, key, _| {
            texts.entry(key).or_insert(node);
        });
        let (spelling, edits) = (JsonSpelling::of(own), Edits::of(own));
        Self { own, published, is_arb, spelling, texts, edits, gone: HashSet::new() }
    }

    pub(super) fn done(self) -> (Edits, HashSet<String>) {
        (self.edits, self.gone)
    }

    /// Adds a published object's members to the own one; `path` is their key with a dot, or empty.
    pub(super) fn object(&mut self, own: usize, published: usize, path: &str) {
        let (tree, source) = (self.own, self.published);
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for member in tree.children(own) {
            places.entry(tree.nodes[member].name()).or_default().push(member);
        }
        let indent = tree.children(own).next().map_or("", |first| indentation(tree, first));
        // Members to add, each after that member or at the beginning.
        let mut added: Vec<(Option<usize>, String, String)> = Vec::new();
        let mut anchor = None;
        for member in source.children(published) {
            let name = source.nodes[member].name();
            let key = format!("{path}{name}");
            if let Some(found) = places.get(name) {
                // Metadata is the file's own.
                if !(self.is_arb && name.starts_with('@')) {
                    found.iter().for_each(|at| self.value(*at, member, &key));
                }
                anchor = found.last().copied();
                if let Some(about) = places.get(format!("@{name}").as_str()).filter(|_| self.is_arb) {
                    anchor = anchor.max(about.last().copied());
                }
            } else if let Some(value) = self.lacking(member, &key, indent) {
                added.push((anchor, name.to_owned(), value));
            }
        }
        self.add(own, added);
    }

    fn value(&mut self, own: usize, published: usize, key: &str) {
        match (&self.own.nodes[own].kind, &self.published.nodes[published].kind) {
            (JsonKind::Object, JsonKind::Object) => self.object(own, published, &format!("{key}.")),
            (JsonKind::Array, JsonKind::Array) => self.array(own, published, key),
            (JsonKind::Text(_), JsonKind::Text(text)) => self.edits.replace(self.own, own, text.to_string()),
            // A value that is not translated takes the place of nothing.
            (_, JsonKind::Scalar) => {}
            _ => {
                let gone = &mut self.gone;
                each_text_below(self.own, own, key.to_owned(), &mut |_, key, _| {
                    gone.insert(key);
                });
                self.replace(own, published);
            }
        }
    }

    /// Elements are identified by their index; those that the own array lacks come after its last one.
    fn array(&mut self, own: usize, published: usize, key: &str) {
        let (tree, source) = (self.own, self.published);
        let Some(last) = tree.children(own).last() else {
            if source.children(published).next().is_some() {
                self.replace(own, published);
            }
            return;
        };
        for (index, (own, published)) in tree.children(own).zip(source.children(published)).enumerate() {
            self.value(own, published, &format!("{key}.{index}"));
        }
        let indent = line_indentation(&tree.text, tree.nodes[last].start);
        for element in source.children(published).skip(tree.children(own).count()) {
            let value = self.spelling.value(source, element, indent);
            self.edits.add_raw_after(last, String::new(), value);
        }
    }

    fn replace(&mut self, own: usize, published: usize) {
        let indent = line_indentation(&self.own.text, self.own.nodes[own].start);
        self.edits.write_raw(own, self.spelling.value(self.published, published, indent));
    }

    /// Returns the part of a published value to add. Texts that the own file has under another spelling are not part of
    /// it: they are updated in place. `indent` is that of the member's line.
    fn lacking(&mut self, published: usize, key: &str, indent: &str) -> Option<String> {
        let source = self.published;
        let (mut all, mut known) = (HashSet::new(), Vec::new());
        each_text_below(source, published, key.to_owned(), &mut |_, key, text| {
            if let Some(own) = self.texts.get(&key) {
                known.push((*own, text));
            }
            all.insert(key);
        });
        if known.is_empty() {
            return Some(self.spelling.value(source, published, indent));
        }
        let is_complete = known.len() >= all.len();
        for (own, text) in known {
            self.edits.replace(self.own, own, text.to_owned());
        }
        if is_complete || !matches!(source.nodes[published].kind, JsonKind::Object) {
            return None;
        }
        let inner = self.spelling.deeper(indent);
        let members: Vec<String> = source
            .children(published)
            .filter_map(|member| {
                let name = source.nodes[member].name();
                let value = self.lacking(member, &format!("{key}.{name}"), &inner)?;
                Some(self.spelling.member(name, &value))
            })
            .collect();
        (!members.is_empty()).then(|| self.spelling.block('{', '}', &members, indent))
    }

    /// Adds members to an object.
    fn add(&mut self, own: usize, added: Vec<(Option<usize>, String, String)>) {
        if added.is_empty() {
            return;
        }
        let Some(first) = self.own.children(own).next() else {
            let members: Vec<String> = added.iter().map(|(_, name, value)| self.spelling.member(name, value)).collect();
            let indent = if own == 0 { "" } else { line_indentation(&self.own.text, self.own.nodes[own].start) };
            return self.edits.write_raw(own, self.spelling.block('{', '}', &members, indent));
        };
        for (anchor, name, value) in added {
            match anchor {
                Some(after) => self.edits.add_raw_after(after, name, value),
                None => self.edits.add_raw_before(first, name, value),
            }
        }
    }
}

/// Calls `take` with the node, key and characters of each text in a value whose key is `key`, which is empty for the root.
pub(super) fn each_text_below<'t>(
    tree: &'t Tree,
    node: usize,
    key: String,
    take: &mut dyn FnMut(usize, String, &'t str),
) {
    let inside = |name: &str| if node == 0 { name.to_owned() } else { format!("{key}.{name}") };
    match &tree.nodes[node].kind {
        JsonKind::Text(text) => take(node, key, text),
        JsonKind::Object => {
            for member in tree.children(node) {
                each_text_below(tree, member, inside(tree.nodes[member].name()), take);
            }
        }
        JsonKind::Array => {
            for (index, element) in tree.children(node).enumerate() {
                each_text_below(tree, element, inside(&index.to_string()), take);
            }
        }
        JsonKind::Scalar => {}
    }
}
