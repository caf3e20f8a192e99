//! Placeholders as empty tags, for services that translate markup. What comes back is searched for our own tags alone: it
//! need not be markup any more.

use super::markup::{begin, content, end, escape, unescaped};
use crate::engines::TextSegment;

/// An id that no placeholder has: the pipeline takes a text that comes back with it for one that lost its placeholders.
const UNKNOWN: usize = usize::MAX;

/// The tags that a service wants, and what it does to the rest of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServiceMarkup {
    /// `<x id="1"/>`; the answer is escaped as the text was.
    Xml,
    /// `<x id="1"></x>`; the answer comes unescaped.
    Unescaped,
    /// `<span … id="1">{name}</span>` with an attribute that says that it stays, and `<br … id="2">` for line breaks; the
    /// answer is escaped, or not.
    Span(&'static str),
}

impl ServiceMarkup {
    /// The tags that Google leaves alone.
    pub(super) const GOOGLE: Self = Self::Span("translate=\"no\"");

    /// The tags that Azure leaves alone.
    pub(super) const AZURE: Self = Self::Span("class=\"notranslate\"");

    fn tag(self, number: usize, segment: &TextSegment) -> String {
        match self {
            Self::Xml => format!("<x id=\"{number}\"/>"),
            Self::Unescaped => format!("<x id=\"{number}\"></x>"),
            Self::Span(stays) if matches!(segment, TextSegment::Text(text) if text == "\n") => {
                format!("<br {stays} id=\"{number}\">")
            }
            Self::Span(stays) => format!("<span {stays} id=\"{number}\">{}</span>", inside(segment)),
        }
    }

    /// The names of its tags.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Xml | Self::Unescaped => &["x"],
            Self::Span(_) => &["span", "br"],
        }
    }
}

/// The content of a placeholder's tag: the placeholder itself, so that the words around it may fit it.
fn inside(segment: &TextSegment) -> String {
    let TextSegment::Placeholder { original, .. } = segment else { return String::new() };
    let mut text = String::new();
    for character in original.chars() {
        if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') {
            text.push(' ');
        } else {
            escape(character, &mut text);
        }
    }
    text
}

/// A text with tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tagged {
    /// The text, without the blanks at its ends.
    pub(super) text: String,
    markup: ServiceMarkup,
    legend: Vec<TextSegment>,
    before: String,
    after: String,
}

