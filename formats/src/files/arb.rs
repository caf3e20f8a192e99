//! Format `arb`: Application Resource Bundles, as Flutter reads them.
//!
//! - **Input** is JSON as in `json`, one flat object. Strings whose names do not begin with `@` are entries; their
//!   names are keys unchanged, dots included. Plurals and selects are ICU MessageFormat inside the text.
//! - **`@name`** objects are metadata: `description` becomes the entry's, with a line for each placeholder of the
//!   text that has a description or an example. All else stays in the file. **`@@name`** is about the file; `@@locale` is its
//!   language. Other values are kept and not translated.
//! - **Rendering** sets `@@locale`, where the file has one, with underscores (`pt_BR`) as Flutter writes them, or with
//!   hyphens if the file does. Metadata is written into the template alone, the file of the skeleton's own language, as
//!   Flutter's tools ask and do: a rendering is the template when `@@locale` says so or, without `@@locale`, when no
//!   content differs. In the template the metadata of a key that is left out goes with it; other renderings hold texts
//!   and `@@names`.
//! - **Without a skeleton** `@@locale` comes first, and an entry that carries a description gets an `@name` with it. A
//!   plural becomes ICU MessageFormat.

use std::collections::HashMap;

use l10n_api_types::{Content, FormatId};

use super::error::shown;
use super::explained::{MOST_EXPLAINED, PlaceholderHelp, described};
use super::json::{
    Edits, JsonEditor, JsonKind, Leaf, Skeleton, TextNodes, Tree, edit_text, extended_by_texts, fresh, leaves,
};
use super::plural::icu_text;
use super::{
    EditError, Editor, Entry, Fit, Format, Habits, Layout, LocalizationFile, Merged, ParseError, TranslationLookup,
    json,
};
use crate::template::Spelling;

/// Format `arb`.
pub(super) struct Arb;

/// The member that names the file's language.
pub(super) const LOCALE: &str = "@@locale";

/// Returns true if a string is translated: a member of the file itself that is no metadata.
pub(super) fn is_entry(tree: &Tree, node: usize) -> bool {
    tree.nodes.get(node).is_some_and(|node| node.parent == 0 && !node.name().starts_with('@'))
}

impl Format for Arb {
    fn id(&self) -> FormatId {
        FormatId::Arb
    }

    fn name(&self) -> &'static str {
        "ARB (Flutter)"
    }

    fn media_type(&self) -> &'static str {
        json::MEDIA_TYPE
    }

    fn habits(&self) -> Habits {
        Habits { spelling: Spelling::Underscore, anywhere: true, ..Habits::PLAIN }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["arb"]
    }

    fn plurals(&self) -> &'static str {
        "icu"
    }

    fn placeholders(&self) -> &'static str {
        "icu"
    }

    fn fit(&self, _bytes: &[u8]) -> Fit {
        Fit::Plain
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let tree = Tree::parse(bytes)?;
        let (mut metadata, mut language) = (HashMap::new(), None);
        for child in tree.children(0) {
            let Some(node) = tree.nodes.get(child) else {
                continue;
            };
            match (node.name().strip_prefix('@'), &node.kind) {
                (Some("@locale"), JsonKind::Text(text)) => language = Some(text.to_string()),
                (Some("@locale"), _) => {
                    return Err(tree.error_at(child, "`@@locale` must be a string"));
                }
                (Some(name), JsonKind::Object) => {
                    metadata.insert(name, child);
                }
                (Some(name), _) if !name.starts_with('@') => {
                    return Err(tree.error_at(child, format!("{} must be an object", shown(node.name()))));
                }
                _ => {}
            }
        }
        let mut entries = Vec::new();
        let mut places = Vec::new();
        for Leaf { node, key, text } in leaves(&tree, &|node| is_entry(&tree, node))? {
            let description = metadata.get(key.as_str()).and_then(|metadata| description(&tree, *metadata, text));
            entries.push(Entry { description, ..Entry::new(key, Content::Text(text.to_owned())) });
            places.push(TextNodes::Text(node));
        }
        Ok(LocalizationFile {
            entries,
            language,
            warnings: tree.warnings(),
            layout: Layout::Json(Skeleton { tree, places }),
        })
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        let Layout::Json(Skeleton { tree, places }) = &skeleton.layout else { return Vec::new() };
        let mut edits = Edits::of(tree);
        let mut is_template = true;
        let mut left_out = Vec::new();
        for (entry, place) in skeleton.entries.iter().zip(places) {
            let content = translated(&entry.key);
            is_template &= content.as_ref() == Some(&entry.content);
            if content.is_none() {
                left_out.push(entry.key.as_str());
            }
            edit_text(&mut edits, tree, place, content.map(icu_text));
        }
        if let Some(own) = &skeleton.language {
            is_template = same_language(own, language);
        }
        left_out.sort_unstable();
        for child in tree.children(0) {
            let Some(node) = tree.nodes.get(child) else {
                continue;
            };
            match (node.name().strip_prefix('@'), &skeleton.language) {
                (Some("@locale"), Some(own)) if !is_template => {
                    edits.replace(tree, child, spelled_as(own, language));
                }
                (Some(name), _)
                    if !name.starts_with('@') && (!is_template || left_out.binary_search(&name).is_ok()) =>
                {
                    edits.remove(child);
                }
                _ => {}
            }
        }
        edits.write(tree)
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        extended_by_texts(skeleton, added)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        json::merge(own, published, true)
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        json::text_keys(bytes, true)
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        Ok(Box::new(JsonEditor::read(bytes, true)?))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        let mut file = fresh::Object::default();
        file.text(LOCALE, language.replace('-', "_"));
        for entry in entries {
            file.text(&entry.key, icu_text(entry.content.clone()));
            if let Some(description) = &entry.description
                && let Some(metadata) = file.object(&format!("@{}", entry.key))
            {
                metadata.text("description", description.clone());
            }
        }
        file.write()
    }
}

/// The description of a text, with what its metadata say of the placeholders that it has.
fn description(tree: &Tree, metadata: usize, text: &str) -> Option<String> {
    let placeholders = tree.child(metadata, "placeholders");
    let placeholders: Vec<(usize, String)> = placeholders
        .into_iter()
        .flat_map(|object| tree.children(object))
        .take(MOST_EXPLAINED)
        .filter_map(|node| Some((node, tree.nodes.get(node)?.name())))
        .filter(|(_, name)| !name.is_empty() && text.contains(&format!("{{{name}")))
        .map(|(node, name)| (node, format!("{{{name}}}")))
        .collect();
    let said = |object: usize, name: &str| tree.child(object, name).map_or("", |node| tree.text_of(node));
    let explained = placeholders.iter().map(|(node, words)| PlaceholderHelp {
        words,
        meaning: said(*node, "description"),
        example: said(*node, "example"),
    });
    described(Some(said(metadata, "description")), explained)
}

fn same_language(one: &str, other: &str) -> bool {
    one.replace('_', "-").eq_ignore_ascii_case(&other.replace('_', "-"))
}

/// `language` with the separator of `like`, which is the underscore unless it has a hyphen.
fn spelled_as(like: &str, language: &str) -> String {
    if like.contains('-') { language.to_owned() } else { language.replace('-', "_") }
}
