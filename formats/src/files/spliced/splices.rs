//! Changes of a text, collected and written together.

use std::ops::Range;

use super::source::{DecodedFile, encode};

/// Changes of a file's text. Of two that overlap the one that begins first is made.
#[derive(Debug, Default, Clone)]
pub(in crate::files) struct Splices(Vec<Splice>);

#[derive(Debug, Clone)]
struct Splice {
    range: Range<usize>,
    text: String,
    /// Whole lines go: one of two blank lines that meet by it goes, too.
    takes_lines: bool,
    /// It comes after what others insert at its place.
    is_last: bool,
}

impl Splices {
    /// Writes a text in place of another one.
    pub(in crate::files) fn replace(&mut self, range: Range<usize>, text: String) {
        self.0.push(Splice { range, text, takes_lines: false, is_last: false });
    }

    /// Takes a text out.
    pub(super) fn remove(&mut self, range: Range<usize>) {
        self.replace(range, String::new());
    }

    /// Takes whole lines out, and one of two blank lines that would meet.
    pub(in crate::files) fn remove_lines(&mut self, range: Range<usize>) {
        self.0.push(Splice { range, text: String::new(), takes_lines: true, is_last: false });
    }

    /// Writes a text, of whole lines or none, before an offset; of several the first is written first.
    pub(in crate::files) fn insert(&mut self, at: usize, text: String) {
        self.replace(at..at, text);
    }

    /// As [`insert`](Self::insert), after what that writes at the same place.
    pub(super) fn insert_last(&mut self, at: usize, text: String) {
        self.0.push(Splice { range: at..at, text, takes_lines: false, is_last: true });
    }

    /// The file with all changes.
    pub(in crate::files) fn write(mut self, source: &DecodedFile) -> Vec<u8> {
        // Stable: what is inserted at one place keeps its order.
        self.0.sort_by_key(|splice| (splice.range.start, splice.range.end, splice.is_last));
        let mut out = String::with_capacity(source.text.len());
        let (mut cursor, mut took_lines) = (0, false);
        for Splice { range, text, takes_lines, .. } in self.0 {
            if range.start < cursor {
                continue;
            }
            copy(source, &mut out, cursor..range.start, took_lines);
            took_lines = takes_lines || (took_lines && range.start == cursor);
            cursor = range.end;
            let ends_file = range.start == source.text.len();
            if ends_file && text.ends_with('\n') && !out.is_empty() && !out.ends_with('\n') {
                // The last line has no end, and the new last line has none either.
                let line = text.strip_suffix('\n').unwrap_or(&text);
                let line = line.strip_suffix('\r').unwrap_or(line);
                out.push_str(text.get(line.len()..).unwrap_or("\n"));
                out.push_str(line);
            } else {
                out.push_str(&text);
            }
        }
        copy(source, &mut out, cursor..source.text.len(), took_lines);
        encode(out, source.encoding)
    }

    /// A part of the text with the changes that lie in it.
    pub(super) fn write_part(mut self, source: &DecodedFile, part: &Range<usize>) -> String {
        self.0.sort_by_key(|splice| splice.range.start);
        let mut out = String::with_capacity(part.len());
        let mut cursor = part.start;
        for Splice { range, text, .. } in self.0 {
            out.push_str(source.get(&(cursor..range.start)));
            out.push_str(&text);
            cursor = range.end;
        }
        out.push_str(source.get(&(cursor..part.end)));
        out
    }
}

/// Writes a part of the source that stays, without the blank line at its beginning if that meets another one.
fn copy(source: &DecodedFile, out: &mut String, part: Range<usize>, took_lines: bool) {
    if part.is_empty() {
        return;
    }
    let meets = |out: &str| {
        let line = out.strip_suffix('\n').map(|rest| rest.rsplit('\n').next().unwrap_or(rest));
        line.map_or(out.is_empty(), |line| line.trim().is_empty())
    };
    let blank = if took_lines && meets(out) { source.blank_after(part.start) } else { None };
    let start = part.start + blank.filter(|length| part.start + length <= part.end).unwrap_or(0);
    out.push_str(source.get(&(start..part.end)));
}

#[cfg(test)]
mod tests {
    use super::super::source::Charset;
    use super::*;

    /// A file after changes, which are given as they are made.
    fn changed(text: &str, change: impl FnOnce(&mut Splices)) -> String {
        let source = DecodedFile::decode(text.as_bytes(), Charset::Unicode).unwrap();
        let mut splices = Splices::default();
        change(&mut splices);
        String::from_utf8(splices.write(&source)).unwrap()
    }

    #[test]
    fn one_of_two_blank_lines_that_meet_by_a_removal_goes() {
        let text = "a\n\nb\nc\n\nd\n";
        let both = changed(text, |splices| splices.remove_lines(3..7));
        assert_eq!(both, "a\n\nd\n");
        let with_carriage_returns = changed("a\r\n\r\nb\r\nc\r\n\r\nd\r\n", |splices| splices.remove_lines(5..11));
        assert_eq!(with_carriage_returns, "a\r\n\r\nd\r\n");
        let with_what_follows = changed(text, |splices| {
            splices.remove_lines(3..5);
            splices.remove(5..7);
        });
        assert_eq!(with_what_follows, both);
        let without_lines = changed(text, |splices| splices.remove(3..7));
        assert_eq!(without_lines, "a\n\n\nd\n");
    }

    #[test]
    fn blank_lines_that_nobody_took_lines_between_stay() {
        assert_eq!(changed("\na\n", |splices| splices.insert(0, "b\n\n".into())), "b\n\n\na\n");
        let apart = changed("a\nb\n\n\nc\n", |splices| {
            splices.remove_lines(0..2);
            splices.insert(5, "d\n".into());
        });
        assert_eq!(apart, "b\n\nd\n\nc\n");
    }

    #[test]
    fn a_blank_line_into_which_something_is_written_stays() {
        let written = changed("a\n\nb\n  \nc\n", |splices| {
            splices.remove_lines(3..5);
            splices.insert(6, "x".into());
        });
        assert_eq!(written, "a\n\n x \nc\n");
    }

    #[test]
    fn new_lines_keep_a_file_without_a_last_line_end_as_it_is() {
        assert_eq!(changed("a", |splices| splices.insert(1, "b\n".into())), "a\nb");
        assert_eq!(changed("a\r\nb", |splices| splices.insert(4, "c\r\n".into())), "a\r\nb\r\nc");
        assert_eq!(changed("a\n", |splices| splices.insert(2, "b\n".into())), "a\nb\n");
        assert_eq!(changed("", |splices| splices.insert(0, "a\n".into())), "a\n");
        // Not the end of the file: what is written there is written as it is.
        assert_eq!(changed("ab\ncd", |splices| splices.replace(1..3, "x\n".into())), "ax\ncd");
    }

    #[test]
    fn of_changes_at_one_place_the_first_comes_first_unless_another_is_last() {
        let written = changed("ad", |splices| {
            splices.insert_last(1, "c".into());
            splices.insert(1, "b".into());
            splices.insert(1, "B".into());
            // What is inserted before it does not overlap with it.
            splices.replace(1..2, "D".into());
        });
        assert_eq!(written, "abBcD");
        let overlapping = changed("abcd", |splices| {
            splices.replace(0..3, "x".into());
            splices.replace(1..4, "y".into());
        });
        assert_eq!(overlapping, "xd");
    }
}
