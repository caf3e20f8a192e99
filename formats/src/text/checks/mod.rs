//! The checks of a translation: errors hold it back, warnings are worth a look.
//!
//! Positions in issues are Unicode scalar values of the translation; of a plural, of the form that the message names.

mod branches;
mod escapes;
mod everywhere;
pub mod glossary;
mod icu;
mod letters;
mod many;
mod markup;
mod pairs;
mod parts;
mod references;
mod report;
mod rules;
mod source;
mod spacing;
mod structure;
mod style;
mod term_finder;
mod terms;
mod view;
mod words;

#[cfg(test)]
mod syntax_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use l10n_api_types::{Content, FormatId, Issue, Plural, PluralKey, Severity};

use self::glossary::Glossary;
pub use self::many::{TranslationPair, check_many};
use self::report::Report;
use self::rules::{Rules, is_for_one_number};
pub use self::source::check_source;
use self::view::View;
use super::Syntax;

/// Checks translations between two languages. The facts about both languages are looked up once.
#[derive(Debug)]
pub struct Checker {
    rules: Rules,
    glossary: Arc<Glossary>,
}

/// Everything that is wrong with one translation of a text in any syntax, errors first. For many, make a [`Checker`].
#[must_use]
pub fn check(
    source: &Content,
    target: &Content,
    source_language: &str,
    target_language: &str,
    max_length: Option<u32>,
) -> Vec<Issue> {
    let facts = Facts { max_length, ..Facts::default() };
    Checker::new(source_language, target_language).check(source, target, facts)
}

/// Facts about a text that its checks need, beside what it says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// The text's syntax.
    pub syntax: Syntax,
    /// The longest text allowed, in Unicode scalar values; each form of a plural may be that long.
    pub max_length: Option<u32>,
    /// The format of the file in which the translation stands, if it is checked as it stands there. What a writer puts right
    /// is no fault of a translation that is still to be written.
    pub in_file: Option<FormatId>,
}

/// Returns whether an issue holds the translation back.
#[must_use]
pub fn has_error(issues: &[Issue]) -> bool {
    issues.iter().any(|issue| issue.severity == Severity::Error)
}

/// Two texts to compare.
#[derive(Debug, Clone, Copy)]
struct Comparison<'a> {
    source: &'a str,
    target: &'a str,
    /// The translation's form, when it is one of a plural.
    form: Option<PluralKey>,
    /// The placeholder that shows the plural's number.
    number: Number<'a>,
    facts: Facts,
}

/// The placeholder that shows the number in the forms of a plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number<'a> {
    /// No placeholder: the text is not a form of a plural.
    None,
    /// The placeholder of this name.
    Named(&'a str),
    /// The only whole number of `printf`.
    Printf,
}

/// Returns whether all of several forms say the same.
fn is_one_text(plural: &Plural) -> bool {
    let mut forms = plural.forms.values();
    let first = forms.next();
    plural.forms.len() > 1 && forms.all(|form| Some(form) == first)
}

impl Checker {
    /// For translations from one language into another (canonical BCP 47 tags).
    #[must_use]
    pub fn new(source_language: &str, target_language: &str) -> Self {
        Self { rules: Rules::new(source_language, target_language), glossary: Arc::default() }
    }

    /// Holds translations against the terms of these languages, too.
    #[must_use]
    pub fn with_glossary(self, glossary: Arc<Glossary>) -> Self {
        Self { glossary, ..self }
    }

    /// Everything that is wrong with a translation, errors first.
    #[must_use]
    pub fn check(&self, source: &Content, target: &Content, facts: Facts) -> Vec<Issue> {
        let mut issues = Vec::new();
        let pair = |source, target| Comparison { source, target, form: None, number: Number::None, facts };
        match (source, target) {
            (Content::Text(source), Content::Text(target)) => self.pair(pair(source, target), &mut issues),
            (Content::Plural(source), Content::Plural(target)) => self.plural(source, target, facts, &mut issues),
            (Content::Text(source), Content::Plural(target)) => {
                report::kind("the translation has plural forms and the source has none", &mut issues);
                for (form, text) in target.forms.iter() {
                    self.pair(Comparison { form: Some(form), ..pair(source, text) }, &mut issues);
                }
            }
            (Content::Plural(source), Content::Text(target)) => {
                report::kind("the source has plural forms and the translation is one text", &mut issues);
                if let Some(source) = source.forms.other() {
                    self.pair(pair(source, target), &mut issues);
                }
            }
        }
        issues.sort_by_key(|issue| issue.severity != Severity::Error);
        issues
    }

