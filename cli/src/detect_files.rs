//! Finds localization files in a folder, for `l10n init`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ignore::WalkBuilder;
use l10n_client::api::FormatId;
use l10n_client::api::translations::SYNC_FILE_CAP;
use l10n_formats::files::{self, Kind};
use l10n_formats::locales::{is_same_tag, is_tag_like};
use l10n_formats::template::Spelling;

use crate::source_files::{holds_all_languages, relative};

/// Languages of ISO 639-1 and a few others. Common folder names such as `lib` or `src` are not in the list.
const LANGUAGES: &str = " aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv \
    dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu \
    ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne \
    ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv \
    sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ast ckb fil haw kab yue ";
/// Usual folders of localization files.
const USUAL_FOLDERS: &[&str] =
    &["locales", "locale", "i18n", "l10n", "lang", "langs", "languages", "translations", "messages", "_locales"];
/// Folders of generated or downloaded files.
const SKIPPED_FOLDERS: &[&str] = &["node_modules", "target", "build", "dist", "vendor", "Pods", "coverage"];

/// Files that one pattern covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// `locales/{language}/{namespace}.json`
    pub(crate) pattern: String,
    pub(crate) format: FormatId,
    /// The languages as spelled in the paths.
    pub(crate) languages: BTreeSet<String>,
    pub(crate) files: usize,
}

/// The result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The base language in canonical spelling.
    pub(crate) base_language: String,
    pub(crate) groups: Vec<Group>,
    /// Patterns without a file in the base language.
    pub(crate) without_base: Vec<String>,
}

/// A file and the language in its path.
#[derive(Debug, Clone)]
struct Candidate {
    language: String,
    /// The languages that it holds besides.
    others: Vec<String>,
    template: String,
    format: FormatId,
}

/// Searches a folder. Returns `None` if it finds nothing.
pub(crate) fn detect_files(root: &Path, base: Option<&str>) -> Option<Found> {
    let candidates = candidates(root);
    let mut by_template: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        by_template.entry(candidate.template.clone()).or_default().push(candidate);
    }
    let mut by_pattern = merge_namespaces(by_template);
    // A single file in a folder of any name may be unrelated.
    by_pattern.retain(|pattern, files| files.len() > 1 || is_usual(pattern) || files.iter().all(is_anywhere));
    if by_pattern.is_empty() {
        return None;
    }
    let base_language = base.map_or_else(|| guess_base(&by_pattern), str::to_owned);
    let mut found = Found { base_language, groups: Vec::new(), without_base: Vec::new() };
    for (pattern, files) in by_pattern {
        let Some(source) = files.iter().find(|file| is_same_tag(&file.language, &found.base_language)) else {
            found.without_base.push(pattern);
            continue;
        };
        found.groups.push(Group {
            format: source.format,
            languages: files.iter().flat_map(|file| file.others.iter().chain([&file.language])).cloned().collect(),
            files: files.len(),
            pattern,
        });
    }
    found.base_language = found.base_language.replace('_', "-");
    Some(found)
}

fn candidates(root: &Path) -> Vec<Candidate> {
    let walk = WalkBuilder::new(root)
        .max_depth(Some(10))
        .sort_by_file_path(Path::cmp)
        .filter_entry(|entry| !SKIPPED_FOLDERS.iter().any(|name| entry.file_name() == *name))
        .build();
    let mut candidates = Vec::new();
    for entry in walk.flatten() {
        let Some(path) = relative(root, entry.path()).filter(|path| files::has_known_extension(path)) else { continue };
        if split_language(&path, Spelling::Bcp47).is_none() && !holds_all_languages(None, &path) {
            continue;
        }
        let small = entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= SYNC_FILE_CAP as u64);
        let Some(bytes) = small.then(|| std::fs::read(entry.path()).ok()).flatten() else { continue };
        let format = files::by_id(files::likeliest(&path, &bytes));
        let id = format.id();
        if format.kind() == Kind::Multilingual {
            let Ok(document) = format.parse(&bytes) else { continue };
            let language = document.language.clone().filter(|_| !document.entries.is_empty());
            let others = format.languages(&document);
            candidates.extend(language.map(|language| Candidate { language, others, template: path, format: id }));
            continue;
        }
        let split = split_language(&path, format.habits().spelling);
        if let Some((language, template)) = split.filter(|_| format.holds_texts(&bytes)) {
            candidates.push(Candidate { language, others: Vec::new(), template, format: id });
        }
    }
    candidates
}

/// Returns true if a file of its kind holds texts wherever it lies.
fn is_anywhere(file: &Candidate) -> bool {
    files::by_id(file.format).habits().anywhere
}

/// Finds the language in a path and returns it with the path in which a placeholder replaces it. It may be the whole
/// file name, its end (`app_en.arb`, `messages.en.json`), or a folder.
fn split_language(path: &str, spelling: Spelling) -> Option<(String, String)> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, extension) = name.rsplit_once('.')?;
    let folder_slash = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    if is_language(stem) {
        let placeholder = placeholder(stem, spelling);
        return Some((stem.to_owned(), format!("{folder_slash}{placeholder}.{extension}")));
    }
    for (at, _) in stem.match_indices(['_', '-', '.']) {
        let (head, tail) = (&stem[..=at], &stem[at + 1..]);
        if is_language(tail) {
            let placeholder = placeholder(tail, spelling);
            return Some((tail.to_owned(), format!("{folder_slash}{head}{placeholder}.{extension}")));
        }
    }
    let parts: Vec<&str> = folder.split('/').collect();
    let at = parts.iter().rposition(|part| is_language(part))?;
    let language = parts[at];
    let mut template: Vec<&str> = parts.clone();
    template[at] = placeholder(language, spelling);
    Some((language.to_owned(), format!("{}/{name}", template.join("/"))))
}

