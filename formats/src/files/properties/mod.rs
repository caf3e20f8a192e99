//! Format `properties`: resource bundles of Java.
//!
//! - **Encoding.** What is no UTF-8 is ISO 8859-1. A file of ASCII that writes other characters as `\u` escapes is written so;
//!   in ISO 8859-1 only characters that it lacks are.
//! - **Escapes.** `\t \n \r \f \uXXXX`; another character after a backslash is itself. A line that ends with a backslash goes
//!   on in the next one, without its leading blanks. Written are `\\`, `\n`, `\t`, `\r`, `\f` and a leading blank as `\ `;
//!   `:`, `=`, `#` and `!` in values are left as they are. A value that changes stands on one line.
//! - **Apostrophes.** Where the source's text has `{0}` or `''`, it goes through `MessageFormat`, in which an apostrophe is
//!   `''`: lone ones of a translation are doubled, unless the source itself has one, which quotes.
//! - **Comments** directly above a key describe it and go with it; one at the beginning of the file is the file's.

mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::{Content, FormatId};

use super::Habits;
use super::spliced::{AddedEntry, Charset, Encoding, FileStyle, Grammar, ReplacedValue, Scan, ScanError};
use crate::template::Spelling;
use crate::text::{Brace, Syntax};

/// Format `properties`.
pub(super) struct Properties;

/// The longest sign with blanks around it that a new entry takes from its neighbour.
const LONGEST_SIGN: usize = 16;

/// A value that begins after `=` or `:`.
const AFTER_SIGN: u8 = 0;
/// A value that begins after blanks alone: `=` or `:` at its beginning would be the sign.
const AFTER_BLANK: u8 = 1;
/// A value behind a name that nothing follows.
const WITHOUT_SIGN: u8 = 2;

impl Grammar for Properties {
    fn id(&self) -> FormatId {
        FormatId::Properties
    }

    fn name(&self) -> &'static str {
        "Properties (Java)"
    }

    fn media_type(&self) -> &'static str {
        "text/x-java-properties"
    }

    fn habits(&self) -> Habits {
        Habits { spelling: Spelling::Underscore, mark: Some('_'), ..Habits::PLAIN }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["properties"]
    }

    fn placeholders(&self) -> &'static str {
        "java_message"
    }

    fn charset(&self) -> Charset {
        Charset::UnicodeOrLatin1
    }

    fn names_are_texts(&self) -> bool {
        // Those of JabRef and others are, with line ends.
        true
    }

    fn syntax(&self, content: &Content, _has_language: bool) -> Option<Syntax> {
        matches!(content, Content::Text(text) if is_message(text)).then_some(Syntax::Brace(Brace::JavaMessage))
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        let mut out = String::with_capacity(text.len() + 8);
        if written.spelling == WITHOUT_SIGN && !text.is_empty() {
            out.push('=');
        }
        let needs_sign = written.spelling == AFTER_BLANK && text.starts_with(['=', ':']);
        if needs_sign || text.starts_with(' ') {
            out.push('\\');
        }
        let pen = Escaping::like(written.raw, &written.file);
        text.chars().for_each(|c| pen.write(&mut out, c));
        out
    }

    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String> {
        Some(spelled_name(name, &Escaping::like(written.raw, &written.file)))
    }

    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        let mut out = String::new();
        let beside = new.neighbour.and_then(|beside| Some((beside, beside.place.values.first()?.at.clone())));
        let raw = beside.as_ref().map_or("", |(beside, at)| beside.between(at.start, at.end));
        let pen = Escaping::like(raw, file);
        for line in new.description.into_iter().flat_map(str::lines) {
            out.push_str("# ");
            line.chars().for_each(|c| if c == '\\' { out.push(c) } else { pen.write(&mut out, c) });
            out.push_str(file.newline);
        }
        let sign = beside.and_then(|(beside, at)| {
            let sign = beside.between(beside.place.name_at.end, at.start);
            ((1..=LONGEST_SIGN).contains(&sign.len()) && !sign.contains(['\\', '\n', '\r'])).then_some(sign)
        });
        let sign = sign.unwrap_or("=");
        let text = new.content.other()?;
        let spelling = if sign.contains(['=', ':']) { AFTER_SIGN } else { AFTER_BLANK };
        out.push_str(&spelled_name(new.name, &pen));
        out.push_str(sign);
        out.push_str(&self.spell(text, &ReplacedValue { raw, spelling, file: *file }));
        out.push_str(file.newline);
        Some(out)
    }

    fn adapted(&self, source: &str, translation: String) -> String {
        if is_message(source) && lone_apostrophes(source).next().is_none() {
            return with_doubled(&translation);
        }
        translation
    }

    fn blank(&self, _language: &str) -> String {
        String::new()
    }
}

fn spelled_name(name: &str, pen: &Escaping) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    for (at, c) in name.char_indices() {
        if matches!(c, ' ' | '=' | ':') || (at == 0 && matches!(c, '#' | '!')) {
            out.push('\\');
        }
        pen.write(&mut out, c);
    }
    out
}

/// The writing of characters.
struct Escaping {
    file: FileStyle,
    /// `\u00e9` rather than `\u00E9`.
    is_lower: bool,
}

impl Escaping {
    fn like(raw: &str, file: &FileStyle) -> Self {
        // The beginning says it, or nothing does: values may be long.
        let raw = raw.get(..raw.floor_char_boundary(256)).unwrap_or_default();
        let digits = raw.split("\\u").skip(1).filter_map(|rest| rest.get(..4));
        let is_lower = digits.into_iter().any(|digits| digits.bytes().any(|byte| byte.is_ascii_lowercase()));
        Self { file: *file, is_lower }
    }

    /// Writes a character, as an escape where it must be one.
    fn write(&self, out: &mut String, c: char) {
        let is_raw = match self.file.encoding {
            _ if c.is_control() => false,
            _ if self.file.escapes => c.is_ascii(),
            Encoding::Latin1 => u8::try_from(c).is_ok(),
            Encoding::Utf8 { .. } | Encoding::Utf16 { .. } => true,
        };
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            c if is_raw => out.push(c),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let digits = if self.is_lower { format!("{unit:04x}") } else { format!("{unit:04X}") };
                out.push_str("\\u");
                out.push_str(&digits);
            }),
        }
    }
}

/// Returns true if a text goes through `MessageFormat`: it has an argument, or an apostrophe as that writes it.
fn is_message(text: &str) -> bool {
    let is_argument = |rest: &str| {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        digits.len() < rest.len() && digits.starts_with(['}', ','])
    };
    text.contains("''") || text.match_indices('{').any(|(at, _)| text.get(at + 1..).is_some_and(is_argument))
}

/// The offsets of apostrophes that are not doubled.
fn lone_apostrophes(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut bytes = text.bytes().enumerate().peekable();
    std::iter::from_fn(move || {
        loop {
            let (at, byte) = bytes.next()?;
            if byte == b'\'' && bytes.next_if(|(_, next)| *next == b'\'').is_none() {
                return Some(at);
            }
        }
    })
}

fn with_doubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 4);
    let mut from = 0;
    for at in lone_apostrophes(text) {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push('\'');
        from = at;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}
