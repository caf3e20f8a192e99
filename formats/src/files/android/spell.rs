//! Writes a text as aapt2 reads it, in the style of the one that it replaces.

use super::value::{CDATA, EMPTY_ITEM, EMPTY_STRING, QUOTED, TAGS, is_blank, is_style};
use crate::files::xml::{Entities, Escapes, Tree, is_allowed, pieces};

/// The raw text in place of `raw`.
pub(super) fn spelled(text: &str, raw: &str, spelling: u8) -> String {
    let entities = Entities::used_in(raw);
    let escapes = Escapes { greater: raw.contains("&gt;"), quotes: false };
    let tagged = if spelling & TAGS == 0 { None } else { with_tags(text, &entities.with_tags(), escapes, spelling) };
    let body = tagged.unwrap_or_else(|| {
        let escaped = Escape::new(spelling, true).all(text, true);
        match spelling & CDATA {
            0 => entities.encoded(&escaped, escapes),
            _ => escaped.replace("]]>", "]]]]><![CDATA[>"),
        }
    });
    match spelling {
        EMPTY_STRING => format!(">{body}</string>"),
        EMPTY_ITEM => format!(">{body}</item>"),
        _ => body,
    }
}

/// A text whose tags are written as they are; `None` when it has none, or they do not fit together.
fn with_tags(text: &str, entities: &Entities, escapes: Escapes, spelling: u8) -> Option<String> {
    let pieces = pieces(text)?;
    let tags: String = pieces.iter().filter(|piece| piece.is_tag).map(|piece| piece.raw).collect();
    if tags.is_empty() || Tree::parse(&format!("<r>{tags}</r>")).is_err() {
        return None;
    }
    let has_style = pieces.iter().any(|piece| piece.is_tag && is_style(piece.name()));
    // A tag that styles ends what the quotes before the text begin.
    let spelling = if has_style { spelling & !QUOTED } else { spelling };
    let last = pieces.len() - 1;
    let mut escape = Escape::new(spelling, !has_style);
    let mut out = String::with_capacity(text.len() + 16);
    for (at, piece) in pieces.iter().enumerate() {
        if !piece.is_tag {
            out.push_str(&entities.encoded(&escape.all(piece.raw, at == last && !has_style), escapes));
            continue;
        }
        out.push_str(piece.raw);
        if is_style(piece.name()) {
            escape.had_blank = false;
        }
    }
    Some(out)
}

/// The escaping of aapt2.
struct Escape {
    is_quoted: bool,
    /// aapt2 takes the blanks at the edges away.
    trims: bool,
    is_first: bool,
    had_blank: bool,
}

impl Escape {
    fn new(spelling: u8, trims: bool) -> Self {
        Self { is_quoted: spelling & QUOTED != 0, trims, is_first: true, had_blank: trims }
    }

    fn all(&mut self, text: &str, is_last: bool) -> String {
        let mut out = String::with_capacity(text.len() + 8);
        let visible = if is_last && self.trims { text.trim_end_matches(is_blank).len() } else { text.len() };
        for (at, char) in text.char_indices() {
            match char {
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '"' => out.push_str("\\\""),
                '\'' if !self.is_quoted => out.push_str("\\'"),
                '@' | '?' if self.is_first && !self.is_quoted => {
                    out.push('\\');
                    out.push(char);
                }
                ' ' if !self.is_quoted && (self.had_blank || at >= visible) => out.push_str("\\u0020"),
                _ if !is_allowed(char) || char == '\r' => out.push_str(&format!("\\u{:04x}", u32::from(char))),
                _ => out.push(char),
            }
            self.is_first = false;
            self.had_blank = char == ' ' && out.ends_with(' ');
        }
        out
    }
}
