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
#[ignore = "needs documents: L10N_DOCUMENTS=<directories> cargo test -p l10n-server --lib documents -- --ignored"]
fn documents_of_others_come_back_byte_for_byte() {
    let Ok(directories) = std::env::var("L10N_DOCUMENTS") else { panic!("L10N_DOCUMENTS names no directory") };
    let mut paths = Vec::new();
    for directory in directories.split(':') {
        visit(Path::new(directory), &mut paths);
    }
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
        let document = match parse(format, &source) {
            Ok(document) => document,
            Err(error) => {
                refused += 1;
                eprintln!("{}: {error}", path.display());
                continue;
            }
        };
        eprintln!("{}", path.display());
        gives_itself_back(&document, 2);
        let texts: Vec<String> = document
            .segments()
            .iter()
            .map(|segment| retold(&segment.text, |text| text.replace(['a', 'e'], "é").replace('s', "ß")))
            .map(|text| text.replace("httpß", "https"))
            .collect();
        let passed = |(segment, text): (&Segment, String)| {
            if super::super::check(segment, &text).is_empty() { text } else { segment.text.clone() }
        };
        let texts: Vec<String> = document.segments().iter().zip(texts).map(passed).collect();
        held += usize::from(!reads_what_was_written(&document, &texts));
        read += 1;
        bytes += source.len();
        segments += document.segments().len();
    }
    eprintln!("{read} documents, {bytes} bytes, {segments} segments; {refused} refused, {held} held");
    assert!(read > 0);
}
