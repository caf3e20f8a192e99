//! Templates of output paths: `locales/{language}/{namespace}.json`.

use std::fmt;

use l10n_api_types::LanguageCode;

use super::grammar::{PathPiece, Placeholder, Spelling, pieces};
use crate::locales::old_tag;

/// Longest template, in bytes.
const LONGEST: usize = 512;

/// A relative path with places for the language and, at most once, for the namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<TemplatePart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    Language(Spelling),
    Namespace,
}

/// The reason why a path is no template. The text follows the name of the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// Empty or too long.
    #[error("must be 1 to {LONGEST} bytes long")]
    Length,
    /// Not a plain relative path.
    #[error(
        "must be a relative path with `/` between its parts: no leading `/`, no empty part, no `.` or `..`, no `\\` and no control characters"
    )]
    NotRelative,
    /// A brace without its partner.
    #[error("has a `{{` or `}}` that belongs to no placeholder")]
    Brace,
    /// An unknown placeholder.
    #[error(
        "has the unknown placeholder {{{0}}}: there are {{language}}, {{languageUnderscore}}, {{androidLanguage}}, {{appleLanguage}} and {{namespace}}"
    )]
    Unknown(String),
    /// Every language would have the same file.
    #[error("must have a place for the language, such as {{language}}")]
    NoLanguage,
    /// One file holds all languages.
    #[error("may have no place for the language: one file of this format holds all of them")]
    Language,
    /// The namespace stands in it twice.
    #[error("may have {{namespace}} once")]
    NamespaceTwice,
}

/// The values of a template's placeholders in a path that it matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The namespace, where the template has a place for it.
    pub namespace: Option<String>,
}

/// A template with its language filled in: text around at most one namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rendered {
    /// The text before the namespace; the whole path if there is none.
    pub before: String,
    /// The text after the namespace; `None` if there is none.
    pub after: Option<String>,
}

impl Template {
    /// Reads a template of files that each hold one language.
    ///
    /// # Errors
    ///
    /// Returns an error if the path could lead out of the folder that the files are written to, has an unknown
    /// placeholder, or has none for the language.
    pub fn parse(path: &str) -> Result<Self, TemplateError> {
        Some(Self::read(path)?).filter(Self::has_language).ok_or(TemplateError::NoLanguage)
    }

    /// Reads a template of files that each hold all languages.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), but for a path that has a place for the language.
    pub fn parse_for_all_languages(path: &str) -> Result<Self, TemplateError> {
        Some(Self::read(path)?).filter(|template| !template.has_language()).ok_or(TemplateError::Language)
    }

    fn read(path: &str) -> Result<Self, TemplateError> {
        if path.is_empty() || path.len() > LONGEST {
            return Err(TemplateError::Length);
        }
        let unsafe_part = |part: &str| matches!(part, "" | "." | "..");
        if path.chars().any(|c| c.is_control() || c == '\\') || path.split('/').any(unsafe_part) {
            return Err(TemplateError::NotRelative);
        }
        let part = |piece| match piece {
            PathPiece::Text(text) if text.contains('}') => Err(TemplateError::Brace),
            PathPiece::Text(text) => Ok(TemplatePart::Text(text.to_owned())),
            PathPiece::Braces(name) => placeholder(name),
        };
        let parts: Vec<TemplatePart> =
            pieces(path).map(|piece| part(piece.map_err(|_| TemplateError::Brace)?)).collect::<Result<_, _>>()?;
        if parts.iter().filter(|part| **part == TemplatePart::Namespace).count() > 1 {
            return Err(TemplateError::NamespaceTwice);
        }
        Ok(Self(parts))
    }

    /// Returns whether it has a place for the language.
    #[must_use]
    pub fn has_language(&self) -> bool {
        self.0.iter().any(|part| matches!(part, TemplatePart::Language(_)))
    }

    /// Returns whether it has a place for the namespace.
    #[must_use]
    pub fn has_namespace(&self) -> bool {
        self.0.contains(&TemplatePart::Namespace)
    }

    /// The path in a language, of a namespace. Without one, the place of the namespace stays empty: ask
    /// [`has_namespace`](Self::has_namespace) first.
    #[must_use]
    pub fn render(&self, language: &LanguageCode, namespace: Option<&str>) -> String {
        let Rendered { before, after } = self.fill(language);
        match after {
            Some(after) => format!("{before}{}{after}", namespace.unwrap_or_default()),
            None => before,
        }
    }

