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
use crate::resource::ResourceEntry;
use crate::uri::{self, Uri};

/// Languages of the project, of which several arguments name one.
pub(crate) const LANGUAGE: &ResourceEntry = &ResourceEntry::of::<language::Language>();

/// Every resource.
pub(crate) const ALL: &[ResourceEntry] = &[
    ResourceEntry::of::<project::Project>(),
    ResourceEntry::of::<manifest::Manifest>(),
    ResourceEntry::of::<glossary::Glossary>(),
    ResourceEntry::of::<language::Language>(),
    ResourceEntry::of::<key::Key>(),
    ResourceEntry::of::<document::Document>(),
];

/// The resource at an address, with its name.
pub(crate) fn find(uri: &str) -> Result<(&'static ResourceEntry, String), ErrorData> {
    let parts = Uri::parse(uri).map_err(|problem| {
        let named = (uri.len() <= uri::LONGEST_URI).then(|| json!({ "uri": uri }));
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
pub(crate) fn with_template(uri: &str) -> Result<&'static ResourceEntry, ErrorData> {
    let named = |entry: &&ResourceEntry| entry.each.is_some();
    ALL.iter().filter(named).find(|entry| entry.uri() == uri).ok_or_else(|| {
        let known: Vec<String> = ALL.iter().filter(named).map(ResourceEntry::uri).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        ErrorData::invalid_params(unknown("resource template", uri, &known), None)
    })
}

fn known() -> String {
    let known: Vec<String> = ALL.iter().map(ResourceEntry::uri).collect();
    format!("resources: {}", known.join(", "))
}
