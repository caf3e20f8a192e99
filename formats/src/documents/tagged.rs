//! Texts with numbered tags: `Read <1>the manual</1> of <2/>`.

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Literal text, whatever it holds.
    Text(&'t str),
    /// `<1>`.
    Open(u32),
    /// `</1>`.
    Close(u32),
    /// `<1/>`.
    Void(u32),
}

/// The text at the beginning of `rest` that looks like a numbered tag, as a token, and its length. Its number is 0 if
/// no tag has it: `<01>`, `</1/>`, `<99999999999>`. Looks as far as the server's placeholders do, so that both agree.
pub(super) fn tag_at(rest: &str) -> Option<(Token<'static>, usize)> {
    const LONGEST: usize = 512;
    let bytes = rest.as_bytes();
    if bytes.first() != Some(&b'<') {
        return None;
    }
    let closes = bytes.get(1) == Some(&b'/');
    let start = 1 + usize::from(closes);
    let digits = bytes[start..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = start + digits;
    let void = bytes.get(end) == Some(&b'/');
    end += usize::from(void);
    if digits == 0 || bytes.get(end) != Some(&b'>') {
        return None;
    }
    let known = digits < 10 && bytes[start] != b'0' && !(closes && void);
    let number = if known { rest[start..start + digits].parse().unwrap_or(0) } else { 0 };
    let token = match (closes, void) {
        (true, _) => Token::Close(number),
        (false, true) => Token::Void(number),
        (false, false) => Token::Open(number),
    };
    Some((token, end + 1))
}

/// The parts of a text in order; two texts never follow each other.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        if let Some((token, length)) = tag_at(rest) {
            at += length;
            return Some(token);
        }
        let next = |from: usize| rest[from..].find('<').map(|found| from + found);
        let mut end = next(0);
        while let Some(found) = end
            && tag_at(&rest[found..]).is_none()
        {
            end = next(found + 1);
        }
        let end = end.unwrap_or(rest.len());
        at += end;
        (end > 0).then_some(Token::Text(&rest[..end]))
    })
}

/// The characters of a literal text that have to be tags, lest they begin one or, with `braces`, an ICU message.
pub(super) fn masked(literal: &str, braces: bool) -> impl Iterator<Item = (usize, char)> {
    literal.bytes().enumerate().filter_map(move |(at, byte)| match byte {
        b'<' => tag_at(&literal[at..]).map(|_| (at, '<')),
        b'{' => braces.then_some((at, '{')),
        _ => None,
    })
}

/// Returns whether a character is collapsible white space of Markdown and HTML sources.
pub(super) const fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// Adds `text` to `out`, white space as one blank and NUL as the character that readers replace it by.
pub(super) fn push_collapsed(out: &mut String, text: &str) {
    let mut after_blank = out.ends_with(' ');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let blank = is_blank(char::from(byte));
        let stays = if blank { byte == b' ' && !after_blank } else { byte != 0 };
        if !stays {
            out.push_str(&text[from..at]);
            from = at + 1;
            match byte {
                0 => out.push(char::REPLACEMENT_CHARACTER),
                _ if !after_blank => out.push(' '),
                _ => {}
            }
        }
        after_blank = blank;
    }
    out.push_str(&text[from..]);
}

/// Plain text as its paragraphs are kept: lines end with LF and have no blanks before it, none is blank.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split(['\n', '\r']) {
        let line = line.trim_end_matches(is_margin);
        if !line.is_empty() {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(if out.is_empty() { line.trim_start_matches(is_margin) } else { line });
        }
    }
    out.replace('\0', "\u{fffd}")
}

/// Returns whether a character at a text's beginning or end is not part of the text.
pub(super) const fn is_margin(character: char) -> bool {
    is_blank(character) || character == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_what_looks_almost_like_them() {
        let found: Vec<_> = tokens("a<1>b</1><2/>< 3><x><<4>>").collect();
        let expected = [
            Token::Text("a"),
            Token::Open(1),
            Token::Text("b"),
            Token::Close(1),
            Token::Void(2),
            Token::Text("< 3><x><"),
            Token::Open(4),
            Token::Text(">"),
        ];
        assert_eq!(found, expected);
        let unknown: Vec<_> = tokens("<0><01/></1/><12345678901>").collect();
        assert_eq!(unknown, [Token::Open(0), Token::Void(0), Token::Close(0), Token::Open(0)]);
    }

    #[test]
    fn plain_text_loses_its_blank_lines_and_ends() {
        assert_eq!(plain(" \r\n a \r\n\t\r\n  b\0\r\r"), "a\n  b\u{fffd}");
    }
}
