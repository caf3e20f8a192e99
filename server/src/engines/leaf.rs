//! A leaf: a text without choices, taken apart into what an engine may translate and what it must give back.

use l10n_formats::text::Syntax;
use l10n_formats::text::placeholders::{SpanKind, scan};

use super::{PluralForm, TextSegment};

/// A leaf, masked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MaskedLeaf {
    /// As the source has it.
    pub(super) text: String,
    /// True inside an ICU message, where apostrophes quote.
    pub(super) in_message: bool,
    /// True inside a plural, where `#` is the number.
    pub(super) in_plural: bool,
    /// The plural form that it is in the target language, if it is one.
    pub(super) plural: Option<PluralForm>,
    /// The syntax of the text.
    pub(super) syntax: Syntax,
}

impl MaskedLeaf {
    /// Returns true if there is anything to translate.
    pub(super) fn is_translatable(&self) -> bool {
        self.segments()
            .iter()
            .any(|segment| matches!(segment, TextSegment::Text(text) if text.chars().any(char::is_alphanumeric)))
    }

    /// Text and placeholders in order.
    pub(super) fn segments(&self) -> Vec<TextSegment> {
        let text = &self.text;
        let mut protected: Vec<_> = scan(text, self.syntax).into_iter().map(|span| (span.kind, span.range)).collect();
        if self.in_message {
            protected.extend(self.syntax().into_iter().map(|range| (SpanKind::Syntax, range)));
            protected.sort_by_key(|(_, range)| (range.start, std::cmp::Reverse(range.end)));
        }
        let mut segments = Vec::new();
        let mut at = 0;
        for (_, range) in protected {
            if range.start < at {
                continue;
            }
            if range.start > at {
                segments.push(TextSegment::Text(text[at..range.start].to_owned()));
            }
            segments.push(TextSegment::Placeholder { id: segments.len(), original: text[range.clone()].to_owned() });
            at = range.end;
        }
        if at < text.len() {
            segments.push(TextSegment::Text(text[at..].to_owned()));
        }
        segments
    }

    /// The parts that ICU itself reads in a message: `''`, quoted parts, and `#` in a plural.
    fn syntax(&self) -> Vec<std::ops::Range<usize>> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(next) = self.text[at..].find(['\'', '#']) {
            let start = at + next;
            let rest = &self.text[start..];
            let length = if rest.starts_with('#') {
                1
            } else {
                l10n_formats::text::message::quoted(rest, self.in_plural).unwrap_or(rest.len())
            };
            if length > 1 || (rest.starts_with('#') && self.in_plural) {
                found.push(start..start + length);
            }
            at = start + length;
        }
        found
    }

    /// Puts an engine's answer together; `None` when a placeholder was lost, doubled or invented.
    pub(super) fn unmask(&self, answer: &[TextSegment]) -> Option<String> {
        let mut expected: Vec<(usize, String)> = self
            .segments()
            .into_iter()
            .filter_map(|segment| match segment {
                TextSegment::Placeholder { id, original } => Some((id, original)),
                TextSegment::Text(_) => None,
            })
            .collect();
        let mut text = String::new();
        for segment in answer {
            match segment {
                TextSegment::Text(piece) => text.push_str(piece),
                TextSegment::Placeholder { id, .. } => {
                    let known = expected.iter().position(|(expected, _)| expected == id)?;
                    text.push_str(&expected.swap_remove(known).1);
                }
            }
        }
        expected.is_empty().then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(text: &str, in_plural: bool) -> MaskedLeaf {
        MaskedLeaf { text: text.to_owned(), in_message: in_plural, in_plural, plural: None, syntax: Syntax::Mixed }
    }

    #[test]
    fn what_is_not_text_is_masked() {
        let originals = |leaf: &MaskedLeaf| -> Vec<String> {
            let kept = |segment| match segment {
                TextSegment::Placeholder { original, .. } => Some(original),
                TextSegment::Text(_) => None,
            };
            leaf.segments().into_iter().filter_map(kept).collect()
        };
        assert_eq!(
            originals(&leaf("<b>{name}</b> has # new, it''s '{'ok'}'", true)),
            ["<b>", "{name}", "</b>", "#", "''", "'{'", "'}'"]
        );
        assert_eq!(originals(&leaf("# 1, it''s", false)), Vec::<String>::new());
        assert!(!leaf("{a} – {b}", false).is_translatable());
    }

    #[test]
    fn an_answer_that_loses_or_doubles_a_placeholder_is_refused() {
        let leaf = leaf("Hi {name}!", false);
        let segments = leaf.segments();
        assert_eq!(leaf.unmask(&segments).as_deref(), Some("Hi {name}!"));
        let reversed: Vec<_> = segments.iter().rev().cloned().collect();
        assert_eq!(leaf.unmask(&reversed).as_deref(), Some("!{name}Hi "));
        assert_eq!(leaf.unmask(&segments[..1]), None);
        assert_eq!(leaf.unmask(&[&segments[..], &segments[1..2]].concat()), None);
    }
}
