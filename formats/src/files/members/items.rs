//! The members of a file's object that hold texts.

use super::{CHROME, Fit, Members, Tree};
use crate::files::explained::{MOST_EXPLAINED, PlaceholderHelp, described};
use crate::files::json::JsonKind;

/// A member that holds a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemberItem {
    /// The member of the file's object.
    pub member: usize,
    /// The text: in the member's object, or the member itself.
    pub text: usize,
    /// The text of the description.
    description: Option<usize>,
}

/// The items of a file in its order, without copies of the same name and value.
pub(super) fn items<'t>(format: &'static Members, tree: &'t Tree) -> impl Iterator<Item = MemberItem> + 't {
    let is_copy = |member: usize| tree.nodes.get(member).is_some_and(|node| node.copy_of.is_some());
    tree.children(0).filter(move |member| !is_copy(*member)).filter_map(|member| item(format, tree, member))
}

/// The item of a member of the file's object.
pub(super) fn item(format: &Members, tree: &Tree, member: usize) -> Option<MemberItem> {
    match tree.nodes.get(member)?.kind {
        JsonKind::Text(_) if format.is_flat => Some(MemberItem { member, text: member, description: None }),
        JsonKind::Object => format.objects.iter().find_map(|names| {
            let text = tree.child(member, names.text).filter(|node| is_text(tree, *node))?;
            let description = tree.child(member, names.description).filter(|node| is_text(tree, *node));
            Some(MemberItem { member, text, description })
        }),
        _ => None,
    }
}

/// The member of the file's object in which a text lies, or which it is.
pub(super) fn member_of(tree: &Tree, text: usize) -> usize {
    match tree.nodes.get(text).map_or(0, |node| node.parent) {
        0 => text,
        object => object,
    }
}

/// The description of an item, with what it says of the placeholders that its text has.
pub(super) fn description(format: &Members, tree: &Tree, item: &MemberItem) -> Option<String> {
    let own = item.description.map(|node| tree.text_of(node));
    let object = format.beside.filter(|_| item.text != item.member).and_then(|name| tree.child(item.member, name));
    let text = tree.text_of(item.text).to_ascii_lowercase();
    let placeholders: Vec<(usize, String)> = object
        .into_iter()
        .flat_map(|object| tree.children(object))
        .take(MOST_EXPLAINED)
        .filter_map(|node| Some((node, format!("${}$", tree.nodes.get(node)?.name()))))
        .filter_map(|(node, words)| {
            let at = text.find(&words.to_ascii_lowercase())?;
            // As the text spells it.
            Some((node, tree.text_of(item.text).get(at..at + words.len())?.to_owned()))
        })
        .collect();
    let said = |object: usize, name: &str| tree.child(object, name).map_or("", |node| tree.text_of(node));
    let explained = placeholders.iter().map(|(node, words)| PlaceholderHelp {
        words,
        meaning: said(*node, "content"),
        example: said(*node, "example"),
    });
    described(own, explained)
}

fn is_text(tree: &Tree, node: usize) -> bool {
    tree.nodes.get(node).is_some_and(|node| matches!(node.kind, JsonKind::Text(_)))
}

/// Returns how well the members of a file fit a format.
pub(super) fn fit(format: &'static Members, tree: &Tree) -> Fit {
    if format.objects.is_empty() { texts_fit(tree) } else { objects_fit(format, tree) }
}

/// Every member is an object that has what the format knows and nothing else.
fn objects_fit(format: &'static Members, tree: &Tree) -> Fit {
    let known = |name: &str| {
        format.beside == Some(name)
            || name == "placeholders"
            || format.objects.iter().any(|names| names.text == name || names.description == name)
    };
    let (mut all, mut described, mut besides, mut named) = (0_usize, false, false, true);
    for member in tree.children(0) {
        let Some(item) = item(format, tree, member).filter(|item| item.text != member) else { return Fit::No };
        let names = || tree.children(member).filter_map(|child| tree.nodes.get(child)).map(|node| node.name());
        if !names().all(known) {
            return Fit::No;
        }
        all += 1;
        described |= item.description.is_some();
        besides |= names().any(|name| name == "placeholders");
        let name = tree.nodes.get(member).map_or("", |node| node.name());
        named &= is_chrome_name(name);
    }
    let is_chrome = besides || named;
    let shared = format.objects.iter().any(|names| CHROME.objects.iter().any(|own| own.text == names.text));
    match (all, shared) {
        (0, _) => Fit::No,
        (_, false) => Fit::Signs,
        (_, true) if is_chrome != format.beside.is_some() => Fit::No,
        (_, true) if described || besides => Fit::Signs,
        (_, true) => Fit::Unclear,
    }
}

/// A name that Chrome takes.
pub(super) fn is_chrome_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@'))
}

/// Most names are sentences, and one of them has a `:name` that its text has, too.
fn texts_fit(tree: &Tree) -> Fit {
    let (mut all, mut sentences, mut signs) = (0_usize, 0_usize, false);
    for member in tree.children(0) {
        let Some(node) = tree.nodes.get(member) else { continue };
        let JsonKind::Text(text) = &node.kind else { return Fit::No };
        all += 1;
        sentences += usize::from(node.name().contains(' '));
        signs |= arguments(node.name()).any(|name| text.contains(name));
    }
    if signs && sentences * 2 > all { Fit::Signs } else { Fit::No }
}

/// The `:name`s of a text, with their colons.
fn arguments(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(':').filter_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let begins = text.get(..at)?.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        (begins && rest.starts_with(|c: char| c.is_ascii_lowercase())).then(|| text.get(at..=at + length)).flatten()
    })
}
