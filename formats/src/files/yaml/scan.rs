//! Finds the texts of a YAML file.

use std::ops::Range;

use saphyr_parser::ScalarStyle;

use super::keys::Keys;
use super::kinds::is_string;
use super::tree::{Node, Tree, YamlKind};
use super::value::{described, forms, is_merge, is_null, text};
use super::{ARG, is_language, is_setting};
use crate::files::error::shown;
use crate::files::refs::LONGEST_KEY;
use crate::files::spliced::{Group, Nest, NestedGroup, Place, ReplacedPart, Scan, ScanError, TextValue};

/// Columns between a group and its entries, where the file shows none.
const STEP: usize = 2;

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let tree = Tree::parse(text)?;
    let mut scanner = Scanner {
        tree: &tree,
        places: Vec::new(),
        groups: Vec::new(),
        nest: Nest::default(),
        warnings: Vec::new(),
        is_rails: false,
        steps: None,
        last_end: 0,
    };
    let language = scanner.file()?;
    scanner.nest.step = scanner.steps.unwrap_or(STEP);
    let Scanner { places, groups, nest, warnings, .. } = scanner;
    let escapes = text.is_ascii() && text.contains("\\u");
    Ok(Scan { places, groups, language, warnings, escapes, nest: Some(nest), ..Scan::default() })
}

struct Scanner<'t> {
    tree: &'t Tree<'t>,
    places: Vec<Place>,
    groups: Vec<Group>,
    nest: Nest,
    warnings: Vec<String>,
    is_rails: bool,
    /// The smallest step to the right.
    steps: Option<usize>,
    /// The end of the line in which the entry before ends.
    last_end: usize,
}

/// A pair of a mapping: its whole name, its comment and its lines.
struct MappingEntry<'t> {
    name: String,
    key: &'t Node<'t>,
    value: usize,
    node: &'t Node<'t>,
    description: Option<String>,
    whole: Range<usize>,
}

impl<'t> Scanner<'t> {
    /// Reads the file; gives the language that it names.
    fn file(&mut self) -> Result<Option<String>, ScanError> {
        let tree = self.tree;
        let Some(root) = tree.node(0) else {
            self.open_root(0, tree.end, None);
            return Ok(None);
        };
        match &root.kind {
            YamlKind::Map(children) if !root.is_flow => {
                if let [key, value] = children.as_slice()
                    && let (Some(key), Some(node)) = (tree.node(*key), tree.node(*value))
                    && let YamlKind::Scalar(name, _) = &key.kind
                    && is_language(name)
                    && (matches!(node.kind, YamlKind::Map(_)) || is_null(node))
                {
                    self.is_rails = true;
                    self.nest.language_at = Some(key.at.clone());
                    self.check_key(key, name);
                    self.language(key, *value, node)?;
                    return Ok(Some(name.as_ref().to_owned()));
                }
                self.open_root(self.column(root.at.start), tree.lines_end(root.at.end), None);
                self.map(0, 0)?;
                Ok(None)
            }
            // An empty file.
            YamlKind::Map(children) if children.is_empty() => {
                self.open_root(0, tree.line_end(root.at.end), Some(root.at.clone()));
                Ok(None)
            }
            YamlKind::Scalar(text, ScalarStyle::Plain) if text.is_empty() => {
                self.open_root(0, tree.end, None);
                Ok(None)
            }
            YamlKind::Map(_) => {
                Err(ScanError::at(root.at.start, "the file is one `{…}`: write a line for each key, or name it .json"))
            }
            YamlKind::Seq(_) => {
                Err(ScanError::at(root.at.start, "the file holds a list; a catalogue has names, `key: text`"))
            }
            _ => Err(ScanError::at(root.at.start, "the file holds no names, `key: text`")),
        }
    }

