//! Finds the messages of a TS file.

use l10n_api_types::State;

use crate::files::bilingual::{
    ElementText, FormsPlace, LanguagePlace, Scan, TargetText, TextEdit, Texts, TranslationUnit, UnitGroup, escapes_of,
    has_elements, indent_of, line_end, place_of,
};
use crate::files::refs;
use crate::files::spliced::ScanError;
use crate::files::xml::{Escapes, Tree, group_of, lines_of};

/// The root element.
pub(super) const ROOT: &str = "TS";

/// The characters that Qt writes as references.
pub(super) const USUAL: Escapes = Escapes { greater: true, quotes: true };

const LANGUAGE: &str = "language";

/// The key of a message.
pub(super) fn key(context: &str, source: &str, comment: Option<&str>) -> Result<String, &'static str> {
    match (context, comment) {
        ("", None) => refs::key_of(source, true),
        (_, None) => Ok(refs::key_of_texts(&[context, source])),
        (_, Some(comment)) => Ok(refs::key_of_texts(&[context, source, comment])),
    }
}

pub(super) fn scan(tree: &Tree<'_>) -> Result<Scan, ScanError> {
    let root = tree.root();
    let start = |node: usize| tree.nodes.get(node).map_or(0, |found| found.range.start);
    if tree.name(root) != ROOT {
        return Err(ScanError::at(start(root), "a file of Qt Linguist has the root element `<TS>`"));
    }
    let value = tree.attribute(root, LANGUAGE).map(|value| value.into_owned());
    let name_end = start(root) + 1 + ROOT.len();
    let after_version = tree.attribute_place(root, "version").map(|place| place.end + 1);
    let at = tree.attribute_place(root, LANGUAGE).unwrap_or_else(|| {
        let at = after_version.unwrap_or(name_end);
        at..at
    });
    let languages = vec![LanguagePlace { at, value, around: (" language=\"", "\"") }];
    let end = group_of(tree, root).end;
    let escapes = escapes_of(tree, USUAL);
    let mut scan = Scan { languages, end, escapes, ..Scan::default() };
    let texts = Texts::of(tree, &[]);
    let mut direct = None;
    for node in tree.elements(root) {
        match tree.name(node) {
            "context" => {
                let name = tree.elements_named(node, "name").next();
                let context = name.map(|name| texts.read(name, false).text).unwrap_or_default();
                let group = scan.groups.len();
                scan.groups.push(group_place(tree, node, name, context.clone()));
                for message in tree.elements_named(node, "message") {
                    scan.units.extend(unit(tree, &texts, message, (group, &context))?);
                }
            }
            "message" => {
                let group = *direct.get_or_insert_with(|| {
                    let place = group_of(tree, root).end;
                    let after = place.unwrap_or_default();
                    scan.groups.push(UnitGroup { name: String::new(), head: 0..0, tail: 0..0, after, end: place });
                    scan.groups.len() - 1
                });
                scan.units.extend(unit(tree, &texts, node, (group, ""))?);
            }
            _ => {}
        }
    }
    scan.by_id = tree.elements(root).any(|node| tree.name(node) == "message")
        || scan.units.first().is_some_and(|unit| !unit.keys.iter().any(|key| key.contains('\u{2404}')));
    Ok(scan)
}

fn group_place(tree: &Tree<'_>, node: usize, name: Option<usize>, context: String) -> UnitGroup {
    let whole = lines_of(tree.text, tree.nodes.get(node).map_or(0..0, |found| found.range.clone()));
    let inner = tree.inner(node);
    let head_end = name.and_then(|name| tree.nodes.get(name)).map_or(inner.start, |found| found.range.end);
    let end = group_of(tree, node).end;
    let tail = end.unwrap_or(whole.end)..whole.end;
    UnitGroup { name: context, head: whole.start..line_end(tree, head_end), after: whole.end, tail, end }
}

