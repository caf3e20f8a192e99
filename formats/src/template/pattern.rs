//! Patterns of paths: templates with wildcards, `locales/{language}/{namespace}.json` with `*`, `**` and `?` as in a shell.

use std::fmt;

use super::grammar::{PathPiece, Placeholder, Spelling, pieces};
use super::matching::Matching;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PatternToken {
    Literal(char),
    /// `?`
    AnyChar,
    /// `*`
    AnyInSegment,
    /// `**/`: any number of folders, none included.
    AnyFolders,
    /// `{language}` and its spellings.
    Language(Spelling),
    /// `{namespace}`
    Namespace,
}

/// Longest pattern, in bytes.
const LONGEST: usize = 1_024;

/// Longest path that is matched, in characters: systems take no longer ones.
const LONGEST_PATH: usize = 4_096;

/// Most wildcards and placeholders of a pattern.
const MOST_WILD: usize = 16;

/// A pattern of paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    tokens: Vec<PatternToken>,
}

/// The parts of a path that a pattern matched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captures {
    /// The language as the path spells it, `pt_BR`; of Android, whose spelling is no tag, the tag that it stands for.
    pub language: Option<String>,
    /// The text in the place of the namespace.
    pub namespace: Option<String>,
    /// The path with the language put back as a placeholder: where this file's translations go.
    pub template: String,
}

/// The reason why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is empty.
    #[error("the pattern is empty")]
    Empty,
    /// It is too long.
    #[error("the pattern is longer than {LONGEST} bytes")]
    TooLong,
    /// It has too many wildcards and placeholders.
    #[error("`{0}` has more than {MOST_WILD} wildcards and placeholders")]
    TooWild(String),
    /// It is no plain relative path.
    #[error("`{0}` is not relative")]
    NotRelative(String),
    /// It has an unknown placeholder.
    #[error("`{pattern}` has the unknown placeholder `{{{name}}}`")]
    UnknownPlaceholder {
        /// The pattern.
        pattern: String,
        /// The text between the braces.
        name: String,
    },
    /// It has a brace that is never closed.
    #[error("`{0}` has a `{{` without its `}}`")]
    Unclosed(String),
}

/// A pattern without a leading `./`, if nothing that it matches or makes can lie outside of the folder that it is relative
/// to.
///
/// # Errors
///
/// [`PatternError::Empty`], [`PatternError::TooLong`], [`PatternError::NotRelative`].
pub fn relative(text: &str) -> Result<&str, PatternError> {
    let text = text.strip_prefix("./").unwrap_or(text);
    if text.is_empty() {
        return Err(PatternError::Empty);
    }
    if text.len() > LONGEST {
        return Err(PatternError::TooLong);
    }
    let relative = !text.starts_with('/') && !text.contains('\\') && text.split('/').all(|part| part != "..");
    if !relative || text.chars().any(char::is_control) {
        return Err(PatternError::NotRelative(text.to_owned()));
    }
    Ok(text)
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// [`PatternError`] for the first part that makes no sense.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let text = relative(text)?;
        let mut tokens = Vec::new();
        for piece in pieces(text) {
            match piece.map_err(|_| PatternError::Unclosed(text.to_owned()))? {
                PathPiece::Text(piece) => push_wild(&mut tokens, piece),
                PathPiece::Braces(name) => tokens.push(match Placeholder::named(name) {
                    Some(Placeholder::Language(spelling)) => PatternToken::Language(spelling),
                    Some(Placeholder::Namespace) => PatternToken::Namespace,
                    _ => {
                        let (pattern, name) = (text.to_owned(), name.to_owned());
                        return Err(PatternError::UnknownPlaceholder { pattern, name });
                    }
                }),
            }
        }
        let is_wild = |token: &&PatternToken| !matches!(token, PatternToken::Literal(_) | PatternToken::AnyChar);
        if tokens.iter().filter(is_wild).count() > MOST_WILD {
            return Err(PatternError::TooWild(text.to_owned()));
        }
        Ok(Self { text: text.to_owned(), tokens })
    }

    /// The pattern's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if it has a place for the language.
    #[must_use]
    pub fn has_language(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, PatternToken::Language(_)))
    }

    /// Returns true if it has a place for the namespace.
    #[must_use]
    pub fn has_namespace(&self) -> bool {
        self.tokens.contains(&PatternToken::Namespace)
    }

    /// Returns true if it has `*`, `**` or `?`.
    #[must_use]
    pub fn has_wildcard(&self) -> bool {
        self.tokens
            .iter()
            .any(|token| matches!(token, PatternToken::AnyChar | PatternToken::AnyInSegment | PatternToken::AnyFolders))
    }

    /// The spelling in which it says the language.
    fn spelling(&self) -> Spelling {
        let spelling = self.tokens.iter().find_map(|token| match token {
            PatternToken::Language(spelling) => Some(*spelling),
            _ => None,
        });
        spelling.unwrap_or(Spelling::Bcp47)
    }

    /// The folder that all matches lie under.
    #[must_use]
    pub fn fixed_folder(&self) -> &str {
        let end = self.text.find(['*', '?', '{']).unwrap_or(self.text.len());
        self.text.get(..end).and_then(|fixed| fixed.rsplit_once('/')).map_or("", |(folder, _)| folder)
    }

    /// Matches a path, which is relative, with `/`.
    #[must_use]
    pub fn captures(&self, path: &str) -> Option<Captures> {
        let chars: Vec<char> = path.chars().collect();
        let found = (chars.len() <= LONGEST_PATH).then(|| Matching::of(&self.tokens, &chars)).flatten()?;
        let text = |(at, length): (usize, usize)| chars.iter().skip(at).take(length).collect::<String>();
        let language = found.language.map(text);
        let template = match (&language, found.language) {
            (Some(language), Some((first, _))) => template_of(&chars, language, first, self.spelling().placeholder()),
            _ => path.to_owned(),
        };
        let language = language.and_then(|language| self.spelling().read(&language));
        Some(Captures { language, namespace: found.namespace.map(text), template })
    }
}

