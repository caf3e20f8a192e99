//! Single changes of the texts of a JSON file (`json`, `i18next`, `arb`): every other byte stays unchanged.

use std::collections::{HashMap, HashSet};

use super::added::ObjectStyle;
use super::leaves::each_text;
use super::splice::Edits;
use super::tree::{DEEPEST_JSON, JsonKind, NOT_AN_OBJECT, Tree};
use crate::files::arb;
use crate::files::{EditError, Edited, Editor};

/// A JSON file whose texts are changed one by one.
///
/// Changes are collected and written together; a change that needs the result of earlier ones reads the file again.
pub(in crate::files) struct JsonEditor {
    tree: Tree,
    edits: Edits,
    is_arb: bool,
    /// The texts by their current keys.
    texts: HashMap<String, Vec<usize>>,
    /// The changed texts, by node.
    said: HashMap<usize, String>,
    /// The names of renamed members, by node.
    names: HashMap<usize, String>,
    /// Keys that were added since the file was read.
    added: HashSet<String>,
    /// Members went, came with objects around them, or have other names than the tree says.
    is_rebuilt: bool,
}

impl std::fmt::Debug for JsonEditor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JsonEditor")
            .field("texts", &self.texts.len())
            .field("is_arb", &self.is_arb)
            .finish_non_exhaustive()
    }
}

impl JsonEditor {
    /// Reads a file; refuses a file that the service would refuse as no JSON.
    ///
    /// # Errors
    ///
    /// [`EditError::NotUtf8`], [`EditError::NotJson`], [`EditError::NoObject`].
    pub(in crate::files) fn read(bytes: &[u8], is_arb: bool) -> Result<Self, EditError> {
        if std::str::from_utf8(bytes).is_err() {
            return Err(EditError::NotUtf8);
        }
        let tree = Tree::parse(bytes).map_err(|error| match error.message.as_str() {
            NOT_AN_OBJECT => EditError::NoObject,
            _ => EditError::NotJson(error),
        })?;
        let mut texts: HashMap<String, Vec<usize>> = HashMap::new();
        let is_entry = |node: usize| !is_arb || arb::is_entry(&tree, node);
        // Keys that are too long for the service are nobody's to change.
        let _ = each_text(&tree, &is_entry, &mut |node, key, _| {
            if let Some(key) = key {
                texts.entry(key).or_default().push(node);
            }
            Ok(())
        });
        let edits = Edits::of(&tree);
        let (said, names, added) = (HashMap::new(), HashMap::new(), HashSet::new());
        Ok(Self { tree, edits, is_arb, texts, said, names, added, is_rebuilt: false })
    }
}

impl Editor for JsonEditor {
    fn bytes(&self) -> Vec<u8> {
        self.edits.clone().write(&self.tree)
    }

    fn has(&mut self, key: &str) -> bool {
        !matches!(self.find(key), Ok(None))
    }

    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError> {
        let node = self.find(key)?.ok_or_else(|| EditError::Unknown(key.to_owned()))?;
        match self.says(node) {
            says if says == to => return Ok(Edited::There),
            says if says != from => return Err(EditError::Differs(says.to_owned())),
            _ => {}
        }
        self.edits.replace(&self.tree, node, to.to_owned());
        self.said.insert(node, to.to_owned());
        Ok(Edited::Written)
    }

    /// With objects that become empty by it.
    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        self.settle_additions()?;
        let Some(node) = self.find(key)? else { return Ok(Edited::There) };
        self.check_member(node, key)?;
        if let Some(about) = self.metadata(key) {
            self.edits.remove(about);
        }
        self.edits.remove(node);
        self.remove_emptied(node);
        self.texts.remove(key);
        self.is_rebuilt = true;
        Ok(Edited::Written)
    }

    /// At the end of the object that it belongs into. If the file nests, names between dots become objects.
    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        if let Some(node) = self.find(key)? {
            let says = self.says(node);
            return if says == text { Ok(Edited::There) } else { Err(EditError::Taken(says.to_owned())) };
        }
        let meets_added =
            key.match_indices('.').any(|(at, _)| key.get(..at).is_some_and(|head| self.added.contains(head)));
        if self.is_rebuilt || meets_added {
            self.settle()?;
        }
        let InsertionPoint { object, names } = self.place(key)?;
        let (Some((first, inner)), Some(node)) = (names.split_first(), self.tree.nodes.get(object)) else {
            return Err(EditError::TooDeep(key.to_owned()));
        };
        let style = ObjectStyle::of(&self.tree, object);
        match self.tree.children(object).last() {
            Some(last) => {
                let value = style.value(inner, text);
                self.edits.add_raw_after(last, (*first).to_owned(), value);
            }
            None => self.edits.write_raw(object, style.filled(&names, text)),
        }
        self.is_rebuilt = !inner.is_empty() || node.after == object + 1;
        self.added.insert(key.to_owned());
        Ok(Edited::Written)
    }

    /// The member stays where it is if only the last part of its name differs.
    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        self.settle_additions()?;
        let new = self.find(to)?;
        let node = match (self.find(from)?, new) {
            (Some(_), Some(_)) => return Err(EditError::BothNames),
            (None, Some(_)) => return Ok(Edited::There),
            (None, None) => return Err(EditError::Unknown(from.to_owned())),
            (Some(node), None) => node,
        };
        self.check_member(node, from)?;
        let own = self.name(node);
        let around = from.strip_suffix(own).unwrap_or_default();
        // A name with a dot is one member only where the old one was, too.
        let name = to.strip_prefix(around).filter(|name| self.is_arb || own.contains('.') || !name.contains('.'));
        match name.filter(|name| !name.is_empty()) {
            Some(name) => self.rename_member(node, from, to, name)?,
            None => self.relocate(node, from, to)?,
        }
        Ok(Edited::Written)
    }
}

