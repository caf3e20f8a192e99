//! Tests of all formats, and their tools.

mod checks;
mod hostile;
mod laws;
mod made;
mod real;
mod samples;
mod segments;
mod worst;

use super::tagged::{Token, tokens};
use super::{Document, DocumentFormat, Segment, parse};

fn read(format: DocumentFormat, source: &str) -> Document {
    parse(format, source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

fn markdown(source: &str) -> Document {
    read(DocumentFormat::Markdown, source)
}

fn html(source: &str) -> Document {
    read(DocumentFormat::Html, source)
}

fn texts(document: &Document) -> Vec<&str> {
    document.segments().iter().map(|segment| segment.text.as_str()).collect()
}

/// The document with the text of its only segment, or of that which says `from`, replaced.
fn with(document: &Document, from: &str, to: &str) -> String {
    let found = document.render(|segment| (segment.text == from).then_some(to));
    found.unwrap_or_else(|held| panic!("{held:?}"))
}

/// The document with the texts of its segments, in their order.
fn rendered(document: &Document, texts: &[String]) -> Result<String, Vec<super::UnwritableSegment>> {
    document.render(|segment| {
        let at = document.segments().iter().position(|own| std::ptr::eq(own, segment))?;
        texts.get(at).map(String::as_str)
    })
}

/// A text in which `word` replaces every run of literal text, and the tags stay.
fn retold(text: &str, mut word: impl FnMut(&str) -> String) -> String {
    tokens(text)
        .map(|token| match token {
            Token::Text(text) => word(text),
            Token::Open(number) => format!("<{number}>"),
            Token::Close(number) => format!("</{number}>"),
            Token::Void(number) => format!("<{number}/>"),
        })
        .collect()
}

/// The text as which a translation is read again.
fn reads(document: &Document, segment: &Segment, text: &str) -> String {
    super::check::canonical(segment, document.source(), text).text
}
