//! Files that hold texts to translate, each with the language in its path or the place that it has without one.

use std::collections::BTreeSet;

use l10n_client::api::FormatId;
use l10n_client::api::translations::SYNC_FILE_CAP;
use l10n_formats::files::{self, Entry, FileKind, Format, Habits, LocalizationFile};
use l10n_formats::text::Syntax;
use l10n_formats::text::placeholders::{SpanKind, scan};

use super::found::LeftOut;
use super::frameworks::{Framework, inner_first};
use super::language::{is_language, split, split_anywhere};
use super::usual::is_usual;
use super::walk::Tree;
use crate::source_files::may_hold_all_languages;

/// A file that holds texts.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) path: String,
    pub(super) format: FormatId,
    pub(super) place: LanguagePlacement,
    /// Languages that it says itself: that of its texts, and those that it is translated into.
    pub(super) language: Option<String>,
    pub(super) others: Vec<String>,
}

/// The way in which a path says the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LanguagePlacement {
    /// It names the language; the template has a placeholder for it.
    Marked { language: String, template: String },
    /// It names none; translations lie in the template.
    Unmarked { template: String },
    /// It holds all languages.
    All,
}

/// The names of files for which a Java or .NET program looks in each language, without the endings below.
const USUAL_NAMES: [&str; 9] = [
    "strings",
    "i18n",
    "labels",
    "resources",
    "sharedresource",
    "sharedresources",
    "translations",
    "texts",
    "localstrings",
];

/// The ends of such names.
const USUAL_ENDINGS: [&str; 3] = ["message", "messages", "bundle"];

/// The files of a tree that hold texts, and those that seem to, with the reason why they are left out.
pub(super) fn candidates(tree: &Tree, frameworks: &[Framework], left_out: &mut Vec<LeftOut>) -> Vec<Candidate> {
    let known: BTreeSet<&str> = tree.paths.iter().map(String::as_str).collect();
    let translated = translated_templates(tree);
    let mut found = Vec::new();
    for path in tree.paths.iter().filter(|path| may_hold_texts(path)) {
        let bytes = match tree.read(path, SYNC_FILE_CAP) {
            Ok(bytes) => bytes,
            Err(why) => {
                if is_surely_meant(path) {
                    left_out.push(LeftOut { path: path.clone(), why });
                }
                continue;
            }
        };
        let format = format_of(path, &bytes, frameworks);
        let read = format.parse(&bytes).map_err(|error| format!("{}:{}: {}", error.line, error.column, error.message));
        let place = match read.as_ref().map_or(format.kind(), |document| format.kind_of(document)) {
            FileKind::Multilingual => read
                .as_ref()
                .map_or(true, |document| says_languages(format, document))
                .then_some(LanguagePlacement::All),
            FileKind::Monolingual | FileKind::Bilingual => place(path, format, frameworks, &translated, &known),
        };
        let Some(place) = place else { continue };
        match read.map(|document| candidate(path, format, place, document, &bytes)) {
            Ok(candidate) => found.extend(candidate),
            Err(why) if files::detect(path, &bytes).is_ok() && is_surely_meant(path) => {
                left_out.push(LeftOut { path: path.clone(), why });
            }
            Err(_) => {}
        }
    }
    for path in tree.links.iter().filter(|path| may_hold_texts(path) && is_surely_meant(path)) {
        left_out.push(LeftOut { path: path.clone(), why: "it is a link, and links are not followed".to_owned() });
    }
    found
}

/// Returns true if a path says that the file may hold texts; others are not even read.
fn may_hold_texts(path: &str) -> bool {
    let habits = habits_of(path);
    may_hold_all_languages(None, path)
        || habits.iter().any(|habits| split(path, habits).is_some() || habits.beside(path).is_some())
}

/// Returns true if a file of the path would be missed: its kind is that of localization files alone, or its folder is.
fn is_surely_meant(path: &str) -> bool {
    is_usual(path) || habits_of(path).iter().any(|habits| habits.anywhere && habits.folder.is_none())
}

/// The habits of the formats whose files have such names.
fn habits_of(path: &str) -> Vec<Habits> {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
    files::all().filter(|format| format.extensions().contains(&extension.as_str())).map(Format::habits).collect()
}

/// The format by the content; where that says nothing, by the framework around the file.
fn format_of(path: &str, bytes: &[u8], frameworks: &[Framework]) -> &'static dyn Format {
    let likeliest = files::likeliest(path, bytes);
    if likeliest != FormatId::Json {
        return files::by_id(likeliest);
    }
    let around = inner_first(frameworks, |framework| framework.covers(path));
    let formats = around.iter().flat_map(|framework| framework.formats).copied();
    files::by_id(formats.into_iter().find(|format| suits(*format, bytes)).unwrap_or(FormatId::Json))
}

