//! Finds the texts of a resource file.

use crate::files::spliced::{Place, Scan, ScanError, TextValue};
use crate::files::xml::{Tree, described, group_of, plain};

/// The root element.
pub(super) const ROOT: &str = "root";

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let tree = Tree::parse(text)?;
    let root = tree.root();
    if tree.name(root) != ROOT {
        let offset = tree.nodes.get(root).map_or(0, |node| node.range.start);
        return Err(ScanError::at(offset, "a file of .NET resources has the root element `<root>`"));
    }
    let mut places = Vec::new();
    let mut before = Vec::new();
    for node in tree.children(root) {
        if tree.name(node) == "data" {
            places.extend(place(&tree, node, &before)?);
        }
        before.push(node);
    }
    Ok(Scan { places, groups: vec![group_of(&tree, root)], ..Scan::default() })
}

fn place(tree: &Tree<'_>, node: usize, before: &[usize]) -> Result<Option<Place>, ScanError> {
    let (Some(name), Some(name_at)) = (tree.attribute(node, "name"), tree.attribute_place(node, "name")) else {
        let start = tree.nodes.get(node).map_or(0, |node| node.range.start);
        return Err(ScanError::at(start, "this `<data>` has no name"));
    };
    let is_text = tree.attribute(node, "type").is_none() && tree.attribute(node, "mimetype").is_none();
    if !is_text || name.starts_with(">>") {
        return Ok(None);
    }
    let Some(value) = tree.elements_named(node, "value").next().and_then(|value| plain(tree, value)) else {
        return Ok(None);
    };
    let comment = tree.elements_named(node, "comment").next().and_then(|comment| plain(tree, comment));
    let description = comment.map(|comment| comment.text.trim().to_owned()).filter(|text| !text.is_empty());
    let (whole, _) = described(tree, before, node);
    Ok(Some(Place {
        name: name.into_owned(),
        group: 0,
        name_at,
        description,
        whole,
        values: vec![TextValue { text: value.text, at: value.at, spelling: value.spelling, form: None }],
        arg: None,
        list: None,
    }))
}
