//! The laws, on documents made at random and on nasty ones.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use super::super::segment::Construct;
use super::super::{SegmentFaultKind, UnwritableSegment, check};
use super::samples::{HTML, MARKDOWN, TEXT};
use super::*;

fn made(format: DocumentFormat) -> BoxedStrategy<String> {
    match format {
        DocumentFormat::Markdown => made::markdown(),
        DocumentFormat::Html => made::html(),
        _ => made::plain(),
    }
}

fn samples(format: DocumentFormat) -> &'static [&'static str] {
    match format {
        DocumentFormat::Markdown => MARKDOWN,
        DocumentFormat::Html => HTML,
        _ => TEXT,
    }
}

/// Rendered with its own texts, or with none, a document is itself; and whichever segment alone is replaced, everything
/// around it is.
pub(super) fn gives_itself_back(document: &Document, most: usize) {
    let source = document.source();
    assert_eq!(document.render(|_| None).as_deref(), Ok(source));
    assert_eq!(document.render(|segment| Some(&segment.text)).as_deref(), Ok(source));
    for (at, segment) in document.segments().iter().enumerate().take(most) {
        assert!(source.get(segment.range.clone()).is_some(), "{segment:?}");
        // The text alone tells the same about its tags as its document.
        let tags = |segment: &Segment| segment.tags.iter().map(|tag| (tag.wraps, tag.parent)).collect::<Vec<_>>();
        assert_eq!(tags(&Segment::of_text(&segment.text)), tags(segment), "{segment:?}");
        let other =
            retold(
                &segment.text,
                |text| if text.chars().any(char::is_alphabetic) { "Z".to_owned() } else { text.to_owned() },
            );
        let mut texts: Vec<String> = texts(document).into_iter().map(str::to_owned).collect();
        texts[at] = other;
        // Another law covers texts that cannot be written.
        if let Ok(out) = rendered(document, &texts) {
            assert!(out.starts_with(&source[..segment.range.start]), "{segment:?}\n{out}");
            assert!(out.ends_with(&source[segment.range.end..]), "{segment:?}\n{out}");
        }
    }
}

/// Asserts that a rendered document reads as the texts that were written, and has the same structure. Returns whether
/// it could be rendered.
pub(super) fn reads_what_was_written(document: &Document, texts: &[String]) -> bool {
    let out = match rendered(document, texts) {
        Ok(out) => out,
        Err(held) => {
            for held in held {
                let UnwritableSegment { segment, faults, .. } = &held;
                assert!(
                    faults.iter().all(|fault| matches!(fault.kind, SegmentFaultKind::Structure)),
                    "{faults:?}\n{:?}\n{:?}",
                    document.segments()[*segment].text,
                    texts[*segment]
                );
            }
            return false;
        }
    };
    // A segment that keeps its own text is copied unchanged, with the blanks before a break that a translation loses.
    let expected = |(segment, text): (&Segment, &String)| match *text == segment.text {
        true => text.clone(),
        false => reads(document, segment, text),
    };
    let expected: Vec<String> = document.segments().iter().zip(texts).map(expected).collect();
    let read = read(document.format(), &out);
    assert_eq!(super::texts(&read), expected, "\n{}\n---\n{out}", document.source());
    if document.format() == DocumentFormat::Markdown {
        assert_eq!(skeleton(document.source()), skeleton(&out), "\n{}\n---\n{out}", document.source());
    }
    true
}

/// The blocks and the inline markup of Markdown, in order, without its texts.
fn skeleton(source: &str) -> Vec<String> {
    let start = super::super::front_matter::parse(&mut super::super::sink::Sink::new(source)).unwrap();
    let source = &source[start..];
    let (_, view) = super::super::markdown::view(source);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let event = |(event, range): (Event<'_>, std::ops::Range<usize>)| match event {
        Event::Text(_) | Event::SoftBreak | Event::Html(_) => None,
        Event::Code(_) => Some(format!("code {}", &source[range])),
        // Attributes may be translated.
        Event::InlineHtml(tag) => Some(tag.split('=').next().unwrap_or_default().to_owned()),
        // Shortcuts get their labels.
        Event::Start(Tag::Link { dest_url, title, link_type, .. }) => {
            Some(format!("link {dest_url} {title} {}", matches!(link_type, LinkType::Autolink | LinkType::Email)))
        }
        Event::Start(Tag::Image { dest_url, title, .. }) => Some(format!("image {dest_url} {title}")),
        other => Some(format!("{other:?}")),
    };
    Parser::new_ext(&view, options).into_offset_iter().filter_map(event).collect()
}

/// Other texts for a document's segments: literal text is replaced, tags stay.
fn other_texts(document: &Document, words: &[String]) -> Vec<String> {
    let mut words = words.iter().cycle();
    let mut other = |segment: &Segment| {
        let own = &segment.text;
        let placed = |text: &str| {
            // A placeholder or tag of these words is not in the source, and would be refused.
            let spans = crate::text::placeholders::scan(text, crate::text::Syntax::Mixed);
            let mut out = text.to_owned();
            for span in spans.into_iter().rev() {
                out.replace_range(span.range, "ph");
            }
            out
        };
        let text = retold(own, |text| {
            let lead: String = text.chars().take_while(|c| c.is_whitespace()).collect();
            let said = placed(words.next().map_or("x", String::as_str));
            // The source's own must stay.
            let kept: String = crate::text::placeholders::scan(text, crate::text::Syntax::Mixed)
                .into_iter()
                .map(|span| format!(" {} ", &text[span.range]))
                .collect();
            if text.trim().is_empty() { text.to_owned() } else { format!("{lead}{said}{kept}") }
        });
        if check(segment, &text).is_empty() { text } else { own.clone() }
    };
    document.segments().iter().map(&mut other).collect()
}

