//! The tokens of HTML with their spans.

use std::ops::Range;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Reader, Span, Tokenizer};

use super::bytes::Bytes;

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
    /// A comment, or markup that the standard takes for one.
    Comment,
    /// The document type.
    Doctype,
}

/// Reads HTML and gives each token with its span, in order. Spans lie within `view` on character boundaries.
pub(super) fn read(view: &str, take: impl FnMut(Token<'_>, Range<usize>)) {
    read_from(view, Bytes::new(view), take);
}

fn read_from<R: Reader>(view: &str, reader: R, mut take: impl FnMut(Token<'_>, Range<usize>)) {
    let mut attribute: Vec<u8> = Vec::new();
    let callback = |event: CallbackEvent<'_>, span: Span<usize>| -> Option<std::convert::Infallible> {
        let span = span.start..span.end;
        // An event at an invalid place is dropped.
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
    // The callback gets every token; reading a string cannot fail.
    Tokenizer::new_with_emitter(reader, emitter).for_each(drop);
}

#[cfg(test)]
mod tests {
    use html5gum::Readable as _;
    use proptest::prelude::*;

    use super::*;

    fn tokens<R: Reader>(view: &str, reader: R) -> Vec<(String, Range<usize>)> {
        let mut found = Vec::new();
        read_from(view, reader, |token, span| found.push((format!("{token:?}"), span)));
        found
    }

    #[test]
    fn attributes_are_told_apart_whatever_stands_between_them() {
        let view = "<p a=\"1\" b=\"2\"\r\n c=\"3\" d e=\"4\"f=\"5\" /><p a=\"1\" / ></p a=\"1\" b>\"x\" y";
        assert_eq!(tokens(view, Bytes::new(view)), tokens(view, view.to_reader()));
    }

    proptest! {
        /// The reader that keeps the stack small does not change the tokens.
        #[test]
        fn the_tokens_are_those_of_the_tokenizer_s_own_reader(
            view in "(<p |</p|<a|<script|<textarea|<!--|-->|<!|<\\?|a=\"|\"|\"|'|=|>|>|/| |\\t|\\r|\\n|&amp;|&|x|é|\0){0,24}"
        ) {
            prop_assert_eq!(tokens(&view, Bytes::new(&view)), tokens(&view, view.as_str().to_reader()));
        }
    }
}
