//! The attributes of a tag.

use std::collections::HashSet;
use std::ops::Range;

use super::{Tree, is_blank, is_name};
use crate::files::error::shown;
use crate::files::spliced::ScanError;

/// The places of a name and of a value without its quotes.
pub(super) struct Attribute {
    pub name: Range<usize>,
    pub value: Range<usize>,
}

/// Reads the attributes between the end of a tag's name and the bracket that ends the tag.
pub(super) fn read(tree: &Tree<'_>, from: usize, to: usize) -> Result<Vec<Attribute>, ScanError> {
    let bytes = tree.text.as_bytes().get(..to).unwrap_or_default();
    let past = |mut at: usize, of: &dyn Fn(u8) -> bool| {
        while bytes.get(at).is_some_and(|byte| of(*byte)) {
            at += 1;
        }
        at
    };
    let mut found = Vec::new();
    let mut names = HashSet::new();
    let mut at = from;
    loop {
        let start = past(at, &is_blank);
        if start >= to {
            return Ok(found);
        }
        let name_end = past(start, &|byte| byte != b'=' && !is_blank(byte));
        let name = tree.slice(&(start..name_end));
        if start == at || !is_name(name) {
            return Err(tree.error(start, "an attribute is a blank, a name, `=` and a value in quotes"));
        }
        if !names.insert(name) {
            return Err(tree.error(start, format!("the attribute {} is there twice", shown(name))));
        }
        let equals = past(name_end, &is_blank);
        let quote_at = past(equals + 1, &is_blank);
        let quote = match (bytes.get(equals), bytes.get(quote_at)) {
            (Some(b'='), Some(quote @ (b'"' | b'\''))) => *quote,
            _ => return Err(tree.error(start, format!("the attribute {} has no value in quotes", shown(name)))),
        };
        let end = past(quote_at + 1, &|byte| byte != quote);
        if end >= to {
            return Err(tree.error(quote_at, format!("the value of the attribute {} does not end", shown(name))));
        }
        let value = quote_at + 1..end;
        check_value(tree, &value)?;
        found.push(Attribute { name: start..name_end, value });
        at = end + 1;
    }
}

fn check_value(tree: &Tree<'_>, value: &Range<usize>) -> Result<(), ScanError> {
    let raw = tree.slice(value);
    if let Some(at) = raw.find('<') {
        return Err(tree.error(value.start + at, "`<` in an attribute must be `&lt;`"));
    }
    for (at, _) in raw.match_indices('&') {
        let rest = raw.get(at + 1..).unwrap_or_default();
        let name = rest
            .bytes()
            .position(|byte| byte == b';' || byte == b'&')
            .and_then(|end| rest.get(..end).filter(|_| rest.as_bytes().get(end) == Some(&b';')));
        let checked = match name {
            Some(name) => tree.entities.check(name),
            None => Err("`&` begins no reference: write `&amp;`".to_owned()),
        };
        checked.map_err(|message| tree.error(value.start + at, message))?;
    }
    Ok(())
}
