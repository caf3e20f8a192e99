//! An error in an input, and its place.

use std::fmt;

use l10n_api_types::FormatId;
use serde::de::{Error, Expected, Unexpected};

use super::place::{InputPath, QuotedName};
use crate::domain::ServiceError;

/// An error in an input. Its place is known once the reader has passed it through [`InputError::at`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputError {
    message: String,
    /// The field that is missing from the object that the reader is about to leave.
    missing: Option<&'static str>,
    placed: bool,
    /// A format of files was asked for, and the name is none.
    is_format: bool,
}

impl InputError {
    /// A message that says where by itself.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), missing: None, placed: true, is_format: false }
    }

    fn unplaced(message: String) -> Self {
        Self { message, missing: None, placed: false, is_format: false }
    }

    /// Says where, unless that is known.
    pub(super) fn at(mut self, place: &InputPath<'_>) -> Self {
        if !self.placed {
            self.message = match self.missing {
                Some(field) => format!("{} is missing", InputPath::Member(place, field)),
                None => format!("{place} {}", self.message),
            };
            self.placed = true;
        }
        self
    }
}

/// The known name that is nearest to `name`, as the end of a sentence; nothing where none is near.
pub(super) fn nearest(name: &str, known: &[&'static str]) -> String {
    if name.len() > 64 {
        return String::new();
    }
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let scored =
        known.iter().map(|candidate| (strsim::damerau_levenshtein(&plain(name), &plain(candidate)), candidate));
    match scored.min() {
        Some((distance, candidate)) if distance <= 2.max(candidate.len() / 3) => {
            format!(": did you mean `{candidate}`?")
        }
        _ => String::new(),
    }
}

impl From<InputError> for ServiceError {
    fn from(fault: InputError) -> Self {
        if fault.is_format { Self::FormatUnsupported(fault.message) } else { Self::InvalidArgument(fault.message) }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InputError {}

impl Error for InputError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::unplaced(format!("is refused: {message}"))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::unplaced(format!("must be {}, not {}", wanted(expected), kind(&unexpected)))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let given = match unexpected {
            Unexpected::Unsigned(number) => number.to_string(),
            Unexpected::Signed(number) => number.to_string(),
            Unexpected::Str(text) => format!("`{}`", QuotedName(text)),
            other => kind(&other).to_owned(),
        };
        Self::unplaced(format!("must be {}, not {given}", wanted(expected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let hint = nearest(variant, expected);
        let message = format!("must be one of {}, not `{}`{hint}", expected.join(", "), QuotedName(variant));
        // serde names the values of the type and not the type.
        let is_format = expected.iter().copied().eq(FormatId::ALL.iter().map(|id| id.as_str()));
        Self { is_format, ..Self::unplaced(message) }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { message: String::new(), missing: Some(field), placed: false, is_format: false }
    }
}

fn kind(unexpected: &Unexpected<'_>) -> &'static str {
    match unexpected {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "a whole number",
        Unexpected::Float(_) => "a fraction or a number beyond 64 bits",
        Unexpected::Str(_) | Unexpected::Char(_) => "a string",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        Unexpected::Unit | Unexpected::Option => "null",
        _ => "that",
    }
}

fn wanted(expected: &dyn Expected) -> String {
    match expected.to_string().as_str() {
        "a sequence" => "an array".to_owned(),
        "a map" => "an object".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        other => other.to_owned(),
    }
}
