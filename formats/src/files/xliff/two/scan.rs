//! Finds the segments of a file of XLIFF 2.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use l10n_api_types::State;

use super::super::elements::{Elements, TargetPlace};
use super::super::{SPACE, USUAL, prefix_of, syntax_of};
use super::MAJOR;
use crate::files::bilingual::{ElementText, LanguagePlace, Scan, TextEdit, TranslationUnit, escapes_of, has_elements};
use crate::files::refs;
use crate::files::spliced::ScanError;
use crate::files::xml::{Tree, group_of, lines_of};

/// The most codes that a description explains.
const MOST_CODES: usize = 16;

/// The key of names from the outermost one to the innermost; empty ones are left out.
pub(super) fn key(names: &[&str]) -> Result<String, &'static str> {
    match names.iter().copied().filter(|name| !name.is_empty()).collect::<Vec<_>>().as_slice() {
        [] => Err("is empty"),
        [name] => refs::key_of(name, true),
        names => Ok(refs::key_of_texts(names)),
    }
}

struct File<'t> {
    elements: Elements<'t>,
    tree: &'t Tree<'t>,
    /// Segments say their states.
    has_states: bool,
    /// Sizes are counted in characters.
    counts_characters: bool,
}

/// A unit and what surrounds it.
struct XliffUnit {
    node: usize,
    keeps_blanks: bool,
}

pub(super) fn scan(tree: &Tree<'_>) -> Result<Scan, ScanError> {
    let elements = Elements::of(tree, prefix_of(tree, MAJOR)?, &[]);
    let root = tree.root();
    let is_segment = |node: &usize| elements.is(*node, "segment");
    let has_states = (0..tree.nodes.len()).filter(is_segment).any(|node| tree.attribute(node, "state").is_some());
    let mut file = File { elements, tree, has_states, counts_characters: false };
    let mut scan = Scan { end: group_of(tree, root).end, escapes: escapes_of(tree, USUAL), ..Scan::default() };
    scan.languages.push(file.language(root));
    scan.source_language = tree.attribute(root, "srcLang").map(Cow::into_owned);
    let files: Vec<usize> = file.elements.children(root, "file").collect();
    for node in files {
        let name = tree.attribute(node, "id").unwrap_or_default();
        let head = file.head_end(node);
        let group = scan.groups.len();
        scan.groups.push(file.elements.group(node, (node, head), name.clone().into_owned()));
        let counts = |at| tree.attribute(at, "generalProfile").is_some_and(|value| value == "xliff:codepoints");
        file.counts_characters = tree.elements_named(node, "slr:profiles").any(counts);
        let syntax = syntax_of(&tree.attribute(node, "original").unwrap_or_default());
        let found = file.units(root, node);
        let by_name = file.are_told_apart_by_name(&found);
        for one in &found {
            let first = scan.units.len();
            file.segments(one, group, &mut scan.units)?;
            let unit = file.name(one, by_name)?;
            let mut units = scan.units.iter_mut().skip(first).peekable();
            let mut number = 0;
            while let Some(segment) = units.next() {
                number += 1;
                let is_one = number == 1 && units.peek().is_none();
                let own = segment.keys.pop().unwrap_or_else(|| number.to_string());
                let own = if is_one { "" } else { own.as_str() };
                let keys = [key(&[&unit, own]), key(&[&name, &unit, own])].into_iter().collect::<Result<Vec<_>, _>>();
                let fault = |problem| ScanError::at(segment.at, format!("the name of this text {problem}"));
                segment.keys = keys.map_err(fault)?;
                segment.syntax = syntax;
            }
        }
    }
    scan.by_id = scan.groups.len() < 2;
    Ok(scan)
}

