//! The example file: every setting with its documentation and its default.

use std::fmt::Write as _;

use confique::Config as _;
use confique::meta::{Expr, Field, FieldKind, LeafKind, Meta};

use super::declared::{literal, paragraph};
use super::sections::DeclaredSettings;

const INTRODUCTION: &str = "Settings of l10n-server, each with its default. Copy this file to l10n-server.toml and remove \
     the `#: ` in front of what you change. Flags (--limits-requests-per-minute) win over the environment \
     (L10N_SERVER_LIMITS_REQUESTS_PER_MINUTE), which wins over this file.";

/// Columns of a line.
const WIDTH: usize = 100;

/// The example file's text. The settings that an operator may change stand behind `#: `.
#[must_use]
pub(crate) fn example() -> String {
    let mut file = String::new();
    comment(&mut file, INTRODUCTION);
    section(&mut file, &DeclaredSettings::META);
    file
}

fn section(file: &mut String, meta: &Meta) {
    for Field { name, doc, kind } in meta.fields {
        file.push('\n');
        match kind {
            FieldKind::Nested { meta } => {
                // The header is no comment: an unchanged file states empty sections, which change nothing.
                let _ = writeln!(file, "[{name}]");
                comment(file, &paragraph(meta.doc));
                section(file, meta);
            }
            FieldKind::Leaf { kind: LeafKind::Required { default: Some(Expr::Map(_)) }, .. } => {
                let (text, table) =
                    doc.split_at(doc.iter().position(|line| line.trim().is_empty()).unwrap_or(doc.len()));
                comment(file, &paragraph(text));
                for line in table.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
                    let _ = writeln!(file, "#: {line}");
                }
            }
            FieldKind::Leaf { kind, .. } => {
                comment(file, &paragraph(doc));
                if let LeafKind::Required { default: Some(default) } = kind {
                    let _ = writeln!(file, "#: {name} = {}", literal(default));
                }
            }
        }
    }
}

/// Writes a text as comments, broken between words.
fn comment(file: &mut String, text: &str) {
    let mut line = String::from("#");
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(file, "{line}");
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    if line.len() > 1 {
        let _ = writeln!(file, "{line}");
    }
}
