//! A published file merged into the one that is there.
//!
//! The file on disk is what stays: its order, indentation, line ends, byte order mark, metadata and the texts that the
//! published file lacks. Only values that differ are replaced, and members that it lacks are added after their nearest
//! predecessor in the published file. A file into which nothing new is written keeps every byte.

mod hand;
mod members;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use l10n_client::api::FormatId;

pub(crate) use self::hand::{is_escaped, spelled};
use self::members::Merge;

const BOM: &str = "\u{feff}";

/// A published file, merged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The file as it is to be.
    pub(crate) bytes: Vec<u8>,
    /// Keys of the texts that it has and the published file lacks, in its order.
    pub(crate) kept: Vec<String>,
}

/// Merges a published file into the one that is there.
///
/// # Errors
///
/// Says why the file that is there cannot be read.
pub(crate) fn merge(own: &[u8], published: &[u8], format: FormatId) -> Result<Merged, String> {
    let text = readable(own)?;
    let is_arb = format == FormatId::Arb;
    // A published file was written by the server; should it not be readable, it is not ours to take apart.
    let Some(published) = readable(published).ok().filter(|text| !text.is_empty()) else {
        return Ok(Merged { bytes: published.to_vec(), kept: Vec::new() });
    };
    if text.is_empty() {
        return Ok(Merged { bytes: published.as_bytes().to_vec(), kept: Vec::new() });
    }
    let (Some(own_root), Some(published_root)) = (object(text)?, object(published)?) else {
        return Err("the file holds no object".to_owned());
    };
    let mut merge = Merge::new(text, &own_root, published, is_arb);
    merge.object(&own_root, &published_root, "");
    let (edits, lost) = merge.done();
    let has: HashSet<String> = leaves(&published_root, is_arb).into_iter().collect();
    let kept = leaves(&own_root, is_arb).into_iter().filter(|key| !has.contains(key) && !lost.contains(key)).collect();
    let mut bytes = own[..own.len() - text.len()].to_vec();
    bytes.extend_from_slice(edited(text, edits).as_bytes());
    Ok(Merged { bytes, kept })
}

/// The keys of a file's texts, in its order.
///
/// # Errors
///
/// Says why the file cannot be read.
pub(crate) fn keys(bytes: &[u8], format: FormatId) -> Result<Vec<String>, String> {
    let text = readable(bytes)?;
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let root = object(text)?.ok_or_else(|| "the file holds no object".to_owned())?;
    Ok(leaves(&root, format == FormatId::Arb))
}

/// The text of a file without its byte order mark; empty where there is nothing but blanks.
fn readable(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())?;
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.trim().is_empty() {
        return Ok("");
    }
    // The parser with places takes more than JSON, and nests as deep as it likes.
    serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| format!("the file is no JSON: {error}"))?;
    Ok(text)
}

fn object(text: &str) -> Result<Option<Object<'_>>, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default())
        .map_err(|error| format!("the file is no JSON: {error}"))?;
    Ok(match parsed.value {
        Some(Value::Object(object)) => Some(object),
        _ => None,
    })
}

/// The keys of all texts, names joined with `.`, as the service names them. In ARB those of the top level alone, without
/// metadata.
fn leaves(root: &Object<'_>, is_arb: bool) -> Vec<String> {
    let mut found = Vec::new();
    for property in &root.properties {
        let name = property.name.as_str();
        if !is_arb {
            collect(&property.value, name.to_owned(), &mut found);
        } else if matches!(property.value, Value::StringLit(_)) && !name.starts_with('@') {
            found.push(name.to_owned());
        }
    }
    let mut seen = HashSet::new();
    found.retain(|key| seen.insert(key.clone()));
    found
}

/// As deep as the file is, which is 128 at most.
fn collect(value: &Value<'_>, key: String, found: &mut Vec<String>) {
    match value {
        Value::StringLit(_) => found.push(key),
        Value::Object(object) => {
            for property in &object.properties {
                collect(&property.value, format!("{key}.{}", property.name.as_str()), found);
            }
        }
        Value::Array(array) => {
            for (index, element) in array.elements.iter().enumerate() {
                collect(element, format!("{key}.{index}"), found);
            }
        }
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => {}
    }
}

/// A text with some of its bytes replaced. Insertions at one place keep their order; an edit of bytes that are replaced
/// already is left out.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len() + 256);
    let mut at = 0;
    for (range, replacement) in edits {
        if range.start < at {
            continue;
        }
        out.push_str(&text[at..range.start]);
        out.push_str(&replacement);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}
