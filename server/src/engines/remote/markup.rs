//! Tags and entities in what a service is asked and answers, which need not be sound markup any more. All is read in one
//! pass, whatever comes back.

/// A tag that begins a text.
pub(super) struct OpeningTag<'a> {
    pub(super) name: &'static str,
    pub(super) number: usize,
    /// True if it ends itself.
    pub(super) is_empty: bool,
    /// The text behind it.
    pub(super) after: &'a str,
}

/// Reads a tag of one of these names that begins a text.
pub(super) fn begin<'a>(text: &'a str, names: &[&'static str]) -> Option<OpeningTag<'a>> {
    let inside = text.strip_prefix('<')?.trim_start();
    let has = |name: &&&str| inside.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    let name = *names.iter().find(has)?;
    let (attributes, after) = until_end(&inside[name.len()..])?;
    if !attributes.starts_with(char::is_whitespace) {
        return None;
    }
    let (attributes, is_empty) = match attributes.trim_end().strip_suffix('/') {
        Some(attributes) => (attributes, true),
        None => (attributes, false),
    };
    let lower = attributes.to_ascii_lowercase();
    let at = lower.find(" id")? + 3;
    let value = lower[at..].trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'', '“', '”', '«', ' ']);
    let digits = value.find(|character: char| !character.is_ascii_digit()).unwrap_or(value.len());
    Some(OpeningTag { name, number: value[..digits].parse().ok()?, is_empty, after })
}

/// Reads the end of a tag that begins a text, and returns what follows it.
pub(super) fn end<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let inside = text.strip_prefix('<')?.trim_start().strip_prefix('/')?;
    let (found, after) = until_end(inside)?;
    found.trim().eq_ignore_ascii_case(name).then_some(after)
}

/// Splits at the `>` of a tag, before which there is no other tag.
fn until_end(text: &str) -> Option<(&str, &str)> {
    let at = text.find(['<', '>'])?;
    text[at..].strip_prefix('>').map(|after| (&text[..at], after))
}

/// Splits at the first end of a tag of this name: what stands before it, and what follows it.
pub(super) fn content<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices('<').find_map(|(at, _)| Some((&text[..at], end(&text[at..], name)?)))
}

/// A text without its entities. What is none stays.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let name = rest[1..].find(|character: char| !character.is_ascii_alphanumeric() && character != '#');
        let found = name.map(|end| (&rest[1..=end], &rest[end + 1..]));
        let entity = found.and_then(|(name, after)| Some((entity(name)?, after.strip_prefix(';')?)));
        match entity {
            Some((character, after)) => {
                plain.push(character);
                rest = after;
            }
            None => {
                plain.push('&');
                rest = &rest[1..];
            }
        }
    }
    plain + rest
}

fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => return None,
    })
}

/// Writes a character, escaped where it is a sign of markup.
pub(super) fn escape(character: char, text: &mut String) {
    match character {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        _ => text.push(character),
    }
}
