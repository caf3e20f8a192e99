//! Conversions of the family of `printf`.

use super::{find, is_name, tag};
use crate::text::syntax::Printf;

/// Longest conversion without its name, in bytes.
const LONGEST_CONVERSION: usize = 40;

/// Letters after `t` in Java, each a part of a date or time.
const JAVA_DATES: &[u8] = b"HIklMSLNpzZsQBbhAaCYyjmdeRTrDFc";

/// A conversion of a text whose syntax is not known, `%{name}` and `%%` among them.
pub(super) fn any(rest: &str, before: &str) -> Option<usize> {
    match rest.as_bytes().get(1)? {
        b'%' => Some(2),
        b'{' => {
            let name = name(&rest[2..]);
            (name > 0 && rest[2 + name..].starts_with('}')).then_some(name + 3)
        }
        b'(' => {
            let name = name(&rest[2..]);
            (name > 0 && rest[2 + name..].starts_with(')')).then(|| after_name(rest, name + 3, None)).flatten()
        }
        // `50%discount` is a text; `50 %d` is not.
        _ if ends_with_digit(before) => None,
        _ => conversion(rest, None).map(|(length, _)| length),
    }
}

/// A conversion of `printf` in one of its flavours, which are known from the file: Qt's are no conversions.
pub(super) fn of_flavour(rest: &str, before: &str, flavour: Printf) -> Option<usize> {
    let inside = rest.strip_prefix('%')?;
    let is_in_word = |length: usize| rest[length..].starts_with(char::is_alphanumeric);
    match (inside.as_bytes().first()?, flavour) {
        (b'%', _) => return Some(2),
        (b'(', Printf::Python) => {
            let name = find(&inside[1..], b')', b"(\n").filter(|length| *length > 0)?;
            return after_name(rest, name + 3, Some(flavour));
        }
        (b'{' | b'(', _) => return None,
        (b'#', Printf::Objc) if inside.starts_with("#@") => {
            let name = inside[2..].bytes().take(super::LONGEST).take_while(|byte| is_name(*byte) && *byte != b'@');
            let name = name.count();
            return inside[2 + name..].starts_with('@').then_some(name + 4);
        }
        // The number of a text in a string catalogue.
        (b'a', Printf::Objc) if inside.starts_with("arg") => {
            return (!is_in_word(4) && !ends_with_digit(before)).then_some(4);
        }
        (b'n' | b'b' | b'B' | b'h' | b'H', Printf::Java) | (b'm', Printf::C) => {
            return (!is_in_word(2) && !ends_with_digit(before)).then_some(2);
        }
        _ => {}
    }
    let (length, is_numbered) = conversion(rest, Some(flavour))?;
    // Texts of apps are not all formatted: `50%discount` is one of them. Flags of gettext say that a text is.
    let may_be_text = matches!(flavour, Printf::Java | Printf::Objc) && !is_numbered;
    (!may_be_text || !ends_with_digit(before) || !is_in_word(length)).then_some(length)
}

fn ends_with_digit(before: &str) -> bool {
    before.ends_with(|last: char| last.is_ascii_digit())
}

fn name(text: &str) -> usize {
    text.bytes().take(super::LONGEST).take_while(|byte| is_name(*byte)).count()
}

/// The bytes of a conversion, read from the left.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn skip(&mut self, of: &[u8]) -> usize {
        let length = self.bytes[self.at..].iter().take_while(|byte| of.contains(byte)).count();
        self.at += length;
        length
    }

    /// `12`, `*` or `*1$`.
    fn number(&mut self) {
        let is_argument = self.take(b'*');
        if self.skip(b"0123456789") > 0 && is_argument {
            self.take(b'$');
        }
    }

    fn width_and_precision(&mut self) {
        self.number();
        if self.take(b'.') {
            self.number();
        }
    }
}

/// A conversion of Python from the end of its name on: `.2f` of `%(price).2f`.
fn after_name(rest: &str, at: usize, flavour: Option<Printf>) -> Option<usize> {
    let mut cursor = Cursor { bytes: &rest.as_bytes()[..rest.len().min(at + LONGEST_CONVERSION)], at };
    // No blank among the flags where a text may not be formatted.
    cursor.skip(if flavour.is_some() { b"-+0#, " } else { b"-+0#," });
    cursor.width_and_precision();
    cursor.skip(b"hlL");
    cursor.peek().filter(u8::is_ascii_alphabetic).map(|_| cursor.at + 1)
}

