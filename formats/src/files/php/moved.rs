//! Entries of one file as they come into another.

use std::ops::Range;

use super::lex::{Lexer, Token};
use crate::files::spliced::Indent;

/// The lines of an entry at another indentation, with a comma at the end. Lines within texts stay as they are.
pub(super) fn moved(whole: &str, indent: Indent, describes: bool) -> String {
    let mut lexer = Lexer::new(whole, 0);
    let mut texts: Vec<Range<usize>> = Vec::new();
    let (mut first, mut last) = (None, 0..0);
    let mut has_comma = false;
    while let Ok((token, at)) = lexer.next() {
        match token {
            Token::End => break,
            Token::Text(_) if whole.get(at.clone()).is_some_and(|text| text.contains('\n')) => texts.push(at.clone()),
            _ => {}
        }
        has_comma = matches!(token, Token::Comma);
        first.get_or_insert(at.start);
        last = at;
    }
    let line = whole.get(..first.unwrap_or(0)).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let own = whole.get(line..).map_or(0, blanks);
    let mut at = if describes { 0 } else { line };
    let mut out = String::with_capacity(whole.len() + 64);
    for line in whole.get(at..).unwrap_or_default().split_inclusive('\n') {
        let next = texts.partition_point(|text| text.end < at);
        let is_within = texts.get(next).is_some_and(|text| text.start < at);
        let mut skipped = 0;
        if !is_within {
            skipped = blanks(line);
            if !line.trim().is_empty() {
                out.push_str(&indent.at((skipped + indent.column).saturating_sub(own)).to_string());
            }
        }
        let end = at + line.len();
        if !has_comma && (at + skipped..=end).contains(&last.end) {
            out.push_str(whole.get(at + skipped..last.end).unwrap_or_default());
            out.push(',');
            skipped = last.end - at;
            has_comma = true;
        }
        out.push_str(line.get(skipped..).unwrap_or_default());
        at = end;
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}
