//! Errors as programs print them that print every source.

use std::error::Error;
use std::io;

use l10n_webhook_verify::axum::Refused;
use l10n_webhook_verify::dedup::OnceError;
use l10n_webhook_verify::events::Event;
use l10n_webhook_verify::{HeaderError, VerifyError};

fn with_sources(error: &dyn Error) -> String {
    let mut printed = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        printed.push_str(&format!(": {inner}"));
        source = inner.source();
    }
    printed
}

/// The text of an error has that of its cause, for programs that print no source; the others print it once, too.
#[test]
fn a_text_is_whole_and_is_printed_once() {
    let no_event = || serde_json::from_str::<Vec<u8>>("[").unwrap_err();
    let failed: OnceError<io::Error, io::Error> = OnceError::Dedup(io::Error::other("the disk is full"));
    let errors: [(Box<dyn Error>, &str); 6] = [
        (Box::new(VerifyError::from(HeaderError::NoTime)), "has no `t=<unix seconds>`"),
        (Box::new(Refused::from(VerifyError::from(HeaderError::NoTime))), "has no `t=<unix seconds>`"),
        (Box::new(Refused::Unread(Box::new(io::Error::other("the pipe broke")))), "the pipe broke"),
        (Box::new(Refused::NoEvent(no_event())), "line 1 column"),
        (Box::new(Event::parse("{").unwrap_err()), "line 1 column"),
        (Box::new(failed), "the disk is full"),
    ];
    for (error, cause) in errors {
        assert!(error.to_string().contains(cause), "{error}");
        assert_eq!(with_sources(&*error).matches(cause).count(), 1, "{error:?}");
    }
}
