//! Format `ini`: `key = value` in sections, as the Go program `ini` reads it without inline comments (Gogs, Gitea).
//!
//! - **Keys** are the name of the section and that of the entry, joined with `.`; before the first section, the latter alone. A
//!   name ends at the first `=` or `:`, and may stand in backticks or double quotes.
//! - **Values** go to the line end without blanks at their edges, or stand in backticks or `"""` and may have several lines.
//!   `"…"` and `'…'` around a whole value are none of it. A value changes within its quotes; what cannot be said bare comes
//!   into backticks, and into `"""` if it has some.
//! - **Comments** are lines that begin with `#` or `;`. Directly above a key they describe it and go with it; at the beginning of
//!   the file they are the file's. Further comments in a line are text.
//! - A backslash at the end of a value is refused: some readers join lines there, others do not.

mod scan;
#[cfg(test)]
mod tests;

use l10n_api_types::FormatId;

use super::Habits;
use super::spliced::{AddedEntry, FileStyle, Grammar, ReplacedValue, Scan, ScanError};

/// Format `ini`.
pub(super) struct Ini;

/// The longest sign with blanks around it that a new entry takes from its neighbour.
const LONGEST_SIGN: usize = 16;

const BARE: u8 = 0;
const BACKTICK: u8 = 1;
const TRIPLE: u8 = 2;
const DOUBLE: u8 = 3;
const SINGLE: u8 = 4;

/// The quotes of each way to write a value.
const QUOTES: [&str; 5] = ["", "`", "\"\"\"", "\"", "'"];

impl Grammar for Ini {
    fn id(&self) -> FormatId {
        FormatId::Ini
    }

    fn name(&self) -> &'static str {
        "INI"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn habits(&self) -> Habits {
        Habits::PLAIN
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ini"]
    }

    fn placeholders(&self) -> &'static str {
        "printf"
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        let spellings = [written.spelling, BARE, BACKTICK, TRIPLE];
        match spellings.into_iter().find(|spelling| can_say(text, *spelling)) {
            Some(spelling) => {
                let quote = QUOTES.get(usize::from(spelling)).unwrap_or(&"");
                let text = if written.file.newline == "\n" { text.to_owned() } else { text.replace('\n', "\r\n") };
                format!("{quote}{text}{quote}")
            }
            // No way to write it has both kinds of quotes.
            None => format!("\"\"\"{}\"\"\"", text.replace("\"\"\"", "\"\" \"")),
        }
    }

    fn spell_name(&self, name: &str, _written: &ReplacedValue<'_>) -> Option<String> {
        let is_bare = !name.is_empty()
            && name.trim() == name
            && !name.starts_with(['[', '#', ';', '"', '`', '\u{feff}'])
            && !name.contains(['=', ':', '\n', '\r']);
        if is_bare {
            return Some(name.to_owned());
        }
        let quote = ["`", "\""].into_iter().find(|quote| !name.contains(quote))?;
        let is_one_line = !name.contains(['\n', '\r']);
        (is_one_line && !name.is_empty()).then(|| format!("{quote}{name}{quote}"))
    }

    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        let written = |spelling| ReplacedValue { raw: "", spelling, file: *file };
        let text = new.content.other()?;
        let sign = new.neighbour.and_then(|beside| {
            let sign = beside.between(beside.place.name_at.end, beside.place.values.first()?.at.start);
            (1..=LONGEST_SIGN).contains(&sign.len()).then_some(sign)
        });
        let mut out = String::new();
        for line in new.description.into_iter().flat_map(str::lines) {
            out.push_str("; ");
            out.push_str(line);
            out.push_str(file.newline);
        }
        out.push_str(&self.spell_name(new.name, &written(BARE))?);
        out.push_str(sign.unwrap_or(" = "));
        out.push_str(&self.spell(text, &written(BARE)));
        out.push_str(file.newline);
        Some(out)
    }

    fn header(&self, prefix: &str, file: &FileStyle) -> Option<String> {
        let name = prefix.strip_suffix('.')?;
        Some(format!("{0}[{name}]{0}", file.newline))
    }

    fn blank(&self, _language: &str) -> String {
        String::new()
    }
}

/// Returns true if a text that is written in this way is read as itself.
fn can_say(text: &str, spelling: u8) -> bool {
    let has_lines = text.contains(['\n', '\r']);
    let lone_returns = text.replace("\r\n", "\n").contains('\r') || text.contains("\r\n");
    let surrounded = |quote: char| text.len() > 1 && text.starts_with(quote) && text.ends_with(quote);
    match spelling {
        BARE => {
            !has_lines
                && text.trim() == text
                && !text.starts_with('`')
                && !text.starts_with("\"\"\"")
                && !surrounded('"')
                && !surrounded('\'')
                && !text.ends_with('\\')
        }
        BACKTICK => !text.contains('`') && !lone_returns,
        TRIPLE => !text.contains("\"\"\"") && !text.starts_with('"') && !text.ends_with('"') && !lone_returns,
        DOUBLE => !text.contains('"') && !has_lines,
        SINGLE => !text.contains('\'') && !has_lines,
        _ => false,
    }
}
