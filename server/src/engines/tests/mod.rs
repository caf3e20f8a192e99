mod chain;
mod exec;
mod flaws;
mod hints;
mod hostile;
mod laws;
mod real_apertium;
mod samples;
mod services;
mod unanswered;

use l10n_api_types::{Content, Issue, Plural, PluralCategory, Severity};
use l10n_formats::text::checks::Facts;

use super::pipeline::{SourceText, TranslatedContent, TranslationFailure, translate_contents};
use super::{IdentityEngine, Pseudo, Translator};

fn unit(content: Content) -> SourceText {
    SourceText { content, description: None, facts: Facts::default() }
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn plural<const N: usize>(forms: [(PluralCategory, &str); N]) -> Content {
    let forms = forms.map(|(category, form)| (category, form.to_owned())).into();
    Content::Plural(Plural { arg: "count".to_owned(), forms })
}

fn translate(
    engine: &dyn Translator,
    target: &str,
    units: &[SourceText],
) -> Vec<Result<TranslatedContent, TranslationFailure>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(translate_contents(engine, "en", target, units)).unwrap()
}

fn one(engine: &dyn Translator, target: &str, content: Content) -> Result<TranslatedContent, TranslationFailure> {
    translate(engine, target, &[unit(content)]).remove(0)
}

fn errors(issues: &[Issue]) -> Vec<&Issue> {
    issues.iter().filter(|issue| issue.severity == Severity::Error).collect()
}
