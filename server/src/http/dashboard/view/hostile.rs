//! Texts that others wrote: notes of agents, labels, captured texts, bodies of responses. They are shown, never interpreted.
//!
//! Each stands in `<bdi>`, so that its direction does not reach what stands beside it; characters that cannot be seen are
//! named; what is long is cut, with the rest behind "more". Links in it are not clickable.

use maud::{Markup, html};

/// Characters that are shown at once.
const SHOWN: usize = 500;

/// A text of somebody else, on one line.
pub(in crate::http::dashboard) fn quoted(text: &str) -> Markup {
    let (shown, rest) = cut(text);
    html! {
        bdi.quoted { (visible(shown, false)) @if !rest.is_empty() { "…" } }
    }
}

/// A message that may repeat somebody else's words, as a sentence: it begins with a capital letter.
pub(in crate::http::dashboard) fn sentence(text: &str) -> Markup {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) => quoted(&format!("{}{}", first.to_uppercase(), rest.as_str())),
        None => Markup::default(),
    }
}

/// A text of somebody else, with its line ends; what is beyond 500 characters can be opened. `more` is the word for that.
pub(in crate::http::dashboard) fn block(text: &str, more: &str) -> Markup {
    let (shown, rest) = cut(text);
    html! {
        div.quoted.block dir="auto" {
            (visible(shown, true))
            @if !rest.is_empty() {
                details.more { summary { (more) } (visible(rest, true)) }
            }
        }
    }
}

/// A text of somebody else for places that take nothing but text, such as options.
pub(in crate::http::dashboard) fn plain(text: &str) -> String {
    let (shown, rest) = cut(text);
    let shown = shown.chars().map(|character| name(character, false).unwrap_or_else(|| character.to_string()));
    format!("{}{}", shown.collect::<String>(), if rest.is_empty() { "" } else { "…" })
}

/// A sentence that may repeat what somebody typed, at most 500 characters of it.
pub(in crate::http::dashboard) fn shortened(text: &str) -> String {
    let (shown, rest) = cut(text);
    if rest.is_empty() { shown.to_owned() } else { format!("{shown}…") }
}

fn cut(text: &str) -> (&str, &str) {
    text.char_indices().nth(SHOWN).map_or((text, ""), |(at, _)| text.split_at(at))
}

/// The text, with the names of characters that cannot be seen.
fn visible(text: &str, has_lines: bool) -> Markup {
    let mut pieces: Vec<(bool, String)> = Vec::new();
    let mut plain = String::new();
    for character in text.chars() {
        match name(character, has_lines) {
            None => plain.push(character),
            Some(name) => {
                pieces.push((false, std::mem::take(&mut plain)));
                pieces.push((true, name));
            }
        }
    }
    pieces.push((false, plain));
    html! {
        @for (is_named, piece) in &pieces {
            @if *is_named { span.unseen { (piece) } } @else { (piece) }
        }
    }
}

/// The name of a character that cannot be seen, or that would move its neighbours.
fn name(character: char, has_lines: bool) -> Option<String> {
    let code = u32::from(character);
    match character {
        '\n' | '\t' if has_lines => None,
        // Pictures of control characters stand in their order from U+2400 on.
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + code).map(String::from),
        '\u{7f}' => Some("␡".to_owned()),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some(format!("U+{code:04X}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_interpreted_and_what_cannot_be_seen_is_named() {
        let shown = |text: &str| quoted(text).into_string();
        assert_eq!(shown("<b>&\"'"), "<bdi class=\"quoted\">&lt;b&gt;&amp;&quot;'</bdi>");
        assert_eq!(
            shown("a\u{202e}b\n\u{0}"),
            "<bdi class=\"quoted\">a<span class=\"unseen\">U+202E</span>b<span class=\"unseen\">␊</span>\
             <span class=\"unseen\">␀</span></bdi>"
        );
        assert!(shown(&"é".repeat(501)).ends_with("é…</bdi>"));
        let block = block(&format!("{}\nend<", "x".repeat(500)), "more").into_string();
        assert!(block.contains("<details class=\"more\"><summary>more</summary>\nend&lt;</details>"), "{block}");
    }
}
