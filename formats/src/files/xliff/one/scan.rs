//! Finds the units of a file of XLIFF 1.

use std::borrow::Cow;
use std::collections::HashSet;

use l10n_api_types::State;

use super::super::elements::{Elements, TargetPlace};
use super::super::{USUAL, prefix_of, syntax_of};
use super::MAJOR;
use crate::files::bilingual::{ElementText, LanguagePlace, Scan, TextEdit, TranslationUnit, escapes_of, has_elements};
use crate::files::refs;
use crate::files::spliced::ScanError;
use crate::files::xml::{Tree, group_of, lines_of};

/// Elements whose inside is code of the original file.
const CODES: [&str; 4] = ["ph", "bpt", "ept", "it"];

const LANGUAGE: &str = "target-language";

/// The key of a unit in a `<file>`.
pub(super) fn key(original: &str, id: &str) -> Result<String, &'static str> {
    if original.is_empty() || id.is_empty() { refs::key_of(id, true) } else { Ok(refs::key_of_texts(&[original, id])) }
}

/// The facts about a whole file that its units need.
struct File<'t> {
    elements: Elements<'t>,
    tree: &'t Tree<'t>,
    /// Translations say their states.
    has_states: bool,
}

/// A unit and what surrounds it.
struct XliffUnit {
    node: usize,
    keeps_blanks: bool,
}

pub(super) fn scan(tree: &Tree<'_>) -> Result<Scan, ScanError> {
    let elements = Elements::of(tree, prefix_of(tree, MAJOR)?, &CODES);
    let root = tree.root();
    let is_target = |node: &usize| elements.is(*node, "target");
    let has_states = (0..tree.nodes.len()).filter(is_target).any(|node| tree.attribute(node, "state").is_some());
    let file = File { elements, tree, has_states };
    let elements = &file.elements;
    let mut scan = Scan { end: group_of(tree, root).end, escapes: escapes_of(tree, USUAL), ..Scan::default() };
    let keeps_blanks = elements.keeps_blanks(root);
    for node in elements.children(root, "file") {
        let original = tree.attribute(node, "original").unwrap_or_default();
        scan.languages.push(file.language(node));
        let source_language = || tree.attribute(node, "source-language").map(Cow::into_owned);
        scan.source_language = scan.source_language.or_else(source_language);
        let Some(body) = elements.child(node, "body") else { continue };
        let group = scan.groups.len();
        let from = tree.inner(body).start;
        scan.groups.push(elements.group(node, (body, from), original.clone().into_owned()));
        let found = file.units(body, keeps_blanks || elements.keeps_blanks(node) || elements.keeps_blanks(body));
        let by_resname = file.are_told_apart_by_resname(&found);
        let syntax = syntax_of(&original);
        for one in found {
            let name = file.name(&one, by_resname)?;
            let mut unit = file.unit(&one, group)?;
            let keys = [key("", &name), key(&original, &name)].into_iter().collect::<Result<Vec<_>, _>>();
            unit.keys = keys.map_err(|problem| ScanError::at(unit.at, format!("the id of this unit {problem}")))?;
            unit.syntax = syntax;
            scan.units.push(unit);
        }
    }
    scan.by_id = scan.groups.len() < 2;
    Ok(scan)
}

impl<'t> File<'t> {
    fn language(&self, node: usize) -> LanguagePlace {
        let value = self.tree.attribute(node, LANGUAGE).map(Cow::into_owned);
        let at = self.tree.attribute_place(node, LANGUAGE).unwrap_or_else(|| {
            let after = self.tree.attribute_place(node, "source-language").map(|place| place.end + 1);
            let at = after.unwrap_or_else(|| self.elements.name_end(node));
            at..at
        });
        LanguagePlace { at, value, around: (" target-language=\"", "\"") }
    }

    /// The units of a body that are offered, also those in groups.
    fn units(&self, body: usize, keeps_blanks: bool) -> Vec<XliffUnit> {
        let elements = &self.elements;
        let mut found = Vec::new();
        // The ends of groups around that say that blanks count.
        let mut keeping: Vec<usize> = Vec::new();
        let mut node = body + 1;
        while node < elements.after(body) {
            while keeping.pop_if(|end| *end <= node).is_some() {}
            let is_fixed = || self.tree.attribute(node, "translate").is_some_and(|value| value == "no");
            let keeps_blanks = keeps_blanks || !keeping.is_empty();
            if elements.is(node, "trans-unit") && !is_fixed() && !self.is_header(node) {
                found.push(XliffUnit { node, keeps_blanks: keeps_blanks || elements.keeps_blanks(node) });
            } else if elements.is(node, "group") && !is_fixed() {
                if elements.keeps_blanks(node) {
                    keeping.push(elements.after(node));
                }
                node += 1;
                continue;
            }
            node = elements.after(node);
        }
        found
    }