    /// The template with its language filled in.
    #[must_use]
    pub fn fill(&self, language: &LanguageCode) -> Rendered {
        let mut filled = Rendered { before: String::new(), after: None };
        for part in &self.0 {
            let end = filled.after.as_mut().unwrap_or(&mut filled.before);
            match part {
                TemplatePart::Text(text) => end.push_str(text),
                TemplatePart::Language(spelling) => end.push_str(&spelling.spell(language.as_str())),
                TemplatePart::Namespace => filled.after = Some(String::new()),
            }
        }
        filled
    }

    /// Returns the placeholders' values if `path` is this template in a language, which it may spell by a former code: `iw` for
    /// `he`. A namespace is one path part.
    #[must_use]
    pub fn matches(&self, path: &str, language: &LanguageCode) -> Option<Captured> {
        let old = || self.matches_tag(path, &old_tag(language.as_str())?.into());
        self.matches_tag(path, language).or_else(old)
    }

    fn matches_tag(&self, path: &str, tag: &LanguageCode) -> Option<Captured> {
        match self.fill(tag) {
            Rendered { before, after: None } => (path == before).then_some(Captured { namespace: None }),
            Rendered { before, after: Some(after) } => {
                let namespace = path.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?;
                let one_part = !namespace.is_empty() && !namespace.contains('/');
                one_part.then(|| Captured { namespace: Some(namespace.to_owned()) })
            }
        }
    }
}

impl Rendered {
    /// Returns whether both could name one file, for some namespace.
    #[must_use]
    pub fn may_meet(&self, other: &Self) -> bool {
        let compatible = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a);
        let compatible_ends = |a: &str, b: &str| a.ends_with(b) || b.ends_with(a);
        match (&self.after, &other.after) {
            (None, None) => self.before == other.before,
            (Some(after), None) => self.holds(after, &other.before),
            (None, Some(after)) => other.holds(after, &self.before),
            (Some(a), Some(b)) => compatible(&self.before, &other.before) && compatible_ends(a, b),
        }
    }

    /// The path of one file, for one namespace.
    #[must_use]
    pub fn with_namespace(&self, namespace: &str) -> Self {
        match &self.after {
            Some(after) => Self { before: format!("{}{namespace}{after}", self.before), after: None },
            None => self.clone(),
        }
    }

    fn holds(&self, after: &str, path: &str) -> bool {
        path.strip_prefix(self.before.as_str())
            .and_then(|rest| rest.strip_suffix(after))
            .is_some_and(|namespace| !namespace.is_empty() && !namespace.contains('/'))
    }
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.after {
            Some(after) => write!(f, "{}{{namespace}}{after}", self.before),
            None => f.write_str(&self.before),
        }
    }
}

