//! Patterns of `l10n.toml`: `locales/{language}/{namespace}.json`, with `*`, `**` and `?` as in a shell.

use std::collections::HashSet;
use std::fmt;

/// The placeholders of the language, each a way to spell it: `pt-BR`, `pt_BR`, `pt-rBR`, `pt-BR`.
const LANGUAGES: &[&str] = &["language", "languageUnderscore", "androidLanguage", "appleLanguage"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Literal(char),
    /// `?`
    AnyChar,
    /// `*`
    AnyInSegment,
    /// `**/`: any number of folders, none included.
    AnyFolders,
    /// `{language}` and its spellings.
    Language,
    /// `{namespace}`
    Namespace,
}

/// Longest pattern, in bytes.
const LONGEST: usize = 1_024;

/// Longest path that is looked at, in characters: systems take no longer ones.
const LONGEST_PATH: usize = 4_096;

/// Most places of a path that are looked at before a pattern counts as one that does not match.
const MOST_PLACES: usize = 100_000;

/// Longest language tag that is looked for.
const LONGEST_TAG: usize = 64;

/// Most wildcards and placeholders of a pattern.
const MOST_WILD: usize = 16;

/// A pattern of paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: String,
    tokens: Vec<Token>,
}

/// The parts of a path that a pattern matched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Captures {
    /// As the path spells it: `pt_BR`.
    pub(crate) language: Option<String>,
    pub(crate) namespace: Option<String>,
    /// The path with the language put back as a placeholder: where this file's translations go.
    pub(crate) template: String,
}

/// A pattern makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatternError {
    #[error("the pattern is empty")]
    Empty,
    #[error("the pattern is longer than {LONGEST} bytes")]
    TooLong,
    #[error("`{0}` has more than {MOST_WILD} wildcards and placeholders")]
    TooWild(String),
    #[error("`{0}` is not relative to l10n.toml")]
    NotRelative(String),
    #[error("`{pattern}` has the unknown placeholder `{{{name}}}`")]
    UnknownPlaceholder { pattern: String, name: String },
    #[error("`{0}` has a `{{` without its `}}`")]
    Unclosed(String),
    #[error("`{0}` has no {{language}}, so the files of different languages cannot be told apart")]
    NoLanguage(String),
    #[error("output `{0}` has a wildcard; it names files to write")]
    WildcardInOutput(String),
    #[error("`{pattern}` has the unknown placeholder `{{{name}}}`")]
    UnknownOfDocuments { pattern: String, name: String },
    #[error("output `{0}` has no {{path}}, so that all documents would be one file")]
    NoPath(String),
}

impl PatternError {
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Empty => "say where the files lie, such as `locales/{language}.json`".into(),
            Self::TooLong | Self::TooWild(_) => "split it into several entries".into(),
            Self::NotRelative(_) => "write it relative, with `/`, and without `..`".into(),
            Self::UnknownPlaceholder { .. } => {
                "known are {language}, {languageUnderscore}, {androidLanguage}, {appleLanguage} and {namespace}".into()
            }
            Self::Unclosed(_) => "close it, or write `?` for a brace in a file's name".into(),
            Self::NoLanguage(_) => "put {language} where the language stands in `source`, or add `output`".into(),
            Self::UnknownOfDocuments { .. } => {
                "known are {language}, {languageUnderscore}, {path}, {stem} and {extension}".into()
            }
            Self::NoPath(_) => "write it such as `i18n/{language}/{path}` or `{stem}.{language}.{extension}`".into(),
            Self::WildcardInOutput(_) => "use {language} and {namespace} instead".into(),
        }
    }
}

