//! Format `apple-strings`: `"key" = "text";`, as Xcode and genstrings write it.
//!
//! - **Encoding.** UTF-8, or UTF-16 by its byte order mark, kept.
//! - **Strings** stand in `"`, in `'`, or bare where they hold nothing but `[A-Za-z0-9_$/:.-]`; line ends in quotes are text. An
//!   entry `key;` has its key as text. Keys are texts.
//! - **Escapes**: `\U` and up to four digits, octal ones, `\a \b \f \n \r \t \v \"`; another character after a backslash is
//!   itself. `\u203A` is no escape of Apple's, but meant as one: it is read so, with a warning. Written are `\"`, `\\`, `\n`,
//!   `\r`, `\t`; other characters as `\U` in a file that writes all characters beyond ASCII so, and as themselves elsewhere.
//! - **Comments** directly above a key describe it and go with it. Lines of `//` at the beginning of the file are the file's.

mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::FormatId;

use super::Habits;
use super::spliced::{AddedEntry, FileStyle, Grammar, ReplacedValue, Scan, ScanError};

/// Format `apple-strings`.
pub(super) struct AppleStrings;

/// The longest sign with blanks around it that a new entry takes from its neighbour.
const LONGEST_SIGN: usize = 16;

const DOUBLE: u8 = 0;
const SINGLE: u8 = 1;
const BARE: u8 = 2;
/// The text of `key;`, which is not written at all.
const ABSENT: u8 = 3;

/// The comment that Xcode writes where nobody has commented.
const NO_COMMENT: &str = "No comment provided by engineer.";

impl Grammar for AppleStrings {
    fn id(&self) -> FormatId {
        FormatId::AppleStrings
    }

    fn name(&self) -> &'static str {
        "Strings (Apple)"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn habits(&self) -> Habits {
        Habits::APPLE
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["strings"]
    }

    fn placeholders(&self) -> &'static str {
        "printf"
    }

    fn names_are_texts(&self) -> bool {
        true
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        match written.spelling {
            ABSENT => format!(" = {}", quoted(text, '"', &written.file)),
            SINGLE => quoted(text, '\'', &written.file),
            BARE if is_bare(text) => text.to_owned(),
            _ => quoted(text, '"', &written.file),
        }
    }

    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String> {
        Some(match written.raw.chars().next() {
            // It is the text, too.
            _ if written.spelling == ABSENT => return None,
            Some('\'') => quoted(name, '\'', &written.file),
            Some(c) if c != '"' && is_bare(name) => name.to_owned(),
            _ => quoted(name, '"', &written.file),
        })
    }

    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        let text = new.content.other()?;
        let sign = new.neighbour.and_then(|beside| {
            let sign = beside.between(beside.place.name_at.end, beside.place.values.first()?.at.start);
            let is_sign = sign.len() <= LONGEST_SIGN && sign.trim() == "=" && !sign.contains(['\n', '\r']);
            is_sign.then_some(sign)
        });
        let mut out = String::new();
        if let Some(description) = new.description {
            let description = description.replace("*/", "* /").replace('\n', file.newline);
            out.push_str(&format!("/* {description} */{}", file.newline));
        }
        out.push_str(&quoted(new.name, '"', file));
        out.push_str(sign.unwrap_or(" = "));
        out.push_str(&quoted(text, '"', file));
        out.push(';');
        out.push_str(file.newline);
        Some(out)
    }

    fn blank(&self, _language: &str) -> String {
        String::new()
    }
}

fn is_bare(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_bare_byte) && !text.contains("//")
}

/// Returns true for the bytes of strings without quotes.
fn is_bare_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'/' | b':' | b'.' | b'-')
}

fn quoted(text: &str, quote: char, file: &FileStyle) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_ascii_control() || (file.escapes && !c.is_ascii()) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\U{unit:04X}")));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