impl JsonEditor {
    fn rename_member(&mut self, node: usize, from: &str, to: &str, name: &str) -> Result<(), EditError> {
        let parent = self.tree.nodes.get(node).map_or(0, |node| node.parent);
        if self.tree.children(parent).any(|child| !self.edits.removed(&self.tree, child) && self.name(child) == name) {
            return Err(EditError::SomethingElse { name: name.to_owned(), key: to.to_owned() });
        }
        if let Some(about) = self.metadata(from) {
            if self.metadata(name).is_some() {
                return Err(EditError::SomethingElse { name: format!("@{name}"), key: to.to_owned() });
            }
            self.call(about, format!("@{name}"));
        }
        self.call(node, name.to_owned());
        self.texts.remove(from);
        self.texts.insert(to.to_owned(), vec![node]);
        self.is_rebuilt = true;
        Ok(())
    }

    fn call(&mut self, node: usize, name: String) {
        self.edits.rename(node, name.clone());
        self.names.insert(node, name);
    }

    /// Takes a text out and adds it where its new name leads.
    fn relocate(&mut self, node: usize, from: &str, to: &str) -> Result<(), EditError> {
        let (before, text) = (self.bytes(), self.says(node).to_owned());
        self.remove(from)?;
        if let Err(error) = self.add(to, &text) {
            *self = Self::read(&before, self.is_arb)?;
            return Err(error);
        }
        Ok(())
    }

    /// The one text of a key.
    fn find(&mut self, key: &str) -> Result<Option<usize>, EditError> {
        if self.added.contains(key) {
            self.settle()?;
        }
        match self.texts.get(key).map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([node]) => Ok(Some(*node)),
            Some(several) => Err(EditError::Ambiguous { key: key.to_owned(), times: several.len() }),
        }
    }

    /// Reads the changed file again if members were added. The tree does not have them, although they take names and keep
    /// their objects from being empty.
    fn settle_additions(&mut self) -> Result<(), EditError> {
        if self.added.is_empty() { Ok(()) } else { self.settle() }
    }

    /// Reads the changed file again, so that the tree has all changes.
    fn settle(&mut self) -> Result<(), EditError> {
        *self = Self::read(&self.bytes(), self.is_arb)?;
        Ok(())
    }

    fn says(&self, node: usize) -> &str {
        let original = || match self.tree.nodes.get(node).map(|node| &node.kind) {
            Some(JsonKind::Text(text)) => text,
            _ => "",
        };
        self.said.get(&node).map_or_else(original, String::as_str)
    }

    fn name(&self, node: usize) -> &str {
        let original = || self.tree.nodes.get(node).map_or("", |node| node.name());
        self.names.get(&node).map_or_else(original, String::as_str)
    }

    /// Refuses an element of an array.
    fn check_member(&self, node: usize, key: &str) -> Result<(), EditError> {
        match self.tree.nodes.get(node).map(|node| node.key.is_some()) {
            Some(true) => Ok(()),
            _ => Err(EditError::InList(key.to_owned())),
        }
    }

    /// The metadata of a key in an ARB file.
    fn metadata(&self, key: &str) -> Option<usize> {
        let about = format!("@{key}");
        self.tree.children(0).filter(|_| self.is_arb).find(|child| self.name(*child) == about)
    }

    /// Takes the objects out that a removal has left empty. One in an array stays, so that the others keep their index.
    fn remove_emptied(&mut self, mut node: usize) {
        loop {
            let object = self.tree.nodes.get(node).map_or(0, |node| node.parent);
            let is_empty = self.tree.children(object).all(|child| self.edits.removed(&self.tree, child));
            if object == 0 || !is_empty {
                return;
            }
            if self.tree.nodes.get(object).is_some_and(|node| node.key.is_none()) {
                return self.edits.write_raw(object, "{}".to_owned());
            }
            self.edits.remove(object);
            node = object;
        }
    }

    /// The place of a new key.
    fn place<'k>(&self, key: &'k str) -> Result<InsertionPoint<'k>, EditError> {
        let something_else = |name: &str| EditError::SomethingElse { name: name.to_owned(), key: key.to_owned() };
        let is_object =
            |node: usize| self.tree.nodes.get(node).is_some_and(|node| matches!(node.kind, JsonKind::Object));
        let member = |object: usize, name: &str| self.tree.children(object).find(|child| self.name(*child) == name);
        let nests = !self.is_arb && self.tree.children(0).any(is_object);
        let (mut object, mut rest, mut depth) = (0, key, 1);
        while nests
            && let Some((name, inner)) = rest.split_once('.')
            && let Some(found) = member(object, name)
        {
            if !is_object(found) {
                return Err(something_else(name));
            }
            (object, rest, depth) = (found, inner, depth + 1);
        }
        let mut names = Vec::new();
        if nests && !rest.contains(char::is_whitespace) {
            while let Some((name, inner)) =
                rest.split_once('.').filter(|(name, inner)| !name.is_empty() && !inner.is_empty())
            {
                names.push(name);
                rest = inner;
            }
        }
        names.push(rest);
        if depth + names.len() > DEEPEST_JSON {
            return Err(EditError::TooDeep(key.to_owned()));
        }
        match names.first() {
            Some(first) if member(object, first).is_some() => Err(something_else(first)),
            _ => Ok(InsertionPoint { object, names }),
        }
    }
}

/// An object, and the names that are added below it: objects inside each other, and last a text.
struct InsertionPoint<'k> {
    object: usize,
    names: Vec<&'k str>,
}
