//! The texts of PHP's strings.

/// A string and the way in which it is written.
#[derive(Debug)]
pub(super) struct Literal {
    pub(super) text: String,
    pub(super) spelling: u8,
}

/// The beginning of a heredoc or nowdoc.
pub(super) struct HeredocStart<'t> {
    pub(super) label: &'t str,
    /// It is a nowdoc, without escapes.
    pub(super) is_raw: bool,
    /// With the line end.
    pub(super) length: usize,
}

/// The text between `'`.
pub(super) fn single(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(next @ ('\\' | '\''))) => {
                out.push(*next);
                chars.next();
            }
            ('\r', Some('\n')) => {}
            _ => out.push(c),
        }
    }
    out
}

/// The text between `"`, or of a heredoc, which has no escape of a quote. `None` where it is no UTF-8.
pub(super) fn unescaped(raw: &str, quote: Option<char>) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find(['\\', '\r']) {
        out.extend_from_slice(rest.get(..at)?.as_bytes());
        rest = rest.get(at..)?;
        if let Some(after) = rest.strip_prefix('\r') {
            // Line ends are `\n`.
            if !after.starts_with('\n') {
                out.push(b'\r');
            }
            rest = after;
            continue;
        }
        let length = escape(&mut out, rest, quote)?;
        rest = rest.get(length..)?;
    }
    out.extend_from_slice(rest.as_bytes());
    String::from_utf8(out).ok()
}

/// Writes the character of an escape; gives its length. `None` for a character that does not exist.
fn escape(out: &mut Vec<u8>, text: &str, quote: Option<char>) -> Option<usize> {
    let next = text.chars().nth(1);
    let byte = match next {
        Some('n') => b'\n',
        Some('t') => b'\t',
        Some('r') => b'\r',
        Some('v') => 0x0b,
        Some('e') => 0x1b,
        Some('f') => 0x0c,
        Some('\\') => b'\\',
        Some('$') => b'$',
        Some('"') if quote == Some('"') => b'"',
        Some('0'..='7') => {
            let (code, length) = digits(text.get(1..)?, 8, 3);
            out.push(u8::try_from(code & 0xff).unwrap_or_default());
            return Some(1 + length);
        }
        Some('x') => {
            let (code, length) = digits(text.get(2..)?, 16, 2);
            if length > 0 {
                out.push(u8::try_from(code & 0xff).unwrap_or_default());
                return Some(2 + length);
            }
            b'\\'
        }
        Some('u') if text.get(2..)?.starts_with('{') => {
            let (code, _) = text.get(3..)?.split_once('}')?;
            let is_hex = !code.is_empty() && code.len() < 16 && code.bytes().all(|byte| byte.is_ascii_hexdigit());
            let c = char::from_u32(u32::from_str_radix(code, 16).ok().filter(|_| is_hex)?)?;
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(4 + code.len());
        }
        _ => b'\\',
    };
    out.push(byte);
    let is_bare = byte == b'\\' && next != Some('\\');
    Some(if is_bare { 1 } else { 2 })
}

/// The number of at most some digits, and how many there are.
fn digits(text: &str, base: u32, most: usize) -> (u32, usize) {
    let found = text.chars().take(most).map_while(|c| c.to_digit(base));
    found.fold((0, 0), |(code, length), digit| (code * base + digit, length + 1))
}

/// Returns true if a variable begins where the text begins.
pub(super) fn interpolates(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '{' || !c.is_ascii();
    text.starts_with("{$") || text.strip_prefix('$').is_some_and(|rest| rest.starts_with(begins))
}

/// Returns true if there is a variable in a text with escapes.
pub(super) fn has_interpolation(raw: &str) -> bool {
    let mut rest = raw;
    while let Some(at) = rest.find(['\\', '$', '{']) {
        rest = rest.get(at..).unwrap_or_default();
        if interpolates(rest) {
            return true;
        }
        let skipped = if rest.starts_with('\\') { rest.chars().take(2).map(char::len_utf8).sum() } else { 1 };
        rest = rest.get(skipped..).unwrap_or_default();
    }
    false
}

/// The beginning of a heredoc.
pub(super) fn head(text: &str) -> Option<HeredocStart<'_>> {
    let name = text.strip_prefix("<<<")?.trim_start_matches([' ', '\t']);
    let quote = name.chars().next().filter(|c| matches!(c, '"' | '\''));
    let name = quote.map_or(name, |_| name.get(1..).unwrap_or_default());
    let (label, rest) = name.split_at_checked(name.find(|c| !is_part(c))?)?;
    let rest = match quote {
        Some(quote) => rest.strip_prefix(quote)?,
        None => rest,
    };
    let rest = rest.strip_prefix('\r').unwrap_or(rest).strip_prefix('\n')?;
    let is_label = !label.is_empty() && !label.starts_with(|c: char| c.is_ascii_digit());
    is_label.then_some(HeredocStart { label, is_raw: quote == Some('\''), length: text.len() - rest.len() })
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// The length of the blanks before the label that ends a heredoc, if this line ends it.
pub(super) fn closes(line: &str, label: &str) -> Option<usize> {
    let bare = line.trim_start_matches([' ', '\t']);
    let after = bare.strip_prefix(label)?;
    (!after.starts_with(is_part)).then_some(line.len() - bare.len())
}

/// The lines of a heredoc without their indentation and the last line end. `None` where one is indented less.
pub(super) fn body(raw: &str, indent: &str) -> Option<String> {
    let raw = raw.strip_suffix('\n').map_or(raw, |raw| raw.strip_suffix('\r').unwrap_or(raw));
    let line = |line: &str| -> Option<String> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match line.strip_prefix(indent) {
            Some(line) => Some(line.to_owned()),
            None if line.trim_ascii().is_empty() => Some(String::new()),
            None => None,
        }
    };
    let lines: Option<Vec<String>> = raw.split('\n').map(line).collect();
    Some(lines?.join("\n"))
}
