//! Output patterns of translated documents: `i18n/{language}/{path}`.

use l10n_client::api::LanguageCode;
use l10n_formats::template::{
    PathPiece, Pattern, PatternError as GrammarError, Placeholder, Spelling, pieces, relative,
};

use crate::pattern_error::PatternError;

/// An output pattern of translated documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output(Vec<PathPart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum PathPart {
    Literal(String),
    /// `{language}`: `pt-BR`, `{languageUnderscore}`: `pt_BR`
    Language(Spelling),
    /// `{path}`: below the folder of the source
    Path,
    /// `{stem}`: the path without its extension
    Stem,
    /// `{extension}`: without its dot
    Extension,
}

impl Output {
    /// Reads a pattern.
    pub(crate) fn parse(text: &str) -> Result<Self, PatternError> {
        let text = relative(text)?;
        if text.contains(['*', '?']) {
            return Err(PatternError::WildcardInOutput(text.to_owned()));
        }
        let mut parts = Vec::new();
        for piece in pieces(text) {
            let name = match piece.map_err(|_| GrammarError::Unclosed(text.to_owned()))? {
                PathPiece::Text(text) => {
                    parts.push(PathPart::Literal(text.to_owned()));
                    continue;
                }
                PathPiece::Braces(name) => name,
            };
            parts.push(match Placeholder::named(name) {
                Some(Placeholder::Language(spelling @ (Spelling::Bcp47 | Spelling::Underscore))) => {
                    PathPart::Language(spelling)
                }
                Some(Placeholder::Path) => PathPart::Path,
                Some(Placeholder::Stem) => PathPart::Stem,
                Some(Placeholder::Extension) => PathPart::Extension,
                _ => {
                    let (pattern, name) = (text.to_owned(), name.to_owned());
                    return Err(PatternError::UnknownOfDocuments { pattern, name });
                }
            });
        }
        if !parts.iter().any(|part| matches!(part, PathPart::Language(_))) {
            return Err(PatternError::NoLanguage(text.to_owned()));
        }
        if !parts.iter().any(|part| matches!(part, PathPart::Path | PathPart::Stem)) {
            return Err(PatternError::NoPath(text.to_owned()));
        }
        Ok(Self(parts))
    }

    /// The output path of the document at `path`, which is relative to its folder, in a language.
    pub(crate) fn place(&self, path: &str, language: &LanguageCode) -> String {
        let name = path.rfind('/').map_or(0, |slash| slash + 1);
        let (stem, extension) = match path[name..].rfind('.').filter(|dot| *dot > 0) {
            Some(dot) => (&path[..name + dot], &path[name + dot + 1..]),
            None => (path, ""),
        };
        self.fill(language.as_str(), path, stem, extension)
    }

    /// A pattern that matches the output paths of all documents in a language.
    pub(crate) fn places(&self, language: &LanguageCode) -> Option<Pattern> {
        Pattern::parse(&self.fill(language.as_str(), "**/*", "**/*", "*")).ok()
    }

    fn fill(&self, language: &str, path: &str, stem: &str, extension: &str) -> String {
        let filled = self.0.iter().map(|part| match part {
            PathPart::Literal(text) => text.clone(),
            PathPart::Language(spelling) => spelling.spell(language),
            PathPart::Path => path.to_owned(),
            PathPart::Stem => stem.to_owned(),
            PathPart::Extension => extension.to_owned(),
        });
        filled.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_keeps_its_path_below_a_folder_of_the_language() {
        let place = |output: &str, path: &str| Output::parse(output).unwrap().place(path, &"pt-BR".into());
        assert_eq!(place("i18n/{language}/{path}", "guide/intro.md"), "i18n/pt-BR/guide/intro.md");
        assert_eq!(
            place("content/{stem}.{languageUnderscore}.{extension}", "a.b/intro.x.md"),
            "content/a.b/intro.x.pt_BR.md"
        );
        assert_eq!(place("{language}/{stem}", ".hidden/.env"), "pt-BR/.hidden/.env");
    }

    #[test]
    fn its_places_are_known_again() {
        let found = |output: &str, path: &str| {
            Output::parse(output).unwrap().places(&"de".into()).unwrap().captures(path).is_some()
        };
        assert!(found("docs/{language}/{path}", "docs/de/guide/intro.md"));
        assert!(!found("docs/{language}/{path}", "docs/guide/intro.md"));
        assert!(found("docs/{stem}.{language}.{extension}", "docs/guide/intro.de.md"));
        assert!(!found("docs/{stem}.{language}.{extension}", "docs/guide/intro.md"));
    }

    #[test]
    fn a_pattern_that_makes_no_sense_says_why() {
        let error = |text| Output::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("i18n/{path}"),
            "`i18n/{path}` has no {language}, so the files of different languages cannot be told apart"
        );
        assert_eq!(
            error("i18n/{language}.md"),
            "output `i18n/{language}.md` has no {path}, so that all documents would be one file"
        );
        assert_eq!(error("{language}/{name}"), "`{language}/{name}` has the unknown placeholder `{name}`");
        assert_eq!(error("../{language}/{path}"), "`../{language}/{path}` is not relative to l10n.toml");
        assert_eq!(
            error("{language}/*/{path}"),
            "output `{language}/*/{path}` has a wildcard; it names files to write"
        );
    }
}