    /// Returns true for the header of a catalogue of gettext, which is no text.
    fn is_header(&self, node: usize) -> bool {
        self.tree.attribute(node, "restype").is_some_and(|value| value == "x-gettext-domain-header")
    }

    /// Returns true if no two units have one resname, or id where they have none.
    fn are_told_apart_by_resname(&self, found: &[XliffUnit]) -> bool {
        let mut seen = HashSet::with_capacity(found.len());
        found.iter().all(|one| self.own_name(one, true).is_none_or(|name| seen.insert(name)))
    }

    fn own_name(&self, one: &XliffUnit, by_resname: bool) -> Option<Cow<'t, str>> {
        let resname = self.tree.attribute(one.node, "resname").filter(|name| by_resname && !name.is_empty());
        resname.or_else(|| self.tree.attribute(one.node, "id"))
    }

    fn name(&self, one: &XliffUnit, by_resname: bool) -> Result<String, ScanError> {
        let lacking = || ScanError::at(self.elements.range(one.node).start, "this `<trans-unit>` has no id");
        self.own_name(one, by_resname).map(Cow::into_owned).ok_or_else(lacking)
    }

    /// A unit, without its keys.
    fn unit(&self, one: &XliffUnit, group: usize) -> Result<TranslationUnit, ScanError> {
        let (tree, elements, node) = (self.tree, &self.elements, one.node);
        let range = elements.range(node);
        let Some(source) = elements.child(node, "source") else {
            return Err(ScanError::at(range.start, "this `<trans-unit>` has no source"));
        };
        let after = elements.child(node, "seg-source").unwrap_or(source);
        let has_tags = has_elements(tree, after);
        let ElementText { text, tags, .. } = elements.texts.read(after, has_tags);
        let target = elements.child(node, "target");
        let attributes = if self.has_states { " state=\"translated\"" } else { "" };
        let keeps_blanks = one.keeps_blanks;
        let (said, own) =
            elements.said(&TargetPlace { target, after, like: source, has_tags, keeps_blanks, attributes });
        // What the source has no element for could not be written again.
        let is_foreign = !has_tags && target.is_some_and(|target| has_elements(tree, target));
        Ok(TranslationUnit {
            keys: Vec::new(),
            at: range.start,
            group,
            part_of: None,
            whole: lines_of(tree.text, range),
            source: text,
            is_plural: false,
            description: Some(elements.notes(node, "annotates").join("\n")).filter(|text| !text.is_empty()),
            max_length: self.max_length(node),
            syntax: None,
            has_tags,
            tags: [tags, own].concat(),
            says: vec![said],
            forms: None,
            state: self.state(node, target),
            is_foreign,
            done: self.marks(node, target, "translated"),
            open: self.marks(node, target, "new"),
            copies: Vec::new(),
        })
    }

    /// The changes of a unit whose translation is in another state: what was said about the text before, goes.
    fn marks(&self, node: usize, target: Option<usize>, state: &str) -> Vec<TextEdit> {
        let place = target.and_then(|target| self.tree.attribute_place(target, "state"));
        let state = place.map(|place| (place, state.to_owned()));
        let qualifier = target.and_then(|target| self.tree.whole_attribute(target, "state-qualifier"));
        let approved = self.tree.whole_attribute(node, "approved").filter(|_| self.is_approved(node));
        let gone = [approved, qualifier].into_iter().flatten().map(|place| (place, String::new()));
        gone.chain(state).collect()
    }

    /// A doubt counts for more than an approval.
    fn state(&self, node: usize, target: Option<usize>) -> State {
        match target.and_then(|target| self.tree.attribute(target, "state")).as_deref() {
            Some("new") => State::Missing,
            Some(state) if state.starts_with("needs-") => State::NeedsReview,
            Some("final" | "signed-off") => State::Reviewed,
            _ if self.is_approved(node) => State::Reviewed,
            _ => State::Translated,
        }
    }

    fn is_approved(&self, node: usize) -> bool {
        self.tree.attribute(node, "approved").is_some_and(|value| value == "yes")
    }

    /// The most characters of a translation; other units of size are those of screens.
    fn max_length(&self, node: usize) -> Option<u32> {
        let is_characters = self.tree.attribute(node, "size-unit").is_some_and(|unit| unit == "char");
        self.tree.attribute(node, "maxwidth").filter(|_| is_characters)?.parse().ok()
    }
}
