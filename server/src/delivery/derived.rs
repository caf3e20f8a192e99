//! Paths of files in a project that states no output formats: beside their sources.

use l10n_api_types::{FormatId, LanguageCode};

/// A path with places for the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DerivedPath(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The language as BCP 47 spells it: `pt-BR`.
    Language,
    /// The language with underscores: `pt_BR`.
    Underscored,
}

impl DerivedPath {
    /// `{language}.json`: keys that came without a file.
    #[must_use]
    pub(crate) fn of_loose_keys() -> Self {
        Self(vec![Part::Language, Part::Text(".json".into())])
    }

    /// The path of a source file with its base language replaced by the language, or below a folder named by the language
    /// when the base language is not in it.
    ///
    /// The language is looked for in whole folder names and in whole parts of the file name: `locales/en/app.json`,
    /// `en.json`, `app_en.arb`, `app.en-US.json`; not in `men/garden.json`. A language that says no more than `en` does not
    /// show how the files spell `pt-BR`: ARB files are then named as Flutter's tools ask, `app_pt_BR.arb`.
    #[must_use]
    pub(crate) fn of_source(path: &str, format: FormatId, base: &LanguageCode) -> Self {
        let spelling = Spelling { base: base.as_str(), underscored: format == FormatId::Arb };
        let (folders, file) = path.rsplit_once('/').map_or((None, path), |(folders, file)| (Some(folders), file));
        let mut parts = Vec::new();
        let mut text = String::new();
        for folder in folders.into_iter().flat_map(|folders| folders.split('/')) {
            match spelling.of(folder) {
                Some(part) => push(&mut parts, &mut text, part),
                None => text.push_str(folder),
            }
            text.push('/');
        }
        match spelling.in_file_name(file) {
            Some((before, part, after)) => {
                text.push_str(before);
                push(&mut parts, &mut text, part);
                text.push_str(after);
            }
            None => text.push_str(file),
        }
        if parts.is_empty() {
            text.insert(0, '/');
            parts.push(Part::Language);
        }
        parts.push(Part::Text(text));
        Self(parts)
    }

    /// The path in a language.
    #[must_use]
    pub(crate) fn render(&self, language: &LanguageCode) -> String {
        self.0
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Language => language.as_str().to_owned(),
                Part::Underscored => language.as_str().replace('-', "_"),
            })
            .collect()
    }
}

fn push(parts: &mut Vec<Part>, text: &mut String, part: Part) {
    if !text.is_empty() {
        parts.push(Part::Text(std::mem::take(text)));
    }
    parts.push(part);
}

/// The spelling of the base language in a path, which all languages follow.
struct Spelling<'a> {
    base: &'a str,
    /// The language has underscores where the base language does not show the spelling.
    underscored: bool,
}

impl Spelling<'_> {
    /// Returns how a text spells the language; `None` when it is not the language.
    fn of(&self, text: &str) -> Option<Part> {
        if text.eq_ignore_ascii_case(self.base) {
            let tells = self.base.contains('-');
            Some(if self.underscored && !tells { Part::Underscored } else { Part::Language })
        } else {
            text.eq_ignore_ascii_case(&self.base.replace('-', "_")).then_some(Part::Underscored)
        }
    }

    /// The last place in a file name that is the language and stands between the ends of the name or `.`, `_` and `-`.
    fn in_file_name<'f>(&self, file: &'f str) -> Option<(&'f str, Part, &'f str)> {
        let length = self.base.len();
        (0..=file.len().checked_sub(length)?).rev().find_map(|at| {
            let (before, rest) = file.split_at_checked(at)?;
            let (name, after) = rest.split_at_checked(length)?;
            let begins = before.is_empty() || before.ends_with(['.', '_', '-']);
            let ends =
                after.is_empty() || after.starts_with('.') || (before.is_empty() && after.starts_with(['_', '-']));
            Some((before, self.of(name).filter(|_| begins && ends)?, after))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derived(path: &str, base: &str, language: &str) -> String {
        let format = if path.ends_with(".arb") { FormatId::Arb } else { FormatId::Json };
        DerivedPath::of_source(path, format, &base.into()).render(&language.into())
    }

    #[test]
    fn the_base_language_in_a_path_becomes_the_language() {
        for (path, base, rendered) in [
            ("en.json", "en", "pt-BR.json"),
            ("locales/en.json", "en", "locales/pt-BR.json"),
            ("locales/en/app.json", "en", "locales/pt-BR/app.json"),
            ("en/en.json", "en", "pt-BR/pt-BR.json"),
            ("lib/l10n/app_en.arb", "en", "lib/l10n/app_pt_BR.arb"),
            ("ha-frontend.en.json", "en", "ha-frontend.pt-BR.json"),
            ("app.en-US.json", "en-US", "app.pt-BR.json"),
            ("app_en_US.arb", "en-US", "app_pt_BR.arb"),
            ("app-en-US.arb", "en-US", "app-pt-BR.arb"),
            ("EN.json", "en", "pt-BR.json"),
            ("en_messages.json", "en", "pt-BR_messages.json"),
        ] {
            assert_eq!(derived(path, base, "pt-BR"), rendered, "{path}");
        }
    }

    #[test]
    fn a_path_without_the_base_language_goes_below_a_folder_of_the_language() {
        for path in
            ["strings.json", "men/garden.json", "src/i18n/token.json", "x/den.json", "app-en-route.json", "é.json"]
        {
            assert_eq!(derived(path, "en", "de"), format!("de/{path}"));
        }
    }

    #[test]
    fn the_path_in_the_base_language_is_the_source_itself_where_it_names_it_canonically() {
        for path in ["locales/en.json", "a/en/b.json", "app_en.arb", "{language}.en.json", "en"] {
            assert_eq!(derived(path, "en", "en"), path);
        }
    }

    #[test]
    fn keys_without_a_file_share_the_path_of_a_source_at_the_top() {
        assert_eq!(DerivedPath::of_source("en.json", FormatId::Json, &"en".into()), DerivedPath::of_loose_keys());
    }
}