/// Reads text outside of braces.
fn push_wild(tokens: &mut Vec<PatternToken>, mut rest: &str) {
    while let Some(first) = rest.chars().next() {
        let at_segment = tokens.is_empty() || tokens.last() == Some(&PatternToken::Literal('/'));
        let after_folders = tokens.last() == Some(&PatternToken::AnyFolders);
        if let Some(after) = rest.strip_prefix("**/").filter(|_| at_segment || after_folders) {
            if !after_folders {
                tokens.push(PatternToken::AnyFolders);
            }
            rest = after;
            continue;
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        tokens.push(match first {
            // Several stars in a row match the same as one.
            '*' if tokens.last() == Some(&PatternToken::AnyInSegment) => continue,
            '*' => PatternToken::AnyInSegment,
            '?' => PatternToken::AnyChar,
            other => PatternToken::Literal(other),
        });
    }
}

/// `path` with each occurrence that `{language}` matched replaced, the first at `first`. If a pattern has it twice,
/// both are replaced.
fn template_of(path: &[char], language: &str, first: usize, placeholder: &str) -> String {
    let language: Vec<char> = language.chars().collect();
    let mut template = String::new();
    let mut at = 0;
    while let Some(rest) = path.get(at..).filter(|rest| !rest.is_empty()) {
        let is_boundary = |index: usize| path.get(index).is_none_or(|c| !c.is_alphanumeric());
        let here = rest.starts_with(&language)
            && (at == first || (at > first && is_boundary(at - 1)))
            && is_boundary(at + language.len());
        if here {
            template.push_str(placeholder);
            at += language.len();
        } else {
            template.extend(rest.first());
            at += 1;
        }
    }
    template
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small_stack::on_small_stack;

    fn captures(pattern: &str, path: &str) -> Option<(Option<String>, Option<String>, String)> {
        let found = Pattern::parse(pattern).unwrap().captures(path)?;
        Some((found.language, found.namespace, found.template))
    }

    fn some(
        language: &str,
        namespace: Option<&str>,
        template: &str,
    ) -> Option<(Option<String>, Option<String>, String)> {
        Some((Some(language.into()), namespace.map(Into::into), template.into()))
    }

    #[test]
    fn placeholders_are_found_in_paths() {
        let pattern = "locales/{language}/{namespace}.json";
        assert_eq!(
            captures(pattern, "locales/en/common.json"),
            some("en", Some("common"), "locales/{language}/common.json")
        );
        assert_eq!(
            captures(pattern, "locales/zh-Hant-TW/a.b.json"),
            some("zh-Hant-TW", Some("a.b"), "locales/{language}/a.b.json")
        );
        assert_eq!(captures(pattern, "locales/en/deep/common.json"), None);
        assert_eq!(captures(pattern, "locales/english/common.json"), None);
        assert_eq!(
            captures("lib/l10n/app_{languageUnderscore}.arb", "lib/l10n/app_pt_BR.arb"),
            some("pt_BR", None, "lib/l10n/app_{languageUnderscore}.arb")
        );
        assert_eq!(
            captures("{language}/{language}.json", "en/en.json"),
            some("en", None, "{language}/{language}.json")
        );
        let android = "res/values-{androidLanguage}/strings.xml";
        assert_eq!(captures(android, "res/values-pt-rBR/strings.xml"), some("pt-BR", None, android));
        assert_eq!(captures(android, "res/values-b+zh+Hans/strings.xml"), some("zh-Hans", None, android));
        assert_eq!(captures(android, "res/values-night/strings.xml"), None);
        assert_eq!(captures("{language}/{language}.json", "en/de.json"), None);
    }

    #[test]
    fn wildcards_are_found_and_kept_in_the_template() {
        assert_eq!(
            captures("packages/*/{language}.json", "packages/a/en.json"),
            some("en", None, "packages/a/{language}.json")
        );
        assert_eq!(captures("**/i18n/{language}.json", "i18n/en.json"), some("en", None, "i18n/{language}.json"));
        assert_eq!(
            captures("**/i18n/{language}.json", "a/b/i18n/en.json"),
            some("en", None, "a/b/i18n/{language}.json")
        );
        assert_eq!(captures("src/en.json", "src/en.json"), Some((None, None, "src/en.json".into())));
    }

    #[test]
    fn a_pattern_that_makes_no_sense_says_why() {
        let error = |text| Pattern::parse(text).unwrap_err().to_string();
        assert_eq!(error("a/{lang}.json"), "`a/{lang}.json` has the unknown placeholder `{lang}`");
        assert_eq!(error("../{language}.json"), "`../{language}.json` is not relative");
        assert_eq!(error("/etc/{language}"), "`/etc/{language}` is not relative");
        assert_eq!(error("a/{language.json"), "`a/{language.json` has a `{` without its `}`");
    }

    #[test]
    fn several_stars_match_what_one_does() {
        assert_eq!(captures("a**b***/{language}.json", "axxb/en.json"), some("en", None, "axxb/{language}.json"));
        assert_eq!(captures("**/**/{language}.json", "a/b/en.json"), some("en", None, "a/b/{language}.json"));
    }

    #[test]
    fn the_worst_patterns_end_soon_and_on_a_small_stack() {
        on_small_stack(|| {
            let units = [
                "*",
                "*a",
                "**/",
                "**/a/",
                "?",
                "a",
                "a/",
                "{language}",
                "{language}-",
                "{namespace}",
                "{namespace}a",
                "{",
                "*?",
                "**/*",
            ];
            let paths = [
                "a".repeat(LONGEST_PATH),
                "a/".repeat(LONGEST_PATH / 2),
                "en-".repeat(LONGEST_PATH / 3),
                "é".repeat(1 << 20),
            ];
            for unit in units {
                for times in [1, 4, 15, LONGEST / unit.len(), 100_000] {
                    let Ok(pattern) = Pattern::parse(&format!("{}b", unit.repeat(times))) else { continue };
                    for path in &paths {
                        let path = &path[..path.floor_char_boundary(if times > 4 { 256 } else { 1_024 })];
                        assert_eq!(pattern.captures(path), None, "{pattern}");
                    }
                }
            }
            assert_eq!(Pattern::parse(&"a".repeat(LONGEST + 1)), Err(PatternError::TooLong));
            assert!(matches!(Pattern::parse(&"*a".repeat(17)), Err(PatternError::TooWild(_))));
        });
    }

    #[test]
    fn the_fixed_folder_is_what_comes_before_the_first_placeholder() {
        let folder = |text| Pattern::parse(text).unwrap().fixed_folder().to_owned();
        assert_eq!(folder("locales/web/{language}.json"), "locales/web");
        assert_eq!(folder("app_{language}.arb"), "");
        assert_eq!(folder("src/en.json"), "src");
    }
}
