//! Paths of files in a project that states no output formats: beside their sources.

use l10n_api_types::LanguageCode;
use l10n_formats::files::{Habits, LanguageFolder};
use l10n_formats::template::Spelling;

/// A path with places for the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DerivedPath {
    parts: Vec<PathPart>,
    /// The base language and its path, where that does not name the language.
    unmarked: Option<(LanguageCode, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PathPart {
    Text(String),
    Language(Spelling),
}

impl DerivedPath {
    /// `{language}.json`: keys that came without a file.
    #[must_use]
    pub(crate) fn of_loose_keys() -> Self {
        Self { parts: vec![PathPart::Language(Spelling::Bcp47), PathPart::Text(".json".into())], unmarked: None }
    }

    /// The path of a source file with its base language replaced by the language. Where the base language is not in it, the
    /// language goes where teams put it in files of the format, or else into a folder around the path.
    ///
    /// The language is looked for in whole folder names and in whole parts of the file name: `locales/en/app.json`,
    /// `en.json`, `app_en.arb`, `app.en-US.json`; not in `men/garden.json`. A language that says no more than `en` does not
    /// show how the files spell `pt-BR`: the format's habit decides, as in `app_pt_BR.arb`.
    #[must_use]
    pub(crate) fn of_source(path: &str, habits: &Habits, base: &LanguageCode) -> Self {
        let search = Search { base: base.as_str(), habit: habits.spelling, folder: habits.folder };
        let (folders, file) = path.rsplit_once('/').map_or((None, path), |(folders, file)| (Some(folders), file));
        let mut parts = Vec::new();
        let mut text = String::new();
        for folder in folders.into_iter().flat_map(|folders| folders.split('/')) {
            match search.in_folder_name(folder) {
                Some((before, spelling, after)) => {
                    text.push_str(before);
                    push(&mut parts, &mut text, spelling);
                    text.push_str(after);
                }
                None => text.push_str(folder),
            }
            text.push('/');
        }
        match search.in_file_name(file) {
            Some((before, spelling, after)) => {
                text.push_str(before);
                push(&mut parts, &mut text, spelling);
                text.push_str(after);
            }
            None => text.push_str(file),
        }
        if parts.is_empty() {
            return Self::unmarked(path, habits, base);
        }
        parts.push(PathPart::Text(text));
        Self { parts, unmarked: None }
    }

    /// The path of a source file that holds all languages.
    #[must_use]
    pub(crate) fn of_all_languages(path: &str) -> Self {
        Self { parts: vec![PathPart::Text(path.to_owned())], unmarked: None }
    }

    /// Of a path without a language.
    fn unmarked(path: &str, habits: &Habits, base: &LanguageCode) -> Self {
        let Some((mut before, after)) = habits.beside(path) else {
            return Self {
                parts: vec![PathPart::Language(Spelling::Bcp47), PathPart::Text(format!("/{path}"))],
                unmarked: None,
            };
        };
        let mut parts = Vec::new();
        push(&mut parts, &mut before, habits.spelling);
        parts.push(PathPart::Text(after));
        Self { parts, unmarked: Some((base.clone(), path.to_owned())) }
    }

    /// The path that the source would have if it named the base language, as its translations name theirs; `None` where it does.
    #[must_use]
    pub(crate) fn marked_source(&self) -> Option<String> {
        let (base, _) = self.unmarked.as_ref()?;
        Some(self.in_language(base))
    }

    /// The path in a language.
    #[must_use]
    pub(crate) fn render(&self, language: &LanguageCode) -> String {
        match &self.unmarked {
            Some((base, path)) if base == language => path.clone(),
            _ => self.in_language(language),
        }
    }

    fn in_language(&self, language: &LanguageCode) -> String {
        self.parts.iter().map(|part| part.spell(language)).collect()
    }
}

impl PathPart {
    fn spell(&self, language: &LanguageCode) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Language(spelling) => spelling.spell(language.as_str()),
        }
    }
}

fn push(parts: &mut Vec<PathPart>, text: &mut String, spelling: Spelling) {
    if !text.is_empty() {
        parts.push(PathPart::Text(std::mem::take(text)));
    }
    parts.push(PathPart::Language(spelling));
}

/// Looks for the base language in the parts of a path.
struct Search<'a> {
    base: &'a str,
    /// The spelling of the format's files.
    habit: Spelling,
    folder: Option<LanguageFolder>,
}

