//! `preview_translation`: the price of a run. Calls `translations::translate` and `translations::sync` as dry runs.

use l10n_client::api::Scope;

use super::run_view::PreviewView;
use super::source::{Arguments, Source};
use crate::answer::CallOutcome;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};

#[derive(Debug)]
pub(super) enum PreviewTranslation {}

impl Tool for PreviewTranslation {
    const NAME: &'static str = "preview_translation";
    const TITLE: &'static str = "Preview a translation";
    const DESCRIPTION: &'static str = "Prices keys or a source file: what is new or changed, credits per language, balance \
         after, whether a person must approve, what would fail. Free, changes nothing. Then call translate.";
    const RESULT: &'static [&'static str] = &["new", "changed", "credits", "needs_approval"];
    const EFFECT: Effect = Effect::Reads;
    const SCOPES: &'static [Scope] = &[Scope::Translate];
    type Input = Arguments;
    type Output = PreviewView;

    async fn run(call: &Call<'_>, arguments: Arguments) -> Result<CallOutcome<PreviewView>, Failure> {
        let source = Source::read(call, arguments).await?;
        let run = source.preview(&call.project().await?).await?;
        Ok(CallOutcome::done(PreviewView::of(run)))
    }

    fn sentence(output: &PreviewView) -> String {
        output.sentence()
    }
}
