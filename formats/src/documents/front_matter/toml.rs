//! Front matter in TOML.

use ::toml::de::{DeTable, DeValue};

use super::value;
use crate::documents::DocumentError;
use crate::documents::segment::Construct;
use crate::documents::sink::Sink;

/// Reads a table that begins at `base` of the document.
pub(super) fn parse(block: &str, base: usize, sink: &mut Sink<'_>) -> Result<(), DocumentError> {
    let table = DeTable::parse(block).map_err(|error| {
        let offset = base + error.span().map_or(0, |span| span.start);
        DocumentError::at(sink.source, offset, format!("the front matter is not valid TOML: {}", error.message()))
    })?;
    for (key, found) in table.get_ref() {
        if let DeValue::String(text) = found.get_ref() {
            let span = found.span();
            value(key.get_ref(), text, span.start + base..span.end + base, Construct::Toml, sink);
        }
    }
    Ok(())
}
