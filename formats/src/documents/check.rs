//! The parts of a segment that a translation must keep, and the one form in which it is written.

use std::collections::BTreeMap;
use std::fmt;

use super::segment::{Construct, Markup, Segment, Tag};
use super::tagged::{Token, is_blank, is_margin, masked, plain, push_collapsed, tag_at, tokens};
use crate::text::Syntax;
use crate::text::message::is_message;
use crate::text::placeholders::{SpanKind, scan};

/// Something that a translation does not keep: its document is held back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SegmentFault {
    /// The way in which the translation fails.
    pub kind: SegmentFaultKind,
    /// The tag or placeholder, as the text has it.
    pub what: String,
}

/// The way in which a translation fails its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SegmentFaultKind {
    /// A tag (a link, code, emphasis, …), a placeholder or a web address is missing.
    Lost,
    /// The translation has one that the source lacks, or has it more often.
    Added,
    /// A tag is nested in another one than in the source, wraps text only here or only in the source, is not closed, or
    /// is a line break at an end of the text.
    Misplaced,
    /// The text has no letter, or a tag that wraps text is empty.
    Emptied,
    /// Written at its place, the text would be read as something else.
    Structure,
}

impl fmt::Display for SegmentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, what } = self;
        match kind {
            SegmentFaultKind::Lost => write!(f, "`{what}` is missing"),
            SegmentFaultKind::Added => write!(f, "`{what}` is not in the source, or not as often"),
            SegmentFaultKind::Misplaced => write!(f, "`{what}` stands where it cannot stand"),
            SegmentFaultKind::Emptied if what.is_empty() => f.write_str("there is no letter"),
            SegmentFaultKind::Emptied => write!(f, "`{what}` has nothing in it"),
            SegmentFaultKind::Structure => {
                write!(f, "the translation of `{what}` would change the structure of the document")
            }
        }
    }
}

/// Returns the faults of a translation of a segment; none if it passes. The segment's own text always passes.
///
/// Tags may change their order but neither their number nor their nesting.
#[must_use]
pub fn check(segment: &Segment, translated: &str) -> Vec<SegmentFault> {
    if translated == segment.text {
        return Vec::new();
    }
    let mut faults = tags(segment, translated);
    placeholders(&segment.text, translated, &mut faults);
    let letters = |token| matches!(token, Token::Text(text) if text.chars().any(char::is_alphabetic));
    if !tokens(translated).any(letters) {
        faults.push(SegmentFault { kind: SegmentFaultKind::Emptied, what: String::new() });
    }
    if is_message(translated, Syntax::Mixed) {
        faults.push(SegmentFault { kind: SegmentFaultKind::Added, what: "{".to_owned() });
    }
    faults
}

/// Like [`check`], for the text of a segment without its document. It does not check the places of line breaks.
#[must_use]
pub fn check_text(text: &str, translated: &str) -> Vec<SegmentFault> {
    check(&Segment::of_text(text), translated)
}