fn unit(
    tree: &Tree<'_>,
    texts: &Texts<'_>,
    node: usize,
    (group, context): (usize, &str),
) -> Result<Option<TranslationUnit>, ScanError> {
    let child = |name: &str| tree.elements(node).find(|child| tree.name(*child) == name);
    let range = tree.nodes.get(node).map_or(0..0, |found| found.range.clone());
    let translation = child("translation");
    let kind = translation.and_then(|translation| tree.attribute(translation, "type"));
    if matches!(kind.as_deref(), Some("vanished" | "obsolete")) {
        return Ok(None);
    }
    let Some(source) = child("source") else {
        if tree.attribute(node, "id").is_some() {
            return Ok(None);
        }
        return Err(ScanError::at(range.start, "this `<message>` has no source"));
    };
    let is_plural = tree.attribute(node, "numerus").is_some_and(|value| value == "yes");
    let forms: Vec<usize> = translation.into_iter().flat_map(|at| tree.elements_named(at, "numerusform")).collect();
    let places: Vec<usize> = if is_plural { forms } else { translation.into_iter().collect() };
    let has_variants = |at: &usize| tree.elements_named(*at, "lengthvariant").next().is_some();
    let is_odd = !is_plural && places.iter().any(|at| tree.elements_named(*at, "numerusform").next().is_some());
    if is_odd || places.iter().any(has_variants) {
        return Ok(None);
    }
    let has_tags = has_elements(tree, source);
    // What the source has no element for could not be written again.
    let is_foreign = !has_tags && places.iter().any(|at| has_elements(tree, *at));
    let read = texts.read(source, has_tags);
    let plain = |name: &str| child(name).map(|at| texts.read(at, false).text).filter(|text| !text.is_empty());
    let comment = plain("comment");
    let id = tree.attribute(node, "id").filter(|id| !id.is_empty());
    let own = match &id {
        Some(id) => refs::key_of(id, true),
        None => key(context, &read.text, comment.as_deref()),
    };
    let own = own.map_err(|problem| ScanError::at(range.start, format!("the key of this text {problem}")))?;
    let mut tags = read.tags;
    let mut says = Vec::with_capacity(places.len());
    for place in &places {
        let ElementText { text, tags: own, at, is_cdata } = texts.read(*place, has_tags);
        tags.extend(own);
        let (at, around) = place_of(tree, *place, at);
        says.push(TargetText { text, at, around, says_blanks: false, is_cdata });
    }
    let indent = indent_of(tree, translation.or(Some(source)));
    if translation.is_none() && !is_plural {
        let end = tree.nodes.get(source).map_or(range.end, |found| found.range.end);
        let around = (format!("{indent}<translation>"), "</translation>".to_owned());
        says.push(TargetText { text: String::new(), at: end..end, around, says_blanks: false, is_cdata: false });
    }
    let forms = is_plural.then(|| {
        let (at, around) = match translation {
            Some(translation) => place_of(tree, translation, tree.inner(translation)),
            None => {
                let end = tree.nodes.get(source).map_or(range.end, |found| found.range.end);
                (end..end, (format!("{indent}<translation>"), "</translation>".to_owned()))
            }
        };
        let step = match indent.as_str() {
            "" => "",
            tabs if tabs.contains('\t') => "\t",
            _ => "    ",
        };
        let form = (format!("{indent}{step}<numerusform>"), "</numerusform>".to_owned());
        FormsPlace { at, around, form, end: indent.clone() }
    });
    let description = [plain("extracomment"), comment.clone()].into_iter().flatten().collect::<Vec<_>>().join("\n");
    let (done, open) = marks(tree, translation, kind.is_some());
    Ok(Some(TranslationUnit {
        keys: vec![own],
        at: range.start,
        group,
        part_of: None,
        whole: lines_of(tree.text, range),
        source: read.text,
        is_plural,
        description: Some(description).filter(|text| !text.is_empty()),
        max_length: None,
        syntax: None,
        has_tags,
        tags,
        says,
        forms,
        state: if kind.is_some() { State::NeedsReview } else { State::Translated },
        is_foreign,
        done,
        open,
        copies: Vec::new(),
    }))
}

/// The changes of the type of a translation: taken out, and brought in.
fn marks(tree: &Tree<'_>, translation: Option<usize>, has_type: bool) -> (Vec<TextEdit>, Vec<TextEdit>) {
    let Some((translation, found)) = translation.and_then(|at| Some((at, tree.nodes.get(at)?))) else {
        return (Vec::new(), Vec::new());
    };
    if !has_type {
        let at = found.range.start + "<translation".len();
        return (Vec::new(), vec![(at..at, " type=\"unfinished\"".to_owned())]);
    }
    let place = tree.whole_attribute(translation, "type");
    (place.into_iter().map(|place| (place, String::new())).collect(), Vec::new())
}
