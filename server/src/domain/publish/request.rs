//! The fields of a publish, checked.

use l10n_api_types::publish::{Publish, VersionLanguage};
use l10n_api_types::{LanguageCode, ProjectId};
use l10n_formats::locales;

use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::languages::{self as rows, Language};

/// A publish as it was asked for, checked.
#[derive(Debug, Clone)]
pub(super) struct PublishRequest {
    /// A name for people, if one is given.
    pub(super) label: Option<String>,
    /// The languages of the version, the base language first.
    pub(super) languages: Vec<VersionLanguage>,
}

impl PublishRequest {
    /// # Errors
    ///
    /// 400 for the label and unknown languages.
    pub(super) async fn check(tx: &mut Tx, project: &ProjectId, publish: &Publish) -> Result<Self, ServiceError> {
        if publish.doc_ids.is_some() {
            return Err(ServiceError::InvalidArgument("`docIds` is for `target` `content`".to_owned()));
        }
        let label = label(publish.label.clone())?;
        let known = rows::list(tx, project).await?;
        Ok(Self { label, languages: languages(publish.languages.as_deref(), known)? })
    }
}

/// Longest label, in Unicode scalar values.
pub(crate) const LONGEST_LABEL: usize = 200;

/// The label, if one is given; an empty one is none.
fn label(asked: Option<String>) -> Result<Option<String>, ServiceError> {
    let Some(label) = asked.filter(|label| !label.is_empty()) else { return Ok(None) };
    if label.chars().count() > LONGEST_LABEL || label.chars().any(char::is_control) {
        return Err(ServiceError::InvalidArgument(format!(
            "`label` must be a single line of at most {LONGEST_LABEL} characters"
        )));
    }
    Ok(Some(label))
}

/// The languages of the version, the base language first: those that are asked for, or all of the project's.
fn languages(asked: Option<&[LanguageCode]>, project: Vec<Language>) -> Result<Vec<VersionLanguage>, ServiceError> {
    if asked.is_some_and(<[_]>::is_empty) {
        return Err(ServiceError::no_language_named());
    }
    let mut wanted = Vec::new();
    for (index, code) in asked.unwrap_or_default().iter().enumerate() {
        let canonical = locales::canonicalize(code.as_str())
            .map_err(|error| ServiceError::InvalidArgument(format!("`languages[{index}]`: {error}")))?;
        if !project.iter().any(|language| language.code == canonical) {
            return Err(ServiceError::InvalidArgument(format!(
                "`languages[{index}]`: the project has no language `{canonical}`; add it first"
            )));
        }
        wanted.push(canonical);
    }
    let included = |language: &Language| language.is_base || asked.is_none() || wanted.contains(&language.code);
    let mut languages: Vec<VersionLanguage> = project
        .into_iter()
        .filter(included)
        .map(|language| VersionLanguage { code: language.code.into(), is_base: language.is_base })
        .collect();
    languages.sort_by_key(|language| !language.is_base);
    Ok(languages)
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Timestamp;

    use super::*;

    fn project() -> Vec<Language> {
        let language = |(position, code): (i64, &str)| Language {
            code: code.into(),
            is_base: code == "en",
            position,
            created_at: Timestamp::from_millis(0),
        };
        [(0, "de"), (1, "en"), (2, "pt-BR")].map(language).into()
    }

    fn codes(asked: Option<&[&str]>) -> Result<Vec<String>, String> {
        let asked = asked.map(|codes| codes.iter().map(|code| LanguageCode::from(*code)).collect::<Vec<_>>());
        let languages = languages(asked.as_deref(), project()).map_err(|error| error.to_string())?;
        Ok(languages.into_iter().map(|language| language.code.into()).collect())
    }

    #[test]
    fn the_base_language_comes_first_and_is_always_there() {
        let expected = |codes: &[&str]| Ok(codes.iter().map(ToString::to_string).collect());
        assert_eq!(codes(None), expected(&["en", "de", "pt-BR"]));
        assert_eq!(codes(Some(&["pt_br", "pt-BR"])), expected(&["en", "pt-BR"]));
        assert_eq!(codes(Some(&["en"])), expected(&["en"]));
    }

    #[test]
    fn a_language_that_the_project_lacks_is_named() {
        assert!(codes(Some(&["de", "fr"])).unwrap_err().contains("`languages[1]`"));
        assert!(codes(Some(&[])).unwrap_err().contains("at least one language"));
        assert!(codes(Some(&["../x"])).unwrap_err().contains("`languages[0]`"));
    }

    #[test]
    fn a_label_is_one_short_line() {
        assert_eq!(label(None).unwrap(), None);
        assert_eq!(label(Some(String::new())).unwrap(), None);
        assert_eq!(label(Some("Fête 🎉".into())).unwrap().as_deref(), Some("Fête 🎉"));
        assert!(label(Some("é".repeat(200))).is_ok());
        for bad in ["é".repeat(201), "a\nb".into(), "a\u{85}b".into()] {
            assert!(label(Some(bad)).is_err());
        }
    }
}
