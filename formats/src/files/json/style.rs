//! The spelling of strings in a JSON file.

/// The choices that a file's own strings show, followed by every string that is written into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::files) struct Style {
    /// Characters beyond ASCII are `\uXXXX`.
    pub ascii: bool,
    /// Hexadecimal digits of escapes are upper-case.
    pub upper_hex: bool,
    /// `/` is `\/`, as PHP writes it.
    pub escaped_slash: bool,
}

impl Style {
    /// Reads the choices off a whole file. Escapes occur in JSON strings alone, so the file need not be taken apart.
    pub(super) fn of(text: &str) -> Self {
        let mut style = Self::default();
        let (mut beyond_ascii, mut plain_slash, mut lower_hex) = (!text.is_ascii(), false, false);
        // A byte order mark is not a choice about strings.
        if beyond_ascii && text.strip_prefix('\u{feff}').is_some_and(str::is_ascii) {
            beyond_ascii = false;
        }
        let mut rest = text.as_bytes().iter().copied().enumerate();
        while let Some((at, byte)) = rest.next() {
            match byte {
                b'/' => plain_slash = true,
                b'\\' => match rest.next() {
                    Some((_, b'/')) => style.escaped_slash = true,
                    Some((_, b'u')) => {
                        let digits = text.get(at + 2..at + 6).unwrap_or_default();
                        style.ascii |= u32::from_str_radix(digits, 16).is_ok_and(|code| code > 0x7f);
                        style.upper_hex |= digits.contains(|c: char| c.is_ascii_uppercase());
                        lower_hex |= digits.contains(|c: char| c.is_ascii_lowercase());
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        style.ascii &= !beyond_ascii;
        style.upper_hex &= !lower_hex;
        style.escaped_slash &= !plain_slash;
        style
    }

    /// Appends `text` as a JSON string.
    pub(in crate::files) fn write(self, out: &mut String, text: &str) {
        out.push('"');
        for character in text.chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                '/' if self.escaped_slash => out.push_str("\\/"),
                character if character < ' ' || (self.ascii && !character.is_ascii()) => self.escape(out, character),
                character => out.push(character),
            }
        }
        out.push('"');
    }

    fn escape(self, out: &mut String, character: char) {
        let mut units = [0; 2];
        for unit in character.encode_utf16(&mut units) {
            let escaped = if self.upper_hex { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
            out.push_str(&escaped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(style: Style, text: &str) -> String {
        let mut out = String::new();
        style.write(&mut out, text);
        out
    }

    #[test]
    fn strings_are_escaped_no_more_than_json_asks() {
        assert_eq!(written(Style::default(), "a\"\\/\n\r\t\u{8}\u{c}\u{1}é😀"), r#""a\"\\/\n\r\t\b\f\u0001é😀""#);
    }

    #[test]
    fn a_file_that_escapes_beyond_ascii_is_followed_in_the_case_of_its_digits() {
        assert_eq!(written(Style::of(r#"{"a": "\u00e9"}"#), "é😀"), r#""\u00e9\ud83d\ude00""#);
        assert_eq!(written(Style::of(r#"{"a": "\u00E9"}"#), "é😀"), r#""\u00E9\uD83D\uDE00""#);
        assert_eq!(written(Style::of("\u{feff}{\"a\": \"\\u00e9\"}"), "é"), r#""\u00e9""#);
    }

    #[test]
    fn a_file_that_also_writes_characters_as_they_are_is_not_taken_for_ascii() {
        assert_eq!(written(Style::of(r#"{"a": "\u00a0ü"}"#), "é"), "\"é\"");
        assert_eq!(written(Style::of(r#"{"a": "\\u00e9 \u0022"}"#), "é"), "\"é\"");
    }

    #[test]
    fn escaped_slashes_are_followed() {
        assert_eq!(written(Style::of(r#"{"a": "<\/b>"}"#), "a/b"), r#""a\/b""#);
        assert_eq!(written(Style::of(r#"{"a": "<\/b>", "c": "/"}"#), "a/b"), r#""a/b""#);
    }
}
