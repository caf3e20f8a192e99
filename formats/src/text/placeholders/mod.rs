//! The parts of a text that a translation must carry over unchanged.

mod printf;
mod syntaxes;

use std::ops::Range;

pub(super) use self::syntaxes::placeable;
use super::syntax::Syntax;

/// The kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SpanKind {
    /// `{name}`, `{n, number}` of ICU and many others, `{ $name }` of Fluent.
    Argument,
    /// `{{name}}`, `{{- name}}`, `{{n, number}}` of i18next.
    DoubleBrace,
    /// `%s`, `%1$s`, `%@`, `%lld`, `%{name}`, `%(name)s`, `%%`.
    Percent,
    /// `${name}`.
    Dollar,
    /// `$NAME$` and `$1` of Chrome and `:name` of Laravel, in any case.
    Named,
    /// A reference to another key: `$t(key)` of i18next, `@:key` of vue-i18n, `[%key:a::b%]`.
    Nesting,
    /// `<b>`, `</b>`, `<br/>`, `<1>`.
    Tag,
    /// `&nbsp;`, `&#8230;`.
    Entity,
    /// `\n`, `\u00a0`, written out: a format of its own inside the text.
    Escape,
    /// `https://…`: no argument, but nothing to translate either.
    Url,
    /// `#` of an ICU plural, parts that ICU quotes, and what else a syntax asks for: `|` between forms, `{{` for a brace.
    Syntax,
}

/// A part and where it is, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its kind.
    pub kind: SpanKind,
    /// Its bytes.
    pub range: Range<usize>,
}

/// Longest tag or argument, in bytes; anything longer is text.
const LONGEST: usize = 512;

/// All parts of a text of this syntax, in order, none within another. Takes linear time on any input.
#[must_use]
pub fn scan(text: &str, syntax: Syntax) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some((kind, length)) = part(rest, &text[..at], syntax) {
            spans.push(Span { kind, range: at..at + length });
            at += length;
        } else {
            at += 1 + rest.bytes().skip(1).position(begins_part).unwrap_or(rest.len() - 1);
        }
    }
    spans
}

/// The placeholders within a tag or an address, in order. `%20` and other bytes of an address are none.
#[must_use]
pub fn scan_inside(text: &str, syntax: Syntax) -> Vec<Span> {
    let is_placeholder = |kind| {
        use SpanKind::{Argument, Dollar, DoubleBrace, Named, Percent};
        matches!(kind, Argument | DoubleBrace | Percent | Dollar | Named)
    };
    let is_byte = |rest: &str| {
        let digits = rest.strip_prefix('%').and_then(|rest| rest.as_bytes().get(..2));
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let mut spans = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let found = if is_byte(rest) { None } else { syntaxes::part(rest, &text[..at], syntax) };
        match found {
            Some((kind, length)) => {
                if is_placeholder(kind) {
                    spans.push(Span { kind, range: at..at + length });
                }
                at += length;
            }
            None => at += 1 + rest.bytes().skip(1).position(begins_part).unwrap_or(rest.len() - 1),
        }
    }
    spans
}

/// Returns whether a part may begin with this byte. No such byte is within a character of several bytes.
const fn begins_part(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b'<' | b'%' | b'$' | b':' | b'[' | b'\\' | b'&' | b'h' | b'm' | b'\'' | b'|' | b'@')
}

/// The part that `rest` begins with, and its length.
fn part(rest: &str, before: &str, syntax: Syntax) -> Option<(SpanKind, usize)> {
    match rest.as_bytes().first()? {
        b'<' => tag(rest).map(|length| (SpanKind::Tag, length)),
        b'\\' => escape(rest).map(|length| (SpanKind::Escape, length)),
        b'&' => entity(rest).map(|length| (SpanKind::Entity, length)),
        b'h' | b'm' => url(rest, before).map(|length| (SpanKind::Url, length)),
        _ => syntaxes::part(rest, before, syntax),
    }
}

/// Position of `end` in the first [`LONGEST`] bytes, with none of `stops` before it. The stops keep a text of nothing but
/// openings from being searched again at each of them.
fn find(rest: &str, end: u8, stops: &[u8]) -> Option<usize> {
    let at = rest.bytes().take(LONGEST).position(|byte| byte == end || stops.contains(&byte))?;
    (rest.as_bytes()[at] == end).then_some(at)
}

