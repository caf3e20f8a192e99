//! Keys that come into a catalogue, and new catalogues.

use std::collections::HashSet;

use l10n_api_types::Content;

use super::catalog::Catalog;
use super::nodes::member;
use super::style::{CatalogStyle, JsonValue};
use super::write::{cases, keep_strings, said_as};
use crate::files::json::{Edits, Tree};
use crate::files::plural::{Needed, Zero};
use crate::files::{Entry, refs};

/// A key that comes into a catalogue, with its text in the language of the source and another one. `None` where its name is not
/// known any more.
pub(super) fn fresh(
    key: &str,
    asked: &Content,
    facts: Vec<(String, JsonValue)>,
    source: &str,
    said: Option<(&str, Content)>,
) -> Option<(String, JsonValue)> {
    let name = refs::name_of(key, true);
    if refs::key_of(&name, true).as_deref() != Ok(key) {
        return None;
    }
    let text = |language: &str, content: Content| match content {
        Content::Text(text) => JsonValue::of("stringUnit", said_as(text)),
        content @ Content::Plural(_) => {
            JsonValue::of("variations", cases(Needed::of(language).complete(content, false, Zero::Category)))
        }
    };
    let mut languages: Vec<(String, JsonValue)> = Vec::new();
    if *asked != Content::Text(name.clone()) {
        languages.push((source.to_owned(), text(source, asked.clone())));
    }
    languages.extend(said.map(|(language, content)| (language.to_owned(), text(language, content))));
    languages.sort_by_key(|(language, _)| language.to_lowercase());
    let mut members = facts;
    if !languages.is_empty() {
        members.push(("localizations".to_owned(), JsonValue::Object(languages)));
    }
    Some((name, JsonValue::Object(members)))
}

/// The description of a key, and a sign for Xcode, which takes keys out that it does not find in the code.
pub(super) fn by_hand(description: Option<&str>) -> Vec<(String, JsonValue)> {
    let comment = description.map(|text| ("comment".to_owned(), JsonValue::Text(text.to_owned())));
    let manual = ("extractionState".to_owned(), JsonValue::Text("manual".to_owned()));
    comment.into_iter().chain([manual]).collect()
}

/// As [`Format::extend`](crate::files::Format::extend).
pub(super) fn extended(catalog: &Catalog, added: &[Entry]) -> Option<Vec<u8>> {
    catalog.strings?;
    let fresh = |entry: &Entry| {
        let facts = by_hand(entry.description.as_deref());
        fresh(&entry.key, &entry.content, facts, &catalog.source_language, None)
    };
    let members: Vec<(String, JsonValue)> = added.iter().map(fresh).collect::<Option<_>>()?;
    let mut edits = Edits::of(&catalog.tree);
    keep_strings(catalog, &mut edits, 0, members);
    Some(edits.write(&catalog.tree))
}

/// As [`Format::render_new`](crate::files::Format::render_new).
pub(super) fn rendered_new(language: &str, entries: &[Entry]) -> Vec<u8> {
    const BLANK: &str = "{\n  \"sourceLanguage\" : \"\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}";
    let Ok(tree) = Tree::parse(BLANK.as_bytes()) else { return Vec::new() };
    let mut seen = HashSet::new();
    let first = entries.iter().filter(|entry| seen.insert(entry.key.as_str()));
    let fresh =
        |entry: &Entry| fresh(&entry.key, &entry.content, by_hand(entry.description.as_deref()), language, None);
    let members = first.filter_map(fresh).collect();
    let (style, mut edits) = (CatalogStyle::of(&tree), Edits::of(&tree));
    if let (Some(name), Some(strings)) = (member(&tree, 0, "sourceLanguage"), member(&tree, 0, "strings")) {
        edits.replace(&tree, name, language.to_owned());
        edits.write_raw(strings, style.written(&JsonValue::Object(members), 1));
    }
    edits.write(&tree)
}
