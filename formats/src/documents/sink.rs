//! Collects the segments that readers find.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem::discriminant;

use super::inline::{Inline, segment};
use super::segment::{Construct, Segment};
use super::tagged::{Token, tokens};

/// The segments and titles found in a document while it is read.
pub(super) struct Sink<'s> {
    pub(super) source: &'s str,
    pub(super) segments: Vec<Segment>,
    /// The title that the front matter or `<title>` gives.
    pub(super) title: Option<String>,
    /// The text of the first heading.
    pub(super) heading: Option<String>,
    shape: DefaultHasher,
}

impl<'s> Sink<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, segments: Vec::new(), title: None, heading: None, shape: DefaultHasher::new() }
    }

    /// A block of inline pieces. Its segment comes before those of attributes within it when all are sorted.
    pub(super) fn block(&mut self, pieces: &[Inline<'_>], place: Construct, heading: bool) {
        let Some(segment) = segment(pieces, place) else { return };
        if heading && self.heading.is_none() {
            self.heading = Some(words(&segment, self.source));
        }
        self.add(segment);
    }

    pub(super) fn add(&mut self, segment: Segment) {
        self.segments.push(segment);
    }

    /// Records a block's kind: documents of one shape have the same blocks in the same order.
    pub(super) fn shape<T>(&mut self, block: &T) {
        discriminant(block).hash(&mut self.shape);
    }

    pub(super) fn shape_so_far(&self) -> u64 {
        self.shape.finish()
    }
}

/// The words of a segment without its markup; a code span counts as its code.
pub(super) fn words(segment: &Segment, source: &str) -> String {
    let word = |token| match token {
        Token::Text(text) => text,
        Token::Void(number) => {
            let raw = segment.tag(number).and_then(|tag| source.get(tag.open.clone())).unwrap_or_default();
            if raw.starts_with('`') { raw.trim_matches('`') } else { "" }
        }
        Token::Open(_) | Token::Close(_) => "",
    };
    tokens(&segment.text).map(word).collect::<String>().trim().to_owned()
}