fn tags(segment: &Segment, translated: &str) -> Vec<SegmentFault> {
    let mut faults = Vec::new();
    let mut seen = vec![0_u8; segment.tags.len()];
    // Open tags, each with whether there is something in it. Where one has something, so have those around it.
    let mut open: Vec<(u32, bool)> = Vec::new();
    let fill = |open: &mut Vec<(u32, bool)>| {
        open.iter_mut().rev().take_while(|(_, filled)| !*filled).for_each(|(_, filled)| *filled = true);
    };
    let mut fault = |kind, what: String| faults.push(SegmentFault { kind, what });
    // A break needs something before it and after it, on its own level.
    let mut after_break = None;
    let mut before = false;
    for token in tokens(translated) {
        let (number, shown, wraps) = match token {
            Token::Text(text) => {
                if !text.chars().all(is_margin) {
                    (before, after_break) = (true, None);
                    fill(&mut open);
                }
                continue;
            }
            Token::Close(number) => {
                match open.last() {
                    Some(&(begun, filled)) if begun == number => {
                        if !filled {
                            fault(SegmentFaultKind::Emptied, format!("<{number}>"));
                        }
                        open.pop();
                    }
                    _ if segment.tag(number).is_some() => fault(SegmentFaultKind::Misplaced, format!("</{number}>")),
                    _ => fault(SegmentFaultKind::Added, format!("</{number}>")),
                }
                continue;
            }
            Token::Open(number) => (number, format!("<{number}>"), true),
            Token::Void(number) => (number, format!("<{number}/>"), false),
        };
        let Some(tag) = segment.tag(number) else {
            fault(SegmentFaultKind::Added, shown);
            continue;
        };
        let times = &mut seen[number as usize - 1];
        *times = times.saturating_add(1);
        let parent = open.last().map_or(0, |(number, _)| *number);
        if *times > 1 {
            fault(SegmentFaultKind::Added, shown.clone());
        } else if tag.wraps != wraps || tag.parent != parent {
            fault(SegmentFaultKind::Misplaced, shown.clone());
        }
        if tag.markup == Markup::Break {
            if !before || after_break.is_some() {
                fault(SegmentFaultKind::Misplaced, shown.clone());
            }
            after_break = Some(shown);
        } else if !wraps {
            (before, after_break) = (true, None);
        }
        if wraps {
            open.push((number, false));
        } else {
            fill(&mut open);
        }
    }
    for (number, _) in open {
        fault(SegmentFaultKind::Misplaced, format!("<{number}>"));
    }
    if let Some(shown) = after_break {
        fault(SegmentFaultKind::Misplaced, shown);
    }
    for (number, (_, tag)) in (1_u32..).zip(seen.iter().zip(&segment.tags)).filter(|(_, (times, _))| **times == 0) {
        fault(SegmentFaultKind::Lost, shown(number, tag));
    }
    faults
}

fn shown(number: u32, tag: &Tag) -> String {
    if tag.wraps { format!("<{number}>") } else { format!("<{number}/>") }
}

/// Holds the placeholders of both texts against each other. Of web addresses only the number counts: a translation may
/// lead to the page in its own language.
fn placeholders(source: &str, translated: &str, faults: &mut Vec<SegmentFault>) {
    let mut balance: BTreeMap<&str, i32> = BTreeMap::new();
    for (text, step) in [(source, -1), (translated, 1)] {
        for span in scan(text, Syntax::Mixed) {
            let what = match span.kind {
                SpanKind::Url => "https://",
                SpanKind::Tag if tag_at(&text[span.range.clone()]).is_some() => continue,
                SpanKind::Entity | SpanKind::Escape | SpanKind::Syntax => continue,
                _ => &text[span.range],
            };
            *balance.entry(what).or_default() += step;
        }
    }
    for (what, more) in balance.into_iter().filter(|(_, more)| *more != 0) {
        let kind = if more < 0 { SegmentFaultKind::Lost } else { SegmentFaultKind::Added };
        faults.push(SegmentFault { kind, what: what.to_owned() });
    }
}

/// A translation in the form in which it is written and read again: white space is as the format keeps it.
pub(super) struct Canonical {
    /// The parts to write, tags with the segment's numbers. Two texts never follow each other.
    pub(super) parts: Vec<TranslationPart>,
    /// The text that is read again: tags are numbered in their order.
    pub(super) text: String,
    /// The segment's numbers of the tags in their order, 0 for text that is a tag only because it looks like one.
    pub(super) order: Vec<u32>,
}

/// A part of a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TranslationPart {
    /// Literal text.
    Text(String),
    /// The beginning of a tag that wraps.
    Open(u32),
    /// Its end.
    Close(u32),
    /// A tag that wraps nothing.
    Void(u32),
}

/// The canonical form of a translation without faults.
pub(super) fn canonical(segment: &Segment, source: &str, translated: &str) -> Canonical {
    let parts = parts(segment, source, translated);
    let read = Masker::read(&parts, false);
    let read = if is_message(&read.text, Syntax::Mixed) { Masker::read(&parts, true) } else { read };
    Canonical { parts, text: read.text, order: read.order }
}