fn placeholder(name: &str) -> Result<TemplatePart, TemplateError> {
    match Placeholder::named(name) {
        Some(Placeholder::Language(spelling)) => Ok(TemplatePart::Language(spelling)),
        Some(Placeholder::Namespace) => Ok(TemplatePart::Namespace),
        _ if name.contains('{') => Err(TemplateError::Brace),
        _ => Err(TemplateError::Unknown(name.chars().take(64).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(path: &str, language: &str, namespace: Option<&str>) -> String {
        Template::parse(path).unwrap().render(&language.into(), namespace)
    }

    #[test]
    fn every_place_is_filled() {
        assert_eq!(render("a/{language}.json", "pt-BR", None), "a/pt-BR.json");
        assert_eq!(render("{languageUnderscore}/{namespace}.arb", "pt-BR", Some("app")), "pt_BR/app.arb");
        assert_eq!(render("{language}", "de", None), "de");
        let android = |language| render("values-{androidLanguage}/s.xml", language, None);
        assert_eq!(
            ["de", "pt-BR", "es-419", "zh-Hans", "zh-Hans-CN"].map(android),
            [
                "values-de/s.xml",
                "values-pt-rBR/s.xml",
                "values-es-r419/s.xml",
                "values-b+zh+Hans/s.xml",
                "values-b+zh+Hans+CN/s.xml",
            ]
        );
        let apple = |language| render("{appleLanguage}.lproj/a.strings", language, None);
        assert_eq!(
            ["pt-BR", "zh-CN", "zh-TW", "zh-Hans"].map(apple),
            ["pt-BR.lproj/a.strings", "zh-Hans.lproj/a.strings", "zh-Hant.lproj/a.strings", "zh-Hans.lproj/a.strings",]
        );
    }

    #[test]
    fn one_file_for_all_languages_has_no_place_for_the_language() {
        let path = |path: &str| Template::parse_for_all_languages(path).map(|path| path.render(&"de".into(), None));
        assert_eq!(path("App/Localizable.xcstrings").as_deref(), Ok("App/Localizable.xcstrings"));
        assert_eq!(path("{language}.xcstrings"), Err(TemplateError::Language));
        assert_eq!(path("../a.xcstrings"), Err(TemplateError::NotRelative));
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        let long = format!("{{language}}{}", "x".repeat(LONGEST));
        let cases = [
            ("", TemplateError::Length),
            (&long, TemplateError::Length),
            ("/{language}.json", TemplateError::NotRelative),
            ("../{language}.json", TemplateError::NotRelative),
            ("a/./{language}.json", TemplateError::NotRelative),
            ("a//{language}.json", TemplateError::NotRelative),
            ("{language}/", TemplateError::NotRelative),
            ("a\\..\\{language}.json", TemplateError::NotRelative),
            ("{language}\u{0}.json", TemplateError::NotRelative),
            ("{language.json", TemplateError::Brace),
            ("language}.json", TemplateError::Brace),
            ("{{language}}.json", TemplateError::Brace),
            ("{lang}.json", TemplateError::Unknown("lang".into())),
            ("{}.json", TemplateError::Unknown(String::new())),
            ("app.json", TemplateError::NoLanguage),
            ("{namespace}.json", TemplateError::NoLanguage),
            ("{language}/{namespace}/{namespace}.json", TemplateError::NamespaceTwice),
        ];
        for (path, error) in cases {
            assert_eq!(Template::parse(path), Err(error), "{path}");
        }
    }

    #[test]
    fn a_source_file_shows_its_namespace() {
        let template = Template::parse("locales/{language}/{namespace}.json").unwrap();
        let namespace = |path| template.matches(path, &"en".into()).map(|captured| captured.namespace);
        assert_eq!(namespace("locales/en/app.json"), Some(Some("app".into())));
        for other in ["locales/de/app.json", "locales/en/a/b.json", "locales/en/.json", "x/locales/en/app.json"] {
            assert_eq!(namespace(other), None, "{other}");
        }
        let hebrew = |path: &str, language: &str| {
            let android = Template::parse("res/values-{androidLanguage}/{namespace}.xml").unwrap();
            android.matches(path, &language.into()).and_then(|captured| captured.namespace)
        };
        assert_eq!(hebrew("res/values-iw/app.xml", "he").as_deref(), Some("app"));
        assert_eq!(hebrew("res/values-iw-rIL/app.xml", "he-IL").as_deref(), Some("app"));
        assert_eq!(hebrew("res/values-iw/app.xml", "id"), None);
        let plain = Template::parse("{language}.json").unwrap();
        assert_eq!(plain.matches("en.json", &"en".into()), Some(Captured { namespace: None }));
    }

    #[test]
    fn templates_meet_where_a_namespace_could_make_them() {
        let meet = |a: &str, b: &str| {
            let fill = |path| Template::parse(path).unwrap().fill(&"de".into());
            fill(a).may_meet(&fill(b))
        };
        assert!(meet("{language}.json", "{languageUnderscore}.json"));
        assert!(meet("{language}/{namespace}.json", "{language}/app.json"));
        assert!(meet("{language}/{namespace}.json", "{language}/a-{namespace}.json"));
        assert!(!meet("{language}/{namespace}.json", "{language}/{namespace}.arb"));
        assert!(!meet("{language}/{namespace}.json", "{language}/a/b.json"));
        assert!(!meet("a/{language}.json", "b/{language}.json"));
    }

    #[test]
    fn the_worst_templates_take_no_more_stack_than_any_other() {
        use crate::small_stack::{filled, on_small_stack};

        on_small_stack(|| {
            for unit in ["{", "}", "{}", "{a}", "{language}", "{language}/", "{namespace}", "a/", "/", "..", "{{", "é"]
            {
                for size in [LONGEST, LONGEST + 64, 1024 * 1024] {
                    for path in [filled(size, unit), format!("{{namespace}}{}{{language}}", filled(size - 64, unit))] {
                        let Ok(template) = Template::parse(&path) else { continue };
                        let rendered = template.render(&"pt-BR".into(), Some("a"));
                        assert!(template.matches(&rendered, &"pt-BR".into()).is_some(), "{path}");
                    }
                }
            }
        });
    }
}
