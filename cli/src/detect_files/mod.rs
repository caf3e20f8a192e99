//! Finds localization files in a folder, for `l10n init`: by their names and contents, and by the habits of the frameworks
//! around them. Says why each one is taken, and which ones are left out.

mod base;
mod candidates;
mod claims;
mod found;
mod frameworks;
mod groups;
mod language;
#[cfg(test)]
mod tests;
mod usual;
mod walk;

use std::path::Path;

use l10n_formats::files::{self, FileKind};

pub(crate) use self::base::Base;
use self::candidates::{LanguagePlacement, candidates};
use self::claims::without_conflicts;
pub(crate) use self::found::{FileGroup, LeftOut};
use self::frameworks::{Framework, declared, inner_first, is_marker, widen};
use self::groups::{EntryFiles, falls_back, grouped};
use self::usual::is_usual;
use self::walk::Tree;

/// The largest file that declares a framework; projects of Xcode are large.
const LARGEST_MARKER: usize = 16 << 20;

/// The result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DetectedFiles {
    /// The base language, where something says it.
    pub(crate) base: Option<Base>,
    pub(crate) groups: Vec<FileGroup>,
    /// In order of their paths.
    pub(crate) left_out: Vec<LeftOut>,
}

/// Searches a folder; the caller may know the base language.
pub(crate) fn detect_files(root: &Path, base: Option<&str>) -> DetectedFiles {
    let mut tree = Tree::of(root);
    let mut left_out = std::mem::take(&mut tree.trouble);
    let frameworks = frameworks(&tree);
    let mut files = grouped(candidates(&tree, &frameworks, &mut left_out));
    files.retain(|files| {
        let keeps = is_meant(files, &frameworks);
        if !keeps {
            let why = "it is one file, in a folder of no usual name, and no framework is known that has such files"
                .to_owned();
            left_out
                .push(LeftOut { path: files.members.first().map_or(&files.pattern, |file| &file.path).clone(), why });
        }
        keeps
    });
    let base = Base::of(&files, &frameworks, base);
    let mut groups = Vec::new();
    for files in files {
        let why = reason(&files, &frameworks);
        groups.extend(group(files, base.as_ref(), why, &mut left_out));
    }
    let groups = without_conflicts(groups, &mut left_out);
    left_out.sort();
    left_out.dedup();
    DetectedFiles { base, groups, left_out }
}

fn frameworks(tree: &Tree) -> Vec<Framework> {
    let mut found = Vec::new();
    for path in tree.paths.iter().filter(|path| is_marker(path)) {
        // One that cannot be read says nothing.
        if let Ok(bytes) = tree.read(path, LARGEST_MARKER) {
            found.extend(declared(path, &String::from_utf8_lossy(&bytes)));
        }
    }
    widen(&mut found);
    found
}

/// Returns true if files are surely for translation: a single file in a folder of any name may be unrelated.
fn is_meant(files: &EntryFiles, frameworks: &[Framework]) -> bool {
    files.unmarked.is_some()
        || files.members.len() > 1
        || files.members.iter().any(|file| file.place == LanguagePlacement::All)
        || is_usual(&files.pattern)
        || files::by_id(files.format).habits().anywhere
        || frameworks.iter().any(|framework| framework.has(files.format, &files.pattern))
}

/// The sentence that says why files are taken.
fn reason(files: &EntryFiles, frameworks: &[Framework]) -> String {
    let source = files.source();
    let place = match &files.unmarked {
        Some(_) if files::by_id(files.format).habits().is_template(source) => {
            "it contains source texts only".to_owned()
        }
        Some(_) => match files.members.first() {
            Some(beside) => format!("the source language is not in its path; {} is a translation of it", beside.path),
            None => "the base language has this path".to_owned(),
        },
        None if files.pattern.contains('{') => "its path names the language".to_owned(),
        None => "it contains all languages".to_owned(),
    };
    match inner_first(frameworks, |framework| framework.has(files.format, source)).first() {
        Some(framework) => format!("{} ({}); {place}", framework.name, framework.marker),
        None => place,
    }
}

/// The entry for some files, if there is a source among them.
fn group(files: EntryFiles, base: Option<&Base>, why: String, left_out: &mut Vec<LeftOut>) -> Option<FileGroup> {
    let in_base = base.and_then(|base| files.in_language(&base.tag)).map(|file| file.path.clone());
    let languages = files.languages();
    let (source, output) = match (&files.unmarked, in_base) {
        (Some(source), Some(own)) if !falls_back(files.format) => {
            let why = format!("{own} is in the base language, too, and says so");
            left_out.push(LeftOut { path: source.path.clone(), why });
            (files.pattern.clone(), None)
        }
        (Some(source), own) => {
            let why = format!("the texts of its language are in {}; it stays as it is", source.path);
            left_out.extend(own.map(|path| LeftOut { path, why }));
            (source.path.clone(), Some(files.pattern.clone()))
        }
        (None, Some(_)) => (files.pattern.clone(), None),
        (None, None) => {
            let why = match base {
                Some(base) => format!("it has no file in the base language `{}`", base.tag),
                None if files::by_id(files.format).kind() == FileKind::Bilingual => {
                    "the file that its translations are made from is missing: a template, or a catalogue in the base language"
                        .to_owned()
                }
                None => "no file of it is in the language of the sources".to_owned(),
            };
            left_out.push(LeftOut { path: files.pattern, why });
            return None;
        }
    };
    let count = files.members.len() + usize::from(output.is_some());
    Some(FileGroup { source, output, format: files.format, languages, files: count, why })
}
