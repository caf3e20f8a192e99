//! Values and texts for reports.

use std::fmt::Debug;

/// A value, short enough to read.
pub(super) fn brief(value: &impl Debug) -> String {
    shortened(&format!("{value:?}"))
}

/// A text, short enough to read.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