impl Search<'_> {
    /// Returns how a text spells the language; `None` when it is not the language.
    fn spelling_of(&self, text: &str) -> Option<Spelling> {
        let spells = |spelling: &Spelling| text.eq_ignore_ascii_case(&spelling.spell(self.base));
        [self.habit, Spelling::Bcp47, Spelling::Underscore].into_iter().find(spells)
    }

    /// The language as a folder's name, or within one as the format has it.
    fn in_folder_name<'f>(&self, name: &'f str) -> Option<(&'f str, Spelling, &'f str)> {
        if let Some(spelling) = self.spelling_of(name) {
            return Some(("", spelling, ""));
        }
        let folder = self.folder?;
        let inside = name.strip_prefix(folder.before)?.strip_suffix(folder.after)?;
        Some((folder.before, self.spelling_of(inside)?, folder.after))
    }

    /// The last place in a file name that is the language and stands between the ends of the name or `.`, `_` and `-`.
    fn in_file_name<'f>(&self, file: &'f str) -> Option<(&'f str, Spelling, &'f str)> {
        let length = self.base.len();
        (0..=file.len().checked_sub(length)?).rev().find_map(|at| {
            let (before, rest) = file.split_at_checked(at)?;
            let (name, after) = rest.split_at_checked(length)?;
            let begins = before.is_empty() || before.ends_with(['.', '_', '-']);
            let ends =
                after.is_empty() || after.starts_with('.') || (before.is_empty() && after.starts_with(['_', '-']));
            Some((before, self.spelling_of(name).filter(|_| begins && ends)?, after))
        })
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::FormatId;
    use l10n_formats::files::by_id;

    use super::*;

    const ANDROID: FormatId = FormatId::Android;
    const APPLE: FormatId = FormatId::AppleStrings;
    const JAVA: FormatId = FormatId::Properties;

    fn of(format: FormatId, path: &str, base: &str) -> DerivedPath {
        DerivedPath::of_source(path, &by_id(format).habits(), &base.into())
    }

    fn derived(path: &str, base: &str, language: &str) -> String {
        let format = if path.ends_with(".arb") { FormatId::Arb } else { FormatId::Json };
        of(format, path, base).render(&language.into())
    }

    #[test]
    fn a_path_that_says_no_language_gets_it_as_the_format_has_it() {
        for (format, path, german, brazilian) in [
            (ANDROID, "res/values/strings.xml", "res/values-de/strings.xml", "res/values-pt-rBR/strings.xml"),
            (APPLE, "App/Base.lproj/Main.strings", "App/de.lproj/Main.strings", "App/pt-BR.lproj/Main.strings"),
            (JAVA, "a.b/messages.properties", "a.b/messages_de.properties", "a.b/messages_pt_BR.properties"),
            (JAVA, "a.b/messages", "de/a.b/messages", "pt-BR/a.b/messages"),
            (FormatId::Gettext, "po/app.pot", "po/de.po", "po/pt_BR.po"),
        ] {
            let derived = of(format, path, "en");
            assert_eq!(derived.render(&"de".into()), german);
            assert_eq!(derived.render(&"pt-BR".into()), brazilian);
        }
        for (format, path, marked) in [
            (ANDROID, "values/strings.xml", "values-en/strings.xml"),
            (APPLE, "Base.lproj/a", "en.lproj/a"),
            (JAVA, "m.properties", "m_en.properties"),
        ] {
            assert_eq!(of(format, path, "en").render(&"en".into()), path);
            assert_eq!(of(format, path, "en").marked_source().as_deref(), Some(marked));
            assert_eq!(of(format, marked, "en").marked_source(), None);
        }
    }

    #[test]
    fn a_folder_that_says_more_than_the_language_keeps_the_rest() {
        for (format, path, base, brazilian) in [
            (ANDROID, "res/values-en-rGB/strings.xml", "en-GB", "res/values-pt-rBR/strings.xml"),
            (APPLE, "App/en.lproj/Main.strings", "en", "App/pt-BR.lproj/Main.strings"),
            (APPLE, "App/zh-Hans.lproj/Main.strings", "zh-CN", "App/pt-BR.lproj/Main.strings"),
            (JAVA, "messages_en.properties", "en", "messages_pt_BR.properties"),
        ] {
            let derived = of(format, path, base);
            assert_eq!(derived.render(&"pt-BR".into()), brazilian);
            assert_eq!(derived.render(&base.into()), path);
        }
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
        assert_eq!(DerivedPath::of_source("en.json", &Habits::PLAIN, &"en".into()), DerivedPath::of_loose_keys());
    }
}
