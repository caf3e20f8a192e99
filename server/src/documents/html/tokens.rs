//! The tokens of HTML with their spans.

use std::ops::Range;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// A token. A start tag is `Open`, its attributes, and `OpenEnd`.
#[derive(Debug)]
pub(super) enum Token<'t> {
    /// `<name`; the span begins the tag.
    Open,
    /// An attribute that has a value; the span is that of the value without quotes. The name is in lower case.
    Attribute { name: &'t str, value: &'t str },
    /// `>`; the span ends the tag.
    OpenEnd { self_closing: bool },
    /// An end tag.
    Close,
    /// Text with its references read.
    Text(&'t str),
    /// A comment, or what the standard takes for one.
    Comment,
    /// The document type.
    Doctype,
}

/// Reads HTML and gives each token with its span, in order. Spans lie within `view` on character boundaries.
pub(super) fn read(view: &str, mut take: impl FnMut(Token<'_>, Range<usize>)) {
    let mut attribute: Vec<u8> = Vec::new();
    let callback = |event: CallbackEvent<'_>, span: Span<usize>| -> Option<std::convert::Infallible> {
        let span = span.start..span.end;
        // Whatever the tokenizer says, a place that is none is no place to write.
        view.get(span.clone())?;
        let text = |bytes| std::str::from_utf8(bytes).ok();
        match event {
            CallbackEvent::OpenStartTag { .. } => take(Token::Open, span),
            CallbackEvent::AttributeName { name } => {
                attribute.clear();
                attribute.extend_from_slice(name);
            }
            CallbackEvent::AttributeValue { value } => {
                take(Token::Attribute { name: text(&attribute)?, value: text(value)? }, span);
            }
            CallbackEvent::CloseStartTag { self_closing } => take(Token::OpenEnd { self_closing }, span),
            CallbackEvent::EndTag { .. } => take(Token::Close, span),
            CallbackEvent::String { value } => take(Token::Text(text(value)?), span),
            CallbackEvent::Comment { .. } => take(Token::Comment, span),
            CallbackEvent::Doctype { .. } => take(Token::Doctype, span),
            CallbackEvent::Error(_) => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::new(callback);
    emitter.naively_switch_states(true);
    // What the tokenizer gives goes to the callback; reading a string cannot fail.
    Tokenizer::new_with_emitter(view, emitter).for_each(drop);
}