/// Returns true if a JSON file that bears signs of no format may be one of this format.
fn suits(format: FormatId, bytes: &[u8]) -> bool {
    let Ok(document) = files::by_id(FormatId::Json).parse(bytes) else { return false };
    let has = |kind: SpanKind| {
        let texts = document.entries.iter().flat_map(|entry| entry.content.texts());
        texts.flat_map(|text| scan(text, Syntax::Mixed)).any(|part| part.kind == kind)
    };
    match format {
        FormatId::Json => true,
        FormatId::I18next => !has(SpanKind::Argument),
        FormatId::FormatJs => files::by_id(format).holds_texts(bytes) && !has(SpanKind::DoubleBrace),
        _ => false,
    }
}

fn place(
    path: &str,
    format: &dyn Format,
    frameworks: &[Framework],
    translated: &BTreeSet<String>,
    known: &BTreeSet<&str>,
) -> Option<LanguagePlacement> {
    let habits = format.habits();
    if let Some((language, template)) = split(path, &habits) {
        return Some(LanguagePlacement::Marked { language, template });
    }
    let (before, after) = habits.beside(path)?;
    let template = match habits.is_template(path).then(|| catalogues_of(path, known)).flatten() {
        Some(template) => template,
        None => format!("{before}{}{after}", habits.spelling.placeholder()),
    };
    let has_folder = habits.folder.is_some_and(|folder| path.split('/').any(|part| part == folder.base));
    let is_one = has_folder
        || habits.is_template(path)
        || translated.contains(&template)
        || (has_usual_name(path) && frameworks.iter().any(|framework| framework.has(format.id(), path)));
    is_one.then_some(LanguagePlacement::Unmarked { template })
}

/// The template of the catalogues that stand beside one without translations, or below its folder: those of its own name,
/// else those that are named after the language alone.
fn catalogues_of(path: &str, known: &BTreeSet<&str>) -> Option<String> {
    let (stem, _) = path.rsplit_once('.')?;
    let (folder, name) = stem.rsplit_once('/').map_or(("", stem), |(folder, name)| (folder, name));
    let habits = files::by_id(FormatId::Gettext).habits();
    let templates = known.range(folder..).take_while(|other| other.starts_with(folder)).filter_map(|other| {
        let extension = habits.templates?.translated;
        other.strip_suffix(extension)?.strip_suffix('.')?;
        split(other, &habits).map(|(_, template)| template)
    });
    let templates: BTreeSet<String> = templates.collect();
    let is_named = |template: &&String| {
        let file = template.rsplit('/').next().unwrap_or(template);
        file.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '-', '_']))
    };
    let lies_here = |template: &&String| {
        let inside = template.strip_prefix(folder).map(|rest| rest.trim_start_matches('/'));
        inside.is_some_and(|inside| inside.starts_with('{') && inside.matches('/').count() == 0)
    };
    templates.iter().find(is_named).or_else(|| templates.iter().find(lies_here)).cloned()
}

/// The templates in which files name their language, where that may be missing from the source's path.
fn translated_templates(tree: &Tree) -> BTreeSet<String> {
    let template = |path: &String| {
        let habits = habits_of(path).into_iter().find(|habits| habits.mark.is_some())?;
        split_anywhere(path, habits.spelling).map(|(_, template)| template)
    };
    tree.paths.iter().filter_map(template).collect()
}

fn has_usual_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    USUAL_NAMES.contains(&stem.as_str()) || USUAL_ENDINGS.iter().any(|end| stem.ends_with(end))
}

/// Returns true if a file that seems to hold all languages does: other tables have columns of two letters, too.
fn says_languages(format: &dyn Format, document: &LocalizationFile) -> bool {
    if format.kind() == FileKind::Multilingual {
        return true;
    }
    let has_letters = |entry: &&Entry| entry.content.texts().any(|text| text.contains(char::is_alphabetic));
    let others = format.languages(document);
    others.iter().chain(&document.language).all(|language| is_language(language))
        && document.entries.iter().filter(has_letters).count() * 2 > document.entries.len()
}

/// A file that was read. Returns `None` if it holds no texts.
fn candidate(
    path: &str,
    format: &dyn Format,
    place: LanguagePlacement,
    document: LocalizationFile,
    bytes: &[u8],
) -> Option<Candidate> {
    if document.entries.is_empty() || !(place == LanguagePlacement::All || format.holds_texts(bytes)) {
        return None;
    }
    let others = format.languages(&document);
    Some(Candidate { path: path.to_owned(), format: format.id(), place, language: document.language, others })
}
