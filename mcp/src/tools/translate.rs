//! `translate`: registers texts, translates them and waits. Calls `translations::translate` or `translations::sync`.

use l10n_client::Project;
use l10n_client::api::operations::{CreateBody, Operation, OperationKind, OperationTarget};
use l10n_client::api::translations::Run;
use l10n_client::api::{ErrorBody, OperationId, Scope};
use schemars::JsonSchema;
use serde::Deserialize;

use super::run_view::RunView;
use super::source::{Arguments, KeyInput, Source};
use crate::answer::CallOutcome;
use crate::approval::{self, ApprovalOutcome};
use crate::call::Call;
use crate::credits::whole_credits;
use crate::digest::Digest;
use crate::failure::{Failure, FailureFacts};
use crate::tool::{Effect, Tool};
use crate::{wait, what_to_do, write};

#[derive(Debug)]
pub(super) enum Translate {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    keys: Option<Vec<KeyInput>>,
    file_path: Option<String>,
    /// The file's text, if sent
    content: Option<String>,
    format: Option<String>,
    languages: Option<Vec<String>>,
    /// One sentence for the approver
    reason: String,
    operation_id: Option<String>,
}

impl Tool for Translate {
    const NAME: &'static str = "translate";
    const TITLE: &'static str = "Translate";
    const DESCRIPTION: &'static str = "Registers up to 10,000 keys or a source file, translates what is new or changed, and \
         waits. Costs credits (preview_translation first); unchanged texts are free. May answer needs_approval. `running`: \
         call get_run. Then check_translations.";
    const RESULT: &'static [&'static str] =
        &["status", "tracking_token", "credits_charged", "operation_id", "approval_url"];
    const EFFECT: Effect = Effect::Translates;
    const SCOPES: &'static [Scope] = &[Scope::Translate];
    type Input = Input;
    type Output = RunView;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<RunView>, Failure> {
        let Input { keys, file_path, content, format, languages, reason, operation_id } = input;
        let reason = approval::reason(call, &reason)?;
        let arguments = Arguments { keys, file_path, content, format, languages };
        let mut source = Source::read(call, arguments).await?;
        let operation = match approval::granted(call, operation_id.as_deref()).await? {
            ApprovalOutcome::Run(operation) => operation,
            ApprovalOutcome::Ask(asked) => return Ok(asked.into()),
        };
        let project = call.writing().await?;
        let sent = source.digest(call);
        keep_sent(call, sent, operation.as_ref());
        match source.run(&project, operation).await {
            Ok(run) => finished(call, &project, run).await.map(CallOutcome::done),
            Err(error) if approval::is_missing(&error) => {
                let preview = source.preview(&project).await?;
                // A first call is asked for although it translates nothing, unless the service says that it changes nothing at
                // all: it may settle code changes, move a file or change descriptions.
                if translates_nothing(&preview) {
                    if let Some(operation) = approval::used(call, &project, sent).await? {
                        return again(call, &project, preview, &operation).await.map(CallOutcome::done);
                    }
                    if preview.changes_nothing {
                        return finished(call, &project, preview).await.map(CallOutcome::done);
                    }
                }
                let ask = CreateBody { languages: source.languages(), ..operation_for(&preview, reason)? };
                Ok(approval::ask(call, Some(texts(&preview)), ask).await?.into())
            }
            Err(error) => Err(write::failed(&project, error).await),
        }
    }

    fn sentence(output: &RunView) -> String {
        output.sentence()
    }
}

/// The operation that a run needs. A run that would be refused in any case is not asked for.
pub(super) fn operation_for(preview: &Run, reason: String) -> Result<CreateBody, Failure> {
    if let Some(ErrorBody { error, message, .. }) = &preview.would_fail {
        let advice = what_to_do::of(error, error.status().unwrap_or(402));
        return Err(FailureFacts::new(error.as_str(), message.clone(), advice).into());
    }
    Ok(CreateBody {
        target: Some(OperationTarget::Strings),
        max_credits: Some(whole_credits(preview.estimated_credits)),
        note: Some(reason),
        ..CreateBody::new(OperationKind::Translation)
    })
}

/// The number of translations that a run makes.
pub(super) fn texts(preview: &Run) -> u64 {
    preview.per_language.iter().map(|price| price.keys).sum()
}

/// Returns true if a run would translate nothing and register no other text.
pub(super) fn translates_nothing(preview: &Run) -> bool {
    texts(preview) == 0 && preview.classification.new + preview.classification.changed == 0
}

/// Keeps the operation with which a call is sent, so that an equal call is known although its answer may be lost.
pub(super) fn keep_sent(call: &Call<'_>, sent: Digest, operation: Option<&OperationId>) {
    if let Some(operation) = operation {
        call.memory.keep_sent(call.account.key(), sent, operation.clone());
    }
}

/// Waits for the run of an equal call that used this operation. Nobody is asked to approve the same work twice.
pub(super) async fn again(
    call: &Call<'_>,
    project: &Project,
    preview: Run,
    used: &Operation,
) -> Result<RunView, Failure> {
    if let Some(token) = approval::run_of(project, used).await {
        call.memory.keep_run(call.account.key(), call.work(), token);
    }
    finished(call, project, preview).await
}

/// Waits for a run's translations. A call that repeats another waits for the other's run.
pub(super) async fn finished(call: &Call<'_>, project: &Project, run: Run) -> Result<RunView, Failure> {
    let token = match &run.tracking_token {
        Some(token) => {
            call.memory.keep_run(call.account.key(), call.work(), token.clone());
            token.clone()
        }
        None => match call.memory.run(call.work()) {
            // What the earlier run charged is not this call's.
            Some(token) if !project.translations().job(&token).await?.has_ended() => token,
            _ => return Ok(RunView::of(run, None)),
        },
    };
    let job = wait::for_run(call, project, &token, wait::LONGEST_TOOL_WAIT).await?;
    Ok(RunView::of(run, Some(job)))
}
