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
    /// The project's other languages, which are not live any more once the version is.
    pub(super) left_out: Vec<String>,
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
        let wanted = publish.languages.as_deref().map(|asked| canonical(asked, &known)).transpose()?;
        let (languages, left_out) = split(wanted.as_deref(), known);
        Ok(Self { label, languages, left_out })
    }

    /// A publish of those of some languages that the project still has, or of all that it has.
    pub(super) async fn of_present(
        tx: &mut Tx,
        project: &ProjectId,
        wanted: Option<&[LanguageCode]>,
    ) -> Result<Self, ServiceError> {
        let wanted: Option<Vec<String>> = wanted.map(|wanted| wanted.iter().map(ToString::to_string).collect());
        let (languages, left_out) = split(wanted.as_deref(), rows::list(tx, project).await?);
        Ok(Self { label: None, languages, left_out })
    }
}

/// Longest label, in Unicode scalar values.
pub(crate) const LONGEST_VERSION_LABEL: usize = 200;

/// The label, if one is given; an empty one is none.
fn label(asked: Option<String>) -> Result<Option<String>, ServiceError> {
    let Some(label) = asked.filter(|label| !label.is_empty()) else { return Ok(None) };
    if label.chars().count() > LONGEST_VERSION_LABEL || label.chars().any(char::is_control) {
        return Err(ServiceError::InvalidArgument(format!(
            "`label` must be a single line of at most {LONGEST_VERSION_LABEL} characters"
        )));
    }
    Ok(Some(label))
}

/// The languages that are asked for, as the project has them.
fn canonical(asked: &[LanguageCode], project: &[Language]) -> Result<Vec<String>, ServiceError> {
    if asked.is_empty() {
        return Err(ServiceError::no_language_named());
    }
    let mut wanted = Vec::new();
    for (index, code) in asked.iter().enumerate() {
        let canonical = locales::canonicalize(code.as_str())
            .map_err(|error| ServiceError::InvalidArgument(format!("`languages[{index}]`: {error}")))?;
        if !project.iter().any(|language| language.code == canonical) {
            return Err(ServiceError::InvalidArgument(format!(
                "`languages[{index}]`: the project has no language `{canonical}`; add it first"
            )));
        }
        wanted.push(canonical);
    }
    Ok(wanted)
}

/// The languages of a version with the wanted ones, or with all, the base language first; and those that it leaves out.
fn split(wanted: Option<&[String]>, project: Vec<Language>) -> (Vec<VersionLanguage>, Vec<String>) {
    let is_included =
        |language: &Language| language.is_base || wanted.is_none_or(|wanted| wanted.contains(&language.code));
    let (included, left_out): (Vec<_>, Vec<_>) = project.into_iter().partition(is_included);
    let included = included.into_iter();
    let mut languages: Vec<VersionLanguage> =
        included.map(|language| VersionLanguage { code: language.code.into(), is_base: language.is_base }).collect();
    languages.sort_by_key(|language| !language.is_base);
    (languages, left_out.into_iter().map(|language| language.code).collect())
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

    /// The languages of a version, and those that it leaves out.
    fn codes(asked: Option<&[&str]>) -> Result<[Vec<String>; 2], String> {
        let asked = asked.map(|codes| codes.iter().map(|code| LanguageCode::from(*code)).collect::<Vec<_>>());
        let wanted = asked.map(|asked| canonical(&asked, &project())).transpose().map_err(|error| error.to_string())?;
        let (languages, left_out) = split(wanted.as_deref(), project());
        Ok([languages.into_iter().map(|language| language.code.into()).collect(), left_out])
    }

    #[test]
    fn the_base_language_comes_first_and_is_always_there() {
        let expected = |all: [&[&str]; 2]| Ok(all.map(|codes| codes.iter().map(ToString::to_string).collect()));
        assert_eq!(codes(None), expected([&["en", "de", "pt-BR"], &[]]));
        assert_eq!(codes(Some(&["pt_br", "pt-BR"])), expected([&["en", "pt-BR"], &["de"]]));
        assert_eq!(codes(Some(&["en"])), expected([&["en"], &["de", "pt-BR"]]));
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
