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
