//! Texts and names as YAML writes them.

use super::kinds::can_be_plain;
use super::{BLOCK, DOUBLE, FLOW, PLAIN, SINGLE};

/// A text in a spelling. `raw` is the text that stands there.
pub(super) fn spelled(text: &str, raw: &str, spelling: u8, newline: &str, escapes: bool) -> String {
    match spelling {
        PLAIN | FLOW if can_be_plain(text, spelling == FLOW) => text.to_owned(),
        SINGLE if is_one_printable_line(text) => format!("'{}'", text.replace('\'', "''")),
        BLOCK => block(text, raw, newline).unwrap_or_else(|| double(text, escapes)),
        _ => double(text, escapes && spelling == DOUBLE),
    }
}

/// A key, in the quotes of the one that stands there, or bare.
pub(super) fn key(name: &str, raw: &str) -> String {
    match raw.chars().next() {
        Some('"') => double(name, false),
        Some('\'') if is_one_printable_line(name) => format!("'{}'", name.replace('\'', "''")),
        _ if can_be_plain(name, false) => name.to_owned(),
        _ => double(name, false),
    }
}

fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

fn is_one_printable_line(text: &str) -> bool {
    text.chars().all(is_printable)
}

fn double(text: &str, escapes: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_printable(c) && (c.is_ascii() || !escapes) => out.push(c),
            c => out.push_str(&match u32::from(c) {
                code @ ..=0xff => format!("\\x{code:02X}"),
                code @ ..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            }),
        }
    }
    out.push('"');
    out
}

/// A text in lines, with header and indentation of the one that stands there. `None` where that cannot say it.
fn block(text: &str, raw: &str, newline: &str) -> Option<String> {
    let (head, lines) = raw.split_once('\n')?;
    let head = head.strip_suffix('\r').unwrap_or(head);
    let indicator = head.split([' ', '\t']).next()?;
    let first = lines.lines().find(|line| !line.trim().is_empty())?;
    let indent = first.get(..first.len() - first.trim_start_matches(' ').len())?;
    let content = text.trim_end_matches('\n');
    let ends = text.len() - content.len();
    let is_folded = indicator.starts_with('>');
    let is_plain_line = |line: &str| line.is_empty() || !line.starts_with([' ', '\t']);
    let is_sayable = !indent.is_empty()
        && !indicator.contains(|c: char| c.is_ascii_digit())
        && !content.is_empty()
        && !content.starts_with(['\n', ' ', '\t'])
        && content.chars().all(|c| is_printable(c) || matches!(c, '\n' | '\t'))
        && content.split('\n').all(|line| line.is_empty() || !line.trim().is_empty())
        && (!is_folded || content.split('\n').all(is_plain_line));
    if !is_sayable {
        return None;
    }
    let style = if is_folded { ">" } else { "|" };
    let chomping = match ends {
        0 => "-",
        1 if !indicator.contains('+') => "",
        _ if indicator.contains('+') => "+",
        _ => return None,
    };
    let mut out = format!("{style}{chomping}{}", head.get(indicator.len()..).unwrap_or_default());
    let mut was_text = false;
    for line in content.split('\n') {
        // Between lines of text, a folded text writes one line end more.
        if is_folded && was_text && !line.is_empty() {
            out.push_str(newline);
        }
        was_text = true;
        out.push_str(newline);
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
    }
    (1..ends).for_each(|_| out.push_str(newline));
    Some(out)
}