    /// Reads the mapping of the language.
    fn language(&mut self, key: &Node<'_>, value: usize, node: &Node<'_>) -> Result<(), ScanError> {
        let tree = self.tree;
        let own = self.column(key.at.start);
        match &node.kind {
            YamlKind::Map(children) if !children.is_empty() && !node.is_flow => {
                let column = self.column(node.at.start);
                self.steps = column.checked_sub(own).filter(|step| *step > 0);
                self.last_end = tree.line_end(key.at.end);
                self.open_root(column, tree.lines_end(node.at.end), None);
                self.map(value, 0)?;
                Ok(())
            }
            YamlKind::Map(children) if !children.is_empty() => {
                Err(ScanError::at(node.at.start, "the texts stand in one `{…}`: write a line for each key"))
            }
            _ => {
                let sign = self.after_colon(key)..node.at.end;
                let sign = (!node.is_anchored && sign.start < sign.end).then_some(sign);
                self.open_root(own + STEP, tree.lines_end(key.at.end.max(node.at.end)), sign);
                Ok(())
            }
        }
    }

    fn open_root(&mut self, column: usize, end: usize, gives_way: Option<Range<usize>>) {
        self.groups.push(Group { prefix: String::new(), end: Some(end) });
        self.nest.groups.push(NestedGroup { column, after: end, gives_way, ..NestedGroup::default() });
    }

    fn column(&self, offset: usize) -> usize {
        offset - self.tree.line_start(offset)
    }

    /// The offset after the colon of a key.
    fn after_colon(&self, key: &Node<'_>) -> usize {
        let rest = self.tree.text.get(key.at.end..).unwrap_or_default();
        key.at.end + rest.find(':').map_or(0, |colon| colon + 1)
    }

    /// Notes that readers of YAML 1.1 take a key for something else.
    fn check_key(&mut self, key: &Node<'_>, name: &str) {
        const MOST: usize = 3;
        let is_bare = matches!(key.kind, YamlKind::Scalar(_, ScalarStyle::Plain)) && !key.is_string;
        let is_other =
            || !is_string(name) && !name.starts_with(':') && name.bytes().any(|byte| byte.is_ascii_alphabetic());
        if is_bare && name.len() < 6 && self.warnings.len() < MOST && is_other() {
            self.warnings
                .push(format!("the key {} is no string for readers of YAML 1.1: write it in quotes", shown(name)));
        }
    }

    /// Reads a mapping into its group. Returns true if all of it is offered.
    fn map(&mut self, map: usize, group: usize) -> Result<bool, ScanError> {
        let tree = self.tree;
        let prefix = self.groups.get(group).map(|group| group.prefix.clone()).unwrap_or_default();
        let mut keys = Keys::default();
        let mut is_all = true;
        for (key, value, node) in tree.pairs(map) {
            let name = self.key_of(key, &mut keys)?;
            let pair = self.pair(&prefix, name, key, value, node);
            is_all &= self.value(pair, group)?;
            self.last_end = self.last_end.max(tree.line_end(node.at.end.max(key.at.end)));
        }
        Ok(is_all)
    }