fn double_brace(rest: &str) -> Option<(SpanKind, usize)> {
    let inside = rest.strip_prefix("{{")?;
    let end = find(inside, b'}', b"{\n")?;
    inside[end..].starts_with("}}").then_some((SpanKind::DoubleBrace, end + 4))
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'$' | b'@')
}

/// `{name}`, `{name, type style}` or `{0:N2}` without braces inside; its length.
pub(super) fn argument(rest: &str) -> Option<usize> {
    argument_with(rest, is_plain_name)
}

/// As [`argument`], with names that pass.
fn argument_with(rest: &str, passes: impl Fn(&str) -> bool) -> Option<usize> {
    let inside = rest.strip_prefix('{')?;
    let end = find(inside, b'}', b"{")?;
    let name_end = inside[..end].find([',', ':', '!']).unwrap_or(end);
    let (name, format) = (inside[..name_end].trim(), &inside[name_end..end]);
    // `{note: see below}` is prose.
    let prose = format.starts_with([':', '!']) && format.contains(char::is_whitespace);
    (passes(name) && !prose).then_some(end + 2)
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c.is_ascii() && is_name(c as u8))
}

/// A plain name, which may be followed by indexes: `items[0].name`.
fn is_indexed_name(name: &str) -> bool {
    let (first, mut rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    while let Some(inside) = rest.strip_prefix('[') {
        let Some((index, after)) = inside.split_once(']').filter(|(index, _)| !index.is_empty()) else { return false };
        let next = after.find('[').unwrap_or(after.len());
        if index.contains('[') || !(after[..next].is_empty() || is_plain_name(&after[..next])) {
            return false;
        }
        rest = &after[next..];
    }
    is_plain_name(first)
}

/// Attributes of HTML that stand without a value.
const BARE: [&str; 6] = ["checked", "disabled", "download", "hidden", "required", "selected"];

fn tag(rest: &str) -> Option<usize> {
    let inside = &rest[1..];
    let end = find(inside, b'>', b"<")?;
    let body = inside[..end].strip_prefix('/').unwrap_or(&inside[..end]);
    let body = body.strip_suffix('/').unwrap_or(body);
    let first = *body.as_bytes().first()?;
    let numbered = first.is_ascii_digit() && body.bytes().all(|byte| byte.is_ascii_digit());
    let (name, attributes) = body.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((body, ""));
    let named = first.is_ascii_alphabetic() && name.bytes().all(|byte| is_name(byte) || byte == b':');
    // `<your name here>` is prose.
    let marked_up = attributes.contains('=') || attributes.split_whitespace().all(|word| BARE.contains(&word));
    (numbered || (named && marked_up)).then_some(end + 2)
}

fn dollar(rest: &str) -> Option<(SpanKind, usize)> {
    if let Some(length) = rest.strip_prefix('$').and_then(|rest| argument_with(rest, is_indexed_name)) {
        return Some((SpanKind::Dollar, length + 1));
    }
    let Some(inside) = rest.strip_prefix("$t(") else {
        let name = word(&rest[1..]).filter(|length| rest[1 + length..].starts_with('$'))?;
        return Some((SpanKind::Named, name + 2));
    };
    let end = find(inside, b')', b"(\n")?;
    (end > 0).then_some((SpanKind::Nesting, end + 4))
}

/// `:name`, which no word, number or colon goes before, and no colon follows: `10:30`, `a::b` and `:smile:` are text.
fn colon(rest: &str, before: &str) -> Option<usize> {
    let begins = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '_'));
    let length = word(&rest[1..]).filter(|length| *length > 1 && !rest[1 + length..].starts_with(':'))?;
    begins.then_some(length + 1)
}

/// The length of a name of letters, digits and underscores that begins with a letter or an underscore.
fn word(text: &str) -> Option<usize> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let length = text.bytes().take(LONGEST).take_while(|byte| is_part(*byte)).count();
    (length > 0 && !text.starts_with(|c: char| c.is_ascii_digit())).then_some(length)
}

