//! Tests that hold for several formats, and the tools of all of them.

mod arb;
mod detect;
mod edit;
mod edit_spliced;
mod extend;
mod hostile;
mod i18next;
mod json;
mod laws;
mod lines;
mod members;
mod samples;
mod seeds;
mod syntax;
mod worst;
mod worst_lines;
mod worst_xcstrings;
mod worst_xml;

use std::collections::HashMap;

use l10n_api_types::{Content, FormatId, Plural, PluralCategory};

use super::{Format, LocalizationFile, by_id};

fn format(id: &str) -> &'static dyn Format {
    by_id(id.parse().unwrap())
}

fn parse(id: &str, text: &str) -> LocalizationFile {
    format(id).parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// `line:column: message`.
fn refusal(id: &str, bytes: &[u8]) -> String {
    let error = format(id).parse(bytes).unwrap_err();
    format!("{}:{}: {}", error.line, error.column, error.message)
}

fn contents(document: &LocalizationFile) -> HashMap<String, Content> {
    document.entries.iter().map(|entry| (entry.key.clone(), entry.content.clone())).collect()
}

/// The file, rendered in `language` with the contents that it has.
fn unchanged(id: &str, bytes: &[u8], language: &str) -> Vec<u8> {
    let document = format(id).parse(bytes).unwrap();
    let contents = contents(&document);
    format(id).render(&document, language, &|key| contents.get(key).cloned())
}

/// The file, rendered in `language` with the content that `translated` returns for each key and content.
fn rendered(id: &str, text: &str, language: &str, translated: impl Fn(&str, &Content) -> Option<Content>) -> String {
    let document = parse(id, text);
    let contents = contents(&document);
    let bytes = format(id).render(&document, language, &|key| translated(key, contents.get(key)?));
    String::from_utf8(bytes).unwrap()
}

pub(super) fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

pub(super) fn plural(forms: &[(PluralCategory, &str)]) -> Content {
    let forms = forms.iter().map(|(category, text)| (*category, (*text).to_owned())).collect();
    Content::Plural(Plural { arg: "count".to_owned(), forms })
}

/// `key = text` and `key = {category text, …}`, one per line.
fn listing(document: &LocalizationFile) -> String {
    let line = |entry: &super::Entry| {
        let content = match &entry.content {
            Content::Text(text) => text.clone(),
            Content::Plural(Plural { arg, forms }) => {
                let forms: Vec<_> = forms.iter().map(|(category, text)| format!("{category} {text}")).collect();
                let kind = if entry.ordinal { "ordinal" } else { "plural" };
                format!("{kind} by {arg}: {}", forms.join(" | "))
            }
        };
        let description = entry.description.as_ref().map(|text| format!(" ({text})")).unwrap_or_default();
        format!("{} = {content}{description}", entry.key)
    };
    document.entries.iter().map(line).collect::<Vec<_>>().join("\n")
}
