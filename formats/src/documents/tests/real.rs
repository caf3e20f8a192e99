//! Documents that people wrote.

use std::path::Path;

use super::laws::{gives_itself_back, reads_what_was_written};
use super::*;

fn visit(path: &Path, found: &mut Vec<std::path::PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                visit(&entry.path(), found);
            }
        }
    } else if path.extension().is_some_and(|extension| {
        ["md", "mdx", "markdown", "html", "htm", "txt"].iter().any(|known| extension == *known)
    }) {
        found.push(path.to_owned());
    }
}

/// Holds the laws on every document below the directories that `L10N_DOCUMENTS` names, separated by `:`.
#[test]
#[ignore = "needs documents: L10N_DOCUMENTS=<directories> cargo test -p l10n-formats --lib documents -- --ignored"]
fn documents_of_others_come_back_byte_for_byte() {
    let Ok(directories) = std::env::var("L10N_DOCUMENTS") else { panic!("L10N_DOCUMENTS names no directory") };
    let mut paths = Vec::new();
    for directory in directories.split(':') {
        visit(Path::new(directory), &mut paths);
    }
    let mut wrong = Vec::new();
    let (mut read, mut bytes, mut segments, mut refused, mut held) = (0, 0, 0, 0, 0);
    for path in paths {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("html" | "htm") => DocumentFormat::Html,
            Some("txt") => DocumentFormat::Text,
            _ => DocumentFormat::Markdown,
        };
        if source.len() > 262_144 {
            continue;
        }
        let began = std::panic::catch_unwind(|| parse(format, &source));
        let Ok(outcome) = began else {
            wrong.push(path);
            continue;
        };
        let document = match outcome {
            Ok(document) => document,
            Err(error) => {
                refused += 1;
                eprintln!("{}: {error}", path.display());
                continue;
            }
        };
        match std::panic::catch_unwind(|| holds(&document)) {
            Ok(written) => held += usize::from(!written),
            Err(_) => wrong.push(path),
        }
        read += 1;
        bytes += source.len();
        segments += document.segments().len();
    }
    eprintln!("{read} documents, {bytes} bytes, {segments} segments; {refused} refused, {held} held");
    assert!(read > 0 && wrong.is_empty(), "{wrong:#?}");
}

/// Holds the laws on a document; whether other texts could be written into it.
fn holds(document: &Document) -> bool {
    gives_itself_back(document, 2);
    let other = |segment: &Segment| {
        let text = retold(&segment.text, |text| text.replace(['a', 'e'], "é").replace("s ", "ß "));
        if super::super::check(segment, &text).is_empty() { text } else { segment.text.clone() }
    };
    reads_what_was_written(document, &document.segments().iter().map(other).collect::<Vec<_>>())
}