fn reference(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix("[%key:")?;
    let end = find(inside, b'%', b"[ \n")?;
    (end > 0 && inside[end..].starts_with("%]")).then_some(end + 8)
}

/// Escaped quotes are no escapes here: they belong to the words around them.
fn escape(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    match bytes.get(1)? {
        b'n' | b't' | b'r' | b'\\' => Some(2),
        b'u' => bytes.get(2..6)?.iter().all(u8::is_ascii_hexdigit).then_some(6),
        _ => None,
    }
}

fn entity(rest: &str) -> Option<usize> {
    let length = rest.bytes().skip(1).take(12).position(|byte| byte == b';')?;
    let name = rest[1..=length].strip_prefix('#').unwrap_or(&rest[1..=length]);
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(length + 2)
}

fn url(rest: &str, before: &str) -> Option<usize> {
    let scheme = ["https://", "http://", "mailto:"].into_iter().find(|scheme| rest.starts_with(scheme))?;
    if before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let end =
        rest.find(|character: char| character.is_whitespace() || "<>\"'`|".contains(character)).unwrap_or(rest.len());
    let mut url = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    if !url.contains('(') {
        url = url.trim_end_matches([')', ']']).trim_end_matches(['.', ',']);
    }
    // A placeholder with blanks, such as `{ $id }`, stands behind it.
    if let Some(open) = url.rfind('{').filter(|open| !url[*open..].contains('}')) {
        url = &url[..open];
    }
    (url.len() > scheme.len()).then_some(url.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        scan(text, Syntax::Mixed).into_iter().map(|span| &text[span.range]).collect()
    }

    #[test]
    fn placeholders_of_every_family_are_found() {
        let cases: [(&str, &[&str]); 20] = [
            ("Hi $USER$, $1 for $Item_2$; $5 and $6$", &["$USER$", "$Item_2$"]),
            ("The :attribute (:Count) :D 10:30am :smile: a::bc x:yz", &[":attribute", ":Count"]),
            ("Hi {name}, {n, number} and {0}", &["{name}", "{n, number}", "{0}"]),
            ("Hi {{name}} {{- raw}} {{n, number}}", &["{{name}}", "{{- raw}}", "{{n, number}}"]),
            ("%s %1$s %@ %lld %.2f %05d %%", &["%s", "%1$s", "%@", "%lld", "%.2f", "%05d", "%%"]),
            ("{0:N2} {name!r} {größe} {note: see below}", &["{0:N2}", "{name!r}", "{größe}"]),
            ("[%key:a::b%] [%key:] [a]", &["[%key:a::b%]"]),
            ("a\\nb \\u00e4 \\' C:\\dir \\\\", &["\\n", "\\u00e4", "\\\\"]),
            ("http://<some address here>:80 <input disabled>", &["<input disabled>"]),
            ("%{count} %(name)s", &["%{count}", "%(name)s"]),
            ("${total} $t(common.ok)", &["${total}", "$t(common.ok)"]),
            ("<b>x</b> <br/> <1>y</1> <a href=\"x\">", &["<b>", "</b>", "<br/>", "<1>", "</1>", "<a href=\"x\">"]),
            ("a&nbsp;b &#8230; R&D; A & B", &["&nbsp;", "&#8230;", "&D;"]),
            ("see https://example.com/{id}/edit.", &["https://example.com/{id}/edit"]),
            ("(https://example.com/a)", &["https://example.com/a"]),
            ("I <3 you > me, 1 < 2", &[]),
            ("100 % of 50%discount, 5%", &[]),
            ("{not a name} { } {}", &[]),
            ("costs $5 or $t()", &[]),
            ("whttp://x", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn spans_are_in_order_and_within_any_text(text in "[a-z{}<>%$&#;/'(),. éü\u{1F600}@|:\\[\\]1\"-]{0,80}|.{0,40}") {
            let mut end;
            for syntax in Syntax::all() {
                end = 0;
                for span in scan(&text, syntax) {
                    prop_assert!(span.range.start >= end && span.range.end > span.range.start);
                    prop_assert!(text.get(span.range.clone()).is_some());
                    end = span.range.end;
                }
            }
        }
    }
}
