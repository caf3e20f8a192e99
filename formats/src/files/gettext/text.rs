//! The spelling of strings.

/// Columns that gettext's own tools fill.
const USUAL: usize = 79;

/// Wrapped lines that show the width of a file.
const TELLING: usize = 8;

/// The longest placeholder that is kept in one line.
const LONGEST_PLACEHOLDER: usize = 64;

/// The way in which the strings of a file are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoStyle {
    pub(super) newline: &'static str,
    /// The columns of a line; `None` in files that wrap no lines.
    pub(super) width: Option<usize>,
}

/// The width of a file with so many wrapped lines, of which the widest has so many columns.
pub(super) fn width((count, widest): (usize, usize)) -> Option<usize> {
    match count {
        0 => None,
        TELLING.. => Some(widest),
        _ => Some(widest.max(USUAL)),
    }
}

/// The columns of a text on a screen.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// Returns true for characters that take two columns: those of East Asia.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}')
}

/// A text in quotes, after a keyword: one line, or an empty string and a line for each of the text's, wrapped in files that
/// wrap.
pub(super) fn spelled(text: &str, keyword: &str, style: PoStyle) -> String {
    let lines: Vec<String> = text.split_inclusive('\n').map(escaped).collect();
    let fits = |line: &str| style.width.is_none_or(|width| columns(keyword) + columns(line) + 3 <= width);
    match lines.as_slice() {
        [] => return "\"\"".to_owned(),
        [line] if fits(line) => return format!("\"{line}\""),
        _ => {}
    }
    let mut pieces = Vec::new();
    for line in &lines {
        match style.width {
            Some(width) => wrap(line, width.saturating_sub(2).max(1), &mut pieces),
            None => pieces.push(line.as_str()),
        }
    }
    // Nothing was won by wrapping.
    if let [only] = pieces.as_slice() {
        return format!("\"{only}\"");
    }
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("{}\"{piece}\"", style.newline)).collect();
    format!("\"\"{}", pieces.concat())
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Cuts an escaped line after blanks and between wide characters, never within an escape or a placeholder.
fn wrap<'t>(line: &'t str, width: usize, pieces: &mut Vec<&'t str>) {
    let (mut start, mut end, mut used, mut pending) = (0, 0, 0, 0);
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let atom = atom(rest);
        let Some(taken) = rest.get(..atom) else { break };
        at += atom;
        pending += columns(taken);
        let breaks = taken == " " || taken.starts_with(is_wide);
        let next = line.get(at..).unwrap_or_default();
        // A line end stays with the text before it.
        if (!breaks || next.starts_with(' ') || next == "\\n") && !next.is_empty() {
            continue;
        }
        if used > 0 && used + pending > width {
            pieces.extend(line.get(start..end));
            (start, used) = (end, 0);
        }
        (end, used, pending) = (at, used + pending, 0);
    }
    pieces.extend(line.get(start..).filter(|piece| !piece.is_empty()));
}

/// The bytes at the beginning that stay together: an escape, a placeholder, or a character.
fn atom(text: &str) -> usize {
    let first = text.chars().next().map_or(1, char::len_utf8);
    let within = text.get(..text.floor_char_boundary(LONGEST_PLACEHOLDER)).unwrap_or_default();
    let closed = |sign: char| within.find(sign).map(|at| at + 1).filter(|end| text.is_char_boundary(*end));
    match text.as_bytes() {
        [b'\\', b'0'..=b'7', ..] => {
            1 + text.bytes().skip(1).take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count()
        }
        [b'\\', _, ..] => 1 + text.chars().nth(1).map_or(0, char::len_utf8),
        [b'{', ..] => closed('}').unwrap_or(first),
        [b'%', b'(', ..] => closed(')').unwrap_or(first),
        [b'%', b' ', ..] => 2,
        _ => first,
    }
}

/// A translation that begins and ends with a line end where its source does, and only there: msgfmt refuses others.
pub(super) fn edged(text: &str, source: &str) -> String {
    if text.is_empty() || source.is_empty() {
        return text.to_owned();
    }
    let mut out = match (source.starts_with('\n'), text.starts_with('\n')) {
        (true, false) => format!("\n{text}"),
        (false, true) => text.trim_start_matches('\n').to_owned(),
        _ => text.to_owned(),
    };
    match (source.ends_with('\n'), out.ends_with('\n')) {
        (true, false) => out.push('\n'),
        (false, true) => out.truncate(out.trim_end_matches('\n').len()),
        _ => {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: Option<usize>) -> Vec<String> {
        let said = spelled(text, "msgstr", PoStyle { newline: "\n", width });
        said.split('\n').map(str::to_owned).collect()
    }

    #[test]
    fn texts_are_one_line_or_a_line_for_each_of_theirs() {
        assert_eq!(lines("a \"b\" \\ \t\r\u{1}\u{7f}é", None), ["\"a \\\"b\\\" \\\\ \\t\\r\\001\\177é\""]);
        assert_eq!(lines("a\n", None), ["\"a\\n\""]);
        assert_eq!(lines("a\nb", None), ["\"\"", "\"a\\n\"", "\"b\""]);
        assert_eq!(lines("", Some(5)), ["\"\""]);
        assert_eq!(lines(&"long ".repeat(100), None).len(), 1);
    }

    #[test]
    fn lines_are_wrapped_after_blanks() {
        assert_eq!(lines("one two three four", Some(14)), ["\"\"", "\"one two \"", "\"three four\""]);
        assert_eq!(lines("one two", Some(16)), ["\"one two\""]);
        assert_eq!(lines("one  two\n", Some(8)), ["\"\"", "\"one  \"", "\"two\\n\""]);
        assert_eq!(lines("unbreakable", Some(6)), ["\"unbreakable\""]);
        assert_eq!(lines("日本語です", Some(10)), ["\"\"", "\"日本語で\"", "\"す\""]);
        let kept = lines("of %(some name)s and {a b c} or % d", Some(10));
        assert_eq!(kept, ["\"\"", "\"of \"", "\"%(some name)s \"", "\"and \"", "\"{a b c} \"", "\"or % d\""]);
    }

    #[test]
    fn line_ends_at_the_edges_are_those_of_the_source() {
        assert_eq!(edged("a", "\nx\n"), "\na\n");
        assert_eq!(edged("\n\na\n", "x"), "a");
        assert_eq!(edged("\na", "\nx"), "\na");
        assert_eq!(edged("", "x\n"), "");
    }
}
