//! The base language of the files that were found, and the reason for it.

use std::collections::BTreeMap;

use l10n_formats::files::{self, FileKind};
use l10n_formats::locales::is_same_tag;

use super::candidates::LanguagePlacement;
use super::frameworks::Framework;
use super::groups::EntryFiles;
use super::language::primary;

/// The base language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Base {
    /// As paths have it, with `-`.
    pub(crate) tag: String,
    /// The reason for it.
    pub(crate) why: String,
}

impl Base {
    /// The language that the caller names, else the one that most frameworks declare, else that of most files. None of these
    /// may say it: files such as `values/strings.xml` name no language.
    pub(super) fn of(groups: &[EntryFiles], frameworks: &[Framework], named: Option<&str>) -> Option<Self> {
        if let Some(named) = named {
            return Some(Self { tag: named.replace('_', "-"), why: "--base-language names it".to_owned() });
        }
        declared(groups, frameworks).or_else(|| most_files(groups))
    }
}

/// The language that frameworks, or files that hold all languages, say for the most groups.
fn declared(groups: &[EntryFiles], frameworks: &[Framework]) -> Option<Base> {
    let mut said: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for group in groups {
        let nearest = frameworks
            .iter()
            .filter(|framework| framework.base.is_some() && framework.has(group.format, group.source()))
            .max_by_key(|framework| framework.folder.len());
        let by_file = group.members.first().filter(|file| file.place == LanguagePlacement::All);
        let (tag, by) = match (by_file.and_then(|file| Some((file.language.as_ref()?, &file.path))), nearest) {
            (Some((language, path)), _) => (language.clone(), path),
            (None, Some(framework)) => (framework.base.clone().unwrap_or_default(), &framework.marker),
            (None, None) => continue,
        };
        let Some(tag) = in_paths(group, &tag) else { continue };
        said.entry(tag).or_insert_with(|| (0, format!("{by} says so"))).0 += 1;
    }
    let (tag, (_, why)) = said.into_iter().max_by_key(|(_, (groups, _))| *groups)?;
    Some(Base { tag, why })
}

/// A language as the paths of a group spell it: they may say `en` where a framework says `en-US`.
fn in_paths(group: &EntryFiles, tag: &str) -> Option<String> {
    let languages = group.languages();
    let same = languages.iter().find(|language| is_same_tag(language, tag));
    let near = || languages.iter().find(|language| primary(language) == primary(tag));
    // Translations beside a source without a language say nothing of it.
    let found = if group.unmarked.is_some() { same.cloned() } else { same.or_else(near).cloned() };
    let declared = group.unmarked.is_some().then(|| tag.to_owned());
    found.or(declared).map(|tag| tag.replace('_', "-"))
}

/// The language with the most files; English if several have the same number. A catalogue in any language has the source texts,
/// so that its own language says little.
fn most_files(groups: &[EntryFiles]) -> Option<Base> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups.iter().filter(|group| group.unmarked.is_none()) {
        let is_bilingual = files::by_id(group.format).kind() == FileKind::Bilingual;
        let languages = group.members.iter().filter_map(|file| file.language_of());
        for language in languages.filter(|language| !is_bilingual || primary(language) == "en") {
            *counts.entry(language).or_default() += 1;
        }
    }
    let most = counts.values().copied().max()?;
    let english = |code: &str| match code {
        "en" => 2,
        code if primary(code) == "en" => 1,
        _ => 0,
    };
    let candidates = counts.into_iter().filter(|(_, count)| *count == most).map(|(code, _)| code);
    let tag = candidates.max_by_key(|code| (english(code), std::cmp::Reverse(*code)))?;
    Some(Base {
        tag: tag.replace('_', "-"),
        why: "no language has more files, and nothing names another one".to_owned(),
    })
}
