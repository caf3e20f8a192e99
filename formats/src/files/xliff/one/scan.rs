//! Finds the units of a file of XLIFF 1.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::super::{SPACE, prefix_of};
use super::MAJOR;
use crate::files::bilingual::{
    Group, LanguagePlace, Said, Scan, Texts, Unit, escapes_of, has_elements, indent_of, line_end, place_of,
};
use crate::files::refs;
use crate::files::spliced::Fault;
use crate::files::xml::{Escapes, Tree, group_of, lines_of};
use crate::text::{Brace, Printf, Syntax};

/// The characters that most tools write as references.
pub(super) const USUAL: Escapes = Escapes { greater: true, quotes: false };

/// Elements whose inside is code of the original file.
const CODES: [&str; 4] = ["ph", "bpt", "ept", "it"];

const LANGUAGE: &str = "target-language";

/// The key of a unit in a `<file>`.
pub(super) fn key(original: &str, id: &str) -> Result<String, &'static str> {
    if original.is_empty() || id.is_empty() { refs::key_of(id, true) } else { Ok(refs::key_of_texts(&[original, id])) }
}

/// The facts about a whole file that its units need.
struct File<'t> {
    tree: &'t Tree<'t>,
    texts: Texts<'t>,
    /// The prefix of its elements.
    prefix: &'t str,
    /// Translations say their states.
    has_states: bool,
}

/// A unit and what surrounds it.
struct Found {
    node: usize,
    keeps_blanks: bool,
}

pub(super) fn scan(tree: &Tree<'_>) -> Result<Scan, Fault> {
    let prefix = prefix_of(tree, MAJOR)?;
    let root = tree.root();
    let is_target = |node: &usize| tree.name(*node).strip_prefix(prefix) == Some("target");
    let has_states = (0..tree.nodes.len()).filter(is_target).any(|node| tree.attribute(node, "state").is_some());
    let file = File { tree, texts: Texts::of(tree, &CODES), prefix, has_states };
    let end = group_of(tree, root).end;
    let mut scan = Scan { end, escapes: escapes_of(tree, USUAL), ..Scan::default() };
    let keeps_blanks = file.keeps_blanks(root);
    for node in file.children(root, "file") {
        let original = tree.attribute(node, "original").unwrap_or_default();
        scan.languages.push(file.language(node));
        let source_language = || tree.attribute(node, "source-language").map(|language| language.into_owned());
        scan.source_language = scan.source_language.or_else(source_language);
        let Some(body) = file.children(node, "body").next() else { continue };
        let group = scan.groups.len();
        scan.groups.push(file.group(node, body, original.clone().into_owned()));
        let found = file.units(body, keeps_blanks || file.keeps_blanks(node) || file.keeps_blanks(body));
        let by_resname = file.are_told_apart_by_resname(&found);
        let syntax = syntax_of(&original);
        for one in found {
            let name = file.name(&one, by_resname)?;
            let mut unit = file.unit(&one, group)?;
            let keys = [key("", &name), key(&original, &name)].into_iter().collect::<Result<Vec<_>, _>>();
            unit.keys = keys.map_err(|problem| Fault::at(unit.at, format!("the id of this unit {problem}")))?;
            unit.syntax = syntax;
            scan.units.push(unit);
        }
    }
    scan.by_id = scan.groups.len() < 2;
    Ok(scan)
}

/// The syntax of the texts of a file with this name, where its extension tells it.
fn syntax_of(original: &str) -> Option<Syntax> {
    match original.rsplit_once('.')?.1 {
        "strings" | "stringsdict" | "xcstrings" | "xib" | "storyboard" => Some(Syntax::Printf(Printf::Objc)),
        "resx" | "resw" => Some(Syntax::Brace(Brace::CSharp)),
        _ => None,
    }
}

impl<'t> File<'t> {
    fn is(&self, node: usize, name: &str) -> bool {
        self.tree.name(node).strip_prefix(self.prefix) == Some(name)
    }

    fn children(&self, node: usize, name: &'t str) -> impl Iterator<Item = usize> + '_ {
        self.tree.elements(node).filter(move |child| self.is(*child, name))
    }

    fn keeps_blanks(&self, node: usize) -> bool {
        self.tree.attribute(node, SPACE).is_some_and(|value| value == "preserve")
    }

    fn start(&self, node: usize) -> usize {
        self.tree.nodes.get(node).map_or(0, |found| found.range.start)
    }

    fn range(&self, node: usize) -> Range<usize> {
        self.tree.nodes.get(node).map_or(0..0, |found| found.range.clone())
    }

    fn language(&self, node: usize) -> LanguagePlace {
        let value = self.tree.attribute(node, LANGUAGE).map(|value| value.into_owned());
        let after = self.tree.attribute_place(node, "source-language").map(|place| place.end + 1);
        let at = self.tree.attribute_place(node, LANGUAGE).unwrap_or_else(|| {
            let at = after.unwrap_or(self.start(node) + 1 + self.tree.name(node).len());
            at..at
        });
        LanguagePlace { at, value, around: (" target-language=\"", "\"") }
    }

    /// A `<file>` with the places before and after its units.
    fn group(&self, node: usize, body: usize, name: String) -> Group {
        let whole = lines_of(self.tree.text, self.range(node));
        let end = group_of(self.tree, body).end;
        let head = whole.start..line_end(self.tree, self.tree.inner(body).start);
        Group { name, head, after: whole.end, tail: end.unwrap_or(whole.end)..whole.end, end }
    }

    /// The units of a body that are offered, also those in groups.
    fn units(&self, body: usize, keeps_blanks: bool) -> Vec<Found> {
        let after = |node: usize| self.tree.nodes.get(node).map_or(usize::MAX, |found| found.after);
        let mut found = Vec::new();
        // The groups around that say that blanks count: their ends.
        let mut keeping: Vec<usize> = Vec::new();
        let mut node = body + 1;
        while node < after(body) {
            while keeping.pop_if(|end| *end <= node).is_some() {}
            let is_fixed = || self.tree.attribute(node, "translate").is_some_and(|value| value == "no");
            let keeps_blanks = keeps_blanks || !keeping.is_empty();
            if self.is(node, "trans-unit") && !is_fixed() && !self.is_header(node) {
                found.push(Found { node, keeps_blanks: keeps_blanks || self.keeps_blanks(node) });
            } else if self.is(node, "group") && !is_fixed() {
                if self.keeps_blanks(node) {
                    keeping.push(after(node));
                }
                node += 1;
                continue;
            }
            node = after(node);
        }
        found
    }

    /// Returns true for the header of a catalogue of gettext, which is no text.
    fn is_header(&self, node: usize) -> bool {
        self.tree.attribute(node, "restype").is_some_and(|value| value == "x-gettext-domain-header")
    }

    /// Returns true if no two units have one resname, or id where they have none.
    fn are_told_apart_by_resname(&self, found: &[Found]) -> bool {
        let mut seen = HashSet::with_capacity(found.len());
        found.iter().all(|one| self.own_name(one, true).is_none_or(|name| seen.insert(name)))
    }

    fn own_name(&self, one: &Found, by_resname: bool) -> Option<Cow<'t, str>> {
        let resname = self.tree.attribute(one.node, "resname").filter(|name| by_resname && !name.is_empty());
        resname.or_else(|| self.tree.attribute(one.node, "id"))
    }

