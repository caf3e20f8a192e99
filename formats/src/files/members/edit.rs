//! Single changes of the texts of a file.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::items::{MemberItem, items};
use super::layout::MemberLayout;
use super::{EditError, Editor, Edits, Members, Tree, refs};
use crate::files::Edited;
use crate::files::json::{NOT_AN_OBJECT, ValueSpelling};

/// The place that holds a key.
#[derive(Debug, Clone, Copy)]
enum Slot {
    /// One of the file.
    Found(MemberItem),
    /// One that was added.
    Added(usize),
}

/// A file whose texts are changed one by one.
pub(super) struct MembersEditor {
    format: &'static Members,
    tree: Tree,
    /// By the folded key.
    slots: HashMap<String, Slot>,
    /// New texts, by node.
    said: HashMap<usize, String>,
    /// New names, by member.
    named: HashMap<usize, String>,
    gone: HashSet<usize>,
    /// Name and text; `None` for those that went again.
    added: Vec<Option<(String, String)>>,
}

impl fmt::Debug for MembersEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MembersEditor").field("texts", &self.slots.len()).finish_non_exhaustive()
    }
}

impl MembersEditor {
    pub(super) fn read(format: &'static Members, bytes: &[u8]) -> Result<Self, EditError> {
        if std::str::from_utf8(bytes).is_err() {
            return Err(EditError::NotUtf8);
        }
        let tree = format.tree(bytes, false).map_err(|error| match error.message.as_str() {
            NOT_AN_OBJECT => EditError::NoObject,
            _ => EditError::NotJson(error),
        })?;
        let mut slots = HashMap::new();
        for item in items(format, &tree) {
            let name = tree.nodes.get(item.member).map_or("", |node| node.name());
            if let Ok(key) = refs::key_of(name, true)
                && slots.insert(format.folded(&key), Slot::Found(item)).is_some()
            {
                return Err(EditError::Ambiguous { key, times: 2 });
            }
        }
        let (said, named, gone, added) = (HashMap::new(), HashMap::new(), HashSet::new(), Vec::new());
        Ok(Self { format, tree, slots, said, named, gone, added })
    }

    fn slot(&self, key: &str) -> Option<Slot> {
        self.slots.get(&self.format.folded(key)).copied()
    }

    fn says(&self, slot: Slot) -> &str {
        match slot {
            Slot::Found(item) => self.said.get(&item.text).map_or_else(|| self.tree.text_of(item.text), String::as_str),
            Slot::Added(at) => self.added.get(at).and_then(Option::as_ref).map_or("", |(_, text)| text),
        }
    }

    /// A name that nothing in the file has.
    fn free_name(&self, key: &str) -> Result<String, EditError> {
        let name = self.format.name_of(key).ok_or_else(|| EditError::Unwritable(key.to_owned()))?;
        let folded = self.format.folded(&name);
        let has_name = |member: usize| {
            let own = || self.tree.nodes.get(member).map_or("", |node| node.name());
            self.format.folded(self.named.get(&member).map_or_else(own, String::as_str)) == folded
        };
        let is_taken = self.tree.children(0).any(|member| !self.gone.contains(&member) && has_name(member));
        if is_taken { Err(EditError::SomethingElse { name: name.clone(), key: name }) } else { Ok(name) }
    }
}

impl Editor for MembersEditor {
    fn bytes(&self) -> Vec<u8> {
        let mut edits = Edits::of(&self.tree);
        for (node, text) in &self.said {
            edits.replace(&self.tree, *node, text.clone());
        }
        for (member, name) in &self.named {
            edits.rename(*member, name.clone());
        }
        self.gone.iter().for_each(|member| edits.remove(*member));
        let layout = MemberLayout::of(self.format, &self.tree);
        let added = self.added.iter().flatten().map(|(name, text)| (name, layout.value(text, None)));
        match self.tree.children(0).last() {
            Some(last) => added.for_each(|(name, value)| edits.add_raw_after(last, name.clone(), value)),
            None => {
                let spelling = ValueSpelling::of(&self.tree);
                let members: Vec<String> = added.map(|(name, value)| spelling.member(name, &value)).collect();
                if !members.is_empty() {
                    edits.write_raw(0, spelling.block('{', '}', &members, ""));
                }
            }
        }
        edits.write(&self.tree)
    }

    fn has(&mut self, key: &str) -> bool {
        self.slot(key).is_some()
    }

    fn set(&mut self, key: &str, from: &str, to: &str) -> Result<Edited, EditError> {
        let slot = self.slot(key).ok_or_else(|| EditError::Unknown(key.to_owned()))?;
        match self.says(slot) {
            says if says == to => return Ok(Edited::There),
            says if says != from => return Err(EditError::Differs(says.to_owned())),
            _ => {}
        }
        match slot {
            Slot::Found(item) => {
                self.said.insert(item.text, to.to_owned());
            }
            Slot::Added(at) => {
                if let Some(Some((_, text))) = self.added.get_mut(at) {
                    to.clone_into(text);
                }
            }
        }
        Ok(Edited::Written)
    }

    fn remove(&mut self, key: &str) -> Result<Edited, EditError> {
        match self.slots.remove(&self.format.folded(key)) {
            None => return Ok(Edited::There),
            Some(Slot::Found(item)) => {
                self.gone.insert(item.member);
            }
            Some(Slot::Added(at)) => {
                if let Some(added) = self.added.get_mut(at) {
                    *added = None;
                }
            }
        }
        Ok(Edited::Written)
    }

    fn add(&mut self, key: &str, text: &str) -> Result<Edited, EditError> {
        if let Some(slot) = self.slot(key) {
            let says = self.says(slot);
            return if says == text { Ok(Edited::There) } else { Err(EditError::Taken(says.to_owned())) };
        }
        let name = self.free_name(key)?;
        self.slots.insert(self.format.folded(key), Slot::Added(self.added.len()));
        self.added.push(Some((name, text.to_owned())));
        Ok(Edited::Written)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<Edited, EditError> {
        let (old, new) = (self.format.folded(from), self.format.folded(to));
        match (self.slots.contains_key(&old), self.slots.contains_key(&new) && old != new) {
            (true, true) => return Err(EditError::BothNames),
            (false, true) => return Ok(Edited::There),
            (false, false) => return Err(EditError::Unknown(from.to_owned())),
            (true, false) => {}
        }
        let name = if old == new { self.format.name_of(to) } else { Some(self.free_name(to)?) };
        let name = name.ok_or_else(|| EditError::Unwritable(to.to_owned()))?;
        let Some(slot) = self.slots.remove(&old) else { return Err(EditError::Unknown(from.to_owned())) };
        match slot {
            Slot::Found(item) => {
                self.named.insert(item.member, name);
            }
            Slot::Added(at) => {
                if let Some(Some((own, _))) = self.added.get_mut(at) {
                    *own = name;
                }
            }
        }
        self.slots.insert(new, slot);
        Ok(Edited::Written)
    }
}
