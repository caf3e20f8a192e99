//! Lines and columns of byte offsets.

/// Line and column of a byte offset, both from 1, columns in characters.
pub(crate) fn line_and_column(source: &[u8], offset: usize) -> (u32, u32) {
    let before = source.get(..offset).unwrap_or(source);
    let mut line = 1_u32;
    let mut start = 0;
    for (at, byte) in before.iter().enumerate() {
        let ends_line = match byte {
            b'\n' => true,
            b'\r' => source.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends_line {
            line = line.saturating_add(1);
            start = at + 1;
        }
    }
    let before = before.get(start..).unwrap_or_default();
    let before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
    let characters = before.iter().filter(|byte| !matches!(byte, 0x80..=0xbf)).count();
    (line, u32::try_from(characters).unwrap_or(u32::MAX).saturating_add(1))
}

/// The lines of byte offsets, from 1, in one pass over the source.
pub(crate) fn lines_at(source: &[u8], offsets: &[Option<usize>]) -> Vec<Option<u32>> {
    let is_end = |at: &usize| match source.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => source.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let ends: Vec<usize> = (0..source.len()).filter(is_end).collect();
    let line = |offset: usize| u32::try_from(ends.partition_point(|end| *end < offset)).unwrap_or(u32::MAX);
    offsets.iter().map(|offset| offset.map(|offset| line(offset).saturating_add(1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_with_any_line_end() {
        let text = "a\r\nä→x\ry\n".as_bytes();
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, 3), (2, 1));
        assert_eq!(line_and_column(text, 8), (2, 3));
        assert_eq!(line_and_column(text, 10), (3, 1));
        assert_eq!(line_and_column(text, text.len()), (4, 1));
        assert_eq!(line_and_column(text, 1000), (4, 1));
    }

    #[test]
    fn many_lines_are_those_of_each_offset() {
        let text = "a\r\nä→x\ry\n".as_bytes();
        let offsets: Vec<_> = (0..=text.len()).map(Some).collect();
        let each: Vec<_> = (0..=text.len()).map(|at| Some(line_and_column(text, at).0)).collect();
        assert_eq!(lines_at(text, &offsets), each);
        assert_eq!(lines_at(text, &[None]), [None]);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        assert_eq!(line_and_column("\u{feff}{".as_bytes(), 3), (1, 1));
    }
}
