//! Checks that all crates use Unix-only parts of the standard library and of tokio behind a `cfg`.
//!
//! The check relies on rustfmt: the code that encloses a line is above it with less indentation.

use std::path::Path;

use anyhow::Result;

use crate::house::sources;

/// Paths that exist only on Unix.
const UNIX_ONLY: &[&str] = &[
    "std::os::unix",
    "std::os::linux",
    "std::os::fd",
    "tokio::signal::unix",
    "tokio::net::Unix",
    "tokio::net::unix",
    "rustix::",
];

/// Lists lines that use a Unix-only path without a `#[cfg(unix)]`.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn unguarded_unix(root: &Path) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let folder = entry?.path().join("src");
        if !folder.is_dir() {
            continue;
        }
        for (path, text) in sources(&folder)? {
            let path = path.strip_prefix(root).unwrap_or(&path).display();
            wrong.extend(unguarded(&text).into_iter().map(|line| format!("{path}:{line}: not behind #[cfg(unix)]")));
        }
    }
    Ok(wrong)
}

/// Numbers of the unguarded lines of a source file.
fn unguarded(text: &str) -> Vec<usize> {
    if text.lines().any(|line| line == "#![cfg(unix)]") {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let uses_unix = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        let is_text = |at: usize| code[..at].replace("\\\"", "").matches('"').count() % 2 == 1;
        UNIX_ONLY.iter().any(|path| code.find(path).is_some_and(|at| !is_text(at)))
    };
    (0..lines.len()).filter(|at| uses_unix(lines[*at]) && !is_guarded(&lines, *at)).map(|at| at + 1).collect()
}

/// Returns true if the line, or a block that encloses it, has a `cfg` for Unix.
fn is_guarded(lines: &[&str], at: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut inside = indent(lines[at]);
    let mut in_attributes = true;
    for line in lines[..at].iter().rev().filter(|line| !line.trim().is_empty()) {
        let is_attribute = line.trim_start().starts_with("#[");
        if indent(line) < inside {
            inside = indent(line);
            in_attributes = true;
            continue;
        }
        in_attributes &= is_attribute && indent(line) == inside;
        if in_attributes && line.contains("cfg(") && line.contains("unix") && !line.contains("not(unix)") {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::unguarded;

    #[test]
    fn a_guard_counts_for_the_line_and_for_all_that_it_encloses() {
        let guarded = concat!(
            "#[cfg(unix)]\nuse std::os::unix::fs::symlink;\n\n#[cfg(unix)]\n#[test]\nfn a() {\n    if b {\n",
            "        std::os::unix::c();\n    }\n}\n"
        );
        assert_eq!(unguarded(guarded), Vec::<usize>::new());
        assert_eq!(unguarded("const PATH: &str = \"std::os::unix\";\n"), Vec::<usize>::new());
        assert_eq!(unguarded("#![cfg(unix)]\nuse tokio::signal::unix::signal;\n"), Vec::<usize>::new());
    }

    #[test]
    fn a_line_without_a_guard_of_its_own_is_found() {
        let beside = "#[cfg(unix)]\nfn a() {\n    b();\n}\n\nfn c() {\n    std::os::unix::d();\n}\n";
        assert_eq!(unguarded(beside), [7]);
        assert_eq!(unguarded("#[cfg(not(unix))]\nuse std::os::unix::fs::symlink;\n"), [2]);
        assert_eq!(unguarded("fn a() {\n    #[cfg(unix)]\n    b();\n    std::os::unix::c();\n}\n"), [4]);
    }
}
