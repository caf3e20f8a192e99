//! The resources, one file each.

mod document;
mod glossary;
mod key;
mod language;
mod manifest;
mod project;

use rmcp::ErrorData;
use serde_json::json;

use crate::nearest::unknown;
use crate::resource::Entry;
use crate::uri::{self, Uri};

/// Languages of the project, of which several arguments name one.
pub(crate) const LANGUAGE: &Entry = &Entry::of::<language::Language>();

/// Every resource.
pub(crate) const ALL: &[Entry] = &[
    Entry::of::<project::Project>(),
    Entry::of::<manifest::Manifest>(),
    Entry::of::<glossary::Glossary>(),
    Entry::of::<language::Language>(),
    Entry::of::<key::Key>(),
    Entry::of::<document::Document>(),
];

/// The resource at an address, with its name.
pub(crate) fn find(uri: &str) -> Result<(&'static Entry, String), ErrorData> {
    let parts = Uri::parse(uri).map_err(|problem| {
        let named = (uri.len() <= uri::LONGEST).then(|| json!({ "uri": uri }));
        ErrorData::invalid_params(format!("{problem}; {}", known()), named)
    })?;
    let Some(entry) = ALL.iter().find(|entry| entry.kind == parts.kind) else {
        let kinds: Vec<_> = ALL.iter().map(|entry| entry.kind).collect();
        let message = format!("{}; {}", unknown("kind of resource", parts.kind, &kinds), known());
        return Err(ErrorData::resource_not_found(message, Some(json!({ "uri": uri }))));
    };
    match (entry.each, parts.name) {
        (Some(_), Some(name)) => Ok((entry, name)),
        (None, None) => Ok((entry, String::new())),
        _ => {
            let message = format!("the address of this resource is {}", entry.uri());
            Err(ErrorData::resource_not_found(message, Some(json!({ "uri": uri }))))
        }
    }
}

/// The resource whose addresses have this template.
pub(crate) fn with_template(uri: &str) -> Result<&'static Entry, ErrorData> {
    let named = |entry: &&Entry| entry.each.is_some();
    ALL.iter().filter(named).find(|entry| entry.uri() == uri).ok_or_else(|| {
        let known: Vec<String> = ALL.iter().filter(named).map(Entry::uri).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        ErrorData::invalid_params(unknown("resource template", uri, &known), None)
    })
}

fn known() -> String {
    let known: Vec<String> = ALL.iter().map(Entry::uri).collect();
    format!("resources: {}", known.join(", "))
}
