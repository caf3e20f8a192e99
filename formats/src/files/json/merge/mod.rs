//! Merges a published file into the existing one.
//!
//! The existing file keeps its order, indentation, line ends, byte order mark, metadata and the texts that the
//! published file lacks. Only values that differ are replaced, and missing members are added after their nearest
//! predecessor in the published file. A file without new content keeps every byte.
//!
//! Of two values of different kinds the published one wins, and the texts that go for it are named. A number, `true`, `false`
//! or `null` wins over nothing: it comes from the source, and no one has translated it.

mod members;
mod spelling;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use self::members::{Merge, each_text_below};
pub(in crate::files) use self::spelling::JsonSpelling;
use super::tree::{NOT_AN_OBJECT, Tree};
use crate::files::Merged;

const BOM: &str = "\u{feff}";

/// Merges a published file of the JSON family into the existing one.
///
/// # Errors
///
/// Returns a message if the existing file cannot be read.
pub(in crate::files) fn merge(own: &[u8], published: &[u8], is_arb: bool) -> Result<Merged, String> {
    let text = readable(own)?;
    // The server wrote the published file. If it is not readable, it is used unchanged.
    let Some(new) = readable(published).ok().filter(|text| !text.is_empty()) else {
        return Ok(Merged::published(published));
    };
    if text.is_empty() {
        return Ok(Merged::published(new.as_bytes()));
    }
    let (own, published) = (tree(own)?, tree(published)?);
    let mut merge = Merge::new(&own, &published, is_arb);
    merge.object(0, 0, "");
    let (edits, gone) = merge.done();
    let has: HashSet<String> = text_names(&published, is_arb).into_iter().collect();
    let lacking = text_names(&own, is_arb).into_iter().filter(|key| !has.contains(key));
    let (lost, kept) = lacking.partition(|key| gone.contains(key));
    Ok(Merged { bytes: edits.write(&own), kept, lost })
}

/// Lists the keys of a file's texts, in file order, also of a file that the service refuses for a key that is there twice.
///
/// # Errors
///
/// Returns a message if the file cannot be read.
pub(in crate::files) fn text_keys(bytes: &[u8], is_arb: bool) -> Result<Vec<String>, String> {
    if readable(bytes)?.is_empty() {
        return Ok(Vec::new());
    }
    Ok(text_names(&tree(bytes)?, is_arb))
}

/// The text of a file without its byte order mark; empty if it contains only blanks.
fn readable(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())?;
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.trim().is_empty() {
        return Ok("");
    }
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map_err(|error| format!("the file is not valid JSON: {error}"))?;
    Ok(text)
}

fn tree(bytes: &[u8]) -> Result<Tree, String> {
    Tree::parse_with_copies(bytes).map_err(|error| match error.message.as_str() {
        NOT_AN_OBJECT => "the file does not contain an object".to_owned(),
        message => format!("the file is not valid JSON: {message}"),
    })
}

/// The keys of all texts, names joined with `.`. In ARB only those of the top level, without metadata.
fn text_names(tree: &Tree, is_arb: bool) -> Vec<String> {
    let mut found = Vec::new();
    each_text_below(tree, 0, String::new(), &mut |node, key, _| {
        let is_entry = !is_arb || (tree.is_member_of_root(node) && !key.starts_with('@'));
        if is_entry {
            found.push(key);
        }
    });
    let mut seen = HashSet::new();
    found.retain(|key| seen.insert(key.clone()));
    found
}