    fn plural(&self, source: &Plural, target: &Plural, facts: Facts, issues: &mut Vec<Issue>) {
        let lacking: Vec<_> = self
            .rules
            .categories(false)
            .iter()
            .filter(|category| !self.rules.is_covered(false, **category, |key| target.forms.contains_key(key)))
            .map(|category| category.as_str())
            .collect();
        if !lacking.is_empty() {
            report::kind(&format!("the plural lacks {}", report::list(&lacking)), issues);
        }
        let Some(other) = source.forms.other() else {
            report::kind("the source has no form `other`", issues);
            return;
        };
        if is_one_text(target) && !is_one_text(source) {
            report::same_plurals(issues);
        }
        let number = structure::number(other, &source.arg, facts.syntax);
        for (form, text) in target.forms.iter() {
            // The first source form that the translation agrees with, else the findings against the likeliest one.
            let mut likeliest = None;
            for key in self.rules.sources(form) {
                let source = match source.forms.get(key) {
                    Some(source) => source,
                    // The form for its category comes next.
                    None if key.category().is_none() => continue,
                    None => other,
                };
                let mut found = Vec::new();
                self.pair(Comparison { source, target: text, form: Some(form), number, facts }, &mut found);
                if !has_error(&found) {
                    likeliest = Some(found);
                    break;
                }
                likeliest.get_or_insert(found);
            }
            issues.extend(likeliest.unwrap_or_default());
        }
    }

    fn pair(&self, pair: Comparison<'_>, issues: &mut Vec<Issue>) {
        let mut report = Report::new(pair, issues);
        structure::length(pair, &mut report);
        if pair.target.trim().is_empty() {
            structure::empty(pair, &mut report);
            return;
        }
        let syntax = pair.facts.syntax;
        let source = match branches::read(pair.source, syntax, false) {
            Ok(message) => View::new(pair.source, syntax, message),
            Err(broken) => {
                report.error(broken.check, broken.of_source(), None);
                return;
            }
        };
        let target = match branches::read(pair.target, syntax, source.message.is_some()) {
            Ok(message) => View::new(pair.target, syntax, message),
            Err(broken) => {
                report.error_at(broken.check, broken.of_translation(), broken.error.at);
                return;
            }
        };
        escapes::format_escapes(&source, &target, pair, &mut report);
        escapes::newline_edges(pair, &mut report);
        structure::placeholders(&source, &target, pair, &mut report);
        references::references(&source, &target, &mut report);
        icu::choices(&source, &target, &self.rules, &mut report);
        parts::parts(&source, &target, &self.rules, &mut report);
        markup::tags(&source, &target, &mut report);
        markup::unsafe_html(pair, &mut report);
        style::edges(&source, &target, &self.rules, &mut report);
        style::end_punctuation(&source, &target, &self.rules, &mut report);
        if !pair.form.is_some_and(is_for_one_number) {
            words::numbers(&source, &target, &self.rules, &mut report);
        }
        words::urls(&source, &target, &self.rules, &mut report);
        if pair.form.is_none_or(|form| form == PluralKey::OTHER) {
            style::same_as_source(&source, &target, &self.rules, &mut report);
        }
        words::doubled_word(&source, &target, &self.rules, &mut report);
        spacing::double_space(&source, &target, &mut report);
        spacing::zero_width(&source, &target, &self.rules, &mut report);
        spacing::punctuation_spacing(&target, &self.rules, &mut report);
        pairs::brackets(&source, &target, &mut report);
        pairs::markdown_links(&source, &target, &mut report);
        letters::capitalization(&source, &target, &self.rules, &mut report);
        letters::script(&source, &target, &self.rules, &mut report);
        if pair.form.is_none() {
            letters::length_ratio(&source, &target, &self.rules, &mut report);
        }
        letters::accelerator(&source, &target, &mut report);
        terms::terms(&source, &target, &self.glossary, &mut report);
    }
}