    /// The text of a key that stands there once.
    fn key_of<'k>(&mut self, key: &'k Node<'_>, keys: &mut Keys<'k>) -> Result<&'k str, ScanError> {
        let tree = self.tree;
        let YamlKind::Scalar(name, style) = &key.kind else {
            return Err(ScanError::at(key.at.start, "the key of a text is a text itself, in its line"));
        };
        // Lines between braces may be long.
        let line = || tree.text.get(tree.line_start(key.at.start)..key.at.start).unwrap_or_default();
        let is_explicit = || !key.is_flow && line().split([' ', '-']).any(|part| part == "?");
        if is_explicit() || matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return Err(ScanError::at(key.at.start, "keys with `?` are not read: write `key: text`"));
        }
        if let Some(other) = keys.insert(name, key.at.start) {
            let line = crate::position::line_and_column(tree.text.as_bytes(), other).0;
            let message = format!("the key {} is there twice, in line {line} with another value", shown(name));
            return Err(ScanError::at(key.at.start, message));
        }
        self.check_key(key, name);
        Ok(name)
    }

    fn pair(&self, prefix: &str, name: &str, key: &'t Node<'t>, value: usize, node: &'t Node<'t>) -> MappingEntry<'t> {
        let tree = self.tree;
        let line = tree.line_start(key.at.start);
        let (start, description) = self.comment(line);
        let whole = start..tree.lines_end(node.at.end.max(key.at.end));
        MappingEntry { name: [prefix, name].concat(), key, value, node, description, whole }
    }

    /// The comment directly above a line: its beginning and its text.
    fn comment(&self, line: usize) -> (usize, Option<String>) {
        let tree = self.tree;
        let mut start = line;
        while start > self.last_end {
            let above = tree.line_start(start - 1);
            let is_comment = tree.text.get(above..start).is_some_and(|text| text.trim_start().starts_with('#'));
            if above < self.last_end || !is_comment {
                break;
            }
            start = above;
        }
        // What begins the file is about the file.
        let text = tree.text.get(start..line).filter(|text| start > 0 && !text.is_empty());
        match text.and_then(described) {
            Some(description) => (start, Some(description)),
            None => (line, None),
        }
    }

    /// Reads the value of a pair. Returns true if all of it is offered.
    fn value(&mut self, pair: MappingEntry<'_>, group: usize) -> Result<bool, ScanError> {
        let (tree, node) = (self.tree, pair.node);
        if self.is_rails && is_setting(&pair.name) || pair.key.is_tagged || node.is_tagged || is_merge(pair.key) {
            self.nest.taken.insert(pair.name);
            return Ok(false);
        }
        match &node.kind {
            YamlKind::Map(_) if node.is_anchored => self.group(pair, group, false),
            YamlKind::Map(children) if !children.is_empty() => match forms(tree, pair.value) {
                Some(values) => {
                    self.place(pair, group, values, Some(ARG.to_owned()));
                    Ok(true)
                }
                None if node.is_flow => self.list(pair, group),
                None => self.group(pair, group, true),
            },
            YamlKind::Seq(children) if !children.is_empty() => self.list(pair, group),
            YamlKind::Scalar(..) => match text(node) {
                Some(value) => {
                    let whole = if node.is_anchored { node.at.clone() } else { pair.whole.clone() };
                    self.place(MappingEntry { whole, ..pair }, group, vec![value], None);
                    Ok(!node.is_anchored)
                }
                None => {
                    self.no_text(pair, group);
                    Ok(false)
                }
            },
            YamlKind::Alias => {
                self.nest.taken.insert(pair.name);
                Ok(false)
            }
            _ => {
                self.no_text(pair, group);
                Ok(false)
            }
        }
    }

    /// Notes a value that is no text, and whether one may come in its place.
    fn no_text(&mut self, pair: MappingEntry<'_>, group: usize) {
        let is_empty = match &pair.node.kind {
            YamlKind::Map(children) | YamlKind::Seq(children) => children.is_empty(),
            _ => is_null(pair.node),
        };
        let lines = self.tree.line_start(pair.key.at.start)..pair.whole.end;
        if is_empty && !pair.node.is_anchored && !pair.node.is_string {
            self.nest.vacant.insert(pair.name, (group, ReplacedPart::Lines(lines)));
        } else if is_null(pair.node) {
            self.nest.vacant.insert(pair.name, (group, ReplacedPart::Value(pair.node.at.clone())));
        } else {
            self.nest.taken.insert(pair.name);
        }
    }

    fn place(&mut self, pair: MappingEntry<'_>, group: usize, values: Vec<TextValue>, arg: Option<String>) {
        let MappingEntry { name, key, description, whole, .. } = pair;
        let name_at = key.at.clone();
        self.places.push(Place { name, group, name_at, description, whole, values, arg, list: None });
    }

    /// Reads a mapping that lies in another one. `may_go` says that it goes when nothing is left of it.
    fn group(&mut self, pair: MappingEntry<'_>, parent: usize, may_go: bool) -> Result<bool, ScanError> {
        let tree = self.tree;
        let MappingEntry { name, key, value, node, whole, .. } = pair;
        if name.len() >= LONGEST_KEY {
            let message = format!("the key {} is longer than {LONGEST_KEY} bytes", shown(&name));
            return Err(ScanError::at(key.at.start, message));
        }
        if node.is_flow || !matches!(&node.kind, YamlKind::Map(children) if !children.is_empty()) {
            self.nest.taken.insert(name);
            return Ok(false);
        }
        let column = self.column(node.at.start);
        if let Some(step) = column.checked_sub(self.column(key.at.start)).filter(|step| *step > 0) {
            self.steps = Some(self.steps.map_or(step, |least| least.min(step)));
        }
        let group = self.groups.len();
        let after = whole.end;
        self.groups.push(Group { prefix: [&name, "."].concat(), end: Some(after) });
        self.nest.groups.push(NestedGroup { parent: Some(parent), column, after, ..NestedGroup::default() });
        self.last_end = tree.line_end(key.at.end);
        let is_all = self.map(value, group)?;
        if let Some(level) = self.nest.groups.get_mut(group) {
            level.whole = (is_all && may_go).then_some(whole);
        }
        Ok(true)
    }

    /// The texts of a list, or of a mapping between braces, which come and go together. Nothing of one that others may refer to.
    fn list(&mut self, pair: MappingEntry<'_>, group: usize) -> Result<bool, ScanError> {
        let from = self.places.len();
        let refers = self.items(&pair, pair.value, &pair.name, group)?;
        if refers {
            self.places.truncate(from);
        }
        let is_offered = self.places.len() > from;
        self.nest.lists.insert(pair.whole.start, pair.name.clone());
        self.nest.taken.insert(pair.name);
        Ok(is_offered)
    }

    /// Reads the items of a list. Returns true if something in it may be referred to.
    fn items(&mut self, pair: &MappingEntry<'_>, node: usize, name: &str, group: usize) -> Result<bool, ScanError> {
        let tree = self.tree;
        let Some(own) = tree.node(node) else { return Ok(false) };
        if name.len() > LONGEST_KEY {
            let message = format!("the key {} is longer than {LONGEST_KEY} bytes", shown(name));
            return Err(ScanError::at(own.at.start, message));
        }
        let mut refers = own.is_anchored;
        match &own.kind {
            YamlKind::Seq(children) => {
                for (index, child) in children.iter().enumerate() {
                    refers |= self.items(pair, *child, &format!("{name}.{index}"), group)?;
                }
            }
            YamlKind::Map(_) => {
                if let Some(values) = forms(tree, node).filter(|_| own.is_flow) {
                    self.element(pair, (name, own), group, values, Some(ARG.to_owned()));
                    return Ok(refers);
                }
                let mut keys = Keys::default();
                for (key, value, _) in tree.pairs(node) {
                    let key_name = self.key_of(key, &mut keys)?;
                    refers |= key.is_anchored;
                    refers |= self.items(pair, value, &format!("{name}.{key_name}"), group)?;
                }
            }
            YamlKind::Scalar(..) => {
                if let Some(value) = text(own).filter(|_| !own.is_tagged) {
                    self.element(pair, (name, own), group, vec![value], None);
                }
            }
            YamlKind::Alias => {}
        }
        Ok(refers)
    }

    fn element(
        &mut self,
        pair: &MappingEntry<'_>,
        (name, node): (&str, &Node<'_>),
        group: usize,
        values: Vec<TextValue>,
        arg: Option<String>,
    ) {
        self.places.push(Place {
            name: name.to_owned(),
            group,
            name_at: pair.key.at.clone(),
            description: pair.description.clone(),
            whole: node.at.clone(),
            values,
            arg,
            list: Some(pair.whole.clone()),
        });
    }
}
