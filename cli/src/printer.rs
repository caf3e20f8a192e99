//! All output of the program: results to stdout, notes and errors to stderr.
//!
//! If the reader goes away (`l10n versions | head -1`), the output ends, but not the work.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use console::Style;
use serde::Serialize;

use crate::atomic::WriteError;
use crate::error::CliError;
use crate::table::{Table, clean};

/// The use of colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The use of stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Text for people.
    Human,
    /// Only the requested result: no notes, no progress.
    Quiet,
    /// One JSON object.
    Json,
}

/// Prints results, notes and errors.
#[derive(Debug, Clone)]
pub(crate) struct Printer {
    mode: Mode,
    stdout_color: bool,
    stderr_color: bool,
    progress: bool,
    json_lines: bool,
    /// The first result that could not be written.
    unwritten: Arc<Mutex<Option<WriteError>>>,
}

impl Printer {
    pub(crate) fn new(quiet: bool, json: bool, color: ColorChoice) -> Self {
        let mode = match (json, quiet) {
            (true, _) => Mode::Json,
            (false, true) => Mode::Quiet,
            (false, false) => Mode::Human,
        };
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colored = |terminal: bool| match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && !dumb && !set("NO_COLOR"),
        };
        let stderr = io::stderr().is_terminal();
        Self {
            mode,
            stdout_color: colored(io::stdout().is_terminal()),
            stderr_color: colored(stderr),
            progress: mode == Mode::Human && stderr && !dumb && !set("CI"),
            json_lines: false,
            unwritten: Arc::default(),
        }
    }

    /// Switches to one JSON object per line, for a command that goes on.
    pub(crate) fn with_json_lines(self, json_lines: bool) -> Self {
        Self { json_lines, ..self }
    }

    /// Returns true if progress bars may be shown.
    pub(crate) fn shows_progress(&self) -> bool {
        self.progress
    }

    /// Prints the JSON result, if requested. Called once, except by a command that goes on.
    pub(crate) fn json(&self, value: &impl Serialize) {
        if self.mode != Mode::Json {
            return;
        }
        let text = if self.json_lines { serde_json::to_string(value) } else { serde_json::to_string_pretty(value) };
        if let Ok(text) = text {
            self.raw(&format!("{text}\n"));
        }
    }

    /// A line of the result. Not printed with `--json`.
    pub(crate) fn line(&self, text: impl AsRef<str>) {
        if self.mode != Mode::Json {
            self.raw(&format!("{}\n", clean(text.as_ref())));
        }
    }

    /// Prints a line of the result, wrapped at the width of the terminal; following lines are indented to its text.
    pub(crate) fn wrapped(&self, lead: &str, text: &str) {
        for line in wrap(lead, text, terminal_width(io::stdout().is_terminal())) {
            self.line(line);
        }
    }

    /// Prints a table of the result, its titles in bold.
    pub(crate) fn table(&self, table: &Table) {
        if self.mode == Mode::Json || table.len() == 0 {
            return;
        }
        let mut text = String::new();
        for (index, line) in table.lines().into_iter().enumerate() {
            let line = if index == 0 { paint(self.stdout_color, &Style::new().bold(), &line) } else { line };
            text.push_str(&line);
            text.push('\n');
        }
        self.raw(&text);
    }

    /// Prints bytes of the result unchanged, in every mode. If they cannot be written, the work goes on, and the error is
    /// that of [`unwritten`](Self::unwritten).
    pub(crate) fn raw(&self, text: &str) {
        if let Err(error) = self.file(text.as_bytes()) {
            self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Takes the error of the first result that could not be written.
    pub(crate) fn unwritten(&self) -> Option<WriteError> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Prints bytes that a file would hold otherwise, in every mode.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be written, such as to a disk that is full.
    pub(crate) fn file(&self, bytes: &[u8]) -> Result<(), WriteError> {
        let mut out = io::stdout().lock();
        written(out.write_all(bytes).and_then(|()| out.flush()))
    }

    /// Prints a success message.
    pub(crate) fn done(&self, text: impl AsRef<str>) {
        if self.mode == Mode::Human {
            self.raw(&format!("{} {}\n", paint(self.stdout_color, &Style::new().green(), "✓"), clean(text.as_ref())));
        }
    }

    /// Prints a note beside the result.
    pub(crate) fn note(&self, text: impl AsRef<str>) {
        if self.mode == Mode::Human {
            self.stderr(&format!("{}\n", clean(text.as_ref())));
        }
    }

    /// Prints a message that a person needs in order to continue. Shown in every mode.
    pub(crate) fn say(&self, text: impl AsRef<str>) {
        self.stderr(&format!("{}\n", clean(text.as_ref())));
    }

    /// Prints a warning. Shown in every mode.
    pub(crate) fn warn(&self, text: impl AsRef<str>) {
        let label = paint(self.stderr_color, &Style::new().yellow().bold(), "warning:");
        self.stderr(&format!("{label} {}\n", clean(text.as_ref())));
    }

    /// Prints a failure: the message, the advice and the correlation id. With `--json` also an object on stdout.
    pub(crate) fn error(&self, error: &CliError) {
        self.json(&serde_json::json!({ "error": error.to_json() }));
        self.error_text(error);
    }

    /// Prints a failure only on stderr, if the JSON result contains it already.
    pub(crate) fn error_text(&self, error: &CliError) {
        let label = paint(self.stderr_color, &Style::new().red().bold(), "error:");
        let mut text = format!("{label} {}\n", clean(&error.message()));
        if let Some(hint) = error.hint() {
            let label = paint(self.stderr_color, &Style::new().cyan(), "hint:");
            let lines = wrap("  hint: ", &clean(&hint), terminal_width(io::stderr().is_terminal()));
            text.push_str(&format!("{}\n", lines.join("\n").replacen("hint:", &label, 1)));
        }
        if let Some(id) = error.correlation_id() {
            text.push_str(&format!("  correlation id: {}\n", clean(id)));
        }
        self.stderr(&text);
    }

    /// Prints a question; the answer is typed on the same line.
    pub(crate) fn ask(&self, text: &str) {
        self.stderr(&clean(text));
    }

    fn stderr(&self, text: &str) {
        let mut err = io::stderr().lock();
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }
}

/// The outcome of writing to standard output. That a reader has enough of it is no fault.
pub(crate) fn written(outcome: io::Result<()>) -> Result<(), WriteError> {
    match outcome {
        Err(source) if source.kind() != io::ErrorKind::BrokenPipe => Err(WriteError { path: "stdout".into(), source }),
        _ => Ok(()),
    }
}

/// Columns of the terminal; `None` without one, so that other programs get unwrapped lines.
fn terminal_width(is_terminal: bool) -> Option<usize> {
    is_terminal.then(|| usize::from(console::Term::stderr().size().1)).filter(|columns| *columns >= 40)
}

/// Wraps `text` between words, so that no line with its indentation is wider than `width`, unless a single word is.
fn wrap(lead: &str, text: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width else { return vec![format!("{lead}{text}")] };
    let indent = console::measure_text_width(lead);
    let mut lines = vec![lead.to_owned()];
    let mut used = indent;
    for word in text.split(' ') {
        let columns = console::measure_text_width(word);
        let is_first = used == indent;
        if !is_first && used + 1 + columns > width {
            lines.push(" ".repeat(indent));
            used = indent;
        } else if !is_first {
            used += 1;
            lines.last_mut().map(|line| line.push(' ')).unwrap_or_default();
        }
        used += columns;
        lines.last_mut().map(|line| line.push_str(word)).unwrap_or_default();
    }
    lines
}

fn paint(color: bool, style: &Style, text: &str) -> String {
    if color { style.clone().force_styling(true).apply_to(text).to_string() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn a_hint_breaks_between_words_and_stays_indented() {
        let lines = wrap("  hint: ", "run `l10n sync`, then `l10n publish` and `l10n pull`", Some(40));
        assert_eq!(lines, ["  hint: run `l10n sync`, then `l10n", "        publish` and `l10n pull`"]);
        let long = "x".repeat(60);
        assert_eq!(
            wrap("> ", &format!("a {long} b"), Some(40)),
            ["> a".to_owned(), format!("  {long}"), "  b".to_owned()]
        );
        assert_eq!(wrap("> ", "as it is, however long", None), ["> as it is, however long"]);
    }
}
