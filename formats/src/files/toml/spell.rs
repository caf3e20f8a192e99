//! Texts and names as TOML writes them.

use super::{BASIC, LINES, LITERAL, LITERAL_LINES};

/// A text in a spelling. `raw` is the text that stands there.
pub(super) fn spelled(text: &str, raw: &str, spelling: u8, newline: &str, escapes: bool) -> String {
    let is_plain = |c: char| c == '\t' || !c.is_control();
    match spelling {
        LITERAL if !text.contains('\'') && text.chars().all(is_plain) => format!("'{text}'"),
        LITERAL_LINES
            if !text.contains("'''") && !text.ends_with('\'') && text.chars().all(|c| c == '\n' || is_plain(c)) =>
        {
            format!("'''{}{}'''", first_line_end(text, raw, newline), text.replace('\n', newline))
        }
        LINES | LITERAL_LINES => {
            let begin = first_line_end(text, raw, newline);
            let mut out = format!("\"\"\"{begin}");
            for (at, line) in text.split('\n').enumerate() {
                out.push_str(if at > 0 { newline } else { "" });
                escape(&mut out, line, escapes);
            }
            out.push_str("\"\"\"");
            out
        }
        _ => basic(text, escapes),
    }
}

/// A text in double quotes.
pub(super) fn basic(text: &str, escapes: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    escape(&mut out, text, escapes);
    out.push('"');
    out
}

/// A part of a name, in the quotes of the one that stands there.
pub(super) fn key(name: &str, raw: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if raw.starts_with('\'') {
        return spelled(name, "", LITERAL, "\n", false);
    }
    let is_quoted = raw.starts_with('"') || name.is_empty() || !name.chars().all(is_bare);
    if is_quoted { spelled(name, "", BASIC, "\n", false) } else { name.to_owned() }
}

/// The line end after the quotes, which is none of the text.
fn first_line_end<'n>(text: &str, raw: &str, newline: &'n str) -> &'n str {
    let has_one = raw.get(3..).is_some_and(|rest| rest.starts_with(['\n', '\r']));
    if has_one || text.starts_with('\n') { newline } else { "" }
}

fn escape(out: &mut String, text: &str, escapes: bool) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if !c.is_control() && (c.is_ascii() || !escapes) => out.push(c),
            c => out.push_str(&match u32::from(c) {
                code @ ..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            }),
        }
    }
}