fn parts(segment: &Segment, source: &str, translated: &str) -> Vec<TranslationPart> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    for token in tokens(translated) {
        let part = match token {
            Token::Text(text) => {
                literal.push_str(text);
                continue;
            }
            Token::Void(number) => match segment.tag(number).map(|tag| &tag.markup) {
                Some(Markup::Literal(character)) => {
                    literal.push(*character);
                    continue;
                }
                _ => TranslationPart::Void(number),
            },
            Token::Open(number) => TranslationPart::Open(number),
            Token::Close(number) => TranslationPart::Close(number),
        };
        if !literal.is_empty() {
            parts.push(TranslationPart::Text(std::mem::take(&mut literal)));
        }
        parts.push(part);
    }
    if !literal.is_empty() {
        parts.push(TranslationPart::Text(literal));
    }
    let last = parts.len().saturating_sub(1);
    for at in 0..parts.len() {
        let before = at.checked_sub(1).is_some_and(|before| blanks(segment, source, &parts[before]).1);
        let after = parts.get(at + 1).is_some_and(|after| blanks(segment, source, after).0);
        let TranslationPart::Text(text) = &mut parts[at] else { continue };
        if segment.place == Construct::Plain {
            *text = plain(text);
            continue;
        }
        let mut kept = text.as_str();
        if at == 0 {
            kept = kept.trim_start_matches(is_margin);
        } else if before {
            kept = kept.trim_start_matches(is_blank);
        }
        if at == last {
            kept = kept.trim_end_matches(is_margin);
        } else if after {
            kept = kept.trim_end_matches(is_blank);
        }
        let mut collapsed = String::with_capacity(kept.len());
        push_collapsed(&mut collapsed, kept);
        *text = collapsed;
    }
    parts.retain(|part| !matches!(part, TranslationPart::Text(text) if text.is_empty()));
    parts
}

/// Writes parts as the text of a segment.
#[derive(Default)]
struct Masker {
    text: String,
    order: Vec<u32>,
    /// For each tag that is open, its new number.
    open: Vec<usize>,
}

impl Masker {
    fn read(parts: &[TranslationPart], no_braces: bool) -> Self {
        let mut masker = Self::default();
        for part in parts {
            match part {
                TranslationPart::Text(text) => masker.literal(text, no_braces),
                TranslationPart::Open(number) => {
                    masker.order.push(*number);
                    masker.open.push(masker.order.len());
                    masker.text.push_str(&format!("<{}>", masker.order.len()));
                }
                TranslationPart::Close(_) => {
                    let number = masker.open.pop().unwrap_or_default();
                    masker.text.push_str(&format!("</{number}>"));
                }
                TranslationPart::Void(number) => {
                    masker.order.push(*number);
                    masker.text.push_str(&format!("<{}/>", masker.order.len()));
                }
            }
        }
        masker
    }

    fn literal(&mut self, literal: &str, no_braces: bool) {
        let mut from = 0;
        for (at, _) in masked(literal, no_braces) {
            self.order.push(0);
            self.text.push_str(&literal[from..at]);
            self.text.push_str(&format!("<{}/>", self.order.len()));
            from = at + 1;
        }
        self.text.push_str(&literal[from..]);
    }
}

/// Returns whether the markup of a tag has white space of its own before it, and after it.
fn blanks(segment: &Segment, source: &str, part: &TranslationPart) -> (bool, bool) {
    let (TranslationPart::Open(number) | TranslationPart::Close(number) | TranslationPart::Void(number)) = part else {
        return (false, false);
    };
    let Some(tag) = segment.tag(*number) else { return (false, false) };
    if tag.markup == Markup::Break {
        return (true, true);
    }
    let range = if matches!(part, TranslationPart::Close(_)) { &tag.close } else { &tag.open };
    let raw = source.get(range.clone()).unwrap_or_default();
    (raw.starts_with(is_blank), raw.ends_with(is_blank))
}