/// The habit of the format, or what the language itself shows.
fn placeholder(language: &str, spelling: Spelling) -> &'static str {
    match spelling {
        Spelling::Bcp47 if language.contains('_') => Spelling::Underscore.placeholder(),
        spelling => spelling.placeholder(),
    }
}

fn is_language(text: &str) -> bool {
    let primary = text.split(['-', '_']).next().unwrap_or_default();
    is_tag_like(text)
        && primary.chars().all(|c| c.is_ascii_lowercase())
        && LANGUAGES.contains(&format!(" {primary} "))
        && text.split(['-', '_']).skip(1).all(|part| matches!(part.len(), 2..=4))
}

fn is_usual(template: &str) -> bool {
    template.split('/').any(|part| USUAL_FOLDERS.contains(&part))
}

/// Merges `l/{language}/a.json` and `l/{language}/b.json` into `l/{language}/{namespace}.json`. Templates that spell
/// one place in two ways (`{language}` for `de`, `{languageUnderscore}` for `pt_BR`) become the latter.
fn merge_namespaces(by_template: BTreeMap<String, Vec<Candidate>>) -> BTreeMap<String, Vec<Candidate>> {
    let underscored: BTreeSet<String> =
        by_template.keys().filter(|key| key.contains("{languageUnderscore}")).cloned().collect();
    let mut spelled: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for (template, files) in by_template {
        let other = template.replace("{language}", "{languageUnderscore}");
        let template = if underscored.contains(&other) { other } else { template };
        spelled.entry(template).or_default().extend(files);
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for template in spelled.keys() {
        if let Some(pattern) = with_namespace(template) {
            *names.entry(pattern).or_default() += 1;
        }
    }
    let mut merged: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for (template, files) in spelled {
        let pattern = with_namespace(&template).filter(|pattern| names.get(pattern).is_some_and(|count| *count > 1));
        merged.entry(pattern.unwrap_or(template)).or_default().extend(files);
    }
    merged
}

/// The template with its file's name as namespace, if the language is the file's folder.
fn with_namespace(template: &str) -> Option<String> {
    let (folder, name) = template.rsplit_once('/')?;
    let (_, extension) = name.rsplit_once('.')?;
    let last = folder.rsplit('/').next()?;
    (last.starts_with('{') && !name.contains('{')).then(|| format!("{folder}/{{namespace}}.{extension}"))
}

/// The language with the most files; `en` if several have the same number.
fn guess_base(by_pattern: &BTreeMap<String, Vec<Candidate>>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in by_pattern.values().flatten() {
        *counts.entry(&file.language).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or_default();
    let english = |code: &str| match code {
        "en" => 2,
        code if code.starts_with("en") => 1,
        _ => 0,
    };
    let candidates = counts.into_iter().filter(|(_, count)| *count == most).map(|(code, _)| code);
    candidates.max_by_key(|code| (english(code), std::cmp::Reverse(*code))).unwrap_or("en").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(files: &[&str]) -> Option<Found> {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, r#"{"a":"A"}"#).unwrap();
        }
        detect_files(folder.path(), None)
    }

    fn patterns(files: &[&str]) -> Vec<String> {
        detect(files).map_or_else(Vec::new, |found| found.groups.into_iter().map(|group| group.pattern).collect())
    }

    #[test]
    fn usual_layouts_are_recognised() {
        assert_eq!(patterns(&["locales/en.json", "locales/de.json"]), ["locales/{language}.json"]);
        assert_eq!(patterns(&["public/locales/en/translation.json"]), ["public/locales/{language}/translation.json"]);
        assert_eq!(
            patterns(&["locales/en/a.json", "locales/en/b.json", "locales/de/a.json"]),
            ["locales/{language}/{namespace}.json"]
        );
        assert_eq!(
            patterns(&["lib/l10n/app_en.arb", "lib/l10n/app_pt_BR.arb"]),
            ["lib/l10n/app_{languageUnderscore}.arb"]
        );
        assert_eq!(patterns(&["src/messages.en.json", "src/messages.fr.json"]), ["src/messages.{language}.json"]);
        assert_eq!(patterns(&["i18n/en.json", "i18n/pt_BR.json"]), ["i18n/{languageUnderscore}.json"]);
    }

    #[test]
    fn what_is_no_localization_file_is_left_alone() {
        assert_eq!(detect(&["src/lib/config.json", "package.json", "node_modules/x/locales/en.json"]), None);
    }

    #[test]
    fn the_base_language_is_that_of_most_files() {
        assert_eq!(detect(&["l/en/a.json", "l/de/a.json"]).unwrap().base_language, "en");
        assert_eq!(detect(&["l/de/a.json", "l/de/b.json", "l/en/a.json"]).unwrap().base_language, "de");
        assert_eq!(detect(&["i18n/de.json"]).unwrap().base_language, "de");
    }
}
