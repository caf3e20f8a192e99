//! The branches of a text, whichever way its syntax has to write them.

use l10n_api_types::Check;

use crate::text::message::{self, Message, MessageError};
use crate::text::{Syntax, fluent, parts};

/// A text whose branches cannot be read.
#[derive(Debug)]
pub(super) struct UnreadableBranches {
    /// The check that objects.
    pub(super) check: Check,
    pub(super) error: MessageError,
}

impl UnreadableBranches {
    /// The sentence about a source.
    pub(super) fn of_source(&self) -> String {
        match self.check {
            Check::IcuSyntax => format!("the source is not an ICU message: {}", self.error),
            _ => format!("the source cannot be read: {}", self.error),
        }
    }

    /// The sentence about a translation, whose place is told beside it.
    pub(super) fn of_translation(&self) -> String {
        match self.check {
            Check::IcuSyntax => format!("no ICU message: {}", self.error.what),
            _ => self.error.what.to_owned(),
        }
    }
}

/// Reads the choices of a text; `None` where it has none. A text of ICU is read as one if its source is.
pub(super) fn read(text: &str, syntax: Syntax, source_is: bool) -> Result<Option<Message>, UnreadableBranches> {
    match syntax {
        Syntax::Fluent => fluent::parse(text).map_err(|error| UnreadableBranches { check: Check::References, error }),
        _ if syntax.has_choices() => {
            let is_message = source_is || message::is_message(text, syntax);
            let read = is_message.then(|| message::parse(text)).transpose();
            read.map_err(|error| UnreadableBranches { check: Check::IcuSyntax, error })
        }
        _ => Ok(parts::parse(text, syntax)),
    }
}
