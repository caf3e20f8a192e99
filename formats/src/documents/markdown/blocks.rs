//! Turns the parser's events into blocks, and blocks into segments.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use crate::documents::html;
use crate::documents::inline::Inline;
use crate::documents::segment::{Construct, Markup};
use crate::documents::sink::Sink;

/// Reads events in their order. Offsets of events are those of `view`; `base` is where it begins in the document.
pub(super) struct Blocks<'v, 'k, 's> {
    view: &'v str,
    base: usize,
    groups: &'v [Range<usize>],
    sink: &'k mut Sink<'s>,
    /// Inline pieces of the block so far, with ranges of the document.
    pieces: Vec<Inline<'v>>,
    place: Construct,
    /// End of the last event's range, in the view.
    cursor: usize,
    /// A hard break, whose range ends where the next piece begins.
    pending_break: Option<usize>,
    /// Blocks that are open, and wrapping markup that is.
    depth: usize,
    wraps: usize,
    /// Events are skipped until as many ends have come.
    skip: usize,
    /// The lines of a block of HTML.
    html: Option<Vec<Range<usize>>>,
    /// The rest of the line is a directive (`:::note`).
    directive: bool,
    /// The next event begins a line.
    line_start: bool,
    module: bool,
    heading: bool,
}

impl<'v, 'k, 's> Blocks<'v, 'k, 's> {
    pub(super) fn new(view: &'v str, base: usize, groups: &'v [Range<usize>], sink: &'k mut Sink<'s>) -> Self {
        Self {
            view,
            base,
            groups,
            sink,
            pieces: Vec::new(),
            place: Construct::Paragraph,
            cursor: 0,
            pending_break: None,
            depth: 0,
            wraps: 0,
            skip: 0,
            html: None,
            directive: false,
            line_start: true,
            module: false,
            heading: false,
        }
    }

    pub(super) fn finish(&mut self) {
        self.flush();
    }

