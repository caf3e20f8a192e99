//! The source with other texts.

use std::ops::Range;

use super::check::{Canonical, SegmentFault, SegmentFaultKind, canonical, check};
use super::segment::{Markup, Segment, Tag};
use super::write::write;
use super::{Document, DocumentFormat, parse};
use crate::SourceHash;

/// A segment whose translation cannot be written: its document is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnwritableSegment {
    /// Its position in [`Document::segments`].
    pub segment: usize,
    /// Its hash.
    pub hash: SourceHash,
    /// The faults, at least one.
    pub faults: Vec<SegmentFault>,
}

/// A translation that differs from its source.
struct Replacement {
    canonical: Canonical,
    careful: bool,
}

impl Document {
    /// The document in another language. `translated` is asked once for each segment, in their order; where it has nothing,
    /// the source stands.
    ///
    /// # Errors
    ///
    /// The segments whose translations [`check`] finds fault with, or cannot be written without changing the structure.
    pub fn render<'t>(
        &'t self,
        translated: impl Fn(&'t Segment) -> Option<&'t str>,
    ) -> Result<String, Vec<UnwritableSegment>> {
        let mut held = Vec::new();
        let mut replace = |(at, segment): (usize, &'t Segment)| {
            let text = translated(segment).filter(|text| *text != segment.text)?;
            let faults = check(segment, text);
            if !faults.is_empty() {
                held.push(UnwritableSegment { segment: at, hash: segment.hash, faults });
                return None;
            }
            let canonical = canonical(segment, &self.source, text);
            // A translation that differs in white space alone is the source.
            (canonical.text != segment.text).then_some(Replacement { canonical, careful: false })
        };
        let mut replacements: Vec<_> = self.segments.iter().enumerate().map(&mut replace).collect();
        if !held.is_empty() {
            return Err(held);
        }
        if replacements.iter().all(Option::is_none) {
            return Ok(self.source.clone());
        }
        let out = self.write(&replacements);
        if self.format != DocumentFormat::Markdown {
            return Ok(out);
        }
        let misread = self.misread(&replacements, &out);
        if misread.segments.is_empty() {
            return Ok(out);
        }
        for at in misread.segments {
            if let Some(Some(replacement)) = replacements.get_mut(at) {
                replacement.careful = true;
            }
        }
        let out = self.write(&replacements);
        let misread = self.misread(&replacements, &out);
        if misread.segments.is_empty() {
            return Ok(out);
        }
        // Those after the first one may be right.
        let most = if misread.is_shifted { 1 } else { usize::MAX };
        Err(misread.segments.into_iter().take(most).map(|at| self.held(at)).collect())
    }

    fn held(&self, at: usize) -> UnwritableSegment {
        let segment = &self.segments[at];
        let what = segment.text.chars().take(60).collect();
        UnwritableSegment {
            segment: at,
            hash: segment.hash,
            faults: vec![SegmentFault { kind: SegmentFaultKind::Structure, what }],
        }
    }

    fn write(&self, replacements: &[Option<Replacement>]) -> String {
        let mut out = String::with_capacity(self.source.len() + self.source.len() / 4);
        self.copy(&(0..self.source.len()), 0, replacements, &mut out);
        out
    }

    /// Copies a range of the source with its replacements, from segment number `first` on. Each replaced segment lies
    /// within the range as a whole.
    fn copy(&self, range: &Range<usize>, first: usize, replacements: &[Option<Replacement>], out: &mut String) {
        let mut at = range.start;
        let from = first + self.segments[first..].partition_point(|segment| segment.range.start < range.start);
        let within = self.segments[from..].iter().zip(&replacements[from..]).zip(from..);
        for ((segment, replacement), number) in
            within.take_while(|((segment, _), _)| segment.range.end <= range.end || segment.range.start < range.end)
        {
            let Some(replacement) = replacement else { continue };
            if segment.range.start < at || segment.range.end > range.end {
                continue;
            }
            out.push_str(&self.source[at..segment.range.start]);
            at = segment.range.end;
            // Attributes within the markup of this segment come after it in the list.
            let mut raw = |range: &Range<usize>, out: &mut String| self.copy(range, number + 1, replacements, out);
            write(segment, &self.source, &replacement.canonical.parts, replacement.careful, out, &mut raw);
        }
        out.push_str(&self.source[at..range.end]);
    }

    /// The segments that are not read again from `out` as they were written.
    fn misread(&self, replacements: &[Option<Replacement>], out: &str) -> Misread {
        let replaced = || replacements.iter().enumerate().filter(|(_, one)| one.is_some()).map(|(at, _)| at);
        let Ok(read) = parse(self.format, out) else {
            return Misread { segments: replaced().collect(), is_shifted: false };
        };
        let mut wrong = Vec::new();
        for (at, ((own, replacement), read)) in self.segments.iter().zip(replacements).zip(&read.segments).enumerate() {
            let same = match replacement {
                None => own.text == read.text && own.tags.len() == read.tags.len(),
                Some(replacement) => {
                    let Canonical { text, order, .. } = &replacement.canonical;
                    *text == read.text && order.iter().zip(&read.tags).all(|(number, tag)| is_kept(own, *number, tag))
                }
            };
            if !same {
                wrong.push(at);
            }
        }
        if read.segments.len() != self.segments.len() {
            // All after the first fault stand beside others than their own. A translation before it may be its cause.
            let first = wrong.first().copied().unwrap_or(read.segments.len());
            let cause = replaced().take_while(|at| *at <= first).last().unwrap_or_default();
            return Misread { segments: replaced().skip_while(|at| *at < cause).collect(), is_shifted: true };
        }
        if wrong.is_empty() && read.shape != self.shape {
            wrong = replaced().collect();
        }
        Misread { segments: wrong, is_shifted: false }
    }
}

/// The segments of a document that would be read otherwise than they were written.
struct Misread {
    segments: Vec<usize>,
    /// The document would have another number of segments, so that those after the first of these may be right.
    is_shifted: bool,
}

/// Returns whether a tag that was read is the segment's tag of that number.
fn is_kept(own: &Segment, number: u32, read: &Tag) -> bool {
    let Some(own) = own.tag(number) else { return matches!(read.markup, Markup::Literal(_)) };
    // A link whose label was its text has become one with a label beside it.
    let kind = |tag: &Tag| match tag.markup {
        Markup::Verbatim | Markup::Label(_) => 0,
        Markup::Delimiter => 1,
        Markup::Break => 2,
        Markup::Literal(_) => 3,
    };
    own.wraps == read.wraps && kind(own) == kind(read)
}
