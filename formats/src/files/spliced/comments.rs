//! Comments above an entry.

/// The text of comment lines, without their marks. None where nothing is said, or where one of them is an entry that was
/// commented out: `#key=text`.
pub(in crate::files) fn described<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Option<String> {
    if lines.clone().any(|line| line.contains('=') && !line.starts_with([' ', '\t'])) {
        return None;
    }
    let lines: Vec<&str> = lines.map(str::trim).collect();
    let text = lines.join("\n");
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::described;

    #[test]
    fn comments_describe_unless_one_of_them_is_an_entry_that_was_commented_out() {
        let describe = |lines: &[&str]| described(lines.iter().copied());
        assert_eq!(describe(&[" The greeting", "of the page "]).as_deref(), Some("The greeting\nof the page"));
        assert_eq!(describe(&[" x = y tells when"]).as_deref(), Some("x = y tells when"));
        assert_eq!(describe(&["\tx = y"]).as_deref(), Some("x = y"));
        assert_eq!(describe(&[" The greeting", "greeting=Hello"]), None);
        assert_eq!(describe(&["", "  "]), None);
    }
}