    pub(super) fn event(&mut self, event: Event<'v>, range: Range<usize>) {
        if self.skip > 0 {
            match event {
                Event::Start(_) => self.skip += 1,
                Event::End(_) => self.skip -= 1,
                _ => {}
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(end) => self.end(end, range),
            Event::Html(_) => {
                if let Some(lines) = &mut self.html {
                    lines.push(range);
                }
            }
            // The text of a block of HTML comes from its lines.
            _ if self.html.is_some() => {}
            Event::SoftBreak => {
                self.directive = false;
                self.line_start = true;
                self.settle(range.start);
                self.cursor = range.end;
                self.pieces.push(Inline::LineEnd);
            }
            Event::HardBreak => {
                let skipped = std::mem::take(&mut self.directive);
                self.line_start = true;
                self.settle(range.start);
                self.cursor = range.end;
                if skipped {
                    self.pieces.push(Inline::LineEnd);
                } else {
                    self.pending_break = Some(range.start);
                }
            }
            _ if self.directive => self.cursor = range.end,
            Event::Text(text) => self.text(text, range),
            Event::InlineHtml(_) => {
                let range = self.reach(range);
                let raw = &self.view[range.clone()];
                let range = self.place_of(range);
                self.pieces.push(html::inline_piece(raw, range.clone()));
                html::attributes(raw, range.start, true, self.sink);
            }
            Event::TaskListMarker(_) => self.cursor = range.end,
            Event::Code(_)
            | Event::FootnoteReference(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Rule => {
                self.void(range);
            }
        }
    }

    fn start(&mut self, tag: Tag<'v>, range: Range<usize>) {
        let delimiter = match tag {
            Tag::Emphasis => Some(1),
            Tag::Strong => Some(2),
            Tag::Strikethrough => Some(if self.view[range.clone()].starts_with("~~") { 2 } else { 1 }),
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                if !self.directive {
                    self.void(range);
                }
                self.skip = 1;
                return;
            }
            Tag::Link { .. } | Tag::Image { .. } => None,
            tag => return self.block(&tag, range),
        };
        self.wraps += 1;
        if self.directive {
            return;
        }
        let image = matches!(tag, Tag::Image { .. });
        let length = delimiter.unwrap_or(1 + usize::from(image));
        let markup = match tag {
            Tag::Link { link_type: LinkType::Shortcut | LinkType::Collapsed, id, .. }
            | Tag::Image { link_type: LinkType::Shortcut | LinkType::Collapsed, id, .. } => {
                Markup::Label(id.as_ref().into())
            }
            Tag::Link { .. } | Tag::Image { .. } => Markup::Verbatim,
            _ => Markup::Delimiter,
        };
        let open = self.reach(range.start..range.start + length);
        let range = self.place_of(open);
        self.pieces.push(Inline::Open { range, markup });
    }

    fn end(&mut self, end: TagEnd, range: Range<usize>) {
        let delimiter = match end {
            TagEnd::Emphasis => Some(1),
            TagEnd::Strong => Some(2),
            TagEnd::Strikethrough => Some(if self.view[range.clone()].ends_with("~~") { 2 } else { 1 }),
            TagEnd::Link | TagEnd::Image => None,
            _ => return self.block_end(end, range),
        };
        self.wraps = self.wraps.saturating_sub(1);
        if self.directive {
            self.cursor = range.end;
            return;
        }
        let start = delimiter.map_or(self.cursor, |length| range.end - length);
        self.settle(start);
        // The parser leaves the `[]` of `[text][]` out.
        let collapsed = delimiter.is_none()
            && !self.view[start..range.end].contains("][")
            && self.view[..range.end].ends_with(']')
            && self.view[range.end..].starts_with("[]");
        let end = range.end + if collapsed { 2 } else { 0 };
        self.cursor = end;
        let range = self.place_of(start..end);
        self.pieces.push(Inline::Close { range });
    }

    fn block(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        self.flush();
        self.depth += 1;
        self.sink.shape(tag);
        self.cursor = range.start;
        self.line_start = true;
        self.place = match tag {
            Tag::Heading { .. } => {
                self.heading = true;
                let setext = !self.view[range.start..].starts_with('#');
                if setext { Construct::SetextHeading } else { Construct::AtxHeading }
            }
            Tag::TableCell => Construct::Cell,
            _ => Construct::Paragraph,
        };
        match tag {
            Tag::CodeBlock(_) | Tag::MetadataBlock(_) => {
                self.skip = 1;
                self.depth -= 1;
            }
            Tag::HtmlBlock => self.html = Some(Vec::new()),
            Tag::Paragraph => self.module = self.depth == 1 && is_module_line(&self.view[range]),
            _ => {}
        }
    }

    fn block_end(&mut self, end: TagEnd, range: Range<usize>) {
        self.sink.shape(&end);
        if let Some(lines) = self.html.take() {
            self.html_block(&lines);
        }
        self.flush();
        self.depth = self.depth.saturating_sub(1);
        self.cursor = range.end;
        self.place = Construct::Paragraph;
        self.heading = false;
    }

    /// Ends the block's inline content.
    fn flush(&mut self) {
        self.pending_break = None;
        self.directive = false;
        if !std::mem::take(&mut self.module) && !self.pieces.is_empty() {
            self.sink.block(&self.pieces, self.place, self.heading);
        }
        self.pieces.clear();
        self.line_start = true;
    }

    fn text(&mut self, text: CowStr<'v>, range: Range<usize>) {
        if self.line_start && self.wraps == 0 && self.view[range.clone()].starts_with(":::") {
            self.flush();
            (self.directive, self.line_start) = (true, false);
            self.cursor = range.end;
            return;
        }
        let escaped = range.start > self.cursor && self.view.as_bytes()[range.start - 1] == b'\\';
        let range = self.reach(range.start - usize::from(escaped)..range.end);
        // A backslash is no part of the text that follows it.
        let mut lead = usize::from(escaped);
        let raw = &self.view[range.clone()];
        if raw.len() - lead != text.len() {
            return self.push_text(range, raw, cow(text));
        }
        let first = self.groups.partition_point(|group| group.start < range.start);
        let mut at = range.start;
        for group in &self.groups[first..] {
            if group.end > range.end {
                break;
            }
            self.push_text(at..group.start, &self.view[at..group.start], self.view[at + lead..group.start].into());
            let document = self.place_of(group.clone());
            self.pieces.push(Inline::Void { range: document, markup: Markup::Verbatim });
            (at, lead) = (group.end, 0);
        }
        if at == range.start {
            return self.push_text(range, raw, cow(text));
        }
        self.push_text(at..range.end, &self.view[at..range.end], self.view[at..range.end].into());
    }

    fn push_text(&mut self, range: Range<usize>, raw: &'v str, text: Cow<'v, str>) {
        if !text.is_empty() {
            let range = self.place_of(range);
            self.pieces.push(Inline::Text { range, raw, text });
        }
    }

    fn void(&mut self, range: Range<usize>) {
        let range = self.reach(range);
        let range = self.place_of(range);
        self.pieces.push(Inline::Void { range, markup: Markup::Verbatim });
    }

    /// Takes note that something begins and ends there.
    fn reach(&mut self, range: Range<usize>) -> Range<usize> {
        self.settle(range.start);
        self.line_start = false;
        self.cursor = range.end;
        range
    }

    /// Ends a hard break where the next piece begins.
    fn settle(&mut self, start: usize) {
        if let Some(begun) = self.pending_break.take() {
            let range = self.place_of(begun..start.max(begun));
            self.pieces.push(Inline::Void { range, markup: Markup::Break });
        }
    }

    fn place_of(&self, range: Range<usize>) -> Range<usize> {
        range.start + self.base..range.end + self.base
    }

    /// HTML whose lines begin with the marks of quotes is read with blanks in their place.
    fn html_block(&mut self, lines: &[Range<usize>]) {
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return };
        let (start, end) = (first.start, last.end);
        let gap = |pair: &[Range<usize>]| !self.view[pair[0].end.min(pair[1].start)..pair[1].start].trim().is_empty();
        if !lines.windows(2).any(gap) {
            return html::parse_block(&self.view[start..end], self.base + start, self.groups, self.base, self.sink);
        }
        let mut view = String::with_capacity(end - start);
        let mut at = start;
        for line in lines {
            view.extend(std::iter::repeat_n(' ', line.start.saturating_sub(at)));
            view.push_str(&self.view[line.start.max(at)..line.end]);
            at = line.end;
        }
        html::parse_block(&view, self.base + start, self.groups, self.base, self.sink);
    }
}

fn cow(text: CowStr<'_>) -> Cow<'_, str> {
    match text {
        CowStr::Borrowed(text) => text.into(),
        text => text.into_string().into(),
    }
}

/// Returns whether a paragraph is `import` or `export` of MDX.
pub(in crate::documents) fn is_module_line(paragraph: &str) -> bool {
    const DECLARATIONS: [&str; 8] = ["default", "const", "let", "var", "function", "async", "class", "type"];
    let quoted = |text: &str| text.starts_with(['"', '\'']);
    let word = |keyword: &str| paragraph.strip_prefix(keyword).map(|rest| (rest, rest.trim_start_matches([' ', '\t'])));
    if let Some((rest, imported)) = word("import") {
        let line = imported.lines().next().unwrap_or_default();
        let from = line.split_once(" from ").is_some_and(|(_, module)| quoted(module.trim_start()));
        return imported.starts_with(['{', '*']) || quoted(imported) || (from && rest.len() > imported.len());
    }
    word("export").is_some_and(|(rest, exported)| {
        let name = exported.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        exported.starts_with(['{', '*']) || (rest.len() > exported.len() && DECLARATIONS.contains(&name))
    })
}
