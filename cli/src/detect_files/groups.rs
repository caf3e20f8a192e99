//! Files that one entry of `l10n.toml` covers.

use std::collections::{BTreeMap, BTreeSet};

use l10n_client::api::FormatId;
use l10n_formats::files;
use l10n_formats::locales::is_same_tag;

use super::candidates::{Candidate, LanguagePlacement};

/// Files of one entry, before the base language is known.
#[derive(Debug, Clone)]
pub(super) struct EntryFiles {
    /// The pattern that has the language, or the one file that holds all.
    pub(super) pattern: String,
    pub(super) format: FormatId,
    /// The files that the pattern finds.
    pub(super) members: Vec<Candidate>,
    /// The source, where its path does not name the language.
    pub(super) unmarked: Option<Candidate>,
}

impl EntryFiles {
    /// The file in a language.
    pub(super) fn in_language(&self, language: &str) -> Option<&Candidate> {
        // A source whose column is called `source` is in the language of the others.
        let is_in = |file: &&Candidate| match (&file.place, file.language_of()) {
            (LanguagePlacement::All, None) => true,
            (_, code) => code.is_some_and(|code| is_same_tag(code, language)),
        };
        self.members.iter().find(is_in)
    }

    /// The languages, as the files spell them.
    pub(super) fn languages(&self) -> BTreeSet<String> {
        let of = |file: &Candidate| {
            file.others.iter().cloned().chain(file.language_of().map(str::to_owned)).collect::<Vec<_>>()
        };
        self.members.iter().flat_map(of).collect()
    }
}

impl Candidate {
    /// The language that the path names, or the file where it holds all.
    pub(super) fn language_of(&self) -> Option<&str> {
        match &self.place {
            LanguagePlacement::Marked { language, .. } => Some(language),
            LanguagePlacement::Unmarked { .. } => None,
            LanguagePlacement::All => self.language.as_deref(),
        }
    }
}

/// Sorts files into groups by their patterns.
pub(super) fn grouped(candidates: Vec<Candidate>) -> Vec<EntryFiles> {
    let mut by_template: BTreeMap<(String, FormatId), Vec<Candidate>> = BTreeMap::new();
    let mut unmarked = Vec::new();
    for candidate in candidates {
        let key = match &candidate.place {
            LanguagePlacement::Marked { template, .. } => (template.clone(), candidate.format),
            LanguagePlacement::All => (candidate.path.clone(), candidate.format),
            LanguagePlacement::Unmarked { .. } => {
                unmarked.push(candidate);
                continue;
            }
        };
        by_template.entry(key).or_default().push(candidate);
    }
    let mut groups: Vec<EntryFiles> = Vec::new();
    let mut by_template = one_spelling(by_template);
    // Several sources may have their translations in one place: the first one gets it.
    for source in unmarked {
        let LanguagePlacement::Unmarked { template } = &source.place else { continue };
        let key = (template.clone(), source.format);
        let underscored = (template.replace("{language}", "{languageUnderscore}"), source.format);
        let key = if by_template.contains_key(&underscored) { underscored } else { key };
        let members = by_template.remove(&key).unwrap_or_default();
        groups.push(EntryFiles { pattern: key.0, format: source.format, members, unmarked: Some(source) });
    }
    let merged = merge_namespaces(by_template);
    groups.extend(merged.into_iter().map(|((pattern, format), members)| EntryFiles {
        pattern,
        format,
        members,
        unmarked: None,
    }));
    groups.sort_by(|a, b| a.source().cmp(b.source()));
    groups
}

impl EntryFiles {
    /// The pattern of the sources.
    pub(super) fn source(&self) -> &str {
        self.unmarked.as_ref().map_or(&self.pattern, |source| &source.path)
    }
}

type ByTemplate = BTreeMap<(String, FormatId), Vec<Candidate>>;

/// Templates that spell one place in two ways (`{language}` for `de`, `{languageUnderscore}` for `pt_BR`) become the latter.
/// Files of one place have one format, that of the most telling one.
fn one_spelling(by_template: ByTemplate) -> ByTemplate {
    let underscored: BTreeSet<String> = by_template
        .keys()
        .filter(|(key, _)| key.contains("{languageUnderscore}"))
        .map(|(key, _)| key.clone())
        .collect();
    let mut spelled: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for ((template, _), files) in by_template {
        let other = template.replace("{language}", "{languageUnderscore}");
        let template = if underscored.contains(&other) { other } else { template };
        spelled.entry(template).or_default().extend(files);
    }
    spelled.into_iter().map(|(template, files)| ((template, format_of(&files)), files)).collect()
}

/// The format of files that must have one: translators flatten files, and a file without placeholders says nothing.
fn format_of(files: &[Candidate]) -> FormatId {
    let telling = files.iter().map(|file| file.format).find(|format| *format != FormatId::Json);
    telling.unwrap_or(FormatId::Json)
}

/// Merges `l/{language}/a.json` and `l/{language}/b.json` into `l/{language}/{namespace}.json`, if they are of one format. A
/// file without signs is taken for plain JSON, and joins those of i18next.
fn merge_namespaces(by_template: ByTemplate) -> ByTemplate {
    let mut folders: BTreeMap<String, Vec<FormatId>> = BTreeMap::new();
    for (template, format) in by_template.keys() {
        if let Some(pattern) = with_namespace(template) {
            folders.entry(pattern).or_default().push(*format);
        }
    }
    let shared = |pattern: &str| {
        let formats = folders.get(pattern).filter(|formats| formats.len() > 1)?;
        let format = formats.iter().copied().find(|format| *format != FormatId::Json).unwrap_or(FormatId::Json);
        let joins = |one: &FormatId| *one == format || (*one == FormatId::Json && format == FormatId::I18next);
        formats.iter().all(joins).then_some(format)
    };
    let mut merged: ByTemplate = BTreeMap::new();
    for ((template, format), files) in by_template {
        let together = with_namespace(&template).and_then(|pattern| shared(&pattern).map(|format| (pattern, format)));
        merged.entry(together.unwrap_or((template, format))).or_default().extend(files);
    }
    merged
}

/// The template with its file's name as namespace, if the language is the file's folder.
fn with_namespace(template: &str) -> Option<String> {
    let (folder, name) = template.rsplit_once('/')?;
    let (_, extension) = name.rsplit_once('.')?;
    let last = folder.rsplit('/').next()?;
    let is_folder = last.starts_with('{') && last.ends_with('}') && !name.contains('{');
    is_folder.then(|| format!("{folder}/{{namespace}}.{extension}"))
}

/// Returns true if the source without a language in its path is taken, even if a file beside it names the base language: the
/// program falls back on it. Xcode and gettext do not.
pub(super) fn falls_back(format: FormatId) -> bool {
    let habits = files::by_id(format).habits();
    let apple = habits.folder.is_some_and(|folder| !folder.after.is_empty());
    habits.templates.is_none() && !apple
}
