//! Checks the first words of doc lines: a doc line that begins with "What …", "Who …" or the like has no subject.

use std::path::Path;

use anyhow::Result;

use crate::house::sources;

/// Folders whose doc lines are checked.
const FOLDERS: &[&str] = &[
    "api-types",
    "client",
    "cli",
    "examples",
    "formats",
    "fuzz",
    "mcp",
    "server",
    "testkit",
    "webhook-verify",
    "xtask",
];

/// Words that begin a clause without a subject.
const HEADLESS: &[&str] = &["What", "Who", "Whose", "Which", "How", "Where", "When", "Why", "Whether"];

/// Lists doc lines that begin with a question word.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn headless_docs(root: &Path) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for folder in FOLDERS {
        for (path, text) in sources(&root.join(folder))? {
            if path.components().any(|part| part.as_os_str() == "target") {
                continue;
            }
            let path = path.strip_prefix(root).unwrap_or(&path).display();
            wrong.extend(headless(&text).map(|(line, doc)| format!("{path}:{line}: {doc}")));
        }
    }
    Ok(wrong)
}

/// The headless doc lines of a source file, with their numbers.
fn headless(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().map(str::trim_start).enumerate().filter_map(|(at, line)| {
        let doc = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "))?;
        let first = doc.split(|c: char| !c.is_alphabetic()).next()?;
        HEADLESS.contains(&first).then_some((at + 1, doc))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doc_line_without_a_subject_is_found_at_any_depth() {
        let text = "//! What this is.\n\nstruct A {\n    /// How long it lasts.\n    b: u8,\n}\n";
        assert_eq!(headless(text).collect::<Vec<_>>(), [(1, "What this is."), (4, "How long it lasts.")]);
    }

    #[test]
    fn sentences_and_code_are_left_alone() {
        let text =
            "/// Returns how many there are.\n/// Whatever happens, it ends.\n// Where it is.\nlet what = \"What\";\n";
        assert_eq!(headless(text).count(), 0);
    }
}