#[test]
fn nasty_documents_come_back_byte_for_byte() {
    for &format in DocumentFormat::ALL {
        for source in samples(format) {
            for source in [
                (*source).to_owned(),
                source.replace('\n', "\r\n"),
                format!("\u{feff}{source}"),
                source.trim_end().to_owned(),
            ] {
                gives_itself_back(&read(format, &source), usize::MAX);
            }
        }
    }
}

#[test]
fn nasty_documents_are_read_as_they_were_written() {
    let words = [
        "* Z # | [x](y) <b> &amp; _q_ 1. {z}",
        "1. Ü",
        "# a #",
        "- `b`",
        "a *b* **c** ~~d~~",
        "> <!-- z",
        "+++ k",
        "| a | b |",
        "漢字。",
        "«Z»",
    ];
    let words = words.map(str::to_owned);
    for &format in DocumentFormat::ALL {
        for source in samples(format) {
            for turn in 0..words.len() {
                let document = read(format, source);
                let mut words = words.to_vec();
                words.rotate_left(turn);
                let texts = other_texts(&document, &words);
                assert!(reads_what_was_written(&document, &texts), "held: {source}\n{texts:?}");
            }
        }
    }
}

/// Emphasis can only be written where the text beside it allows it. This test bounds how often it cannot be written.
#[test]
fn hardly_any_translation_is_held_for_its_structure() {
    let mut runner = TestRunner::deterministic();
    let (mut all, mut held) = (0, 0);
    let made = (made::markdown(), prop::collection::vec(made::text(), 12));
    for _ in 0..400 {
        let (source, words) = made.new_tree(&mut runner).unwrap().current();
        let Ok(document) = parse(DocumentFormat::Markdown, &source) else { continue };
        if document.segments().is_empty() {
            continue;
        }
        all += 1;
        let texts = other_texts(&document, &words);
        held += usize::from(!reads_what_was_written(&document, &texts));
    }
    assert!(all > 250 && held * 50 < all, "{held} of {all}");
}

proptest! {
    #[test]
    fn markdown_comes_back_byte_for_byte(source in made(DocumentFormat::Markdown)) {
        gives_itself_back(&read(DocumentFormat::Markdown, &source), 4);
    }

    #[test]
    fn html_comes_back_byte_for_byte(source in made(DocumentFormat::Html)) {
        gives_itself_back(&read(DocumentFormat::Html, &source), 4);
    }

    #[test]
    fn plain_text_comes_back_byte_for_byte(source in made(DocumentFormat::Text)) {
        gives_itself_back(&read(DocumentFormat::Text, &source), 4);
    }

    #[test]
    fn markdown_is_read_as_it_was_written(source in made(DocumentFormat::Markdown), words in prop::collection::vec(made::text(), 1..12)) {
        let document = read(DocumentFormat::Markdown, &source);
        reads_what_was_written(&document, &other_texts(&document, &words));
    }

    #[test]
    fn html_is_read_as_it_was_written(source in made(DocumentFormat::Html), words in prop::collection::vec(made::text(), 1..12)) {
        let document = read(DocumentFormat::Html, &source);
        prop_assert!(reads_what_was_written(&document, &other_texts(&document, &words)));
    }

    #[test]
    fn plain_text_is_read_as_it_was_written(source in made(DocumentFormat::Text), words in prop::collection::vec(made::text(), 1..12)) {
        let document = read(DocumentFormat::Text, &source);
        prop_assert!(reads_what_was_written(&document, &other_texts(&document, &words)));
    }

    /// Whatever is read: no panic, and it comes back.
    #[test]
    fn anything_comes_back(source in "[\\PC\\n\\r\\t\0]{0,60}|[a*_`\\[\\]<>&#|!(){}~:\\\\/=\"' \\n.1-]{0,80}") {
        for &format in DocumentFormat::ALL {
            if let Ok(document) = parse(format, &source) {
                gives_itself_back(&document, 2);
            }
        }
    }

    /// Any other text causes no panic, and one that is written is read again unchanged.
    #[test]
    fn anything_may_be_said(source in "[a*_`\\[\\]<>&#|!(){}~:\\\\/=\"' \\n.1-]{0,60}", text in "\\PC{0,20}|[a*_`\\[\\]<>&#|!(){}~:\\\\/=\"' \\n.1-]{0,30}") {
        for &format in DocumentFormat::ALL {
            let Ok(document) = parse(format, &source) else { continue };
            if let Ok(out) = document.render(|_| Some(&text)) {
                let read = read(format, &out);
                let expected: Vec<_> = document.segments().iter().map(|segment| reads(&document, segment, &text)).collect();
                prop_assert_eq!(texts(&read), expected);
            }
        }
    }
}

/// A segment's place counts for nothing but how it is written.
#[test]
fn hashes_follow_texts_and_not_places() {
    let document = markdown("One *two*.\n\n- One\n  _two_.\n\n# One <b>two</b>.\n");
    let hashes: Vec<_> = document.segments().iter().map(|segment| segment.hash).collect();
    assert_eq!(texts(&document), ["One <1>two</1>."; 3]);
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(document.segments()[0].place, Construct::Paragraph);
}
