//! Merges a published file into the existing one.
//!
//! The existing file keeps its order, indentation, line ends, byte order mark, metadata and the texts that the
//! published file lacks. Only values that differ are replaced, and missing members are added after their nearest
//! predecessor in the published file. A file without new content keeps every byte.

mod members;
mod style;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use l10n_client::api::FormatId;

use self::members::Merge;

const BOM: &str = "\u{feff}";

/// The result of a merge.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The new content of the file.
    pub(crate) bytes: Vec<u8>,
    /// Keys of texts that the published file lacks, in file order.
    pub(crate) kept: Vec<String>,
}

/// Merges a published file into the existing one.
///
/// # Errors
///
/// Returns a message if the existing file cannot be read.
pub(crate) fn merge(own: &[u8], published: &[u8], format: FormatId) -> Result<Merged, String> {
    let text = readable(own)?;
    let is_arb = format == FormatId::Arb;
    // The server wrote the published file. If it is not readable, it is used unchanged.
    let Some(published) = readable(published).ok().filter(|text| !text.is_empty()) else {
        return Ok(Merged { bytes: published.to_vec(), kept: Vec::new() });
    };
    if text.is_empty() {
        return Ok(Merged { bytes: published.as_bytes().to_vec(), kept: Vec::new() });
    }
    let (Some(own_root), Some(published_root)) = (object(text)?, object(published)?) else {
        return Err("the file does not contain an object".to_owned());
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

/// Lists the keys of a file's texts, in file order.
///
/// # Errors
///
/// Returns a message if the file cannot be read.
pub(crate) fn keys(bytes: &[u8], format: FormatId) -> Result<Vec<String>, String> {
    let text = readable(bytes)?;
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let root = object(text)?.ok_or_else(|| "the file does not contain an object".to_owned())?;
    Ok(leaves(&root, format == FormatId::Arb))
}

/// The text of a file without its byte order mark; empty if it contains only blanks.
fn readable(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())?;
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.trim().is_empty() {
        return Ok("");
    }
    // The parser with positions accepts more than JSON, and has no depth limit.
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map_err(|error| format!("the file is not valid JSON: {error}"))?;
    Ok(text)
}

fn object(text: &str) -> Result<Option<Object<'_>>, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default())
        .map_err(|error| format!("the file is not valid JSON: {error}"))?;
    Ok(match parsed.value {
        Some(Value::Object(object)) => Some(object),
        _ => None,
    })
}

/// The keys of all texts, names joined with `.`, like the service names them. In ARB only those of the top level,
/// without metadata.
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

/// Recurses as deep as the file nests, which is 128 at most.
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

/// Replaces some bytes of a text. Insertions at one place keep their order; an edit inside a replaced range is left
/// out.
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
