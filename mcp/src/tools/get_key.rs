//! `get_key`: a key in all languages. Calls `translations::get`.

use l10n_client::api::Scope;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::views::key::KeyView;
use crate::words::counted;

#[derive(Debug)]
pub(super) enum GetKey {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    r#ref: String,
    /// Show this language alone
    language: Option<String>,
}

impl Tool for GetKey {
    const NAME: &'static str = "get_key";
    const TITLE: &'static str = "Show a key";
    const DESCRIPTION: &'static str = "A key by its ref: source, and each language's translation with state, origin and \
         issues, which say what is wrong and where. Free.";
    const RESULT: &'static [&'static str] = &["text", "translations"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[Scope::Read, Scope::Translate];
    type Input = Input;
    type Output = KeyView;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<KeyView>, Failure> {
        let mut key = KeyView::from(call.project().await?.translations().key(input.r#ref).await?);
        if let Some(language) = &input.language {
            key.translations.retain(|translation| translation.language.eq_ignore_ascii_case(language));
        }
        Ok(CallOutcome::done(key))
    }

    fn sentence(key: &KeyView) -> String {
        let held = key.translations.iter().filter(|translation| translation.state == "needs_review").count();
        format!("{}; {held} held back.", counted(key.translations.len(), "language"))
    }
}
