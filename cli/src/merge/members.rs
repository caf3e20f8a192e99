//! Compares two objects and collects the changes of one of them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use jsonc_parser::ast::{Array, Object, StringLit, Value};
use jsonc_parser::common::Ranged as _;

use super::style::{JsonStyle, indentation};

/// Changes of a text: a range of bytes, and its replacement.
type Edits = Vec<(Range<usize>, String)>;

/// A merge in progress. It recurses as deep as the files nest, which is 128 at most.
pub(super) struct Merge<'m> {
    text: &'m str,
    published: &'m str,
    is_arb: bool,
    style: JsonStyle,
    /// The texts of the own file by key: a file may write `a.b` as one name or as two.
    own: HashMap<String, &'m StringLit<'m>>,
    edits: Edits,
    /// Keys that could not be kept, because the published file has a value of another kind there.
    lost: HashSet<String>,
}

impl<'m> Merge<'m> {
    pub(super) fn new(text: &'m str, root: &'m Object<'m>, published: &'m str, is_arb: bool) -> Self {
        let mut own = HashMap::new();
        for property in &root.properties {
            texts(&property.value, property.name.as_str().to_owned(), &mut own);
        }
        let style = JsonStyle::of(text, root);
        Self { text, published, is_arb, style, own, edits: Vec::new(), lost: HashSet::new() }
    }

    pub(super) fn done(self) -> (Edits, HashSet<String>) {
        (self.edits, self.lost)
    }

    /// Adds a published object's members to the own one; `path` is their key with a dot, or empty.
    pub(super) fn object(&mut self, own: &Object<'_>, published: &Object<'_>, path: &str) {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, member) in own.properties.iter().enumerate() {
            places.entry(member.name.as_str()).or_default().push(at);
        }
        let indent = own.properties.first().map_or("", |first| indentation(self.text, first)).to_owned();
        // Members to add, each after the member with that number or at the beginning.
        let mut added: Vec<(Option<usize>, String)> = Vec::new();
        let mut anchor = None;
        for member in &published.properties {
            let name = member.name.as_str();
            let key = format!("{path}{name}");
            if let Some(found) = places.get(name) {
                for at in found {
                    // Metadata is the file's own.
                    if !(self.is_arb && name.starts_with('@')) {
                        self.value(&own.properties[*at].value, &member.value, &key);
                    }
                }
                anchor = found.last().copied();
                if let Some(about) = places.get(format!("@{name}").as_str()).filter(|_| self.is_arb) {
                    anchor = anchor.max(about.last().copied());
                }
            } else if let Some(value) = self.lacking(&member.value, &key, &indent) {
                added.push((anchor, self.style.member(name, &value)));
            }
        }
        self.add(own, path, added);
    }

    fn value(&mut self, own: &Value<'_>, published: &Value<'_>, key: &str) {
        match (own, published) {
            (Value::Object(own), Value::Object(published)) => self.object(own, published, &format!("{key}.")),
            (Value::Array(own), Value::Array(published)) => self.array(own, published, key),
            (Value::StringLit(own), Value::StringLit(published)) => self.text(own, &published.value),
            // Values that are not translated stay as they are in the own file.
            (
                Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_),
                Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_),
            ) => {}
            _ => {
                let mut lost = HashMap::new();
                texts(own, key.to_owned(), &mut lost);
                self.lost.extend(lost.into_keys());
                self.replace(own, published);
            }
        }
    }

    fn text(&mut self, own: &StringLit<'_>, published: &str) {
        if own.value != published {
            self.edits.push((own.range.start..own.range.end, self.style.string(published)));
        }
    }

    /// Elements are identified by their index; an own array with fewer elements becomes the published one.
    fn array(&mut self, own: &Array<'_>, published: &Array<'_>, key: &str) {
        if own.elements.len() < published.elements.len() {
            let range = own.range.start..own.range.end;
            let indent = self.line_indent(range.start).to_owned();
            let value = Value::Array(published.clone());
            self.edits.push((range, self.style.value(&value, self.published, &indent)));
            return;
        }
        for (index, (own, published)) in own.elements.iter().zip(&published.elements).enumerate() {
            self.value(own, published, &format!("{key}.{index}"));
        }
    }

    fn replace(&mut self, own: &Value<'_>, published: &Value<'_>) {
        let range = own.range().start..own.range().end;
        let indent = self.line_indent(range.start).to_owned();
        self.edits.push((range, self.style.value(published, self.published, &indent)));
    }

    /// Returns the part of a published value to add. Texts that the own file has under another spelling are not part of
    /// it: they are updated in place. `indent` is that of the member's line.
    fn lacking(&mut self, published: &Value<'_>, key: &str, indent: &str) -> Option<String> {
        let mut all = HashMap::new();
        texts(published, key.to_owned(), &mut all);
        let known: Vec<_> = all.iter().filter_map(|(key, text)| Some((*self.own.get(key)?, *text))).collect();
        if known.is_empty() {
            return Some(self.style.value(published, self.published, indent));
        }
        let complete = known.len() == all.len();
        for (own, text) in known {
            self.text(own, &text.value);
        }
        let Value::Object(object) = published else { return None };
        if complete {
            return None;
        }
        let inner = self.style.deeper(indent);
        let members: Vec<String> = object
            .properties
            .iter()
            .filter_map(|member| {
                let value = self.lacking(&member.value, &format!("{key}.{}", member.name.as_str()), &inner)?;
                Some(self.style.member(member.name.as_str(), &value))
            })
            .collect();
        (!members.is_empty()).then(|| self.style.block('{', '}', &members, indent))
    }

    /// Adds members to an object.
    fn add(&mut self, own: &Object<'_>, path: &str, added: Vec<(Option<usize>, String)>) {
        if added.is_empty() {
            return;
        }
        let Some(first) = own.properties.first() else {
            let members: Vec<String> = added.into_iter().map(|(_, member)| member).collect();
            let indent = if path.is_empty() { "" } else { self.line_indent(own.range.start) }.to_owned();
            self.edits.push((own.range.start..own.range.end, self.style.block('{', '}', &members, &indent)));
            return;
        };
        let text = self.text;
        let head = &text[own.range.start + 1..first.range.start];
        let between = match own.properties.get(1) {
            Some(second) => text[first.range.end..second.range.start].split_once(',').map_or(head, |(_, blank)| blank),
            None if head.contains('\n') => head,
            None => " ",
        };
        for (anchor, member) in added {
            match anchor.and_then(|at| own.properties.get(at)) {
                Some(after) => self.edits.push((after.range.end..after.range.end, format!(",{between}{member}"))),
                None => self.edits.push((first.range.start..first.range.start, format!("{member},{between}"))),
            }
        }
    }

    /// The indentation of the line of a byte.
    fn line_indent(&self, at: usize) -> &'m str {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = &self.text[start..at];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

/// The texts of a value by key.
fn texts<'v>(value: &'v Value<'v>, key: String, found: &mut HashMap<String, &'v StringLit<'v>>) {
    match value {
        Value::StringLit(text) => drop(found.entry(key).or_insert(text)),
        Value::Object(object) => {
            for member in &object.properties {
                texts(&member.value, format!("{key}.{}", member.name.as_str()), found);
            }
        }
        Value::Array(array) => {
            for (index, element) in array.elements.iter().enumerate() {
                texts(element, format!("{key}.{index}"), found);
            }
        }
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => {}
    }
}