impl File<'_> {
    fn language(&self, root: usize) -> LanguagePlace {
        let value = self.tree.attribute(root, "trgLang").map(Cow::into_owned);
        let at = self.tree.attribute_place(root, "trgLang").unwrap_or_else(|| {
            let after = self.tree.attribute_place(root, "srcLang").map(|place| place.end + 1);
            let at = after.unwrap_or_else(|| self.elements.name_end(root));
            at..at
        });
        LanguagePlace { at, value, around: (" trgLang=\"", "\"") }
    }

    /// The end of what stands in a `<file>` before its units.
    fn head_end(&self, node: usize) -> usize {
        let is_unit = |child: &usize| self.elements.is(*child, "unit") || self.elements.is(*child, "group");
        let before = self.tree.elements(node).take_while(|child| !is_unit(child)).last();
        before.map_or(self.tree.inner(node).start, |last| self.elements.range(last).end)
    }

    /// The units of a `<file>` that are offered, also those in groups.
    fn units(&self, root: usize, node: usize) -> Vec<XliffUnit> {
        let mut found = Vec::new();
        // The elements around: their ends, whether they are translated, and whether their blanks count.
        let mut around = vec![(usize::MAX, true, self.elements.keeps_blanks(root))];
        around.extend(self.level(node, &around));
        let mut at = node + 1;
        while at < self.elements.after(node) {
            while around.pop_if(|(end, ..)| *end <= at).is_some() {}
            if self.elements.is(at, "group") {
                around.extend(self.level(at, &around));
                at += 1;
                continue;
            }
            if self.elements.is(at, "unit")
                && let Some((_, true, keeps_blanks)) = self.level(at, &around)
            {
                found.push(XliffUnit { node: at, keeps_blanks });
            }
            at = self.elements.after(at);
        }
        found
    }

    fn level(&self, node: usize, around: &[(usize, bool, bool)]) -> Option<(usize, bool, bool)> {
        let (_, is_translated, keeps_blanks) = *around.last()?;
        let translate = self.tree.attribute(node, "translate");
        let is_translated = translate.map_or(is_translated, |value| value != "no");
        let space = self.tree.attribute(node, SPACE);
        let keeps_blanks = space.map_or(keeps_blanks, |value| value == "preserve");
        Some((self.elements.after(node), is_translated, keeps_blanks))
    }

    /// Returns true if no two units have one name, or id where they have none.
    fn are_told_apart_by_name(&self, found: &[XliffUnit]) -> bool {
        let mut seen = HashSet::with_capacity(found.len());
        found.iter().all(|one| self.own_name(one, true).is_none_or(|name| seen.insert(name)))
    }

    fn own_name(&self, one: &XliffUnit, by_name: bool) -> Option<Cow<'_, str>> {
        let name = self.tree.attribute(one.node, "name").filter(|name| by_name && !name.is_empty());
        name.or_else(|| self.tree.attribute(one.node, "id"))
    }

    fn name(&self, one: &XliffUnit, by_name: bool) -> Result<String, ScanError> {
        let lacking = || ScanError::at(self.elements.range(one.node).start, "this `<unit>` has no id");
        self.own_name(one, by_name).filter(|name| !name.is_empty()).map(Cow::into_owned).ok_or_else(lacking)
    }

    /// The segments of a unit, each with its own id as its key, if it has one.
    fn segments(&self, one: &XliffUnit, group: usize, units: &mut Vec<TranslationUnit>) -> Result<(), ScanError> {
        let (tree, elements) = (self.tree, &self.elements);
        let range = elements.range(one.node);
        let notes = elements.child(one.node, "notes").map(|notes| elements.notes(notes, "appliesTo"));
        let notes = notes.unwrap_or_default();
        let data = self.data(one.node);
        let max_length = self.max_length(one.node);
        for segment in elements.children(one.node, "segment") {
            let start = elements.range(segment).start;
            let Some(source) = elements.child(segment, "source") else {
                return Err(ScanError::at(start, "this `<segment>` has no source"));
            };
            let target = elements.child(segment, "target");
            let has_tags = has_elements(tree, source);
            let ElementText { text, tags, .. } = elements.texts.read(source, has_tags);
            let keeps_blanks = one.keeps_blanks;
            let place = TargetPlace { target, after: source, like: source, has_tags, keeps_blanks, attributes: "" };
            let (said, own) = elements.said(&place);
            let state = tree.attribute(segment, "state");
            // What the source has no element for could not be written again.
            let is_foreign = !has_tags && target.is_some_and(|target| has_elements(tree, target));
            let state = match state.as_deref() {
                Some("initial") => State::Missing,
                Some("reviewed" | "final") => State::Reviewed,
                _ => State::Translated,
            };
            let (done, open) = self.marks(segment);
            let description = [notes.as_slice(), &self.codes(source, &data)].concat().join("\n");
            units.push(TranslationUnit {
                keys: tree
                    .attribute(segment, "id")
                    .map(Cow::into_owned)
                    .filter(|id| !id.is_empty())
                    .into_iter()
                    .collect(),
                at: start,
                group,
                part_of: tree.attribute(one.node, "id").map(Cow::into_owned),
                whole: lines_of(tree.text, range.clone()),
                source: text,
                is_plural: false,
                description: Some(description).filter(|text| !text.is_empty()),
                max_length,
                syntax: None,
                has_tags,
                tags: [tags, own].concat(),
                says: vec![said],
                forms: None,
                state,
                is_foreign,
                done,
                open,
                copies: Vec::new(),
            });
        }
        Ok(())
    }

    /// The changes of a segment whose translation counts, and of one that has none. A `subState` is about the text before.
    fn marks(&self, segment: usize) -> (Vec<TextEdit>, Vec<TextEdit>) {
        let Some(state) = self.tree.attribute_place(segment, "state") else {
            let at = self.elements.name_end(segment);
            let done = self.has_states.then(|| (at..at, " state=\"translated\"".to_owned()));
            return (done.into_iter().collect(), Vec::new());
        };
        let sub = self.tree.whole_attribute(segment, "subState").map(|place| (place, String::new()));
        let marks = |word: &str| sub.clone().into_iter().chain([(state.clone(), word.to_owned())]).collect();
        (marks("translated"), marks("initial"))
    }

    /// The original codes of a unit, by their ids.
    fn data(&self, unit: usize) -> HashMap<Cow<'_, str>, String> {
        let all = self.elements.child(unit, "originalData").into_iter();
        let all = all.flat_map(|data| self.elements.children(data, "data"));
        all.filter_map(|data| Some((self.tree.attribute(data, "id")?, self.elements.texts.read(data, false).text)))
            .collect()
    }

    /// A line for each code of a text that says what it stands for.
    fn codes(&self, source: usize, data: &HashMap<Cow<'_, str>, String>) -> Vec<String> {
        let line = |node: usize| {
            let value = |name| self.tree.attribute(node, name).map(Cow::into_owned);
            let of_data = |name| data.get(&self.tree.attribute(node, name)?).cloned();
            let said = value("disp").or_else(|| value("equiv")).or_else(|| of_data("dataRef"));
            let said = said.or_else(|| value("dispStart")).or_else(|| of_data("dataRefStart"))?;
            let said = said.trim().to_owned();
            let id = self.tree.attribute(node, "id")?;
            (!said.is_empty()).then(|| format!("<{} id=\"{id}\"> = {said}", self.tree.name(node)))
        };
        (source + 1..self.elements.after(source)).filter_map(line).take(MOST_CODES).collect()
    }

    fn max_length(&self, unit: usize) -> Option<u32> {
        let size = self.tree.attribute(unit, "slr:sizeRestriction").filter(|_| self.counts_characters)?;
        size.rsplit(',').next()?.trim().parse().ok()
    }
}
