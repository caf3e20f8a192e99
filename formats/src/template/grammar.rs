//! The grammar that templates and patterns share: text, and placeholders in braces.

use crate::locales::is_tag_like;

/// A placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// The language in one of its spellings: `{language}`, `{languageUnderscore}`, `{androidLanguage}`, `{appleLanguage}`.
    Language(Spelling),
    /// `{namespace}`: the part of the project that a file holds.
    Namespace,
    /// `{path}`: of a document below the folder of its source.
    Path,
    /// `{stem}`: the path without its extension.
    Stem,
    /// `{extension}`: without its dot.
    Extension,
}

/// A way to spell a language in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// `pt-BR`, as BCP 47.
    Bcp47,
    /// `pt_BR`.
    Underscore,
    /// `pt-rBR`, `b+zh+Hans`, as folders of Android resources.
    Android,
    /// `pt-BR`, `zh-Hans`, as `.lproj` folders.
    Apple,
}

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathPiece<'t> {
    /// Text, never empty.
    Text(&'t str),
    /// The text between braces, which may be the name of a placeholder.
    Braces(&'t str),
}

/// A `{` without its `}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed;

/// The parts of a template in their order. A `}` without its `{` is text.
pub fn pieces(text: &str) -> impl Iterator<Item = Result<PathPiece<'_>, Unclosed>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let Some(inside) = rest.strip_prefix('{') else {
            let (text, after) = rest.split_at(rest.find('{').unwrap_or(rest.len()));
            rest = after;
            return (!text.is_empty()).then_some(Ok(PathPiece::Text(text)));
        };
        let Some((name, after)) = inside.split_once('}') else {
            rest = "";
            return Some(Err(Unclosed));
        };
        rest = after;
        Some(Ok(PathPiece::Braces(name)))
    })
}

impl Placeholder {
    /// The placeholder of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "namespace" => Self::Namespace,
            "path" => Self::Path,
            "stem" => Self::Stem,
            "extension" => Self::Extension,
            _ => Self::Language(Spelling::ALL.into_iter().find(|spelling| spelling.name() == name)?),
        })
    }
}

impl Spelling {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bcp47, Self::Underscore, Self::Android, Self::Apple];

    /// The placeholder's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bcp47 => "language",
            Self::Underscore => "languageUnderscore",
            Self::Android => "androidLanguage",
            Self::Apple => "appleLanguage",
        }
    }

    /// The placeholder as a template has it.
    #[must_use]
    pub const fn placeholder(self) -> &'static str {
        match self {
            Self::Bcp47 => "{language}",
            Self::Underscore => "{languageUnderscore}",
            Self::Android => "{androidLanguage}",
            Self::Apple => "{appleLanguage}",
        }
    }

    /// The language tag that a text spells, which may be one of its shape alone; `None` where it is none. `values-car` is for
    /// cars in Android, not in Carib.
    #[must_use]
    pub fn read(self, text: &str) -> Option<String> {
        if self != Self::Android {
            return is_tag_like(text).then(|| text.to_owned());
        }
        let tag = match (text.strip_prefix("b+"), text.split_once('-')) {
            (Some(tag), _) => tag.replace('+', "-"),
            (None, Some((language, region))) => {
                format!("{language}-{}", region.strip_prefix('r').filter(|r| is_region(r))?)
            }
            (None, None) => text.to_owned(),
        };
        (is_tag_like(&tag) && !text.contains('_') && text != "car").then_some(tag)
    }

    /// A language tag in this spelling.
    #[must_use]
    pub fn spell(self, language: &str) -> String {
        match self {
            Self::Bcp47 => language.to_owned(),
            Self::Underscore => language.replace('-', "_"),
            Self::Android => android(language),
            // Chinese is the one language whose script Apple's folders name in place of the region.
            Self::Apple => match language {
                "zh-CN" | "zh-SG" | "zh-Hans-CN" => "zh-Hans".to_owned(),
                "zh-TW" | "zh-Hant-TW" => "zh-Hant".to_owned(),
                other => other.to_owned(),
            },
        }
    }
}

/// `de`, `pt-rBR`; anything with more than a language and a region is spelled `b+zh+Hans+CN`.
fn android(language: &str) -> String {
    match language.split_once('-') {
        None => language.to_owned(),
        Some((language, region)) if is_region(region) => format!("{language}-r{region}"),
        Some(_) => format!("b+{}", language.replace('-', "+")),
    }
}

fn is_region(part: &str) -> bool {
    (part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic()))
        || (part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_text_and_placeholders() {
        let read = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(read(""), []);
        assert_eq!(
            read("a/{language}{x}.json"),
            [
                Ok(PathPiece::Text("a/")),
                Ok(PathPiece::Braces("language")),
                Ok(PathPiece::Braces("x")),
                Ok(PathPiece::Text(".json"))
            ]
        );
        assert_eq!(read("a}b"), [Ok(PathPiece::Text("a}b"))]);
        assert_eq!(read("{}{"), [Ok(PathPiece::Braces("")), Err(Unclosed)]);
    }

    #[test]
    fn what_is_spelled_is_read_back() {
        for tag in ["de", "fil", "pt-BR", "es-419", "zh-Hans", "zh-Hans-CN"] {
            for spelling in Spelling::ALL.into_iter().filter(|spelling| *spelling != Spelling::Underscore) {
                if spelling != Spelling::Apple || tag != "zh-Hans-CN" {
                    assert_eq!(spelling.read(&spelling.spell(tag)).as_deref(), Some(tag));
                }
            }
        }
        for folder in
            ["night", "v21", "sw600dp", "land", "car", "en-land", "en-rGB-land", "b+", "ldrtl", "pt_BR", "", "é"]
        {
            assert_eq!(Spelling::Android.read(folder), None, "{folder}");
        }
    }

    #[test]
    fn every_spelling_is_found_by_its_placeholder() {
        for spelling in Spelling::ALL {
            assert_eq!(spelling.placeholder(), format!("{{{}}}", spelling.name()));
            assert_eq!(Placeholder::named(spelling.name()), Some(Placeholder::Language(spelling)));
        }
        assert_eq!(Placeholder::named("lang"), None);
    }
}
