//! A segment: a text that is translated as one, and the way in which it is written in its place.

use std::ops::Range;

use l10n_api_types::Content;

use super::tagged::{Token, tokens};
use crate::SourceHash;

/// One translatable text of a document: a block, an attribute's value, or a value of the front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The hash of `text`: equal texts have equal hashes wherever they stand.
    pub hash: SourceHash,
    /// The text as a translator sees it, with inline markup as numbered tags. It holds a letter and is no ICU message.
    pub text: String,
    /// The bytes of the source that the text stands for. A segment of an attribute may lie within that of a block.
    pub range: Range<usize>,
    pub(super) place: Construct,
    /// Tag number `n` is at `n - 1`.
    pub(super) tags: Vec<Tag>,
}

impl Segment {
    pub(super) fn new(text: String, range: Range<usize>, place: Construct, tags: Vec<Tag>) -> Self {
        let content = Content::Text(text);
        let hash = SourceHash::of(&content);
        let text = match content {
            Content::Text(text) => text,
            Content::Plural(_) => String::new(),
        };
        Self { hash, text, range, place, tags }
    }

    /// A segment of this text that is in no document: the nesting of its tags is known, their markup is not.
    pub(super) fn of_text(text: &str) -> Self {
        let (mut tags, mut open) = (Vec::new(), Vec::new());
        let mut tag = |wraps, parent: Option<&u32>| {
            let parent = parent.copied().unwrap_or_default();
            tags.push(Tag { open: 0..0, close: 0..0, wraps, parent, markup: Markup::Verbatim });
        };
        for token in tokens(text) {
            match token {
                Token::Text(_) => {}
                Token::Void(_) => tag(false, open.last()),
                Token::Open(number) => {
                    tag(true, open.last());
                    open.push(number);
                }
                Token::Close(_) => drop(open.pop()),
            }
        }
        Self::new(text.to_owned(), 0..0, Construct::Paragraph, tags)
    }

    /// The tag of that number.
    pub(super) fn tag(&self, number: u32) -> Option<&Tag> {
        self.tags.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// Unicode scalar values of the text without its tags.
    #[must_use]
    pub fn characters(&self) -> usize {
        let count = |token| if let Token::Text(text) = token { text.chars().count() } else { 0 };
        tokens(&self.text).map(count).sum()
    }
}

/// The construct in which a text stands, which decides how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Construct {
    /// A paragraph of Markdown, or a construct that is read like one.
    Paragraph,
    /// A heading after `#`.
    AtxHeading,
    /// A heading above `===`.
    SetextHeading,
    /// A cell of a Markdown table.
    Cell,
    /// Text of HTML; `in_markdown` where braces mean something and a `|` may end a cell.
    Html { in_markdown: bool },
    /// The value of an attribute, without its quotes.
    Attribute { quote: Quote, in_markdown: bool },
    /// A scalar of YAML with its quotes.
    Yaml(YamlStyle),
    /// A string of TOML with its quotes.
    Toml,
    /// A paragraph of plain text.
    Plain,
}

/// The quotes around an attribute's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Quote {
    Single,
    Double,
    /// No quotes: a translation brings its own.
    None,
}

/// The style of a scalar of YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum YamlStyle {
    Plain,
    Single,
    Double,
    /// `|` or `>`: a translation is written between double quotes.
    Block,
}

/// The markup that a numbered tag stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    /// The bytes that open it, or all of them where it wraps nothing.
    pub(super) open: Range<usize>,
    /// The bytes that close it.
    pub(super) close: Range<usize>,
    /// `true` if it wraps text: `<1>…</1>` rather than `<1/>`.
    pub(super) wraps: bool,
    /// The tag that it stands in, 0 for none.
    pub(super) parent: u32,
    pub(super) markup: Markup,
}

/// The kind of a tag's markup, as far as it matters to write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Markup {
    /// Written as in the source.
    Verbatim,
    /// `*`, `**`, `_`, `~~`: its reading depends on the characters beside it.
    Delimiter,
    /// A link or image whose label is its text: a translation needs the label beside it.
    Label(Box<str>),
    /// A hard line break with the line end and the beginning of the next line.
    Break,
    /// A character of the text that would otherwise be read as a tag or a message.
    Literal(char),
}
