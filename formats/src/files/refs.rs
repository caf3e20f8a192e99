//! Keys as the API names them: 1 to 512 bytes, without control characters.

use sha2::{Digest as _, Sha256};

/// The longest key (API `ref`), in bytes of UTF-8.
pub(super) const LONGEST_KEY: usize = 512;

/// Bytes that are kept of a longer one, before the mark and the digits that tell it from others.
const KEPT: usize = 440;

/// Between the context and the text of a key.
const CONTEXT: char = '\u{2404}';

/// The key of a name. In formats whose names are texts, characters that a key cannot have are written as escapes.
///
/// # Errors
/// Returns the reason why the name cannot be a key.
pub(super) fn key_of(name: &str, names_are_texts: bool) -> Result<String, &'static str> {
    let has_escapes = |c: char| c.is_control() || c == '\\' || c == CONTEXT;
    let key = match (name.contains(has_escapes), names_are_texts) {
        (true, true) => escaped(name),
        (true, false) if name.contains(char::is_control) => return Err("holds control characters"),
        _ => name.to_owned(),
    };
    if key.is_empty() {
        return Err("is empty");
    }
    Ok(if key.len() <= LONGEST_KEY { key } else { cut(&key) })
}

/// The key of a name that a context tells apart from equal ones. Both are texts.
///
/// # Errors
/// Returns the reason why the name cannot be a key.
pub(super) fn key_in(context: Option<&str>, name: &str) -> Result<String, &'static str> {
    let Some(context) = context else { return key_of(name, true) };
    Ok(key_of_texts(&[context, name]))
}

/// The key of several texts that name one thing together.
pub(super) fn key_of_texts(texts: &[&str]) -> String {
    let key = texts.iter().map(|text| escaped(text)).collect::<Vec<_>>().join("\u{2404}");
    if key.len() <= LONGEST_KEY { key } else { cut(&key) }
}

/// The texts of a key, as [`key_of_texts`] joined them.
pub(super) fn texts_of(key: &str) -> Vec<String> {
    key.split(CONTEXT).map(|text| name_of(text, true)).collect()
}

/// The context, if there is one, and the name of a key whose parts are texts.
pub(super) fn context_and_name(key: &str) -> (Option<String>, String) {
    match key.split_once(CONTEXT) {
        Some((context, name)) => (Some(name_of(context, true)), name_of(name, true)),
        None => (None, name_of(key, true)),
    }
}

/// The name of a key. A name that was cut is not known any more: then it is the key itself.
pub(super) fn name_of(key: &str, names_are_texts: bool) -> String {
    if !names_are_texts || !key.contains('\\') {
        return key.to_owned();
    }
    let mut name = String::with_capacity(key.len());
    let mut rest = key;
    while let Some((before, escape)) = rest.split_once('\\') {
        name.push_str(before);
        let mut after = escape.chars();
        let read = match after.next() {
            Some('n') => Some(('\n', after.as_str())),
            Some('t') => Some(('\t', after.as_str())),
            Some('\\') => Some(('\\', after.as_str())),
            Some('u') => braced(after.as_str()),
            _ => None,
        };
        let (c, after) = read.unwrap_or(('\\', escape));
        name.push(c);
        rest = after;
    }
    name.push_str(rest);
    name
}

fn escaped(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        match c {
            '\n' => key.push_str("\\n"),
            '\t' => key.push_str("\\t"),
            '\\' => key.push_str("\\\\"),
            c if c.is_control() || c == CONTEXT => key.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => key.push(c),
        }
    }
    key
}

/// The character of `{1f}` and what follows it.
fn braced(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix('{')?.split_once('}')?;
    Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, after))
}

fn cut(key: &str) -> String {
    let kept = key.get(..key.floor_char_boundary(KEPT)).unwrap_or_default();
    let digits: String = Sha256::digest(key).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{kept}…#{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_texts_have_no_control_characters_as_keys() {
        for (name, key) in [("a\nb", "a\\nb"), ("a\\nb", "a\\\\nb"), ("\u{1f}\u{2404}\t", "\\u{1f}\\u{2404}\\t")] {
            assert_eq!(key_of(name, true).as_deref(), Ok(key));
            assert_eq!(name_of(key, true), name);
        }
        assert_eq!(key_of("a\\b", false).as_deref(), Ok("a\\b"));
        assert_eq!(key_of("a\nb", false), Err("holds control characters"));
        assert_eq!(key_of("", true), Err("is empty"));
        assert_eq!(name_of("a\\q\\u{zz}\\", true), "a\\q\\u{zz}\\");
    }

    #[test]
    fn a_context_tells_equal_names_apart() {
        for (context, name, key) in
            [(None, "a", "a"), (Some("m"), "a", "m␄a"), (Some("m␄"), "a\n", "m\\u{2404}␄a\\n"), (Some("m"), "", "m␄")]
        {
            assert_eq!(key_in(context, name).as_deref(), Ok(key));
            assert_eq!(context_and_name(key), (context.map(str::to_owned), name.to_owned()));
        }
        assert!(key_in(Some(&"m".repeat(600)), "a").unwrap().len() < 512);
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let long = |end: &str| key_of(&("é".repeat(400) + end), false).unwrap();
        assert_eq!(key_of(&"k".repeat(512), false).unwrap().len(), 512);
        assert_eq!(long("a").len(), 440 + "…#".len() + 16);
        assert_ne!(long("a"), long("b"));
        let odd = key_of(&format!("k{}", "é".repeat(400)), false).unwrap();
        assert!(odd.starts_with('k') && odd.contains("é…#"));
    }
}
