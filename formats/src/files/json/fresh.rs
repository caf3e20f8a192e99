//! A JSON file of our own making: two spaces, members in the order of their coming, a final newline. Texts inside objects
//! whose names are 0, 1 and so on are a list.

use std::collections::HashMap;
use std::io;

use super::style::Style;

/// Names that are parts of a key, at most; a key with more of them is written as one name.
const DEEPEST: usize = 32;

/// Writes an object of texts whose names differ, one after the other: the bytes that an [`Object`] of them would have.
pub(in crate::files) fn write_flat(
    texts: &mut dyn Iterator<Item = (String, String)>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut line = String::new();
    let mut is_empty = true;
    for (name, text) in texts {
        line.clear();
        line.push_str(if is_empty { "{\n  " } else { ",\n  " });
        Style::default().write(&mut line, &name);
        line.push_str(": ");
        Style::default().write(&mut line, &text);
        out.write_all(line.as_bytes())?;
        is_empty = false;
    }
    out.write_all(if is_empty { b"{}\n" } else { b"\n}\n" })
}

/// An object that grows.
#[derive(Default)]
pub(in crate::files) struct Object {
    members: Vec<(String, Member)>,
    by_name: HashMap<String, usize>,
}

enum Member {
    Text(String),
    Object(Object),
}

impl Object {
    /// Adds a text, unless the name is taken.
    pub(in crate::files) fn text(&mut self, name: &str, text: String) {
        self.insert(name, || Member::Text(text));
    }

    /// Adds a text inside objects named by the parts of `key` between dots.
    ///
    /// A key stays one name where its parts are no names (empty, or with blanks, as in a sentence), where there are
    /// very many, or where `is_text` says that an object would have to stand where a text stands.
    pub(in crate::files) fn nested_text(&mut self, key: &str, text: String, is_text: &dyn Fn(&str) -> bool) {
        let is_name = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
        let clashes = || key.match_indices('.').any(|(at, _)| key.get(..at).is_some_and(is_text));
        if key.split('.').count() > DEEPEST || !key.split('.').all(is_name) || clashes() {
            return self.text(key, text);
        }
        let mut object = self;
        let mut rest = key;
        while let Some((name, inner)) = rest.split_once('.') {
            match object.object(name) {
                Some(next) => object = next,
                None => return,
            }
            rest = inner;
        }
        object.text(rest, text);
    }

    /// Adds an object, unless the name is taken, and gives the object of that name.
    pub(in crate::files) fn object(&mut self, name: &str) -> Option<&mut Self> {
        let at = self.insert(name, || Member::Object(Self::default()));
        match self.members.get_mut(at) {
            Some((_, Member::Object(object))) => Some(object),
            _ => None,
        }
    }

    fn insert(&mut self, name: &str, member: impl FnOnce() -> Member) -> usize {
        if let Some(at) = self.by_name.get(name) {
            return *at;
        }
        let at = self.members.len();
        self.by_name.insert(name.to_owned(), at);
        self.members.push((name.to_owned(), member()));
        at
    }

    /// The file.
    pub(in crate::files) fn write(&self) -> Vec<u8> {
        let mut out = String::new();
        self.write_at(&mut out, 0);
        out.push('\n');
        out.into_bytes()
    }

    fn write_at(&self, out: &mut String, depth: usize) {
        if self.members.is_empty() {
            out.push_str("{}");
            return;
        }
        out.push('{');
        for (at, (name, member)) in self.members.iter().enumerate() {
            out.push_str(if at == 0 { "\n" } else { ",\n" });
            indent(out, depth + 1);
            Style::default().write(out, name);
            out.push_str(": ");
            match member {
                Member::Text(text) => Style::default().write(out, text),
                Member::Object(object) => match object.items() {
                    Some(items) => write_list(out, &items, depth + 1),
                    None => object.write_at(out, depth + 1),
                },
            }
        }
        out.push('\n');
        indent(out, depth);
        out.push('}');
    }

    /// The texts of a list, whose names are their places from 0 on.
    fn items(&self) -> Option<Vec<&str>> {
        let items = self.members.iter().enumerate().map(|(at, (name, member))| match member {
            Member::Text(text) if *name == at.to_string() => Some(text.as_str()),
            _ => None,
        });
        items.collect::<Option<Vec<&str>>>().filter(|items| !items.is_empty())
    }
}

fn write_list(out: &mut String, items: &[&str], depth: usize) {
    for (at, text) in items.iter().enumerate() {
        out.push_str(if at == 0 { "[\n" } else { ",\n" });
        indent(out, depth + 1);
        Style::default().write(out, text);
    }
    out.push('\n');
    indent(out, depth);
    out.push(']');
}

fn indent(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}
