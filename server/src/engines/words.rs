//! The words of engines and their services on themselves, as messages of this server have them.

/// Most characters of them in a message.
pub(super) const MOST_SHOWN: usize = 200;

/// The beginning of such words, with blanks for control characters: a database may not take these, and a terminal obeys them.
pub(super) fn shown(words: &str) -> String {
    let printable = words.chars().map(|character| if character.is_control() { ' ' } else { character });
    printable.take(MOST_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_and_have_no_control_characters() {
        assert_eq!(shown("a\0b\n\u{1b}[1m\u{85}ü"), "a b  [1m ü");
        assert_eq!(shown(&"ü".repeat(MOST_SHOWN + 1)), "ü".repeat(MOST_SHOWN));
    }
}
