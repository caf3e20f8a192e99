//! Placeholders as marks in plain text, `⟦1⟧`, for what takes a text as a whole.

use super::TextSegment;

const OPEN: char = '⟦';
const CLOSE: char = '⟧';

/// An id that no placeholder has: the pipeline takes a text that comes back with it for one that lost its placeholders.
const UNKNOWN: usize = usize::MAX;

/// A text with marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    /// The text, without the blanks at its ends.
    pub(super) text: String,
    /// The parts that marks stand for; `⟦1⟧` is the first.
    pub(super) legend: Vec<TextSegment>,
    before: String,
    after: String,
}

impl Marked {
    /// Marks the placeholders. What looks like a mark in the text itself is marked, too.
    pub(super) fn new(segments: &[TextSegment]) -> Self {
        let (mut text, mut legend) = (String::new(), Vec::new());
        let mut mark = |text: &mut String, segment: TextSegment| {
            legend.push(segment);
            text.push_str(&mark(legend.len()));
        };
        for segment in segments {
            match segment {
                TextSegment::Placeholder { .. } => mark(&mut text, segment.clone()),
                TextSegment::Text(piece) => {
                    for character in piece.chars() {
                        match character {
                            OPEN | CLOSE => mark(&mut text, TextSegment::Text(character.to_string())),
                            _ => text.push(character),
                        }
                    }
                }
            }
        }
        let inner = text.trim();
        let begin = text.len() - text.trim_start().len();
        let (before, after) = (text[..begin].to_owned(), text[begin + inner.len()..].to_owned());
        Self { text: inner.to_owned(), legend, before, after }
    }

    /// Text and placeholders of an answer. A mark that was not given becomes a placeholder that does not exist.
    pub(super) fn read(&self, answer: &str) -> Vec<TextSegment> {
        let mut segments = vec![TextSegment::Text(self.before.clone())];
        let mut rest = answer.trim();
        while let Some(at) = rest.find([OPEN, CLOSE]) {
            segments.push(TextSegment::Text(rest[..at].to_owned()));
            let inside = rest[at..].strip_prefix(OPEN).and_then(|inside| inside.split_once(CLOSE));
            let Some((number, after)) = inside else {
                segments.push(TextSegment::Placeholder { id: UNKNOWN, original: String::new() });
                return segments;
            };
            let known = number.trim().parse::<usize>().ok().and_then(|number| self.legend.get(number.checked_sub(1)?));
            let unknown = TextSegment::Placeholder { id: UNKNOWN, original: String::new() };
            segments.push(known.cloned().unwrap_or(unknown));
            rest = after;
        }
        segments.push(TextSegment::Text(rest.to_owned()));
        segments.push(TextSegment::Text(self.after.clone()));
        segments.retain(|segment| !matches!(segment, TextSegment::Text(text) if text.is_empty()));
        segments
    }
}

/// The mark of this number.
pub(super) fn mark(number: usize) -> String {
    format!("{OPEN}{number}{CLOSE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> TextSegment {
        TextSegment::Text(text.to_owned())
    }

    fn placeholder(id: usize, original: &str) -> TextSegment {
        TextSegment::Placeholder { id, original: original.to_owned() }
    }

    #[test]
    fn marks_are_read_back_wherever_they_went() {
        let marked = Marked::new(&[text(" Hi "), placeholder(1, "{name}"), text(", see ⟦1⟧\n")]);
        assert_eq!(marked.text, "Hi ⟦1⟧, see ⟦2⟧1⟦3⟧");
        let read = marked.read("⟦2⟧1⟦3⟧ siehst du, ⟦ 1 ⟧ ");
        let expected = [" ", "⟦", "1", "⟧", " siehst du, "].map(text);
        assert_eq!(read[..5], expected);
        assert_eq!(read[5..], [placeholder(1, "{name}"), text("\n")]);
    }

    #[test]
    fn a_mark_that_was_not_given_is_no_placeholder() {
        let marked = Marked::new(&[placeholder(0, "{name}")]);
        for wrong in ["⟦2⟧", "⟦0⟧", "⟦x⟧", "⟦", "1⟧"] {
            assert!(marked.read(wrong).contains(&placeholder(UNKNOWN, "")), "{wrong}");
        }
    }
}
