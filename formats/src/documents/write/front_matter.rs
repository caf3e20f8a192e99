//! Strings of front matter.

use crate::documents::segment::YamlStyle;

/// Writes a scalar of YAML: as it was written where that can be, between double quotes otherwise.
pub(super) fn yaml(text: &str, style: YamlStyle, out: &mut String) {
    match style {
        YamlStyle::Plain if is_plain(text) => out.push_str(text),
        YamlStyle::Single if !text.chars().any(needs_escape) => {
            out.push('\'');
            out.push_str(&text.replace('\'', "''"));
            out.push('\'');
        }
        _ => quoted(text, out),
    }
}

/// Writes a basic string of TOML.
pub(super) fn toml(text: &str, out: &mut String) {
    quoted(text, out);
}

/// Returns whether a text needs no quotes: it begins with a letter, holds no syntax of YAML, and is no word that YAML
/// takes for something else than a string.
fn is_plain(text: &str) -> bool {
    const OTHERS: [&str; 11] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
    let harmless = |c: char| c.is_alphanumeric() || " ,.;()/'!?%+=_–—’“”«»„…".contains(c) || c == '-';
    text.starts_with(char::is_alphabetic)
        && text.chars().all(harmless)
        && !text.ends_with(' ')
        && !OTHERS.iter().any(|other| text.eq_ignore_ascii_case(other))
}

/// Returns whether YAML needs an escape for a character even between quotes.
fn needs_escape(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// A string between double quotes, with the escapes that YAML and TOML share.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            _ if needs_escape(character) => out.push_str(&format!("\\u{:04X}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out.push('"');
}