impl Tagged {
    /// Writes a text with tags. Line breaks are tags, too, since markup takes them for spaces, and so are characters that
    /// no markup may have.
    pub(super) fn new(segments: &[TextSegment], markup: ServiceMarkup) -> Self {
        let mut tagged =
            Self { text: String::new(), markup, legend: Vec::new(), before: String::new(), after: String::new() };
        for (at, segment) in segments.iter().enumerate() {
            let TextSegment::Text(piece) = segment else {
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
                    '\u{fffe}' | '\u{ffff}' => tagged.tag(TextSegment::Text(character.to_string())),
                    _ if character.is_control() => tagged.tag(TextSegment::Text(character.to_string())),
                    _ => escape(character, &mut tagged.text),
                }
            }
        }
        tagged
    }

    fn tag(&mut self, segment: TextSegment) {
        self.text.push_str(&self.markup.tag(self.legend.len() + 1, &segment));
        self.legend.push(segment);
    }

    /// Text and placeholders of an answer. A tag that was not given becomes a placeholder that does not exist.
    pub(super) fn read(&self, answer: &str) -> Vec<TextSegment> {
        let mut segments = vec![TextSegment::Text(self.before.clone())];
        let mut text = String::new();
        // Tags that wait for their ends.
        let mut open = 0_usize;
        // Looked for no more once there is none left.
        let mut has_ends = true;
        let mut rest = answer.trim();
        while let Some(at) = rest.find('<') {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            if open > 0
                && let Some(after) = end(rest, "x")
            {
                open -= 1;
                rest = after;
                continue;
            }
            let Some(begun) = begin(rest, self.markup.names()) else {
                text.push('<');
                rest = &rest[1..];
                continue;
            };
            self.text(&mut segments, &mut text);
            rest = begun.after;
            let mut known = begun.number.checked_sub(1).and_then(|at| self.legend.get(at)).cloned();
            match begun.name {
                "span" => {
                    let found = if begun.is_empty || !has_ends { None } else { content(rest, "span") };
                    has_ends &= begun.is_empty || found.is_some();
                    let (content, after) = found.unwrap_or(("", rest));
                    // What stood in it may have come into the text.
                    known = known.filter(|known| inside(known).trim().is_empty() || !content.trim().is_empty());
                    rest = after;
                }
                "x" => open += usize::from(!begun.is_empty),
                _ => {}
            }
            segments.push(known.unwrap_or(TextSegment::Placeholder { id: UNKNOWN, original: String::new() }));
        }
        text.push_str(rest);
        self.text(&mut segments, &mut text);
        segments.push(TextSegment::Text(self.after.clone()));
        segments.retain(|segment| !matches!(segment, TextSegment::Text(text) if text.is_empty()));
        segments
    }

    fn text(&self, segments: &mut Vec<TextSegment>, text: &mut String) {
        let piece = std::mem::take(text);
        segments.push(TextSegment::Text(if self.markup == ServiceMarkup::Unescaped {
            piece
        } else {
            unescaped(&piece)
        }));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn placeholder(id: usize) -> TextSegment {
        TextSegment::Placeholder { id, original: "{x}".to_owned() }
    }

    fn text(text: &str) -> TextSegment {
        TextSegment::Text(text.to_owned())
    }

    const ALL: [ServiceMarkup; 4] =
        [ServiceMarkup::Xml, ServiceMarkup::Unescaped, ServiceMarkup::GOOGLE, ServiceMarkup::AZURE];

    #[test]
    fn tags_are_found_as_they_come_back() {
        let tagged = Tagged::new(&[text(" a < b & "), placeholder(1), text("\nc ")], ServiceMarkup::Xml);
        assert_eq!(tagged.text, "a &lt; b &amp; <x id=\"1\"/><x id=\"2\"/>c");
        let expected = [text(" "), text("ä < b & "), placeholder(1), text("\n"), text("c"), text(" ")];
        for answer in [
            "ä &lt; b &amp; <x id=\"1\"/><x id=\"2\"/>c",
            "ä < b & <X ID='1' / ><x id=\"2\"></x>c ",
            "ä &#60; b &#x26; <x id=\"1\"><x id=\"2\"/></x>c",
        ] {
            assert_eq!(tagged.read(answer), expected, "{answer}");
        }
        let unknown = TextSegment::Placeholder { id: UNKNOWN, original: String::new() };
        assert!(tagged.read("ä <x id=\"3\"/>").contains(&unknown));
        assert_eq!(tagged.read("&lt;x id=\"1\"/&gt; </x>")[1], text("<x id=\"1\"/> </x>"));
    }

    #[test]
    fn spans_have_their_placeholders_in_them_and_come_back_with_something() {
        let tagged = Tagged::new(&[text("a < "), placeholder(1), text("\nc")], ServiceMarkup::GOOGLE);
        let asked = r#"a &lt; <span translate="no" id="1">{x}</span><br translate="no" id="2">c"#;
        assert_eq!(tagged.text, asked);
        let expected = [text("ä < "), placeholder(1), text("\n"), text("c")];
        for answer in [
            r#"ä &lt; <span translate="no" id="1">{x}</span><br translate="no" id="2">c"#,
            r#"ä < <SPAN ID='1' TRANSLATE="NO">{ X }</SPAN ><br id="2"/>c"#,
        ] {
            assert_eq!(tagged.read(answer), expected, "{answer}");
        }
        let unknown = TextSegment::Placeholder { id: UNKNOWN, original: String::new() };
        for spilt in [r#"{x}<span id="1"></span>"#, r#"{x}<span id="1"/>"#, r#"<span id="1">{x}"#] {
            assert!(tagged.read(spilt).contains(&unknown), "{spilt}");
        }
        assert!(
            Tagged::new(&[placeholder(1)], ServiceMarkup::AZURE)
                .text
                .starts_with(r#"<span class="notranslate" id="1">"#)
        );
    }

    /// Work that grew with the square of the answer would hold the server up.
    #[test]
    fn an_answer_made_to_be_slow_is_read_in_one_pass() {
        for piece in [
            "<",
            "<x",
            "<x id=",
            "<x id=\"1\">",
            "</",
            "</x",
            "<span id=\"1\">",
            "<span",
            "</span",
            "<br id=2",
            "&",
            "&#",
        ] {
            let answer = piece.repeat(200_000 / piece.len());
            for markup in ALL {
                let _ = Tagged::new(&[text("a "), placeholder(1)], markup).read(&answer);
            }
        }
    }

    fn whole(segments: &[TextSegment]) -> String {
        let piece = |segment: &TextSegment| match segment {
            TextSegment::Text(text) => text.clone(),
            TextSegment::Placeholder { id, .. } => format!("⟦{id}⟧"),
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
                let answer = if markup == ServiceMarkup::Unescaped { unescaped(&tagged.text) } else { tagged.text.clone() };
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
