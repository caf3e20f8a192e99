//! Finds the texts of a resource file.

use std::collections::BTreeSet;
use std::ops::Range;

use l10n_api_types::PluralCategory;

use super::ARG;
use super::value::{Texts, is_reference};
use crate::files::error::shown;
use crate::files::spliced::{Place, PluralVariant, Scan, ScanError, TextValue};
use crate::files::xml::{Tree, described, group_of, lines_of};

/// The root element.
pub(super) const ROOT: &str = "resources";

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let tree = Tree::parse(text)?;
    let root = tree.root();
    if tree.name(root) != ROOT {
        let offset = tree.nodes.get(root).map_or(0, |node| node.range.start);
        return Err(ScanError::at(offset, "a file of string resources has the root element `<resources>`"));
    }
    let mut scanner = Scanner { texts: Texts::of(&tree), tree: &tree, places: Vec::new(), warnings: Vec::new() };
    let mut before = Vec::new();
    for node in tree.children(root) {
        scanner.resource(node, &before)?;
        before.push(node);
    }
    let Scanner { places, warnings, .. } = scanner;
    Ok(Scan { places, groups: vec![group_of(&tree, root)], warnings, ..Scan::default() })
}

struct Scanner<'t> {
    tree: &'t Tree<'t>,
    texts: Texts<'t>,
    places: Vec<Place>,
    warnings: Vec<String>,
}

/// The parts that the entries of one element share.
struct Resource {
    name: String,
    name_at: Range<usize>,
    description: Option<String>,
    whole: Range<usize>,
}

impl Scanner<'_> {
    fn resource(&mut self, node: usize, before: &[usize]) -> Result<(), ScanError> {
        let tree = self.tree;
        let kind = match tree.name(node) {
            "item" if tree.attribute(node, "type").as_deref() == Some("string") => "string",
            kind @ ("string" | "plurals" | "string-array") => kind,
            _ => return Ok(()),
        };
        let start = tree.nodes.get(node).map_or(0, |node| node.range.start);
        let (Some(name), Some(mut name_at)) = (tree.attribute(node, "name"), tree.attribute_place(node, "name")) else {
            return Err(ScanError::at(start, format!("this `<{kind}>` has no name")));
        };
        if tree.attribute(node, "translatable").as_deref() == Some("false") {
            return Ok(());
        }
        let mut name = name.into_owned();
        if let (Some(product), Some(at)) = (tree.attribute(node, "product"), tree.attribute_place(node, "product")) {
            name = format!("{name}@{product}");
            name_at = name_at.start.min(at.start)..name_at.end.max(at.end);
        }
        let (whole, description) = described(tree, before, node);
        let resource = Resource { name, name_at, description, whole };
        match kind {
            "plurals" => self.plurals(node, resource),
            "string-array" => {
                self.array(node, &resource);
                Ok(())
            }
            _ => {
                if !is_reference(tree, node) {
                    let values = vec![self.texts.read(node, None)];
                    self.place(resource, values, None);
                }
                Ok(())
            }
        }
    }

    fn place(&mut self, resource: Resource, values: Vec<TextValue>, arg: Option<String>) {
        let Resource { name, name_at, description, whole } = resource;
        self.places.push(Place { name, group: 0, name_at, description, whole, values, arg, list: None });
    }

    fn plurals(&mut self, node: usize, resource: Resource) -> Result<(), ScanError> {
        let tree = self.tree;
        let mut seen = BTreeSet::new();
        let mut values = Vec::new();
        let mut refers = false;
        for item in tree.elements_named(node, "item") {
            let range = tree.nodes.get(item).map_or(0..0, |node| node.range.clone());
            let quantity = tree.attribute(item, "quantity");
            let category =
                PluralCategory::ALL.iter().copied().find(|category| Some(category.as_str()) == quantity.as_deref());
            let (Some(category), Some(category_at)) = (category, tree.attribute_place(item, "quantity")) else {
                let message = "a `<plurals>` has items with `quantity` zero, one, two, few, many or other";
                return Err(ScanError::at(range.start, message));
            };
            if !seen.insert(category) {
                let message = format!("{} has two items for {}", shown(&resource.name), category.as_str());
                return Err(ScanError::at(range.start, message));
            }
            refers |= is_reference(tree, item);
            let whole = lines_of(tree.text, range);
            values.push(self.texts.read(item, Some(PluralVariant { category, category_at, whole, in_row: None })));
        }
        if !seen.contains(&PluralCategory::Other) && !seen.is_empty() {
            let name = shown(&resource.name);
            self.warnings.push(format!("{name} is left as it is: a `<plurals>` needs an item for other"));
        } else if !refers && !seen.is_empty() {
            self.place(resource, values, Some(ARG.to_owned()));
        }
        Ok(())
    }

    fn array(&mut self, node: usize, resource: &Resource) {
        let tree = self.tree;
        for (index, item) in tree.elements_named(node, "item").enumerate() {
            if is_reference(tree, item) {
                continue;
            }
            let range = tree.nodes.get(item).map_or(0..0, |node| node.range.clone());
            self.places.push(Place {
                name: format!("{}[{index}]", resource.name),
                group: 0,
                name_at: resource.name_at.clone(),
                description: resource.description.clone(),
                whole: lines_of(tree.text, range),
                values: vec![self.texts.read(item, None)],
                arg: None,
                list: Some(resource.whole.clone()),
            });
        }
    }
}
