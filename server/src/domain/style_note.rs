//! The note on the style of a project's translations. Engines that heed it get it as data, never as an instruction.

/// Most characters of a note.
pub(crate) const LONGEST_STYLE_NOTE: usize = 1_000;

/// Reads a note as people write it; nothing for none.
///
/// # Errors
///
/// A sentence that says what no note can have.
pub(crate) fn read(text: &str) -> Result<Option<String>, String> {
    let note = text.trim().replace("\r\n", "\n");
    if note.chars().nth(LONGEST_STYLE_NOTE).is_some() {
        return Err(format!("a style note must be at most {LONGEST_STYLE_NOTE} characters long"));
    }
    if note.chars().any(|one| one.is_control() && one != '\n' && one != '\t') {
        return Err("a style note must not contain control characters other than line breaks and tabs".to_owned());
    }
    Ok(Some(note).filter(|note| !note.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_bounded_text() {
        assert_eq!(read("  \r\n "), Ok(None));
        assert_eq!(read(" Short.\r\nPlain. "), Ok(Some("Short.\nPlain.".to_owned())));
        assert!(read(&"ä".repeat(LONGEST_STYLE_NOTE)).is_ok());
        assert!(read(&"ä".repeat(LONGEST_STYLE_NOTE + 1)).unwrap_err().contains("at most 1000 characters"));
        assert!(read("a\u{7}").unwrap_err().contains("control characters"));
    }
}
