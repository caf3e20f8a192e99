//! Texts as PHP writes them.

use super::literal;
use super::{DOUBLE, HEREDOC, NOWDOC, SINGLE};

/// A text in a spelling. `raw` is the text that stands there.
pub(super) fn spelled(text: &str, raw: &str, spelling: u8, newline: &str) -> String {
    let has_lines = matches!(spelling, SINGLE | DOUBLE) && raw.contains('\n');
    let is_plain = |c: char| !c.is_control() || (c == '\n' && has_lines);
    match spelling {
        HEREDOC | NOWDOC => lines(text, raw, spelling == NOWDOC, newline).unwrap_or_else(|| double(text, None)),
        DOUBLE => double(text, Some(newline).filter(|_| has_lines)),
        _ if text.chars().all(is_plain) => {
            let text = text.replace('\\', "\\\\").replace('\'', "\\'");
            format!("'{}'", text.replace('\n', newline))
        }
        _ => double(text, Some(newline).filter(|_| has_lines)),
    }
}

fn double(text: &str, newline: Option<&str>) -> String {
    format!("\"{}\"", escaped(text, true, newline))
}

/// A text with escapes. `newline` is the line end where lines end as such.
fn escaped(text: &str, is_quoted: bool, newline: Option<&str>) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = None;
    for (at, c) in text.char_indices() {
        let interpolates = || before == Some('{') || literal::interpolates(text.get(at..).unwrap_or_default());
        match (c, newline) {
            ('\\', _) => out.push_str("\\\\"),
            ('"', _) if is_quoted => out.push_str("\\\""),
            ('$', _) if interpolates() => out.push_str("\\$"),
            ('\n', Some(newline)) => out.push_str(newline),
            ('\n', None) => out.push_str("\\n"),
            ('\t', None) => out.push_str("\\t"),
            ('\t', Some(_)) => out.push('\t'),
            ('\r', _) => out.push_str("\\r"),
            (c, _) if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            (c, _) => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// A text between the lines of the heredoc or nowdoc that stands there. `None` where that cannot say it.
fn lines(text: &str, raw: &str, is_raw: bool, newline: &str) -> Option<String> {
    let label = literal::head(raw)?.label;
    let (rest, last) = raw.rsplit_once('\n')?;
    let head = rest.split('\n').next()?;
    let head = head.strip_suffix('\r').unwrap_or(head);
    let indent = last.get(..last.len() - last.trim_start_matches([' ', '\t']).len())?;
    let is_sayable = |c: char| !c.is_control() || matches!(c, '\n' | '\t') || (!is_raw && c != '\0');
    if !text.chars().all(is_sayable) || text.split('\n').any(|line| literal::closes(line, label).is_some()) {
        return None;
    }
    let mut out = format!("{head}{newline}");
    let said = if is_raw { text.to_owned() } else { escaped(text, false, Some("\n")) };
    for line in said.split('\n') {
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
        out.push_str(newline);
    }
    out.push_str(last);
    Some(out)
}
