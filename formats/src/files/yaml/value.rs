//! Values of a YAML file: texts, plurals, what is none, and comments.

use std::ops::Range;

use l10n_api_types::PluralCategory;
use saphyr_parser::ScalarStyle;

use super::kinds::is_string;
use super::tree::{Node, Tree, YamlKind};
use super::{BLOCK, DOUBLE, FLOW, PLAIN, SINGLE};
use crate::files::spliced::{InRow, PluralVariant, TextValue};

/// The text of a scalar; `None` for what is no string.
pub(super) fn text(node: &Node<'_>) -> Option<TextValue> {
    let YamlKind::Scalar(text, style) = &node.kind else { return None };
    let spelling = match style {
        ScalarStyle::Plain if text.is_empty() || !(node.is_string || is_string(text)) => return None,
        ScalarStyle::Plain if node.is_flow => FLOW,
        ScalarStyle::Plain => PLAIN,
        ScalarStyle::SingleQuoted => SINGLE,
        ScalarStyle::DoubleQuoted => DOUBLE,
        // Its last lines are blanks, which nobody sees.
        _ if has_blank_end(text) => return None,
        _ => BLOCK,
    };
    Some(TextValue { text: text.as_ref().to_owned(), at: node.at.clone(), spelling, form: None })
}

/// The texts of a plural: a mapping of nothing but categories, with `other`.
pub(super) fn forms(tree: &Tree<'_>, map: usize) -> Option<Vec<TextValue>> {
    let is_flow = tree.node(map)?.is_flow;
    let is_category = |key: &Node<'_>| matches!(&key.kind, YamlKind::Scalar(name, _) if category(name).is_some());
    if !tree.pairs(map).all(|(key, ..)| is_category(key)) {
        return None;
    }
    let pairs: Vec<(&Node<'_>, &Node<'_>)> = tree.pairs(map).map(|(key, _, value)| (key, value)).collect();
    let mut seen = Vec::new();
    let mut values = Vec::new();
    for (at, (key, node)) in pairs.iter().enumerate() {
        let YamlKind::Scalar(name, style) = &key.kind else { return None };
        let category_at = match style {
            ScalarStyle::Plain => key.at.clone(),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => key.at.start + 1..key.at.end - 1,
            ScalarStyle::Literal | ScalarStyle::Folded => return None,
        };
        let category = category(name)?;
        if node.is_anchored || key.is_anchored || node.is_tagged || seen.contains(&category) {
            return None;
        }
        let (whole, in_row) = if is_flow {
            let (whole, in_row) = row(tree, map, &pairs, at, seen.contains(&PluralCategory::Other))?;
            (whole, Some(in_row))
        } else {
            (tree.line_start(key.at.start)..tree.line_end(node.at.end), None)
        };
        seen.push(category);
        let form = Some(PluralVariant { category, category_at, whole, in_row });
        values.push(TextValue { form, ..text(node)? });
    }
    seen.contains(&PluralCategory::Other).then_some(values)
}

fn category(name: &str) -> Option<PluralCategory> {
    PluralCategory::ALL.iter().copied().find(|category| category.as_str() == name)
}

/// A form between braces, and all that goes with it. `other` always stays, so that those before it go with the comma after
/// them, and those after it with the comma before them. `None` where more than commas and blanks stands between forms.
fn row(
    tree: &Tree<'_>,
    map: usize,
    pairs: &[(&Node<'_>, &Node<'_>)],
    at: usize,
    is_after_other: bool,
) -> Option<(Range<usize>, InRow)> {
    let (key, node) = pairs.get(at)?;
    let before = at.checked_sub(1).and_then(|before| pairs.get(before)).map(|(_, node)| node.at.end);
    let next = pairs.get(at + 1).map(|(key, _)| key.at.start);
    let has_properties =
        |from: usize, to: usize| tree.text.get(from..to).is_none_or(|text| text.contains(['?', '&', '!']));
    if has_properties(before.unwrap_or(tree.node(map)?.at.start), key.at.start) {
        return None;
    }
    let bare = key.at.start..node.at.end;
    let is_mark = |text: &&str| text.trim() == ",";
    let first = pairs.first_chunk::<2>().and_then(|[(_, one), (two, _)]| tree.text.get(one.at.end..two.at.start));
    let mark = first.filter(is_mark).unwrap_or(", ").to_owned();
    let whole = match (before, next) {
        (Some(before), _) if is_after_other => before..bare.end,
        (_, Some(next)) => bare.start..next,
        _ => bare.clone(),
    };
    Some((whole, InRow { bare, mark, is_after_mark: is_after_other }))
}

/// Returns true if blanks stand in the lines after the last text.
fn has_blank_end(text: &str) -> bool {
    let end = text.get(text.trim_end().len()..).unwrap_or_default();
    end.split_once('\n').is_some_and(|(_, lines)| lines.contains([' ', '\t']))
}

/// Returns true for a value that is not there.
pub(super) fn is_null(node: &Node<'_>) -> bool {
    let is_word = |text: &str| text.is_empty() || text == "~" || text.eq_ignore_ascii_case("null");
    matches!(&node.kind, YamlKind::Scalar(text, ScalarStyle::Plain) if is_word(text) && !node.is_string)
}

/// Returns true for the key that merges other mappings.
pub(super) fn is_merge(key: &Node<'_>) -> bool {
    matches!(&key.kind, YamlKind::Scalar(text, ScalarStyle::Plain) if text == "<<")
}

/// The text of comment lines. None where nothing is said, or where one of them is an entry that was commented out.
pub(super) fn described(text: &str) -> Option<String> {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches('#'));
    let is_entry = |line: &str| {
        let name = line.trim().split_once(':').filter(|(_, rest)| rest.is_empty() || rest.starts_with(' '));
        name.is_some_and(|(name, _)| {
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c))
        })
    };
    if lines.clone().any(is_entry) {
        return None;
    }
    let text = lines.map(str::trim).collect::<Vec<_>>().join("\n");
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
