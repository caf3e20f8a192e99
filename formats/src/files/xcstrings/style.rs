//! Objects in the style of a catalogue: that of Xcode, unless the file shows another one.

use crate::files::json::{FileLayout, Tree};

/// A value that is written.
#[derive(Debug, Clone)]
pub(super) enum JsonValue {
    Text(String),
    /// As it stands in a file.
    Raw(String),
    Object(Vec<(String, JsonValue)>),
}

impl JsonValue {
    /// The object of one member.
    pub(super) fn of(name: &str, value: Self) -> Self {
        Self::Object(vec![(name.to_owned(), value)])
    }
}

/// The depth of a node: 0 for the root.
pub(super) fn depth(tree: &Tree, node: usize) -> usize {
    let (mut depth, mut at) = (0, node);
    while at != 0 {
        at = tree.nodes.get(at).map_or(0, |node| node.parent);
        depth += 1;
    }
    depth
}

/// The style of a file.
pub(super) struct CatalogStyle<'t> {
    tree: &'t Tree,
    layout: FileLayout<'t>,
}

impl<'t> CatalogStyle<'t> {
    pub(super) fn of(tree: &'t Tree) -> Self {
        Self { tree, layout: FileLayout::of(tree) }
    }

    /// A value of a node at a depth.
    pub(super) fn written(&self, value: &JsonValue, depth: usize) -> String {
        let mut out = String::new();
        self.write(value, depth, &mut out);
        out
    }

    /// Recurses as deep as the values are built.
    fn write(&self, value: &JsonValue, depth: usize, out: &mut String) {
        let Self { tree, layout } = self;
        let members = match value {
            JsonValue::Text(text) => return tree.style.write(out, text),
            JsonValue::Raw(raw) => return out.push_str(raw),
            JsonValue::Object(members) => members,
        };
        let line = |out: &mut String, depth: usize| {
            if layout.has_lines {
                out.push_str(layout.newline);
                out.push_str(&layout.unit.repeat(depth));
            }
        };
        out.push('{');
        if members.is_empty() && layout.has_lines {
            out.push_str(layout.newline);
        }
        for (at, (name, value)) in members.iter().enumerate() {
            if at > 0 {
                out.push(',');
                if !layout.has_lines && layout.colon.ends_with(' ') {
                    out.push(' ');
                }
            }
            line(out, depth + 1);
            tree.style.write(out, name);
            out.push_str(layout.colon);
            self.write(value, depth + 1, out);
        }
        line(out, depth);
        out.push('}');
    }
}
