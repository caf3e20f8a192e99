//! Counts in the words of results.

use std::fmt::Display;

/// `1 key`, `2 keys`
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    if count == N::from(1) { format!("1 {what}") } else { format!("{count} {what}s") }
}
