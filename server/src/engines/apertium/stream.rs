//! Apertium's stream format: what is not to be translated stands in superblanks (`[…]`), and its own signs are escaped.

use super::super::TextSegment;

/// Characters that mean something to Apertium.
const SIGNS: &[char] = &['\\', '^', '$', '@', '/', '<', '>', '{', '}', '[', ']', '*'];

/// The end of a text: it lets Apertium end the sentence, and shows that an answer is whole.
const END: &str = "[][\n]";

/// A text in the stream, and what its superblanks stand for.
#[derive(Debug)]
pub(super) struct Encoded {
    /// The text, with the NUL at its end.
    pub(super) bytes: Vec<u8>,
    blanks: Vec<TextSegment>,
    before: String,
    after: String,
}

impl Encoded {
    /// Writes a text for the stream. Blanks other than a single space go through untouched, and so does `~`, which Apertium
    /// would take for a sign of its own, escaped or not.
    pub(super) fn new(segments: &[TextSegment]) -> Self {
        let mut encoded = Self { bytes: Vec::new(), blanks: Vec::new(), before: String::new(), after: String::new() };
        let mut text = String::new();
        for (at, segment) in segments.iter().enumerate() {
            let piece = match segment {
                TextSegment::Placeholder { .. } => {
                    encoded.blank(&mut text, segment.clone());
                    continue;
                }
                TextSegment::Text(piece) => piece,
            };
            let mut inner = piece.as_str();
            if at == 0 {
                inner = inner.trim_start();
                piece[..piece.len() - inner.len()].clone_into(&mut encoded.before);
            }
            if at + 1 == segments.len() {
                let trimmed = inner.trim_end();
                inner[trimmed.len()..].clone_into(&mut encoded.after);
                inner = trimmed;
            }
            encoded.write(&mut text, inner);
        }
        text.push_str(END);
        encoded.bytes = text.into_bytes();
        encoded.bytes.push(0);
        encoded
    }

    fn write(&mut self, text: &mut String, mut piece: &str) {
        while let Some(character) = piece.chars().next() {
            let of_a_kind = |is: fn(char) -> bool| piece.len() - piece.trim_start_matches(is).len();
            let blanks = of_a_kind(char::is_whitespace);
            let length = if blanks > 0 { blanks } else { character.len_utf8() };
            let (head, rest) = piece.split_at(length);
            piece = rest;
            if head == " " {
                text.push(' ');
            } else if blanks > 0 || matches!(character, '~' | '\0') {
                self.blank(text, TextSegment::Text(head.to_owned()));
            } else {
                if SIGNS.contains(&character) {
                    text.push('\\');
                }
                text.push(character);
            }
        }
    }

    fn blank(&mut self, text: &mut String, segment: TextSegment) {
        self.blanks.push(segment);
        text.push_str(&format!("[{}]", self.blanks.len()));
    }

    /// Text and placeholders of an answer, without its NUL; `None` if it is not whole, as when the stream has broken. Spaces
    /// that Apertium adds for words that it leaves out are taken away.
    pub(super) fn read(&self, answer: &[u8]) -> Option<Vec<TextSegment>> {
        let answer = std::str::from_utf8(answer).ok()?.strip_suffix(END)?.trim_matches(' ');
        let mut segments = vec![TextSegment::Text(self.before.clone())];
        let mut text = String::new();
        let mut characters = answer.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => text.push(characters.next()?),
                ' ' if text.ends_with(' ') => {}
                '[' => {
                    let number: String = characters.by_ref().take_while(|character| *character != ']').collect();
                    let blank =
                        number.parse::<usize>().ok().and_then(|number| self.blanks.get(number.checked_sub(1)?))?;
                    segments.push(TextSegment::Text(std::mem::take(&mut text)));
                    segments.push(blank.clone());
                }
                other => text.push(other),
            }
        }
        segments.extend([TextSegment::Text(text), TextSegment::Text(self.after.clone())]);
        segments.retain(|segment| !matches!(segment, TextSegment::Text(text) if text.is_empty()));
        Some(segments)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> TextSegment {
        TextSegment::Text(text.to_owned())
    }

    fn whole(segments: &[TextSegment]) -> String {
        segments.iter().map(TextSegment::original).collect()
    }

    #[test]
    fn signs_are_escaped_and_placeholders_are_superblanks() {
        let name = TextSegment::Placeholder { id: 1, original: "{name}".to_owned() };
        let encoded = Encoded::new(&[text(" Hi "), name.clone(), text(", ~5 <b> [1]\n\nmore ")]);
        let expected = "Hi [1], [2]5 \\<b\\> \\[1\\][3]more[][\n]\0";
        assert_eq!(String::from_utf8(encoded.bytes.clone()).unwrap(), expected);
        let answer = encoded.read(b" Hola  [1], [2]5 \\<b\\> \\[1\\][3]m\xc3\xa1s[][\n]").unwrap();
        assert_eq!(whole(&answer), " Hola {name}, ~5 <b> [1]\n\nmás ");
        assert_eq!(answer[2], name);
        for broken in ["", "Hola", "[9][][\n]", "[x][][\n]", "\\[][\n"] {
            assert!(encoded.read(broken.as_bytes()).is_none(), "{broken}");
        }
    }

    proptest! {
        #[test]
        fn an_engine_that_changes_nothing_gives_every_text_back(pieces in prop::collection::vec(r"[a-z ]{0,5}|\PC{0,8}|[\[\]\\~^$@/<>{}* \n\t]{0,8}", 0..5)) {
            let segments = pieces.iter().enumerate().map(|(at, piece)| match at % 2 {
                0 => text(piece),
                _ => TextSegment::Placeholder { id: at, original: piece.clone() },
            });
            let segments: Vec<_> = segments.collect();
            let encoded = Encoded::new(&segments);
            let answer = encoded.read(&encoded.bytes[..encoded.bytes.len() - 1]).unwrap();
            prop_assert_eq!(whole(&answer), whole(&segments));
        }
    }
}
