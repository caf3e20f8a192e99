//! Reads the terms that a caller states.

use std::collections::{BTreeMap, HashMap};

use l10n_api_types::LanguageCode;
use l10n_api_types::glossary::{GlossaryRule, MOST_GLOSSARY_TERMS, NewGlossaryTerm};
use l10n_formats::locales;

use crate::domain::ServiceError;
use crate::store::glossary::Term;
use crate::store::row::Json;

/// Longest term, and longest translation of one, in bytes.
pub(crate) const LONGEST_TERM: usize = 256;
/// Longest note, in bytes.
pub(crate) const LONGEST_TERM_NOTE: usize = 1_024;
/// Most translations of a term.
const MOST_TRANSLATIONS: usize = 100;

/// Reads terms; `base` is the language of the project's sources, of which a workspace has none. They have no ids yet.
///
/// # Errors
///
/// 400 that names the place of what is wrong.
pub(super) fn read(terms: &[NewGlossaryTerm], base: Option<&str>, place: &str) -> Result<Vec<Term>, ServiceError> {
    if terms.len() > MOST_GLOSSARY_TERMS {
        let most = format!("`{place}` must have at most {MOST_GLOSSARY_TERMS} elements");
        return Err(ServiceError::InvalidArgument(most));
    }
    // A language is looked up once, however many terms have it.
    let mut languages = CanonicalLanguages::default();
    let mut seen = HashMap::new();
    let mut read = Vec::with_capacity(terms.len());
    for (index, term) in terms.iter().enumerate() {
        let one = one(term, base, &mut languages)
            .map_err(|(field, what)| invalid(&format!("{place}[{index}].{field}"), &what))?;
        if let Some(first) = seen.insert((one.language.clone(), one.term.clone()), index) {
            let what = format!("is the term of `{place}[{first}]` in the same language");
            return Err(invalid(&format!("{place}[{index}].term"), &what));
        }
        read.push(one);
    }
    Ok(read)
}

fn invalid(place: &str, what: &str) -> ServiceError {
    ServiceError::InvalidArgument(format!("`{place}` {what}"))
}

/// A field, and the sentence about it that follows its name.
pub(super) type FieldError = (String, String);

/// Reads one term, as [`read`] does.
///
/// # Errors
///
/// The field that is wrong, and what it has to be.
pub(super) fn read_one(term: &NewGlossaryTerm, base: Option<&str>) -> Result<Term, FieldError> {
    one(term, base, &mut CanonicalLanguages::default())
}

fn one(term: &NewGlossaryTerm, base: Option<&str>, languages: &mut CanonicalLanguages) -> Result<Term, FieldError> {
    let of = |field: &str| {
        let field = field.to_owned();
        move |what: String| (field, what)
    };
    check_line(&term.term).map_err(of("term"))?;
    let rule = term.rule.unwrap_or(GlossaryRule::Translate);
    let stated = term.language.as_ref().map(|code| languages.canonical(code)).transpose().map_err(of("language"))?;
    let language = language(stated, rule, base).map_err(of("language"))?;
    if rule != GlossaryRule::Translate && !term.translations.is_empty() {
        return Err(of("translations")(format!("must be left out: a term of the rule `{rule}` has none")));
    }
    if term.translations.len() > MOST_TRANSLATIONS {
        return Err(of("translations")(format!("must have at most {MOST_TRANSLATIONS} elements")));
    }
    let mut translations = BTreeMap::new();
    for (code, text) in &term.translations {
        let code = languages.canonical(code).map_err(of("translations"))?;
        let place = format!("translations.{code}");
        check_line(text).map_err(of(&place))?;
        if code == language {
            return Err(of(&place)("is in the language of the term itself".to_owned()));
        }
        if translations.insert(code, text.clone()).is_some() {
            return Err(of(&place)("is in the language of another one".to_owned()));
        }
    }
    let note = term.note.clone().filter(|note| !note.is_empty());
    if note.as_ref().is_some_and(|note| note.len() > LONGEST_TERM_NOTE) {
        return Err(of("note")(format!("must be at most {LONGEST_TERM_NOTE} bytes long")));
    }
    Ok(Term {
        id: String::new(),
        language,
        term: term.term.clone(),
        rule,
        case_sensitive: term.case_sensitive.unwrap_or(false),
        translations: Json(translations),
        note,
    })
}

/// The language of a term that states this one, or none.
fn language(stated: Option<String>, rule: GlossaryRule, base: Option<&str>) -> Result<String, String> {
    match (rule, stated, base) {
        (GlossaryRule::Forbidden, None, _) => Err("is needed: no translation into it is to have the term".to_owned()),
        (GlossaryRule::Forbidden, Some(stated), Some(base)) if stated == base => {
            Err(format!("must be another one than the base language {base}: the check is of translations"))
        }
        (GlossaryRule::Forbidden, Some(stated), _) | (_, Some(stated), None) => Ok(stated),
        (_, Some(stated), Some(base)) if stated != base => {
            Err(format!("must be the base language {base}, or be left out: sources have the term"))
        }
        (_, _, Some(base)) => Ok(base.to_owned()),
        (_, None, None) => Err("is needed: the projects of a workspace may differ in theirs".to_owned()),
    }
}

fn check_line(text: &str) -> Result<(), String> {
    if text.is_empty() || text.len() > LONGEST_TERM {
        return Err(format!("must be 1 to {LONGEST_TERM} bytes long"));
    }
    if text.chars().any(char::is_control) {
        return Err("must not have control characters".to_owned());
    }
    if text.trim() != text {
        return Err("must not have white space at its ends".to_owned());
    }
    Ok(())
}

/// Languages in their canonical form, by the form in which callers write them.
#[derive(Default)]
struct CanonicalLanguages(HashMap<LanguageCode, String>);

impl CanonicalLanguages {
    fn canonical(&mut self, code: &LanguageCode) -> Result<String, String> {
        if let Some(known) = self.0.get(code) {
            return Ok(known.clone());
        }
        let canonical = locales::canonicalize(code.as_str()).map_err(|error| error.to_string())?;
        locales::check_known(&canonical).map_err(|error| error.to_string())?;
        self.0.insert(code.clone(), canonical.clone());
        Ok(canonical)
    }
}
