//! The files that output formats make in the languages of a project: their number, and paths that two of them would share.

use std::hash::{BuildHasher as _, RandomState};

use l10n_api_types::LanguageCode;
use l10n_formats::template::{Rendered, Template};

use crate::compute::{MANY, compute};
use crate::delivery::file_count::MOST_FILES;
use crate::domain::ServiceError;
use crate::store::languages::Language;

/// Most files that the output formats of a project make in all of its languages. Each namespace that is listed counts, and so does
/// a file for all languages in each of them. All paths are made and compared while the project is held.
const MOST_STATED: usize = 50_000;

/// An output format whose path has been read.
#[derive(Debug)]
pub(super) struct OutputTemplate {
    pub(super) template: Template,
    pub(super) path: String,
    pub(super) namespaces: Option<Vec<String>>,
}

impl OutputTemplate {
    /// The files in a language: one for each namespace that is listed, one with a place for it otherwise.
    pub(super) fn files<'a>(&'a self, language: &LanguageCode) -> impl Iterator<Item = Rendered> + use<'a> {
        let file = self.template.fill(language);
        let open = self.listed().is_none().then(|| file.clone());
        let listed = self.listed().unwrap_or_default().iter();
        listed.map(move |namespace| file.with_namespace(namespace)).chain(open)
    }

    /// The number of files in a language.
    pub(super) fn count(&self) -> usize {
        self.listed().map_or(1, <[String]>::len)
    }

    /// Returns true if its files have a place for a namespace.
    fn is_open(&self) -> bool {
        self.template.has_namespace() && self.listed().is_none()
    }

    /// The namespaces that have a file each.
    fn listed(&self) -> Option<&[String]> {
        self.namespaces.as_deref().filter(|_| self.template.has_namespace())
    }
}

/// Refuses two files under one path: of two output formats, or of two languages that one template spells alike.
///
/// # Errors
///
/// 400, also for more files than a project may have.
pub(super) fn check_paths(formats: &[OutputTemplate], languages: &[Language]) -> Result<(), ServiceError> {
    let of_a_language = formats.iter().map(OutputTemplate::count).sum::<usize>();
    if of_a_language > MOST_FILES {
        return Err(ServiceError::InvalidArgument(format!(
            "the output formats would make {of_a_language} files in one language, and a version has at most {MOST_FILES}: list \
             fewer namespaces, or have fewer output formats"
        )));
    }
    let files = of_a_language.saturating_mul(languages.len());
    if files > MOST_STATED {
        return Err(ServiceError::InvalidArgument(format!(
            "the output formats would make {files} files in {} languages, and at most {MOST_STATED} are allowed: list fewer \
             namespaces, or have fewer output formats",
            languages.len()
        )));
    }
    compute(files > MANY, || check_each(formats, languages))
}

/// The place of a file: its language, its output format and its namespace, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FileAddress {
    language: usize,
    format: usize,
    namespace: usize,
}

/// Finds paths that are the same by their hashes. Those with an open place for the namespace alone are held against each other path of
/// their language.
fn check_each(formats: &[OutputTemplate], languages: &[Language]) -> Result<(), ServiceError> {
    let codes: Vec<LanguageCode> = languages.iter().map(|language| language.code.as_str().into()).collect();
    let hashes = RandomState::new();
    let mut places: Vec<(u64, FileAddress)> = Vec::new();
    for (language, code) in codes.iter().enumerate() {
        let open = formats.iter().enumerate().filter(|(_, stated)| stated.is_open());
        let open: Vec<(usize, Rendered)> = open.map(|(at, stated)| (at, stated.template.fill(code))).collect();
        for (format, stated) in formats.iter().enumerate() {
            // One file holds all languages.
            let is_new = language == 0 || stated.template.has_language();
            for (namespace, file) in stated.files(code).enumerate() {
                if let Some((other, _)) = open.iter().find(|(at, theirs)| *at != format && theirs.may_meet(&file)) {
                    return Err(clash(formats, &file, (format, code), (*other, code)));
                }
                if is_new {
                    places.push((hashes.hash_one(&file), FileAddress { language, format, namespace }));
                }
            }
        }
    }
    places.sort_unstable();
    let alike = places.windows(2).filter_map(|pair| match pair {
        [(one, earlier), (other, later)] if one == other => Some((*later, *earlier)),
        _ => None,
    });
    let mut alike: Vec<(FileAddress, FileAddress)> = alike.collect();
    alike.sort_unstable();
    let file = |place: FileAddress| formats.get(place.format)?.files(codes.get(place.language)?).nth(place.namespace);
    let same = alike.into_iter().find_map(|(later, earlier)| {
        let path = file(later).filter(|path| file(earlier).as_ref() == Some(path))?;
        let (language, in_language) = (codes.get(later.language)?, codes.get(earlier.language)?);
        Some(clash(formats, &path, (later.format, language), (earlier.format, in_language)))
    });
    same.map_or(Ok(()), Err)
}

