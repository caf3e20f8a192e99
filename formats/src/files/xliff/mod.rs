//! XLIFF: source and translation side by side, as tools of translators exchange them. Versions 1 and 2 have little in common
//! but their name, so each is a format of its own; this module has what both share.

mod elements;
mod one;
mod two;

use std::borrow::Cow;

pub(super) use self::one::Xliff1;
pub(super) use self::two::Xliff2;
use super::bilingual::{has_blanks, local};
use super::spliced::{Charset, DecodedFile, ScanError};
use super::xml::{Escapes, Tree, root_tag};
use super::{Fit, Habits, refs};
use crate::text::{Brace, Printf, Syntax};

/// The name of the root element, without its prefix.
const ROOT: &str = "xliff";

/// The attribute that says that blanks of an element count.
const SPACE: &str = "xml:space";

/// The characters that most tools write as references.
const USUAL: Escapes = Escapes { greater: true, quotes: false };

const EXTENSIONS: [&str; 2] = ["xlf", "xliff"];

const HABITS: Habits = Habits { mark: Some('.'), anywhere: true, ..Habits::PLAIN };

/// The language of sources that name none: undetermined.
const UNKNOWN: &str = "und";

/// Returns how well a file fits a major version. One without a root that can be seen is left to the reader, which says the fault.
fn fit(bytes: &[u8], major: char) -> Fit {
    let text = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => DecodedFile::decode(bytes, Charset::Unicode)
            .map(|source| Cow::Owned(source.text.into_bytes()))
            .unwrap_or_default(),
        _ => Cow::Borrowed(bytes),
    };
    let tag = root_tag(&text);
    let name = tag.split(|char: char| char.is_whitespace() || char == '/').next().unwrap_or_default();
    if name.is_empty() {
        return Fit::Plain;
    }
    let version = tag.split_once("version").map(|(_, rest)| rest.trim_start_matches(['=', ' ', '"', '\'']));
    match version.and_then(|version| version.chars().next()) {
        _ if local(name) != ROOT => Fit::No,
        Some(found) if found == major => Fit::Signs,
        Some(_) => Fit::No,
        None => Fit::Plain,
    }
}

/// The prefix of a file's elements, with its colon. Elements of other namespaces have others.
///
/// # Errors
/// Returns an error for a file of another kind or version.
fn prefix_of<'t>(tree: &Tree<'t>, major: char) -> Result<&'t str, ScanError> {
    let root = tree.root();
    let name = tree.name(root);
    let start = tree.nodes.get(root).map_or(0, |found| found.range.start);
    if local(name) != ROOT {
        return Err(ScanError::at(start, "a file of XLIFF has the root element `<xliff>`"));
    }
    let version = tree.attribute(root, "version").unwrap_or_default();
    if version.chars().next().is_some_and(|found| found != major) {
        let message = format!("this file says that its version is {}, not {major}", super::error::shown(&version));
        return Err(ScanError::at(start, message));
    }
    Ok(name.strip_suffix(ROOT).unwrap_or_default())
}

/// The syntax of the texts of a file with this name, where its extension tells it.
fn syntax_of(original: &str) -> Option<Syntax> {
    match original.rsplit_once('.')?.1 {
        "strings" | "stringsdict" | "xcstrings" | "xib" | "storyboard" => Some(Syntax::Printf(Printf::Objc)),
        "resx" | "resw" => Some(Syntax::Brace(Brace::CSharp)),
        _ => None,
    }
}

/// The `<file>` and the name of a unit that a key says; the file is empty where it says none. `None` for a key of more parts.
fn file_and_name(key: &str) -> Option<(String, String)> {
    let mut parts = refs::texts_of(key);
    let name = parts.pop()?;
    let file = parts.pop().unwrap_or_default();
    parts.is_empty().then_some((file, name))
}

/// The attribute of a new unit whose blanks count, with a blank before it.
fn space_for(source: &str, text: Option<&String>) -> String {
    let keeps = has_blanks(source) || text.is_some_and(|text| has_blanks(text));
    if keeps { format!(" {SPACE}=\"preserve\"") } else { String::new() }
}
