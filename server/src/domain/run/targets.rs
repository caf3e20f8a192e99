//! The languages that a run concerns.

use l10n_api_types::LanguageCode;
use l10n_formats::locales;

use crate::domain::ServiceError;
use crate::store::languages::Language;

/// The target languages of a run over texts in the language `source`: those that were asked for, each once, or all of
/// the project's languages but that one.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`], naming those that are no target languages of the project.
pub(in crate::domain) fn targets(
    asked: Option<&[LanguageCode]>,
    languages: &[Language],
    source: &str,
) -> Result<Vec<String>, ServiceError> {
    let all = languages.iter().map(|language| language.code.clone()).filter(|code| code != source);
    let Some(asked) = asked else { return Ok(all.collect()) };
    if asked.is_empty() {
        return Err(ServiceError::no_language_named());
    }
    let mut targets: Vec<String> = Vec::new();
    for (index, code) in asked.iter().enumerate() {
        let language = of_project(code, &format!("languages[{index}]"), languages)?;
        if language.code == source {
            let what = if language.is_base { "base language" } else { "language of the document" };
            return Err(invalid(format!(
                "`languages[{index}]` `{source}` is the {what}, which is not translated into"
            )));
        }
        if !targets.contains(&language.code) {
            targets.push(language.code.clone());
        }
    }
    Ok(targets)
}

/// Most translations that one request may be about: its keys times its target languages.
const MOST_TRANSLATIONS: usize = 10_000_000;

/// Holds a request against [`MOST_TRANSLATIONS`].
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`], naming the limit and giving advice.
pub(super) fn check_size(keys: usize, targets: &[String]) -> Result<(), ServiceError> {
    let (languages, limit) = (targets.len(), MOST_TRANSLATIONS);
    if keys.saturating_mul(languages) <= limit {
        return Ok(());
    }
    Err(invalid(format!(
        "a request is about at most {limit} translations (keys × target languages), not {keys} × {languages}: name fewer \
         `languages` in each of several requests, or split the file"
    )))
}

/// The language of the project that a request names in the field `at`.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] for a tag that is not valid, or for a language that the project lacks.
pub(in crate::domain) fn of_project<'a>(
    code: &LanguageCode,
    at: &str,
    languages: &'a [Language],
) -> Result<&'a Language, ServiceError> {
    let canonical = locales::canonicalize(code.as_str()).map_err(|error| invalid(format!("`{at}`: {error}")))?;
    languages.iter().find(|language| language.code == canonical).ok_or_else(|| {
        let known: Vec<&str> = languages.iter().map(|language| language.code.as_str()).collect();
        invalid(format!("`{at}`: the project has no language `{canonical}`; it has {}. Add it first", known.join(", ")))
    })
}

fn invalid(message: String) -> ServiceError {
    ServiceError::InvalidArgument(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    fn languages() -> Vec<Language> {
        let created_at = Timestamp::from_millis(0);
        let language = |(position, code): (i64, &str)| Language {
            code: code.into(),
            is_base: position == 0,
            position,
            created_at,
        };
        [(0, "en"), (1, "de"), (2, "pt-BR")].map(language).into()
    }

    fn asked(codes: &[&str]) -> Result<Vec<String>, String> {
        let codes: Vec<LanguageCode> = codes.iter().map(|code| LanguageCode::from(*code)).collect();
        targets(Some(&codes), &languages(), "en").map_err(|error| error.to_string())
    }

    #[test]
    fn a_request_of_ten_million_translations_passes_and_one_more_names_the_limit() {
        let languages = |count: usize| vec![String::new(); count];
        assert!(check_size(100_000, &languages(100)).is_ok());
        let refused = check_size(100_001, &languages(100)).unwrap_err().to_string();
        assert!(refused.contains("10000000") && refused.contains("`languages`"), "{refused}");
    }

    #[test]
    fn languages_are_taken_in_any_spelling_and_each_once() {
        assert_eq!(asked(&["pt_br", "DE", "pt-BR"]), Ok(vec!["pt-BR".to_owned(), "de".to_owned()]));
        assert_eq!(targets(None, &languages(), "en").unwrap(), ["de", "pt-BR"]);
        assert_eq!(targets(None, &languages(), "de").unwrap(), ["en", "pt-BR"], "a document of another language");
    }

    #[test]
    fn refusals_name_the_field_and_what_the_project_has() {
        insta::assert_snapshot!(asked(&[]).unwrap_err(), @"`languages` must name at least one language; leave it out for all of the project's");
        insta::assert_snapshot!(asked(&["de", "en"]).unwrap_err(), @"`languages[1]` `en` is the base language, which is not translated into");
        let own = targets(Some(&["en".into(), "de".into()]), &languages(), "de").unwrap_err();
        insta::assert_snapshot!(own, @"`languages[1]` `de` is the language of the document, which is not translated into");
        insta::assert_snapshot!(asked(&["fr"]).unwrap_err(), @"`languages[0]`: the project has no language `fr`; it has en, de, pt-BR. Add it first");
        insta::assert_snapshot!(asked(&["english!"]).unwrap_err(), @"`languages[0]`: `english!` is not a BCP 47 language tag such as de or pt-BR");
    }
}
