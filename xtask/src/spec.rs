//! Compares `docs/spec.md` with the statements of the conformance suite and with the sections that the repository cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;

mod markdown;

pub use markdown::examples;

/// The path of the document.
const DOCUMENT: &str = "docs/spec.md";
/// The path of the statements and readings.
const STATEMENTS: &str = "testkit/requirements.json";

/// The document's text.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub fn document(root: &Path) -> Result<String> {
    fs::read_to_string(root.join(DOCUMENT)).context(DOCUMENT)
}

/// Statements and readings that the document lacks, and references in it that name none or give the wrong level.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn wrong_references(root: &Path) -> Result<Vec<String>> {
    let labels = labels(root)?;
    let found = markdown::references(&document(root)?);
    let mut wrong = Vec::new();
    let mut named = BTreeSet::new();
    for reference in &found {
        let (id, level) = reference.split_once(' ').unwrap_or((reference, ""));
        match labels.get(id) {
            None => wrong.push(format!("[{reference}] names no statement and no reading")),
            Some(expected) if expected != level => {
                wrong.push(format!("[{reference}] must be [{}]", format!("{id} {expected}").trim_end()));
            }
            Some(_) => {
                named.insert(id);
            }
        }
    }
    wrong.extend(labels.keys().filter(|id| !named.contains(id.as_str())).map(|id| format!("{id} is missing")));
    Ok(wrong)
}

/// Citations anywhere in the repository of sections that the document does not have.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn dangling_citations(root: &Path) -> Result<Vec<String>> {
    let anchors = markdown::anchors(&document(root)?);
    let mut dangling = Vec::new();
    for path in texts(root)? {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for citation in citations(&text) {
            if !citation.anchors().iter().any(|anchor| anchors.contains(anchor)) {
                let path = path.strip_prefix(root).unwrap_or(&path).display();
                dangling.push(format!("{path}: {} has no anchor in {DOCUMENT}", citation.shown()));
            }
        }
    }
    Ok(dangling)
}

/// The level that the document gives each id: empty for core statements and for readings.
fn labels(root: &Path) -> Result<BTreeMap<String, String>> {
    let file: Value = serde_json::from_str(&fs::read_to_string(root.join(STATEMENTS)).context(STATEMENTS)?)?;
    let rows = |name: &str| file[name].as_array().cloned().unwrap_or_default();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let statements = rows("requirements");
    let statements = statements.iter().map(|row| (text(row, "id"), text(row, "level").replace("core", "")));
    let readings = rows("ambiguities");
    let readings = readings.iter().map(|row| (text(row, "id"), String::new()));
    Ok(statements.chain(readings).collect())
}

/// A citation of a section: `§4`, `§4.1`, `§4 rule 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Citation {
    section: String,
    rule: Option<String>,
    is_spelled_out: bool,
}

impl Citation {
    /// The anchors that it may lead to. `§6 rule 8` and `§6.8` are the same, unless the section has two lists of rules.
    fn anchors(&self) -> Vec<String> {
        let Self { section, rule, is_spelled_out } = self;
        match rule {
            None => vec![format!("s{section}")],
            Some(rule) if *is_spelled_out => vec![format!("s{section}-rule-{rule}"), format!("s{section}-{rule}")],
            Some(rule) => vec![format!("s{section}-{rule}")],
        }
    }

    fn shown(&self) -> String {
        match &self.rule {
            None => format!("§{}", self.section),
            Some(rule) if self.is_spelled_out => format!("§{} rule {rule}", self.section),
            Some(rule) => format!("§{}.{rule}", self.section),
        }
    }
}

/// The citations of a text, but those of RFCs.
fn citations(text: &str) -> Vec<Citation> {
    let text = unwrapped(text);
    let mut found = Vec::new();
    let mut before = "";
    let mut was_foreign = false;
    for part in text.split_inclusive('§') {
        let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
        // What stands before this part is text up to and including a section sign, but for the first part.
        if before.ends_with('§') {
            let (section, rest) = part.split_at(number(part).len());
            let continues = was_foreign && before.trim_end_matches('§').trim_end().ends_with(',');
            was_foreign = is_of_rfc(before) || continues && is_list(before);
            if !section.is_empty() && !was_foreign {
                let spelled_out = rest.strip_prefix(" rules ").or_else(|| rest.strip_prefix(" rule "));
                let rule = spelled_out.or_else(|| rest.strip_prefix('.')).map(number).filter(|rule| !rule.is_empty());
                found.push(Citation { section: section.to_owned(), rule, is_spelled_out: spelled_out.is_some() });
            }
        }
        before = part;
    }
    found
}

/// Returns true if the text ends with `RFC 9110 §`.
fn is_of_rfc(before: &str) -> bool {
    let before = before.trim_end_matches('§').trim_end();
    before.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().ends_with("RFC")
}

/// Returns true if the text is the number of a section and a comma: `8.8.3, §`.
fn is_list(before: &str) -> bool {
    before.trim_end_matches('§').chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' '))
}

/// The text in one line, without the marks of comments, so that a citation may be broken.
fn unwrapped(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim_start().trim_start_matches('/');
        line.trim_start_matches('!').trim()
    });
    lines.collect::<Vec<_>>().join(" ").replace("\\n", " ")
}

/// Every text of the repository that people write or read.
fn texts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_other = name == "target" || name == "node_modules" || (name.starts_with('.') && name != ".ci");
        if is_other || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            found.extend(texts(&path)?);
        } else if path
            .extension()
            .is_some_and(|extension| ["rs", "md", "json", "toml", "py"].iter().any(|e| extension == *e))
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        citations(text).iter().map(Citation::shown).collect()
    }

    #[test]
    fn citations_are_found_in_every_form() {
        assert_eq!(
            shown("(§4, §5.7) and §7 rule 1, §6 rules 1 to 3; § alone"),
            ["§4", "§5.7", "§7 rule 1", "§6 rule 1"]
        );
        assert_eq!(shown("/// kept (§7\n    /// rule 2)"), ["§7 rule 2"]);
        assert_eq!(shown("ends a sentence with §8."), ["§8"]);
    }

    #[test]
    fn sections_of_rfcs_are_no_citations() {
        assert_eq!(shown("(RFC 9110 §8.8.3, §13.1.2), and ours (§4)"), ["§4"]);
        assert_eq!(shown("RFC 8259 §11"), Vec::<String>::new());
    }

    #[test]
    fn a_rule_leads_to_either_form_of_its_anchor() {
        let anchors: Vec<_> = citations("§6 rule 8").iter().flat_map(Citation::anchors).collect();
        assert_eq!(anchors, ["s6-rule-8", "s6-8"]);
    }
}