/// A pattern without a leading `./`, if nothing that it matches or makes can lie outside of the folder of l10n.toml.
pub(crate) fn relative(text: &str) -> Result<&str, PatternError> {
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
    pub(crate) fn parse(text: &str) -> Result<Self, PatternError> {
        let text = relative(text)?;
        let mut tokens = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let at_segment = tokens.is_empty() || tokens.last() == Some(&Token::Literal('/'));
            let after_folders = tokens.last() == Some(&Token::AnyFolders);
            if let Some(after) = rest.strip_prefix("**/").filter(|_| at_segment || after_folders) {
                if !after_folders {
                    tokens.push(Token::AnyFolders);
                }
                rest = after;
                continue;
            }
            if let Some(after) = rest.strip_prefix('{') {
                let (name, after) = after.split_once('}').ok_or_else(|| PatternError::Unclosed(text.to_owned()))?;
                tokens.push(match name {
                    "namespace" => Token::Namespace,
                    name if LANGUAGES.contains(&name) => Token::Language,
                    _ => {
                        let (pattern, name) = (text.to_owned(), name.to_owned());
                        return Err(PatternError::UnknownPlaceholder { pattern, name });
                    }
                });
                rest = after;
                continue;
            }
            // Several stars in a row match what one does.
            if first == '*' && tokens.last() == Some(&Token::AnyInSegment) {
                rest = &rest[1..];
                continue;
            }
            tokens.push(match first {
                '*' => Token::AnyInSegment,
                '?' => Token::AnyChar,
                other => Token::Literal(other),
            });
            rest = &rest[first.len_utf8()..];
        }
        let is_wild = |token: &&Token| !matches!(token, Token::Literal(_) | Token::AnyChar);
        if tokens.iter().filter(is_wild).count() > MOST_WILD {
            return Err(PatternError::TooWild(text.to_owned()));
        }
        Ok(Self { text: text.to_owned(), tokens })
    }

    /// As it was written.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn has_language(&self) -> bool {
        self.tokens.contains(&Token::Language)
    }

    pub(crate) fn has_namespace(&self) -> bool {
        self.tokens.contains(&Token::Namespace)
    }

    pub(crate) fn has_wildcard(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::AnyChar | Token::AnyInSegment | Token::AnyFolders))
    }

    /// The placeholder by which it says the language: `{language}` or another spelling.
    fn language_placeholder(&self) -> &str {
        let spelled =
            LANGUAGES.iter().filter_map(|name| self.text.find(&format!("{{{name}}}")).map(|at| (at, name.len())));
        spelled.min().map_or("{language}", |(at, length)| &self.text[at..at + length + 2])
    }

    /// The folder that all matches lie under.
    pub(crate) fn fixed_folder(&self) -> &str {
        let end = self.text.find(['*', '?', '{']).unwrap_or(self.text.len());
        self.text[..end].rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Matches a path, which is relative, with `/`.
    pub(crate) fn captures(&self, path: &str) -> Option<Captures> {
        let mut matching = Matching::default();
        let chars: Vec<char> = path.chars().collect();
        let found = chars.len() <= LONGEST_PATH && matching.step(&self.tokens, &chars, 0);
        found.then(|| {
            let text = |(at, length): (usize, usize)| chars[at..at + length].iter().collect::<String>();
            let language = matching.language.map(text);
            let template = match (&language, matching.language) {
                (Some(language), Some((first, _))) => {
                    template_of(&chars, language, Some(first), self.language_placeholder())
                }
                _ => path.to_owned(),
            };
            Captures { language, namespace: matching.namespace.map(text), template }
        })
    }
}

/// `path` with each occurrence that `{language}` matched replaced. Where a pattern says it twice, both are.
fn template_of(path: &[char], language: &str, first: Option<usize>, placeholder: &str) -> String {
    let language: Vec<char> = language.chars().collect();
    let mut template = String::new();
    let mut at = 0;
    while at < path.len() {
        let boundary = |index: usize| path.get(index).is_none_or(|c| !c.is_alphanumeric());
        let here = path[at..].starts_with(&language)
            && first.is_some_and(|first| at >= first)
            && (Some(at) == first || at.checked_sub(1).is_some_and(boundary))
            && boundary(at + language.len());
        if here {
            template.push_str(placeholder);
            at += language.len();
        } else {
            template.push(path[at]);
            at += 1;
        }
    }
    template
}

/// The start of a placeholder's value in the path, and its length.
type Found = Option<(usize, usize)>;

/// A place of the search: tokens left, where in the path, and what was captured by then.
type Place = (usize, usize, Found, Found);

#[derive(Default)]
struct Matching {
    language: Found,
    namespace: Found,
    /// Places at which the search has failed already. Without them, patterns of several wildcards take time that grows
    /// with every further one.
    failed: HashSet<Place>,
}