/// The length of a conversion, and whether it has a number. Without a flavour it is one that most have.
fn conversion(rest: &str, flavour: Option<Printf>) -> Option<(usize, bool)> {
    let mut cursor = Cursor { bytes: &rest.as_bytes()[..rest.len().min(LONGEST_CONVERSION)], at: 1 };
    // `%<tB` of Java has the argument of the conversion before it; `%<b>` is a sign before a tag.
    let repeats = flavour == Some(Printf::Java) && rest.starts_with("%<") && tag(&rest[1..]).is_none();
    cursor.at += usize::from(repeats);
    let is_numbered = repeats || (cursor.skip(b"0123456789") > 0 && cursor.take(b'$'));
    while let Some(byte) = cursor.peek() {
        match (byte, flavour) {
            (b'-' | b'+' | b'0' | b'#' | b',', _) => cursor.at += 1,
            // Elsewhere `100 % of` is a text.
            (b' ', Some(Printf::C | Printf::Python | Printf::Php)) => cursor.at += 1,
            // The character that fills the width.
            (b'\'', Some(Printf::Php)) => cursor.at += 1 + rest[cursor.at + 1..].chars().next()?.len_utf8(),
            (b'\'', None | Some(Printf::C | Printf::Objc)) => cursor.at += 1,
            (b'(', Some(Printf::Java)) if is_numbered => cursor.at += 1,
            _ => break,
        }
    }
    if cursor.at > cursor.bytes.len() {
        return None;
    }
    cursor.width_and_precision();
    cursor.skip(match flavour {
        None | Some(Printf::C | Printf::Objc | Printf::Qt) => b"hlqLztj",
        Some(Printf::Python) => b"hlL",
        Some(Printf::Java | Printf::Php) => b"lL",
        Some(Printf::Ruby) => b"",
    });
    let letters: &[u8] = match (cursor.peek()?, flavour) {
        // The name of a macro of C, such as `%<PRIu64>`.
        (b'<', Some(Printf::C)) => {
            let name = rest[cursor.at..].strip_prefix("<PRI")?;
            let length = name.bytes().take(16).take_while(u8::is_ascii_alphanumeric).count();
            return name[length..].starts_with('>').then_some((cursor.at + length + 5, is_numbered));
        }
        (b't' | b'T', Some(Printf::Java)) => {
            cursor.at += 1;
            // `%tax` is a word.
            let goes_on = |rest: &str| rest.starts_with(char::is_alphanumeric);
            if !is_numbered && rest.get(cursor.at + 1..).is_some_and(goes_on) {
                return None;
            }
            JAVA_DATES
        }
        (b'@', None | Some(Printf::Objc)) => b"@",
        (_, Some(Printf::Java)) => b"dioxXeEfFgGaAcCsSbBhHu",
        (_, Some(Printf::Php)) => b"dioxXeEfFgGaAcCsSpubhH",
        (_, Some(Printf::Python)) => b"dioxXeEfFgGaAcCsSpur",
        (_, Some(Printf::Ruby)) => b"dioxXeEfFgGaAcspubB",
        _ => b"dioxXeEfFgGaAcCsSpu",
    };
    cursor.peek().filter(|byte| letters.contains(byte)).map(|_| (cursor.at + 1, is_numbered))
}

#[cfg(test)]
mod tests {
    use super::super::scan;
    use crate::text::Syntax;
    use crate::text::syntax::Printf;

    fn found(text: &str, syntax: Syntax) -> Vec<&str> {
        scan(text, syntax).into_iter().map(|span| &text[span.range]).collect()
    }

    /// Each text is one conversion.
    #[test]
    fn every_flavour_has_its_own_conversions() {
        let whole: [(Printf, &[&str]); 6] = [
            (
                Printf::C,
                &[
                    "%.*s",
                    "%*d",
                    "%*1$d",
                    "%2$*1$.*3$f",
                    "% d",
                    "%'d",
                    "%-+ 0#'5.3lld",
                    "%5.2f",
                    "%zu",
                    "%hhx",
                    "%%",
                    "%<PRIu64>",
                    "%05<PRIdMAX>",
                ],
            ),
            (Printf::Objc, &["%@", "%2$@", "%.*f", "%'d", "%ld", "%#@a@"]),
            (
                Printf::Java,
                &["%1$tB", "%1$tY", "%2$TH", "%h", "%H", "%1$b", "%1$,.2f", "%1$(,.2f", "%<tB", "%<s", "%tY", "%-10s"],
            ),
            (
                Printf::Python,
                &[
                    "%(price).2f",
                    "%(num)05d",
                    "%(a b)s",
                    "%(n) d",
                    "%(x)-*d",
                    "%(x).*f",
                    "%(x)ld",
                    "%r",
                    "%.2f",
                    "% d",
                    "%*d",
                    "%%",
                ],
            ),
            (Printf::Php, &["%'.10d", "%'é5s", "%1$'*10s", "%b", "%h", "%05d", "%.2f", "% d", "%+d", "%-10s", "%%"]),
            (Printf::Ruby, &["%.2f", "%s", "%{a}", "%<a>.2f", "%b", "%1$s", "%-5d", "%%"]),
        ];
        for (flavour, texts) in whole {
            for text in texts {
                assert_eq!(found(&format!("a {text}!"), Syntax::Printf(flavour)), [*text], "{flavour:?}");
            }
        }
        for text in ["%(price).2f", "%(num)05d", "%.*s", "%*d", "%'d", "%2$*1$d", "%(a)*d"] {
            assert_eq!(found(&format!("a {text}!"), Syntax::Mixed), [text]);
        }
    }

    #[test]
    fn a_digit_before_a_conversion_makes_it_no_text_where_texts_are_formatted() {
        for flavour in [Printf::C, Printf::Python, Printf::Php, Printf::Ruby] {
            assert_eq!(found("IPv4%s and 50%discount", Syntax::Printf(flavour)), ["%s", "%d"], "{flavour:?}");
        }
        for flavour in [Printf::Java, Printf::Objc] {
            assert_eq!(found("IPv4%s, MP3%1$sx, 50%discount", Syntax::Printf(flavour)), ["%s", "%1$s"], "{flavour:?}");
        }
        assert_eq!(found("IPv4%s and 50%discount", Syntax::Mixed), [""; 0]);
    }

    #[test]
    fn signs_of_percent_are_words() {
        for text in ["100 % der", "50% des", "%-Zeichen", "100 %", "5%, 6 %.", "% of", "100 %* ab", "%h", "%b", "% <b"]
        {
            assert_eq!(found(text, Syntax::Mixed), [""; 0], "{text}");
        }
        for flavour in [Printf::Java, Printf::Objc, Printf::Ruby] {
            assert_eq!(found("100 % der, 50% des, 5 %", Syntax::Printf(flavour)), [""; 0], "{flavour:?}");
        }
        let java = Syntax::Printf(Printf::Java);
        assert_eq!(found("5 %<b>x</b> %bold %tax %t", java), ["<b>", "</b>"]);
    }
}
