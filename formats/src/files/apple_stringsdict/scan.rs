//! Finds the texts of a property list of plurals.

use std::collections::BTreeSet;
use std::ops::Range;

use l10n_api_types::PluralCategory;

use super::{DEVICE, FORMAT, PART, PLURAL, RULE, WIDTH};
use crate::files::error::shown;
use crate::files::spliced::{Place, PluralVariant, Scan, ScanError, TextValue};
use crate::files::xml::{Plain, Tree, described, group_of, lines_of, plain};

/// The root element.
pub(super) const ROOT: &str = "plist";

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let tree = Tree::parse(text)?;
    let root = tree.root();
    let dict = tree.elements(root).next().filter(|node| tree.name(root) == ROOT && tree.name(*node) == "dict");
    let Some(dict) = dict else {
        let offset = tree.nodes.get(root).map_or(0, |node| node.range.start);
        return Err(ScanError::at(offset, "a property list of plurals has `<plist>` and in it `<dict>`"));
    };
    let mut scanner = Scanner { tree: &tree, places: Vec::new(), warnings: Vec::new() };
    for pair in pairs(&tree, dict)? {
        scanner.entry(&pair)?;
    }
    let Scanner { places, warnings, .. } = scanner;
    Ok(Scan { places, groups: vec![group_of(&tree, dict)], warnings, ..Scan::default() })
}

/// A key and its value, by node.
struct DictEntry {
    name: String,
    key: usize,
    value: usize,
    /// The nodes before the key.
    before: [usize; 2],
    has_before: usize,
}

impl DictEntry {
    fn range(&self, tree: &Tree<'_>) -> Range<usize> {
        let start = tree.nodes.get(self.key).map_or(0, |node| node.range.start);
        start..tree.nodes.get(self.value).map_or(start, |node| node.range.end)
    }
}

fn pairs(tree: &Tree<'_>, dict: usize) -> Result<Vec<DictEntry>, ScanError> {
    let mut pairs = Vec::new();
    let mut key: Option<DictEntry> = None;
    let mut last = [0, 0];
    for (count, node) in tree.children(dict).enumerate() {
        let start = tree.nodes.get(node).map_or(0, |node| node.range.start);
        match (tree.name(node), key.take()) {
            ("", waiting) => key = waiting,
            ("key", None) => {
                let Some(Plain { text: name, .. }) = plain(tree, node) else {
                    return Err(ScanError::at(start, "a `<key>` holds text alone"));
                };
                key = Some(DictEntry { name, key: node, value: node, before: last, has_before: count.min(2) });
            }
            (_, Some(pair)) => pairs.push(DictEntry { value: node, ..pair }),
            (_, None) => return Err(ScanError::at(start, "a value of a `<dict>` has no `<key>` before it")),
        }
        last = [last[1], node];
    }
    match key {
        Some(pair) => Err(ScanError::at(pair.range(tree).start, format!("{} has no value", shown(&pair.name)))),
        None => Ok(pairs),
    }
}

/// The place of a name that cannot change by itself, since one entry of the file has several texts.
fn fixed(tree: &Tree<'_>, pair: &DictEntry) -> Range<usize> {
    tree.nodes.get(pair.key).map_or(0..0, |node| node.range.clone())
}

/// A text of an entry that has several, for widths or devices.
struct CaseText {
    name: String,
    key: Range<usize>,
    at: Range<usize>,
    values: Vec<TextValue>,
    arg: Option<String>,
}

/// The variable that is all of a format.
fn alone(format: &str) -> Option<&str> {
    format.strip_prefix("%#@").and_then(|rest| rest.strip_suffix('@'))
}

struct Scanner<'t> {
    tree: &'t Tree<'t>,
    places: Vec<Place>,
    warnings: Vec<String>,
}

