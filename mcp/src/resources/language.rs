//! `l10n://languages/{code}`: a language of the project. Calls `meta::read`.

use l10n_client::api::{Scope, languages};
use serde::Serialize;

use crate::completions::Completions;
use crate::failure::{Failure, FailureFacts};
use crate::reading::ReadContext;
use crate::resource::Resource;
use crate::views::language::{LanguageView, is_code};

#[derive(Debug)]
pub(super) enum Language {}

#[derive(Debug, Serialize)]
pub(super) struct Output {
    #[serde(flatten)]
    language: LanguageView,
    keys: u64,
    direction: &'static str,
    plural_categories: Vec<&'static str>,
}

impl Resource for Language {
    const KIND: &'static str = "languages";
    const EACH: Option<&'static str> = Some("code");
    const TITLE: &'static str = "A language";
    const DESCRIPTION: &'static str = "Progress of a language: keys translated, held back, stale and missing; writing \
         direction and plural categories.";
    const SCOPES: &'static [Scope] = &[Scope::Read];
    type Output = Output;

    async fn read(reading: ReadContext<'_>, code: String) -> Result<Output, Failure> {
        if !is_code(&code) {
            return Err(Failure::arguments("l10n://languages/{code}", "the code is not BCP 47, such as pt-BR"));
        }
        let mut languages = reading.project().await?.meta().await?.languages;
        let known: Vec<&str> = languages.iter().map(|language| language.code.as_str()).collect();
        match known.iter().position(|known| known.eq_ignore_ascii_case(&code)) {
            Some(at) => Ok(languages.swap_remove(at).into()),
            None => {
                let advice = format!("It has: {}.", known.join(", "));
                Err(FailureFacts::new("not_found", "The project has no language with this code.", advice).into())
            }
        }
    }

    /// The person may type the code or the English name.
    async fn complete(reading: ReadContext<'_>, start: String) -> Result<Completions, Failure> {
        let languages = reading.project().await?.meta().await?.languages;
        let start = start.to_lowercase();
        let begins = |text: &str| text.to_lowercase().starts_with(&start);
        let matching = languages.iter().filter(|language| begins(language.code.as_str()) || begins(&language.name));
        Ok(Completions::of(matching.map(|language| language.code.to_string()), false))
    }
}

impl From<languages::Language> for Output {
    fn from(language: languages::Language) -> Self {
        Self {
            keys: language.keys,
            direction: language.direction.as_str(),
            plural_categories: language.plural_categories.iter().map(|category| category.as_str()).collect(),
            language: language.into(),
        }
    }
}
