//! Placeholders as empty tags, for services that translate markup. What comes back is searched for our own tags alone: it
//! need not be markup any more.

use crate::engines::Segment;

/// An id that no placeholder has: the pipeline takes a text that comes back with it for one that lost its placeholders.
const UNKNOWN: usize = usize::MAX;

/// The tags that a service wants, and what it does to the rest of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    /// `<x id="1"/>`; the answer is escaped as the text was.
    Xml,
    /// `<x id="1"></x>`; the answer comes unescaped.
    Unescaped,
}

impl Markup {
    fn tag(self, number: usize) -> String {
        match self {
            Self::Xml => format!("<x id=\"{number}\"/>"),
            Self::Unescaped => format!("<x id=\"{number}\"></x>"),
        }
    }
}

/// A text with tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tagged {
    /// The text, without the blanks at its ends.
    pub(super) text: String,
    markup: Markup,
    legend: Vec<Segment>,
    before: String,
    after: String,
}

impl Tagged {
    /// Writes a text with tags. Line breaks are tags, too, since markup takes them for spaces, and so are characters that
    /// no markup may have.
    pub(super) fn new(segments: &[Segment], markup: Markup) -> Self {
        let mut tagged =
            Self { text: String::new(), markup, legend: Vec::new(), before: String::new(), after: String::new() };
        for (at, segment) in segments.iter().enumerate() {
            let Segment::Text(piece) = segment else {
                tagged.tag(segment.clone());
                continue;
            };
            let mut piece = piece.as_str();
            if at == 0 {
                let inner = piece.trim_start();
                piece[..piece.len() - inner.len()].clone_into(&mut tagged.before);
                piece = inner;
            }
            if at + 1 == segments.len() {
                let inner = piece.trim_end();
                piece[inner.len()..].clone_into(&mut tagged.after);
                piece = inner;
            }
            for character in piece.chars() {
                match character {
                    '&' => tagged.text.push_str("&amp;"),
                    '<' => tagged.text.push_str("&lt;"),
                    '>' => tagged.text.push_str("&gt;"),
                    '\u{fffe}' | '\u{ffff}' => tagged.tag(Segment::Text(character.to_string())),
                    _ if character.is_control() => tagged.tag(Segment::Text(character.to_string())),
                    _ => tagged.text.push(character),
                }
            }
        }
        tagged
    }

    fn tag(&mut self, segment: Segment) {
        self.legend.push(segment);
        self.text.push_str(&self.markup.tag(self.legend.len()));
    }

    /// Text and placeholders of an answer. A tag that was not given becomes a placeholder that does not exist.
    pub(super) fn read(&self, answer: &str) -> Vec<Segment> {
        let mut segments = vec![Segment::Text(self.before.clone())];
        let mut text = String::new();
        // Tags that wait for their ends.
        let mut open = 0_usize;
        let mut rest = answer.trim();
        while let Some(at) = rest.find('<') {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            if open > 0
                && let Some(after) = end(rest)
            {
                open -= 1;
                rest = after;
                continue;
            }
            let Some((number, is_empty, after)) = begin(rest) else {
                text.push('<');
                rest = &rest[1..];
                continue;
            };
            self.text(&mut segments, &mut text);
            let known = number.checked_sub(1).and_then(|at| self.legend.get(at)).cloned();
            segments.push(known.unwrap_or(Segment::Placeholder { id: UNKNOWN, original: String::new() }));
            rest = after;
            open += usize::from(!is_empty);
        }
        text.push_str(rest);
        self.text(&mut segments, &mut text);
        segments.push(Segment::Text(self.after.clone()));
        segments.retain(|segment| !matches!(segment, Segment::Text(text) if text.is_empty()));
        segments
    }

    fn text(&self, segments: &mut Vec<Segment>, text: &mut String) {
        let piece = std::mem::take(text);
        segments.push(Segment::Text(if self.markup == Markup::Unescaped { piece } else { unescaped(&piece) }));
    }
}

/// Reads a tag that begins a text: its number, whether it is empty, and what follows it.
fn begin(text: &str) -> Option<(usize, bool, &str)> {
    let inside = text.strip_prefix('<')?.trim_start().strip_prefix(['x', 'X'])?;
    let (attributes, after) = inside.split_once('>')?;
    if !attributes.starts_with(char::is_whitespace) || attributes.contains('<') {
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
    Some((value[..digits].parse().ok()?, is_empty, after))
}

/// Reads the end of a tag that begins a text, and returns what follows it.
fn end(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('<')?.trim_start().strip_prefix('/')?;
    let (name, after) = inside.split_once('>')?;
    name.trim().eq_ignore_ascii_case("x").then_some(after)
}

/// A text without its entities. What is none stays.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest[1..].split_once(';').and_then(|(name, after)| Some((entity(name)?, after)));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn placeholder(id: usize) -> Segment {
        Segment::Placeholder { id, original: "{x}".to_owned() }
    }

    fn text(text: &str) -> Segment {
        Segment::Text(text.to_owned())
    }

    const ALL: [Markup; 2] = [Markup::Xml, Markup::Unescaped];

    #[test]
    fn tags_are_found_as_they_come_back() {
        let tagged = Tagged::new(&[text(" a < b & "), placeholder(1), text("\nc ")], Markup::Xml);
        assert_eq!(tagged.text, "a &lt; b &amp; <x id=\"1\"/><x id=\"2\"/>c");
        let expected = [text(" "), text("ä < b & "), placeholder(1), text("\n"), text("c"), text(" ")];
        for answer in [
            "ä &lt; b &amp; <x id=\"1\"/><x id=\"2\"/>c",
            "ä < b & <X ID='1' / ><x id=\"2\"></x>c ",
            "ä &#60; b &#x26; <x id=\"1\"><x id=\"2\"/></x>c",
        ] {
            assert_eq!(tagged.read(answer), expected, "{answer}");
        }
        let unknown = Segment::Placeholder { id: UNKNOWN, original: String::new() };
        assert!(tagged.read("ä <x id=\"3\"/>").contains(&unknown));
        assert_eq!(tagged.read("&lt;x id=\"1\"/&gt; </x>")[1], text("<x id=\"1\"/> </x>"));
    }

    fn whole(segments: &[Segment]) -> String {
        let piece = |segment: &Segment| match segment {
            Segment::Text(text) => text.clone(),
            Segment::Placeholder { id, .. } => format!("⟦{id}⟧"),
        };
        segments.iter().map(piece).collect()
    }

    proptest! {
        #[test]
        fn a_service_that_changes_nothing_gives_every_text_back(pieces in prop::collection::vec(r#"[a-z ]{0,5}|\PC{0,8}|[<>/&;x"'= \n\t#]{0,9}"#, 0..5)) {
            let segments = pieces.iter().enumerate().map(|(at, piece)| if at % 2 == 0 { text(piece) } else { placeholder(at) });
            let segments: Vec<_> = segments.collect();
            for markup in ALL {
                let tagged = Tagged::new(&segments, markup);
                let answer = if markup == Markup::Unescaped { unescaped(&tagged.text) } else { tagged.text.clone() };
                prop_assert_eq!(whole(&tagged.read(&answer)), whole(&segments), "{:?}", markup);
            }
        }

        #[test]
        fn any_answer_is_read(answer in r#"([<>/&;x"'= #0-9]|id|span|</|\PC){0,40}"#) {
            for markup in ALL {
                let _ = Tagged::new(&[text("a "), placeholder(1)], markup).read(&answer);
            }
        }
    }
}
