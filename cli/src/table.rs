//! Tables for people: columns as wide as their widest cell, numbers to the right, no borders.

/// The alignment of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table under construction.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
    /// Lines below the row with that number.
    notes: Vec<(usize, String)>,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let columns = columns.into_iter().map(|(title, align)| (title.to_owned(), align)).collect();
        Self { columns, ..Self::default() }
    }

    /// Adds a row. Control characters in a cell are replaced, because it may come from the server.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| clean_line(&cell)).collect());
    }

    /// Adds a line of its own below the last row.
    pub(crate) fn note(&mut self, text: impl AsRef<str>) {
        self.notes.push((self.rows.len(), clean_line(text.as_ref())));
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Its lines, the titles first; no line ends in blanks.
    pub(crate) fn lines(&self) -> Vec<String> {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let title = width(&self.columns[column].0);
                self.rows.iter().map(|row| width(&row[column])).chain([title]).max().unwrap_or(0)
            })
            .collect();
        let titles: Vec<String> = self.columns.iter().map(|(title, _)| title.clone()).collect();
        let mut lines = vec![self.line(&titles, &widths)];
        for (number, row) in (1..).zip(&self.rows) {
            lines.push(self.line(row, &widths));
            lines.extend(self.notes.iter().filter(|(of, _)| *of == number).map(|(_, text)| format!("    {text}")));
        }
        lines
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, (_, align)), column) in cells.iter().zip(&self.columns).zip(widths) {
            let blank = " ".repeat(column - width(cell));
            match align {
                Align::Left => line.extend([cell, blank.as_str(), "  "]),
                Align::Right => line.extend([blank.as_str(), cell, "  "]),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

fn width(text: &str) -> usize {
    console::measure_text_width(text)
}

/// Replaces control characters, so that a text from a server or file cannot control the terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// Like [`clean`], on one line.
pub(crate) fn clean_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' => '⏎',
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_script() {
        let mut table = Table::new([("LANGUAGE", Align::Left), ("KEYS", Align::Right)]);
        table.row(["de".into(), "7".into()]);
        table.row(["日本語".into(), "1234567".into()]);
        insta::assert_snapshot!(table.lines().join("\n"), @r"
        LANGUAGE     KEYS
        de              7
        日本語    1234567
        ");
    }

    #[test]
    fn a_note_stands_below_its_row_and_widens_no_column() {
        let mut table = Table::new([("A", Align::Left), ("B", Align::Left)]);
        table.row(["1".into(), "x".into()]);
        table.note("what there is to say\nabout it");
        table.row(["2".into(), "y".into()]);
        assert_eq!(table.lines(), ["A  B", "1  x", "    what there is to say⏎about it", "2  y"]);
    }

    #[test]
    fn a_cell_cannot_steer_the_terminal() {
        let mut table = Table::new([("LABEL", Align::Left)]);
        table.row(["\u{1b}[2Jboo\r\nx".into()]);
        assert_eq!(table.lines()[1], "\u{fffd}[2Jboo\u{fffd}⏎x");
        assert_eq!(clean("a\nb\u{7}"), "a\nb\u{fffd}");
    }
}
