//! Text and attributes of HTML.

use crate::documents::segment::Quote;

/// Writes a text so that HTML reads it back unchanged.
pub(super) fn text(text: &str, in_markdown: bool, out: &mut String) {
    for (at, character) in text.char_indices() {
        let next = text[at + character.len_utf8()..].chars().next();
        match character {
            // At the end, the next character is not known.
            '<' if next.is_none_or(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?' | '>')) => {
                out.push_str("&lt;");
            }
            '&' if is_reference(next) => out.push_str("&amp;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            _ => in_markdown_too(character, in_markdown, out),
        }
    }
}

/// Writes the value of an attribute, without its quotes unless it had none.
pub(super) fn attribute(text: &str, quote: Quote, in_markdown: bool, out: &mut String) {
    if quote == Quote::None {
        out.push('"');
    }
    for (at, character) in text.char_indices() {
        let next = text[at + character.len_utf8()..].chars().next();
        match character {
            '"' if quote != Quote::Single => out.push_str("&quot;"),
            '\'' if quote == Quote::Single => out.push_str("&#39;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' if is_reference(next) => out.push_str("&amp;"),
            _ => in_markdown_too(character, in_markdown, out),
        }
    }
    if quote == Quote::None {
        out.push('"');
    }
}

/// Returns whether a `&` before `next` may begin a reference; some old ones need no `;`.
fn is_reference(next: Option<char>) -> bool {
    next.is_none_or(|next| next.is_ascii_alphanumeric() || next == '#')
}

/// Braces are expressions in MDX, and `|` ends a cell even in HTML.
fn in_markdown_too(character: char, in_markdown: bool, out: &mut String) {
    match character {
        '{' if in_markdown => out.push_str("&#123;"),
        '}' if in_markdown => out.push_str("&#125;"),
        '|' if in_markdown => out.push_str("&#124;"),
        _ => out.push(character),
    }
}
