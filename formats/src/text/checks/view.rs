//! A text taken apart for the checks: its placeholders and the prose between them.

use std::ops::Range;

use crate::text::Syntax;
use crate::text::message::{ChoiceKind, Message, Part, quoted};
use crate::text::placeholders::{Span, SpanKind, scan};

/// A text and its parts. All ranges are bytes of the whole text.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) text: &'a str,
    pub(super) syntax: Syntax,
    /// Its branches; `None` when it has no choices.
    pub(super) message: Option<Message>,
    /// Placeholders, tags and so on, in order; the syntax of choices is not among them.
    pub(super) spans: Vec<Span>,
    /// The text between the spans.
    pub(super) prose: Vec<Range<usize>>,
}

impl<'a> View<'a> {
    pub(super) fn new(text: &'a str, syntax: Syntax, message: Option<Message>) -> Self {
        let mut view = Self { text, syntax, message: None, spans: Vec::new(), prose: Vec::new() };
        match &message {
            None => view.add(scan(text, syntax), 0..text.len()),
            Some(message) => view.message(message, false),
        }
        view.message = message;
        view
    }

    /// The bytes of a span.
    pub(super) fn of(&self, span: &Span) -> &'a str {
        &self.text[span.range.clone()]
    }

    /// The pieces of prose.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &'a str> {
        self.prose.iter().map(|range| &self.text[range.clone()])
    }

    fn message(&mut self, message: &Message, in_plural: bool) {
        for part in &message.parts {
            match part {
                Part::Text(range) => {
                    let text = &self.text[range.clone()];
                    let mut spans = scan(text, self.syntax);
                    if self.syntax.has_choices() {
                        spans.extend(syntax(text, in_plural));
                    }
                    spans.sort_by_key(|span| span.range.start);
                    self.add(spans, range.clone());
                }
                Part::Choice(choice) => {
                    for branch in &choice.branches {
                        self.message(&branch.message, in_plural || choice.kind != ChoiceKind::Select);
                    }
                }
            }
        }
    }

    /// Adds the spans of a piece of the text, which are counted from its beginning.
    fn add(&mut self, spans: Vec<Span>, within: Range<usize>) {
        let mut at = within.start;
        for Span { kind, range } in spans {
            let range = within.start + range.start..within.start + range.end;
            if range.start < at {
                continue;
            }
            if range.start > at {
                self.prose.push(at..range.start);
            }
            at = range.end;
            self.spans.push(Span { kind, range });
        }
        if at < within.end {
            self.prose.push(at..within.end);
        }
    }
}

/// ICU's own syntax in a message: `''`, quoted parts, and `#` in a plural.
fn syntax(text: &str, in_plural: bool) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['\'', '#']) {
        let start = at + next;
        let rest = &text[start..];
        let is_number = rest.starts_with('#');
        let length = if is_number { 1 } else { quoted(rest, in_plural).unwrap_or(rest.len()) };
        if length > 1 || (is_number && in_plural) {
            found.push(Span { kind: SpanKind::Syntax, range: start..start + length });
        }
        at = start + length;
    }
    found
}