fn clash(
    formats: &[OutputTemplate],
    path: &Rendered,
    (one, language): (usize, &LanguageCode),
    (other, in_language): (usize, &LanguageCode),
) -> ServiceError {
    let stated = |index: usize| formats.get(index).map_or("", |format| &format.path);
    ServiceError::InvalidArgument(format!(
        "`{}` in {language} and `{}` in {in_language} would both be `{path}`: make the paths differ",
        stated(one),
        stated(other)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    fn language(code: &str) -> Language {
        Language { code: code.to_owned(), is_base: false, position: 0, created_at: Timestamp::from_millis(0) }
    }

    fn check(formats: &[(&str, usize)], languages: &[&str]) -> Option<String> {
        let formats: Vec<OutputTemplate> = formats
            .iter()
            .map(|(path, listed)| OutputTemplate {
                template: Template::parse(path).or_else(|_| Template::parse_for_all_languages(path)).unwrap(),
                path: (*path).to_owned(),
                namespaces: (*listed > 0).then(|| (0..*listed).map(|number| format!("n{number}")).collect()),
            })
            .collect();
        let languages: Vec<Language> = languages.iter().map(|code| language(code)).collect();
        check_paths(&formats, &languages).err().map(|error| error.to_string())
    }

    fn clash(formats: &[(&str, usize)], languages: &[&str]) -> Option<String> {
        let said = check(formats, languages)?;
        Some(said.split_once("both be `")?.1.split_once('`')?.0.to_owned())
    }

    #[test]
    fn two_files_with_one_path_are_found_whichever_comes_first() {
        let (open, app) = (("{language}/{namespace}.json", 0), ("{language}/app.json", 0));
        let (listed, second) = (("{language}/{namespace}.json", 2), ("{language}/n1.json", 0));
        for (formats, path) in
            [([open, app], "de/app.json"), ([open, listed], "de/n0.json"), ([listed, second], "de/n1.json")]
        {
            assert_eq!(clash(&formats, &["de"]).as_deref(), Some(path));
            assert_eq!(clash(&[formats[1], formats[0]], &["de"]).as_deref(), Some(path));
        }
        assert_eq!(
            clash(&[open, ("{languageUnderscore}/a{namespace}.json", 0)], &["de"]).as_deref(),
            Some("de/{namespace}.json")
        );
        assert_eq!(check(&[listed, app, ("x/{language}/{namespace}.json", 0)], &["en", "de"]), None);
        // A part of a path is no namespace.
        assert_eq!(check(&[open, ("{language}/a/app.json", 0)], &["de"]), None);
    }

    #[test]
    fn two_languages_that_are_spelled_alike_meet_and_one_file_for_all_is_its_own() {
        let apple = [("{appleLanguage}/{namespace}.strings", 2)];
        assert_eq!(clash(&apple, &["zh-CN", "zh-Hans"]).as_deref(), Some("zh-Hans/n0.strings"));
        assert_eq!(check(&apple, &["zh-CN", "zh-TW"]), None);
        assert_eq!(
            clash(&[("{appleLanguage}/{namespace}.strings", 0)], &["zh-CN", "zh-Hans"]).as_deref(),
            Some("zh-Hans/{namespace}.strings")
        );
        assert_eq!(check(&[("all.csv", 0), ("{namespace}.csv", 3)], &["de", "fr"]), None);
        assert_eq!(clash(&[("all.csv", 0), ("all.csv", 0)], &["de", "fr"]).as_deref(), Some("all.csv"));
    }

    /// To hold each path against each other one of its language takes hours.
    #[test]
    fn as_many_files_as_there_may_be_are_compared_and_one_more_is_refused() {
        let paths: Vec<String> = (0..40).map(|format| format!("f{format}/{{language}}/{{namespace}}.json")).collect();
        let mut formats: Vec<(&str, usize)> = paths.iter().map(|path| (path.as_str(), 500)).collect();
        assert_eq!(check(&formats, &["en", "de"]), None);
        let refused = check(&formats, &["en", "de", "fr"]).unwrap();
        assert!(refused.contains("60000 files in 3 languages, and at most 50000"), "{refused}");
        let twice: Vec<(&str, usize)> = formats.iter().take(20).chain(formats.iter().take(20)).copied().collect();
        assert_eq!(clash(&twice, &["en", "de"]).as_deref(), Some("f0/en/n0.json"));
        // No version could have all of them in its base language alone.
        formats.push(("one/{language}.json", 0));
        let refused = check(&formats, &["en"]).unwrap();
        assert!(refused.contains("20001 files in one language, and a version has at most 20000"), "{refused}");
        // Half of them with an open place, each of which may meet any path of the other half.
        let paths: Vec<String> = (0..50)
            .map(|format| match format % 2 {
                0 => format!("{{language}}/{{namespace}}.e{}", format + 10),
                _ => format!("{{language}}/x/{format}-{{namespace}}"),
            })
            .collect();
        let formats: Vec<(&str, usize)> =
            paths.iter().enumerate().map(|(at, path)| (path.as_str(), if at % 2 == 0 { 0 } else { 500 })).collect();
        assert_eq!(check(&formats, &["en", "de", "fr"]), None);
    }
}
