//! Finds the entries of an INI file.

use std::ops::Range;

use super::{BACKTICK, BARE, DOUBLE, QUOTES, SINGLE, TRIPLE};
use crate::files::spliced::{Group, Place, Scan, ScanError, TextValue, described};

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let mut found = Scan { groups: vec![Group { prefix: String::new(), end: Some(0) }], ..Scan::default() };
    let mut at = 0;
    // Comments directly above: where they begin, and where each one's text lies.
    let mut comments: Option<(usize, Vec<Range<usize>>)> = None;
    while at < text.len() {
        let line = line_at(text, at);
        let said = text.get(line.clone()).unwrap_or_default();
        let after = line.end + line_end(text, line.end);
        let bare = said.trim();
        let from = at + (said.len() - said.trim_start().len());
        match bare.chars().next() {
            None => {
                // A comment at the beginning of the file stays above what comes first.
                let is_first = found.places.is_empty() && found.groups.len() == 1 && comments.is_some();
                if let (true, Some(root)) = (is_first, found.groups.first_mut()) {
                    root.end = Some(at);
                }
                comments = None;
                at = after;
            }
            Some('#' | ';') => {
                comments.get_or_insert_with(|| (at, Vec::new())).1.push(from + 1..line.end);
                at = after;
            }
            Some('[') => {
                let name = bare.strip_prefix('[').and_then(|rest| rest.rsplit_once(']'));
                let Some((name, "")) = name.map(|(name, rest)| (name.trim(), rest.trim())) else {
                    return Err(ScanError::at(from, "the name of a section ends with `]`, and nothing follows it"));
                };
                found.groups.push(Group { prefix: format!("{name}."), end: Some(after) });
                comments = None;
                at = after;
            }
            Some(_) => {
                // What begins the file is about the file.
                let comments = comments.take().filter(|(start, _)| *start > 0);
                let start = comments.as_ref().map_or(at, |(start, _)| *start);
                let description =
                    comments.and_then(|(_, lines)| described(lines.iter().filter_map(|range| text.get(range.clone()))));
                let (name, name_at, value) = entry(text, from, line.end)?;
                let end = line_at(text, value.at.end).end;
                at = end + line_end(text, end);
                let group = found.groups.len() - 1;
                if let Some(around) = found.groups.last_mut() {
                    around.end = Some(at);
                    found.places.push(Place {
                        name: format!("{}{name}", around.prefix),
                        group,
                        name_at,
                        description,
                        whole: start..at,
                        values: vec![value],
                        arg: None,
                        list: None,
                    });
                }
            }
        }
    }
    Ok(found)
}

/// From an offset to the end of its line.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.find('\n').unwrap_or(rest.len());
    let line = rest.get(..length).unwrap_or_default();
    // A lone carriage return ends no line.
    let is_wide = length < rest.len() && line.ends_with('\r');
    at..at + length - usize::from(is_wide)
}

/// The length of the line end at an offset.
fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) }
}

/// The name, its place, and the value of the entry that begins at an offset and whose line ends at `end`.
fn entry(text: &str, from: usize, end: usize) -> Result<(String, Range<usize>, TextValue), ScanError> {
    let line = text.get(from..end).unwrap_or_default();
    let quote = ["\"\"\"", "`", "\""].into_iter().find(|quote| line.starts_with(quote));
    let closed = quote.and_then(|quote| {
        let inside = line.strip_prefix(quote)?;
        let (name, rest) = inside.split_once(quote)?;
        let sign = rest.trim_start();
        sign.starts_with(['=', ':']).then(|| (name, line.len() - rest.len(), line.len() - sign.len()))
    });
    let (name, name_end, sign) = match closed {
        Some(found) => found,
        None => {
            let Some(sign) = line.find(['=', ':']) else {
                return Err(ScanError::at(from, "this line is no comment, no `[section]` and no `key = value`"));
            };
            let name = line.get(..sign).unwrap_or_default().trim_end();
            (name, name.len(), sign)
        }
    };
    let value = line.get(sign + 1..).unwrap_or_default();
    let value_from = end - value.trim_start().len();
    Ok((name.to_owned(), from..from + name_end, value_at(text, value_from, end)?))
}

/// The value that begins at an offset and whose line ends at `end`.
fn value_at(text: &str, from: usize, end: usize) -> Result<TextValue, ScanError> {
    let line = text.get(from..end).unwrap_or_default();
    let bare = line.trim_end();
    let value =
        |text: String, spelling: u8, length: usize| TextValue { text, at: from..from + length, spelling, form: None };
    for spelling in [TRIPLE, BACKTICK] {
        let quote = QUOTES.get(usize::from(spelling)).copied().unwrap_or_default();
        let Some(inside) = bare.strip_prefix(quote) else { continue };
        match inside.rfind(quote) {
            Some(length) if length + quote.len() == inside.len() => {
                return Ok(value(inside.get(..length).unwrap_or_default().to_owned(), spelling, bare.len()));
            }
            // It is no quote, but a text that begins with one.
            Some(_) => {}
            None => {
                let inside = text.get(from + quote.len()..).unwrap_or_default();
                let Some(length) = inside.find(quote) else {
                    return Err(ScanError::at(from, format!("the {quote} is not closed")));
                };
                let rest = line_at(text, from + quote.len() + length + quote.len());
                if !text.get(rest.clone()).unwrap_or_default().trim().is_empty() {
                    return Err(ScanError::at(rest.start, format!("nothing may follow the closing {quote}")));
                }
                let said = inside.get(..length).unwrap_or_default().replace("\r\n", "\n");
                return Ok(value(said, spelling, length + 2 * quote.len()));
            }
        }
    }
    for spelling in [DOUBLE, SINGLE] {
        let quote = QUOTES.get(usize::from(spelling)).copied().unwrap_or_default();
        let inside = bare.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        if let Some(inside) = inside.filter(|inside| !inside.contains(quote)) {
            return Ok(value(inside.to_owned(), spelling, bare.len()));
        }
    }
    if bare.ends_with('\\') {
        return Err(ScanError::at(from + bare.len() - 1, "a value that ends with a backslash stands in backticks"));
    }
    Ok(value(bare.to_owned(), BARE, bare.len()))
}
