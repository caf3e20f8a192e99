//! Documents: read into translatable segments, written back with nothing but their text replaced.
//!
//! [`parse`] reads Markdown, HTML or plain text into a [`Document`]: its source and its [`Segment`]s, which know where in
//! the source they stand. [`Document::render`] gives the source with other texts in those places. Nothing is ever
//! serialized from a tree: everything but text (markup, code, link targets, tags, keys of front matter, expressions and
//! components of MDX, white space between blocks, line ends) is copied.
//!
//! # Segments
//!
//! A segment is a block: a paragraph, a heading, the text of a list item or table cell, an element of HTML that makes a
//! block, a paragraph of plain text; or the value of an attribute that people read (`title`, `alt`, `placeholder`,
//! `aria-label`, `content` of `<meta name="description">`); or one of these strings of the front matter's top level:
//! `title`, `description`, `summary`, `subtitle`, `excerpt`, `tagline`, `caption`, `linkTitle`, `shortTitle`,
//! `sidebarTitle`, `sidebar_label`, `pagination_label`. A block without a letter outside of markup is not a segment.
//!
//! A segment is known by the hash of its text, so that to edit one changes one hash, and to move it changes none.
//! White space in Markdown and HTML is one blank however it is written, so that to wrap lines anew changes none either; a
//! translation is written in one line. Plain text keeps its line ends.
//!
//! # Tags
//!
//! Inline markup stands in the text as numbered tags in the order of the source: `<1>…</1>` if it wraps text (emphasis,
//! links, images with a description, elements of HTML), `<2/>` if it does not (code, addresses in angle brackets, line
//! breaks, footnote references, expressions in braces, elements that do not end in the block). These are the numbered tags
//! that [`crate::text::placeholders`] knows, so that engines get and checks see them like those of any other text.
//! Everything else is literal: `<`, `&` and `*` are the characters themselves, escaped and unescaped for the place where
//! they stand. A literal `<` that would begin such a tag (`<1>` in a text about tags) is itself a tag, and so are
//! literal braces where the text would be read as an ICU message.
//!
//! # What is not translated
//!
//! Code, blocks and spans; `<script>`, `<style>`, `<pre>`, `<textarea>`, `<noscript>`, `<code>` and the like; elements with
//! `translate="no"` or `class="notranslate"`; titles of Markdown links; attributes of Markdown with braces in them; `import` and
//! `export` of MDX, its components and everything in braces, as far as no blank line stands in it; lines that begin with `:::`.
//!
//! Formulas between `$` are text like any other: where a site renders them, put them into elements with `translate="no"`.
//!
//! # Laws, held by tests
//!
//! - Rendering with every segment's own text, or with none, gives the source back byte for byte.
//! - Reading a rendered document gives the texts that were rendered, as each format keeps white space and with tags
//!   numbered anew in their order; blocks and inline markup are those of the source. For Markdown, whose meaning depends
//!   on everything around a character, this is not only tested: a rendered document is read again, and one that is read
//!   as something else is refused ([`SegmentFaultKind::Structure`]).
//! - No input causes a panic; the tests read inputs that are known to be hard.

mod check;
mod error;
mod front_matter;
mod html;
mod inline;
mod markdown;
mod plain;
mod render;
mod segment;
mod sink;
mod tagged;
#[cfg(test)]
mod tests;
mod write;

/// The format of a document: the API's own type.
pub use l10n_api_types::content::DocumentFormat;

pub use self::check::{SegmentFault, SegmentFaultKind, check, check_text};
pub use self::error::DocumentError;
pub use self::render::UnwritableSegment;
pub use self::segment::Segment;
use self::sink::Sink;

/// A document, read.
#[derive(Debug, Clone)]
pub struct Document {
    format: DocumentFormat,
    source: String,
    segments: Vec<Segment>,
    title: Option<String>,
    /// Equal for documents with the same blocks in the same order.
    shape: u64,
}

/// Reads a document.
///
/// # Errors
///
/// Front matter that is closed but no YAML or TOML, with its line.
pub fn parse(format: DocumentFormat, source: &str) -> Result<Document, DocumentError> {
    let mut sink = Sink::new(source);
    match format {
        DocumentFormat::Markdown => markdown::parse(&mut sink)?,
        DocumentFormat::Html => html::parse(&mut sink),
        _ => plain::parse(&mut sink),
    }
    let shape = sink.shape_so_far();
    let Sink { mut segments, title, heading, .. } = sink;
    segments.sort_by_key(|segment| (segment.range.start, std::cmp::Reverse(segment.range.end)));
    Ok(Document { format, source: source.to_owned(), segments, title: title.or(heading), shape })
}

impl Document {
    /// Its format.
    #[must_use]
    pub const fn format(&self) -> DocumentFormat {
        self.format
    }

    /// Its unchanged source.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its segments in the order in which they begin. Equal texts are listed as often as they occur.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The document's own title: `title` of its front matter, `<title>`, or else its first heading.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Unicode scalar values of all segments' texts, tags not counted.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.segments.iter().map(Segment::characters).sum()
    }
}