impl Matching {
    /// Recurses at wildcards and placeholders alone, of which a pattern has few.
    fn step(&mut self, mut tokens: &[Token], path: &[char], mut at: usize) -> bool {
        loop {
            let Some((token, rest)) = tokens.split_first() else { return at == path.len() };
            match token {
                Token::Literal(c) if path.get(at) == Some(c) => {}
                Token::AnyChar if path.get(at).is_some_and(|c| *c != '/') => {}
                Token::Literal(_) | Token::AnyChar => return false,
                _ => break,
            }
            (tokens, at) = (rest, at + 1);
        }
        let place = (tokens.len(), at, self.language, self.namespace);
        let gives_up = self.failed.len() >= MOST_PLACES || self.failed.contains(&place);
        let found = !gives_up && self.wild(tokens, path, at);
        if !found {
            self.failed.insert(place);
        }
        found
    }

    fn wild(&mut self, tokens: &[Token], path: &[char], at: usize) -> bool {
        let Some((token, rest)) = tokens.split_first() else { return false };
        let segment = path[at..].iter().take_while(|c| **c != '/').count();
        match token {
            Token::Literal(_) | Token::AnyChar => false,
            Token::AnyInSegment => (0..=segment).any(|length| self.step(rest, path, at + length)),
            Token::AnyFolders => {
                let starts = path[at..].iter().enumerate().filter(|(_, c)| **c == '/').map(|(index, _)| at + index + 1);
                std::iter::once(at).chain(starts).any(|start| self.step(rest, path, start))
            }
            Token::Language => {
                (2..=segment.min(LONGEST_TAG)).rev().any(|length| self.capture(Part::Language, rest, path, at, length))
            }
            Token::Namespace => (1..=segment).rev().any(|length| self.capture(Part::Namespace, rest, path, at, length)),
        }
    }

    /// Takes `length` characters as a placeholder's value, if the rest then matches. One value for all its occurrences.
    fn capture(&mut self, part: Part, rest: &[Token], path: &[char], at: usize, length: usize) -> bool {
        let value = &path[at..at + length];
        if part == Part::Language && !is_language_tag(&value.iter().collect::<String>()) {
            return false;
        }
        let slot = match part {
            Part::Language => &mut self.language,
            Part::Namespace => &mut self.namespace,
        };
        if let Some((start, long)) = *slot {
            return path[start..start + long] == *value && self.step(rest, path, at + length);
        }
        *slot = Some((at, length));
        if self.step(rest, path, at + length) {
            return true;
        }
        match part {
            Part::Language => self.language = None,
            Part::Namespace => self.namespace = None,
        }
        false
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Language,
    Namespace,
}

/// Returns true if a text could be a language tag: `de`, `pt-BR`, `zh_Hant_TW`. The server checks its meaning.
pub(crate) fn is_language_tag(text: &str) -> bool {
    let mut parts = text.split(['-', '_']);
    let primary = parts.next().unwrap_or_default();
    (2..=3).contains(&primary.len())
        && primary.chars().all(|c| c.is_ascii_alphabetic())
        && parts.all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Returns true if two spellings mean one language: `pt_br` and `pt-BR`.
pub(crate) fn same_language(a: &str, b: &str) -> bool {
    a.replace('_', "-").eq_ignore_ascii_case(&b.replace('_', "-"))
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(error("../{language}.json"), "`../{language}.json` is not relative to l10n.toml");
        assert_eq!(error("/etc/{language}"), "`/etc/{language}` is not relative to l10n.toml");
        assert_eq!(error("a/{language.json"), "`a/{language.json` has a `{` without its `}`");
    }

    #[test]
    fn several_stars_match_what_one_does() {
        assert_eq!(captures("a**b***/{language}.json", "axxb/en.json"), some("en", None, "axxb/{language}.json"));
        assert_eq!(captures("**/**/{language}.json", "a/b/en.json"), some("en", None, "a/b/{language}.json"));
    }

    #[test]
    fn the_worst_patterns_end_soon_and_on_a_small_stack() {
        let run = || {
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
        };
        std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap().join().unwrap();
    }

    #[test]
    fn the_fixed_folder_is_what_comes_before_the_first_placeholder() {
        let folder = |text| Pattern::parse(text).unwrap().fixed_folder().to_owned();
        assert_eq!(folder("locales/web/{language}.json"), "locales/web");
        assert_eq!(folder("app_{language}.arb"), "");
        assert_eq!(folder("src/en.json"), "src");
    }

    #[test]
    fn spellings_of_one_language_are_one() {
        assert!(same_language("pt_br", "pt-BR"));
        assert!(!same_language("pt", "pt-BR"));
        assert!(is_language_tag("zh-Hant-TW") && is_language_tag("en") && !is_language_tag("english"));
    }
}
