//! Tables as CSV (RFC 4180), for spreadsheets.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@` or a tab as a formula, whoever wrote it. Such a text gets an
//! apostrophe in front, which spreadsheets take as "this is text". Numbers are the server's own and stay as they are.

use l10n_formats::text::format::Value;

use super::answer::PageResponse;
use super::visit::Visit;
use crate::domain::ServiceError;

/// Most rows of a file.
const MOST_ROWS: usize = 10_000;
/// Most bytes of a file.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// A cell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    /// A text, which anybody may have written.
    Text(&'a str),
    /// A number.
    Number(&'a str),
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct Csv {
    text: String,
    rows: usize,
}

impl Csv {
    /// A file with the names of its columns.
    pub(super) fn new(columns: &[&str]) -> Self {
        let mut csv = Self { text: String::new(), rows: 0 };
        csv.line(columns.iter().map(|name| Cell::Text(name)));
        csv
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: &[Cell<'_>]) {
        self.line(cells.iter().copied());
        self.rows += 1;
    }

    fn line<'a>(&mut self, cells: impl Iterator<Item = Cell<'a>>) {
        for (index, cell) in cells.enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            match cell {
                Cell::Number(number) => self.text.push_str(number),
                Cell::Text(text) => self.quoted(text),
            }
        }
        self.text.push_str("\r\n");
    }

    fn quoted(&mut self, text: &str) {
        let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let has_marks = text.contains(['"', ',', '\r', '\n']);
        if has_marks {
            self.text.push('"');
        }
        if is_formula {
            self.text.push('\'');
        }
        if has_marks {
            self.text.push_str(&text.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(text);
        }
    }

    /// Returns true once it is larger than a file may be: it is not sent then, since half a list looks like a whole one.
    pub(super) fn is_too_large(&self) -> bool {
        self.rows > MOST_ROWS || self.text.len() > MOST_BYTES
    }

    /// The file as a download, named after `list`, the workspace and the day.
    pub(super) fn download(self, visit: &Visit, list: &str) -> Result<PageResponse, ServiceError> {
        let name = format!("{list}-{}-{:.10}.csv", visit.membership()?.handle, visit.now.to_string());
        Ok(PageResponse::file(&name, "text/csv; charset=utf-8", self.text))
    }
}

/// The notice that a list is too large for a file.
pub(super) fn too_large(visit: &Visit) -> String {
    let most = i64::try_from(MOST_ROWS).unwrap_or(i64::MAX);
    visit.tf("common.csv-too-large", &[("n", Value::Number(most))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_no_text_is_a_formula() {
        for (text, written) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
            ("+49", "'+49"),
            ("-x", "'-x"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\tx", "'\tx"),
            ("\r=x", "\"'\r=x\""),
            ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
            ("a=b", "a=b"),
        ] {
            let mut csv = Csv::new(&["name", "n"]);
            csv.row(&[Cell::Text(text), Cell::Number("-1.5")]);
            assert_eq!(csv.text, format!("name,n\r\n{written},-1.5\r\n"), "{text:?}");
        }
    }

    #[test]
    fn a_file_ends_at_its_most_rows_and_bytes() {
        let mut csv = Csv::new(&["x"]);
        for _ in 0..MOST_ROWS {
            csv.row(&[Cell::Text("x")]);
        }
        assert!(!csv.is_too_large());
        csv.row(&[Cell::Text("x")]);
        assert!(csv.is_too_large());
        let mut csv = Csv::new(&["x"]);
        csv.row(&[Cell::Text(&"x".repeat(MOST_BYTES))]);
        assert!(csv.is_too_large());
    }
}