impl Scanner<'_> {
    fn entry(&mut self, entry: &DictEntry) -> Result<(), ScanError> {
        let tree = self.tree;
        if tree.name(entry.value) != "dict" {
            return Ok(());
        }
        let inside = pairs(tree, entry.value)?;
        let format = inside.iter().find(|pair| pair.name == FORMAT && tree.name(pair.value) == "string");
        let Some((format, text)) = format.and_then(|pair| Some((pair, plain(tree, pair.value)?))) else {
            return self.cases(entry, &inside);
        };
        let alone = alone(&text.text);
        let mut variables = Vec::new();
        for pair in inside.iter().filter(|pair| tree.name(pair.value) == "dict") {
            match self.variable(pair)? {
                Some(values) => variables.push((pair, values)),
                None => {
                    self.leave(entry, "a plural has rules of plurals and a text for other");
                    return Ok(());
                }
            }
        }
        let (description, whole) = self.surroundings(entry);
        let name_at = tree.inner(entry.key);
        let is_alone =
            variables.len() == 1 && variables.first().is_some_and(|(pair, _)| Some(pair.name.as_str()) == alone);
        let is_one = is_alone || variables.is_empty();
        let list = (!is_one).then(|| whole.clone());
        let place = |name: String, name_at, whole, values, arg| {
            let (description, list) = (description.clone(), list.clone());
            Place { name, group: 0, name_at, description, whole, values, arg, list }
        };
        if is_alone {
            let alone = variables.into_iter().map(|(pair, values)| (values, Some(pair.name.clone())));
            let places =
                alone.map(|(values, arg)| place(entry.name.clone(), name_at.clone(), whole.clone(), values, arg));
            self.places.extend(places);
            return Ok(());
        }
        let part = |pair: &DictEntry| lines_of(tree.text, pair.range(tree));
        let (name_at, whole) = if is_one { (name_at, whole.clone()) } else { (fixed(tree, entry), part(format)) };
        let value = TextValue { text: text.text, at: text.at, spelling: text.spelling, form: None };
        self.places.push(place(entry.name.clone(), name_at, whole, vec![value], None));
        for (pair, values) in variables {
            let name = format!("{}.{}", entry.name, pair.name);
            self.places.push(place(name, fixed(tree, pair), part(pair), values, Some(pair.name.clone())));
        }
        Ok(())
    }

    /// The texts for each width, for each device, or for each width of a device. All of them, or none.
    fn cases(&mut self, entry: &DictEntry, inside: &[DictEntry]) -> Result<(), ScanError> {
        let mut cases = Vec::new();
        if !self.rule(entry.name.clone() + PART, inside, &mut cases)? {
            self.leave(entry, "it has neither a format nor a rule for widths or devices alone");
            return Ok(());
        }
        let (description, whole) = self.surroundings(entry);
        for CaseText { name, key, at, values, arg } in cases {
            let (description, list) = (description.clone(), Some(whole.clone()));
            let at = lines_of(self.tree.text, at);
            self.places.push(Place { name, group: 0, name_at: key, description, whole: at, values, arg, list });
        }
        Ok(())
    }

    /// Finds the texts of the one rule of a dictionary. Returns false if it says something else.
    fn rule(&self, prefix: String, inside: &[DictEntry], cases: &mut Vec<CaseText>) -> Result<bool, ScanError> {
        let tree = self.tree;
        let [rule] = inside else { return Ok(false) };
        let (by, may_nest) = match rule.name.as_str() {
            DEVICE => ("device", true),
            WIDTH => ("width", false),
            _ => return Ok(false),
        };
        let is_dict = |node: usize| tree.name(node) == "dict";
        if !is_dict(rule.value) {
            return Ok(false);
        }
        let found = pairs(tree, rule.value)?;
        for pair in &found {
            let name = format!("{prefix}{by}.{}", pair.name);
            let text = plain(tree, pair.value).filter(|_| tree.name(pair.value) == "string");
            if let Some(text) = text {
                let values = vec![TextValue { text: text.text, at: text.at, spelling: text.spelling, form: None }];
                cases.push(CaseText { name, key: fixed(tree, pair), at: pair.range(tree), values, arg: None });
            } else if may_nest && is_dict(pair.value) {
                let inside = pairs(tree, pair.value)?;
                match self.plural(&inside)? {
                    Some((arg, values)) => {
                        let arg = Some(arg);
                        cases.push(CaseText { name, key: fixed(tree, pair), at: pair.range(tree), values, arg });
                    }
                    // A device has no devices.
                    None if inside.first().is_some_and(|rule| rule.name == WIDTH) => {
                        if !self.rule(name + ".", &inside, cases)? {
                            return Ok(false);
                        }
                    }
                    None => return Ok(false),
                }
            } else {
                return Ok(false);
            }
        }
        Ok(!found.is_empty())
    }

    /// The plural of a dictionary whose format is one variable alone.
    fn plural(&self, inside: &[DictEntry]) -> Result<Option<(String, Vec<TextValue>)>, ScanError> {
        let [format, variable] = inside else { return Ok(None) };
        let text = plain(self.tree, format.value).filter(|_| format.name == FORMAT);
        if text.is_none_or(|text| alone(&text.text) != Some(variable.name.as_str()))
            || self.tree.name(variable.value) != "dict"
        {
            return Ok(None);
        }
        Ok(self.variable(variable)?.map(|values| (variable.name.clone(), values)))
    }

    fn leave(&mut self, entry: &DictEntry, reason: &str) {
        self.warnings.push(format!("{} is left as it is: {reason}", shown(&entry.name)));
    }

    /// The description of an entry, and its lines with it.
    fn surroundings(&self, entry: &DictEntry) -> (Option<String>, Range<usize>) {
        let before = entry.before.get(2 - entry.has_before..).unwrap_or_default();
        let (above, description) = described(self.tree, before, entry.key);
        let range = entry.range(self.tree);
        (description, lines_of(self.tree.text, above.start.min(range.start)..range.end))
    }

    /// The forms of a variable; `None` where its rules are others than those of plurals.
    fn variable(&self, variable: &DictEntry) -> Result<Option<Vec<TextValue>>, ScanError> {
        let tree = self.tree;
        let inside = pairs(tree, variable.value)?;
        let text = |pair: &DictEntry| plain(tree, pair.value).filter(|_| tree.name(pair.value) == "string");
        let is_plural =
            inside.iter().any(|pair| pair.name == RULE && text(pair).is_some_and(|rule| rule.text == PLURAL));
        let mut values = Vec::new();
        let mut seen = BTreeSet::new();
        for pair in &inside {
            let category = PluralCategory::ALL.iter().copied().find(|category| category.as_str() == pair.name);
            let (Some(category), Some(found)) = (category, text(pair)) else { continue };
            let range = pair.range(tree);
            if !seen.insert(category) {
                let message = format!("{} has two texts for {}", shown(&variable.name), category.as_str());
                return Err(ScanError::at(range.start, message));
            }
            let form = PluralVariant {
                category,
                category_at: tree.inner(pair.key),
                whole: lines_of(tree.text, range),
                in_row: None,
            };
            values.push(TextValue { text: found.text, at: found.at, spelling: found.spelling, form: Some(form) });
        }
        Ok((is_plural && seen.contains(&PluralCategory::Other)).then_some(values))
    }
}
