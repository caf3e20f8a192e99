//! `publish`: makes a version or documents live. Calls `publish::create`, after `meta::read`.

use l10n_client::api::meta::Meta;
use l10n_client::api::operations::{CreateBody, OperationKind, OperationTarget};
use l10n_client::api::publish::Publish;
use l10n_client::api::{LanguageCode, OperationId, Scope};
use l10n_client::{CallOptions, Error, ErrorCode, Project};
use schemars::JsonSchema;
use serde::Deserialize;

use super::published::PublishedView;
use super::source::languages;
use super::unmoved;
use crate::answer::CallOutcome;
use crate::approval::{self, ApprovalOutcome};
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::write;

#[derive(Debug)]
pub(super) enum PublishTool {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// `strings` if left out
    target: Option<Target>,
    label: Option<String>,
    languages: Option<Vec<String>>,
    document_ids: Option<Vec<String>>,
    /// Publish even if nothing changed
    force: Option<bool>,
    /// One sentence for the approver
    reason: String,
    operation_id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Target {
    Strings,
    Content,
}

impl Tool for PublishTool {
    const NAME: &'static str = "publish";
    const TITLE: &'static str = "Publish";
    const DESCRIPTION: &'static str = "Makes the keys (with target `content`, documents) live as a new version; apps \
         read it at once. `languages` leaves all other languages of the keys out of it. Free, 30 a day. May answer \
         needs_approval. With nothing new it answers already_live, unless `force`. Undo with restore_version.";
    const RESULT: &'static [&'static str] = &["status", "version_id"];
    const EFFECT: Effect = Effect::Publishes;
    const SCOPES: &'static [Scope] = &[Scope::Publish];
    type Input = Input;
    type Output = PublishedView;

    async fn run(call: &Call<'_>, input: Input) -> Result<CallOutcome<PublishedView>, Failure> {
        let reason = approval::reason(call, &input.reason)?;
        let is_content = input.target == Some(Target::Content);
        if input.document_ids.is_some() && !is_content {
            return Err(call.wrong("`document_ids` needs target `content`"));
        }
        let body = Publish {
            target: None,
            label: input.label,
            languages: languages(call, input.languages)?,
            doc_ids: input.document_ids.map(|ids| ids.into_iter().map(Into::into).collect()),
            operation_id: None,
        };
        let project = call.writing().await?;
        let mut before = None;
        if !is_content && input.force != Some(true) {
            before = state(&project).await?;
            if let Some(live) =
                before.as_ref().and_then(|meta| nothing_to_publish(call, meta, body.languages.as_deref()))
            {
                return Ok(CallOutcome::done(live));
            }
        }
        let operation = match approval::granted(call, input.operation_id.as_deref()).await? {
            ApprovalOutcome::Run(operation) => operation,
            ApprovalOutcome::Ask(asked) => return Ok(asked.into()),
        };
        match publish(&project, &body, is_content, operation).await {
            Ok(mut published) => {
                published.changes = before.map(|meta| meta.unpublished_changes);
                if !is_content {
                    remember(call, &project).await;
                }
                Ok(CallOutcome::done(published))
            }
            Err(error) if approval::is_missing(&error) => {
                if is_content && let Some(summary) = unmoved::summary(&project, &body).await? {
                    return Ok(CallOutcome::done(PublishedView::unmoved(summary)));
                }
                Ok(approval::ask(call, None, operation_for(&body, is_content, reason)).await?.into())
            }
            Err(error) => Err(write::failed(&project, error).await),
        }
    }

    fn sentence(output: &PublishedView) -> String {
        output.sentence()
    }
}

async fn publish(
    project: &Project,
    body: &Publish,
    is_content: bool,
    operation_id: Option<OperationId>,
) -> Result<PublishedView, Error> {
    let body = Publish { operation_id, ..body.clone() };
    if is_content {
        project.publish_content(&body).await.map(PublishedView::of_documents)
    } else {
        project.publish(&body).await.map(PublishedView::of)
    }
}

fn operation_for(body: &Publish, is_content: bool, reason: String) -> CreateBody {
    let target = if is_content { OperationTarget::Content } else { OperationTarget::Strings };
    // An operation is for one document, or for all.
    let only = body.doc_ids.as_deref().and_then(|ids| if let [only] = ids { Some(only.clone()) } else { None });
    CreateBody {
        target: Some(target),
        languages: body.languages.clone(),
        doc_id: only,
        note: Some(reason),
        ..CreateBody::new(OperationKind::Publish)
    }
}

/// The state of the project, if the key may read it.
async fn state(project: &Project) -> Result<Option<Meta>, Failure> {
    match project.meta().await {
        Ok(meta) => Ok(Some(meta)),
        Err(error) if error.code() == Some(&ErrorCode::Forbidden) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The live version, if a publish would only repeat it: nothing changed at all, or nothing since an equal call.
fn nothing_to_publish(call: &Call<'_>, meta: &Meta, asked: Option<&[LanguageCode]>) -> Option<PublishedView> {
    let live = meta.live.as_ref()?;
    let is_repeated = call.memory.publish(call.work()) == fingerprint(meta);
    // Languages that the live version lacks are a change, so where there is none it has all; the base language is in each.
    let is_asked = |code: &LanguageCode| {
        let names = |asked: &LanguageCode| asked.as_str().eq_ignore_ascii_case(code.as_str());
        *code == meta.base_language || asked.is_none_or(|asked| asked.iter().any(names))
    };
    let is_whole = meta.languages.iter().all(|language| is_asked(&language.code));
    ((is_whole && meta.unpublished_changes == 0) || is_repeated).then(|| {
        PublishedView::already(
            live.version_id.to_string(),
            Some(live.label.clone()),
            Some(live.published_at.to_string()),
        )
    })
}

/// Keeps the state after a publish, so that an equal call is known, also after one that was canceled meanwhile. A state that
/// cannot be read is not kept.
async fn remember(call: &Call<'_>, project: &Project) {
    let meta = project.with(CallOptions::default()).meta().await.ok();
    if let Some(state) = meta.as_ref().and_then(fingerprint) {
        call.memory.keep_publish(call.account.key(), call.work(), state);
    }
}

fn fingerprint(meta: &Meta) -> Option<String> {
    let live = meta.live.as_ref()?;
    Some(format!("{} {}", live.version_id, meta.unpublished_changes))
}
