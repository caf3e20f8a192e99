//! Counts in the words of messages.

use std::fmt::Display;

/// `1 key`, `2 keys`
pub(crate) fn counted(count: impl Display, what: &str) -> String {
    match count.to_string().as_str() {
        "1" => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}
