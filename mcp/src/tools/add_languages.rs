//! `add_languages`: adds languages to the project. Calls `languages::add`.

use l10n_client::api::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::views::language::LanguageView;
use crate::write;

#[derive(Debug)]
pub(super) enum AddLanguages {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// BCP 47, such as pt-BR
    codes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    added: Vec<String>,
    existing: Vec<String>,
    languages: Vec<LanguageView>,
}

impl Tool for AddLanguages {
    const NAME: &'static str = "add_languages";
    const TITLE: &'static str = "Add languages";
    const DESCRIPTION: &'static str = "Adds target languages by code. Free; nothing is translated until translate is called \
         with all source texts. Existing languages stay as they are.";
    const RESULT: &'static [&'static str] = &["added"];
    const EFFECT: Effect = Effect::Adds;
    const SCOPES: &'static [Scope] = &[Scope::Write];
    type Input = Input;
    type Output = Output;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<Output>, Failure> {
        if input.codes.is_empty() {
            return Err(call.wrong("`codes` is empty"));
        }
        let project = call.writing().await?;
        let added = match project.languages().add(input.codes).await {
            Ok(added) => added,
            Err(error) => return Err(write::failed(&project, error).await),
        };
        let codes = |codes: Vec<l10n_client::api::LanguageCode>| codes.into_iter().map(String::from).collect();
        Ok(CallOutcome::done(Output {
            added: codes(added.added),
            existing: codes(added.existing),
            languages: added.languages.into_iter().map(Into::into).collect(),
        }))
    }

    fn sentence(output: &Output) -> String {
        format!("{} added, {} existed.", output.added.len(), output.existing.len())
    }
}