    fn name(&self, one: &Found, by_resname: bool) -> Result<String, Fault> {
        let lacking = || Fault::at(self.start(one.node), "this `<trans-unit>` has no id");
        self.own_name(one, by_resname).map(Cow::into_owned).ok_or_else(lacking)
    }

    /// A unit, without its keys.
    fn unit(&self, one: &Found, group: usize) -> Result<Unit, Fault> {
        let (tree, node) = (self.tree, one.node);
        let range = self.range(node);
        let child = |name| self.children(node, name).next();
        let Some(source) = child("source") else {
            return Err(Fault::at(range.start, "this `<trans-unit>` has no source"));
        };
        let segments = child("seg-source");
        let source_text = segments.unwrap_or(source);
        let has_tags = has_elements(tree, source_text);
        let read = self.texts.read(source_text, has_tags);
        let target = child("target");
        let (said, tags, state) = match target {
            Some(target) => self.said(target, has_tags, one.keeps_blanks),
            None => {
                let end = self.range(source_text).end;
                let indent = indent_of(tree, Some(source));
                let state = if self.has_states { " state=\"translated\"" } else { "" };
                let name = format!("{}target", self.prefix);
                let around = (format!("{indent}<{name}{state}>"), format!("</{name}>"));
                let says_blanks = !one.keeps_blanks;
                (Said { text: String::new(), at: end..end, around, says_blanks, is_cdata: false }, Vec::new(), None)
            }
        };
        // What the source has no element for could not be written again.
        let is_foreign = !has_tags && target.is_some_and(|target| has_elements(tree, target));
        let is_open = |(_, state): &(_, String)| state == "new" || state.starts_with("needs-");
        let mark = |word: &str| state.as_ref().map(|(place, _): &(Range<usize>, _)| (place.clone(), word.to_owned()));
        Ok(Unit {
            keys: Vec::new(),
            at: range.start,
            group,
            whole: lines_of(tree.text, range),
            source: read.text,
            is_plural: false,
            description: self.description(node),
            max_length: self.max_length(node),
            syntax: None,
            has_tags,
            tags: [read.tags, tags].concat(),
            says: vec![said],
            forms: None,
            is_done: !is_foreign && !state.as_ref().is_some_and(is_open),
            done: mark("translated"),
            open: mark("new"),
        })
    }

    /// A translation: its text and place, its tags, and its state with the place of that.
    #[expect(clippy::type_complexity, reason = "the parts of one unit, taken apart at once")]
    fn said(
        &self,
        target: usize,
        has_tags: bool,
        keeps_blanks: bool,
    ) -> (Said, Vec<(String, String)>, Option<(Range<usize>, String)>) {
        let read = self.texts.read(target, has_tags);
        let (at, around) = place_of(self.tree, target, read.at);
        let says_blanks = !keeps_blanks && !around.0.is_empty() && self.tree.attribute(target, SPACE).is_none();
        let said = Said { text: read.text, at, around, says_blanks, is_cdata: read.is_cdata };
        let place = self.tree.attribute_place(target, "state");
        let state = self.tree.attribute(target, "state").map(|state| state.into_owned());
        (said, read.tags, place.zip(state))
    }

    /// The notes about the source.
    fn description(&self, node: usize) -> Option<String> {
        let is_of_target =
            |note: &usize| self.tree.attribute(*note, "annotates").is_some_and(|value| value == "target");
        let notes = self.children(node, "note").filter(|note| !is_of_target(note));
        let texts = notes.map(|note| self.texts.read(note, false).text).filter(|text| !text.trim().is_empty());
        let text = texts.collect::<Vec<_>>().join("\n");
        Some(text).filter(|text| !text.is_empty())
    }

    /// The most characters of a translation; other units of size are those of screens.
    fn max_length(&self, node: usize) -> Option<u32> {
        let is_characters = self.tree.attribute(node, "size-unit").is_some_and(|unit| unit == "char");
        self.tree.attribute(node, "maxwidth").filter(|_| is_characters)?.parse().ok()
    }
}
